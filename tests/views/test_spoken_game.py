"""A whole game, from the new one to its end, by players who use nothing but what the board says."""

from __future__ import annotations

import pytest

from tests.support.matrix import CI, sampled
from tests.support.speech.game import PlayerOfBothSides

CASES = [
    ("standard", "es"),
    ("mitsudomoe", "de"),
    *(("standard", language) for language in ("en", "pt", "de")),
    *(("mitsudomoe", language) for language in ("en", "es", "pt")),
]
MAX_TURNS = 200


def begun(rules: str, language: str) -> PlayerOfBothSides:
    """Return the players of a game with a clock, which they have chosen by the menu."""
    players = PlayerOfBothSides(language, rules)
    players.hands.follow_until_it_matches()
    word = players.listener.word
    clock = word(
        "speech.fischer", minutes=word("speech.minutes", count=15), seconds=word("speech.seconds", count=10)
    )
    players.choose(word("option.clock"), clock)
    players.leave()
    return players


@pytest.mark.parametrize(("rules", "language"), [*sampled(CASES[:2], others=CI), *sampled(CASES[2:], 0)])
def test_a_game_is_played_by_what_is_said_alone(rules: str, language: str) -> None:
    players = begun(rules, language)
    word = players.listener.word
    for turn in range(MAX_TURNS):
        if players.winner is not None:
            break
        if turn in (3, 7):
            players.err()
        if turn == 6:
            taken_back = players.mind
            players.choose(word("option.take-back"))
            players.hands.follow_until_it_matches()
            players.listen()
            assert players.heard_back
            assert players.mind.steps == taken_back.back_to(taken_back.last_turn).steps
        if turn == 8:
            times = {one.key for one in players.choose(word("option.tell.clock")) if "time" in one.key}
            assert times == {"speech.time.white", "speech.time.black"}
            players.leave()
        if rules == "mitsudomoe" and turn == 12:
            players.confirm(players.choose(word("option.black-won")))
            assert players.winner == "black"
            break
        players.play_turn()
    assert players.winner is not None
    outcome = players.mind.position.outcome
    if outcome is not None:
        assert players.winner == ("nobody" if outcome.winner is None else str(outcome.winner))
