"""The sentences of a board: when each is due, and at which level."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.play import events as ev
from firmware_host.play.sounds import SoundTracker
from firmware_host.play.speech import SpeechTracker
from firmware_host.settings import SPEECH_LEVELS
from firmware_host.views.narrator import SpeechState, utterance_due
from tests.support.controller_bench import new_session
from tests.support.hands_that_ask import AskingHands, Said

RULES = rule_set("standard")
START = Game.begin(RULES, RULES.start(Player.WHITE))
AFTER_D6 = START.play(START.position.legal_step("d6"))
WHITE, BLACK, WRONG = Message("places.white"), Message("places.black"), Message("repair")


def state(game: Game, prompt: Message, *, calls: bool = False, **faults: Message) -> SpeechState:
    return SpeechState(game, calls, (prompt,), faults)


def texts(said: Said) -> list[str]:
    return [line["text"] for line in said if line.get("event") == "said"]


def speaking(level: str = "all", **options: Any) -> AskingHands:
    hands = AskingHands(sensors="polarity", **options)
    hands.ask("set", speech=level)
    return hands


def test_a_state_that_stays_says_nothing() -> None:
    assert utterance_due(state(START, WHITE), state(START, WHITE)) is None


def test_the_first_state_says_what_to_do() -> None:
    due = utterance_due(None, state(START, WHITE))
    assert due is not None
    assert (due.level, due.reports, due.prompts) == ("turns", (), (WHITE,))


def test_a_turn_is_reported_with_what_follows() -> None:
    due = utterance_due(state(START, WHITE), state(AFTER_D6, BLACK))
    assert due is not None
    assert (due.level, due.prompts) == ("turns", (BLACK,))
    assert due.reports == (Message("speech.turn.white", {"turn": "d6"}),)


def test_a_turn_that_was_taken_back_is_named() -> None:
    due = utterance_due(state(AFTER_D6, BLACK), state(START, WHITE))
    assert due is not None
    assert due.reports == (Message("speech.back", {"turn": "d6"}),)


def test_an_error_and_its_end_need_an_answer_and_a_lift_does_not() -> None:
    right, wrong, lifted = (
        state(START, WHITE),
        state(START, WRONG, calls=True),
        state(START, Message("holds")),
    )
    levels = [
        due.level
        for before, after in ((right, wrong), (wrong, right), (right, lifted), (lifted, right))
        if (due := utterance_due(before, after)) is not None
    ]
    assert levels == ["answers", "answers", "all", "all"]


def test_a_new_game_reports_no_turn_of_the_last_one() -> None:
    begun = ev.GameBegun("standard", Player.WHITE)
    due = utterance_due(state(AFTER_D6, BLACK), state(START, WHITE), [begun])
    assert due is not None
    assert due.reports == (Message("speech.new-game"),)


def test_a_fault_is_reported_once() -> None:
    broken = state(START, WHITE, disk=Message("fault.disk.full"))
    due = utterance_due(state(START, WHITE), broken)
    assert due is not None
    assert (due.level, due.reports[0].key) == ("answers", "speech.fault")
    assert utterance_due(broken, broken) is None


def test_little_time_is_reported_in_words() -> None:
    low = ev.ClockChanged("low", Player.BLACK, 30)
    due = utterance_due(state(START, WHITE), state(START, WHITE), [low])
    assert due is not None
    assert (due.level, due.reports[0].key) == ("answers", "speech.seconds-left.black")


@pytest.mark.parametrize("level", SPEECH_LEVELS)
def test_a_level_speaks_what_lower_ones_do(level: str) -> None:
    tracker = SpeechTracker(SoundTracker(new_session()))
    tracker.level = level
    spoken = [one for one in SPEECH_LEVELS[1:] if tracker.say(one, (WHITE,)).is_aloud]
    assert spoken == list(SPEECH_LEVELS[1 : SPEECH_LEVELS.index(level) + 1])


def test_at_night_speech_is_soft_and_everything_is_every_turn() -> None:
    tracker = SpeechTracker(SoundTracker(new_session()))
    tracker.level = "all"
    said = [tracker.say(level, (WHITE,), is_night=True) for level in SPEECH_LEVELS[1:]]
    assert [one.is_aloud for one in said] == [True, True, False]
    assert all(one.is_soft for one in said)


def test_a_board_says_nothing_unless_speech_is_on() -> None:
    assert texts(AskingHands().place("d6 f4")) == []


def test_levels_differ_in_what_a_turn_says() -> None:
    for level, expected in (("answers", 0), ("turns", 1), ("all", 1)):
        assert len(texts(speaking(level).place("d6"))) == expected


def test_a_chosen_language_is_spoken_at_once() -> None:
    hands = speaking("turns")
    assert texts(hands.ask("set", language="de")) == ["Sprache: Jeder Zug."]
    assert texts(hands.place("d6"))[0].startswith("Weiß: d6. Schwarz ist am Zug")


def test_a_mill_names_all_that_can_be_taken() -> None:
    hands = speaking()
    said = texts(hands.place("d6 a1 f6 a4 b6"))
    assert said[-1].endswith("White has closed a mill: take the black piece from a1 or a4.")


def test_an_answer_for_one_client_is_not_spoken() -> None:
    hands = speaking()
    assert texts(hands.ask("tell", what="board", to="page")) == []
    assert texts(hands.ask("tell", what="last")) == ["No turn has been played yet."]


def test_a_point_that_is_not_on_the_board_is_refused() -> None:
    hands = speaking()
    assert "no point z9" in hands.refusal("tell", what="point", point="z9")
    assert hands.refusal("tell", what="point") != ""
    assert hands.refusal("tell", what="weather") != ""
    assert "at most 40 characters" in hands.refusal("tell", what="turn", to="x" * 41)


def test_a_take_back_by_request_says_how_the_pieces_go_back() -> None:
    hands = speaking()
    hands.place("d6 f4")
    said = texts(hands.ask("take-back"))
    assert said == ["Taken back: f4. Now put the pieces where they belong. To match the game: clear f4."]


def test_an_engines_turn_is_said_and_reported_once_it_is_done() -> None:
    hands = speaking("answers", black="engine:1")
    chosen = texts(hands.place("d6"))[-1]
    assert chosen.startswith("The board plays")
    point = chosen.split()[3].rstrip(".")
    hands.ask("set", speech="turns")
    hands.do(put=point, piece="black")
    assert texts(hands.wait(1))[0].startswith(f"Black: {point}.")
