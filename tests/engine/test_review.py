"""Looking back on a game: only proved mistakes are mistakes."""

from __future__ import annotations

from firmware_host.engine.review import MAX_ESTIMATE, known_from, turning_points
from firmware_host.engine.reviewing import reviewed
from firmware_host.engine.solving.folder import open_tables
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import UNKNOWN, Result

MATE = "OO*O****/********/@@**@*** w m s 3 0 3 0 0 0 0 0 0 0 0 0 9"
BEFORE_MATE = "OO*O****/********/@@**@*** b m s 3 0 3 0 0 0 0 0 0 0 0 0 9"


def played(start: str, *turns: str) -> Game:
    rules = rule_set()
    game = Game.begin(rules, rules.position(start))
    for turn in turns:
        for step in rules.parse_turn(turn):
            game = game.play(game.position.legal_step(step.text))
    return game


def opening(*turns: str) -> Game:
    rules = rule_set()
    return played(str(rules.start(Player.WHITE)), *turns)


def test_review_of_a_win_given_away_names_the_win() -> None:
    review = tuple(reviewed(played(MATE, "e5-a7"), tables=open_tables()))
    (one,) = review
    assert (one.player, one.turn, one.ply) == (Player.WHITE, "e5-a7", 0)
    assert (one.before.result, one.after.result) == (Result.WIN, Result.LOSS)
    assert one.better is not None
    assert one.better.value.result is Result.WIN
    assert "x" in one.better.turn
    assert turning_points(review) == review
    assert known_from(review) == 0


def test_review_of_a_good_turn_finds_nothing_better() -> None:
    (one,) = reviewed(played(MATE, "d5-e4xd7"))
    assert (one.before.result, one.after.result) == (Result.WIN, Result.WIN)
    assert one.better is None
    assert turning_points((one,)) == ()


def test_review_without_proofs_blames_nobody() -> None:
    found = tuple(reviewed(opening("d6", "f4", "d5", "d2"), depth=2))
    assert [one.turn for one in found] == ["d2", "d5", "f4", "d6"]
    assert {one.after for one in found} == {one.before for one in found} == {UNKNOWN}
    assert not any(one.better for one in found)
    assert all(abs(one.estimate) <= MAX_ESTIMATE for one in found)
    assert known_from(found) is None


def test_review_leaves_an_unfinished_turn_out() -> None:
    game = played(MATE)
    game = game.play(game.position.legal_step("d5-e4"))
    assert game.mid_turn
    assert list(reviewed(game, depth=1)) == []


def test_review_knows_a_turn_by_what_came_after_it() -> None:
    # One turn ahead shows the wins that are there, but not that Black's turn allowed White's.
    last, first = reviewed(played(BEFORE_MATE, "g7-g4", "d5-e4xd7"), depth=1)
    assert (last.player, last.before.result, last.after.result) == (Player.WHITE, Result.WIN, Result.WIN)
    assert (first.player, first.after.result) == (Player.BLACK, Result.LOSS)
    assert first.after.distance == (last.before.distance or 0) + 1
    assert first.before.result is Result.WIN
    assert first.better is not None
    assert first.better.turn.startswith("d1-a7x")


def test_review_ends_when_it_is_told_to_stop() -> None:
    asked = []

    def stop() -> bool:
        asked.append(1)
        return True

    found = list(reviewed(opening("d6", "f4", "d5", "d2"), stop=stop))
    assert len(found) == 4
    assert asked


def test_review_is_the_same_whatever_the_time() -> None:
    game = opening("d6", "f4", "d5", "d2", "d7xd2", "a1")
    assert list(reviewed(game, nodes=3000)) == list(reviewed(game, nodes=3000))
