"""The hints of one board: wanted for the position that stands, dropped when they are old or late."""

from __future__ import annotations

import pytest

from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result, TurnResults
from firmware_host.play.hint_light import HINT_TIMEOUT, SHRUG, HintKind, HintTracker, WantedHint
from tests.support.controller_bench import new_session

OFF, ON_REQUEST, ALWAYS = HintKind.OFF, HintKind.ON_REQUEST, HintKind.ALWAYS
RESULTS: TurnResults = (("d6", Result.WIN), ("f4", Result.DRAW), ("a1", Result.LOSS), ("g7", Result.UNKNOWN))


def game(*turns: str) -> Game:
    rules = rule_set()
    begun = Game.begin(rules, rules.start(Player.WHITE))
    for turn in turns:
        begun = begun.play(begun.position.legal_step(turn))
    return begun


def wanted_of(tracker: HintTracker) -> WantedHint:
    assert tracker.wanted is not None
    return tracker.wanted


def test_a_hint_is_wanted_always_or_when_it_is_asked_for() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, ON_REQUEST, 0)
    assert tracker.wanted is None
    tracker.ask()
    tracker.want_hint(now, ON_REQUEST, 5)
    assert wanted_of(tracker).game is now
    always = HintTracker(new_session())
    always.want_hint(now, ALWAYS, 0)
    assert always.wanted is not None


def test_the_same_wish_lasts_as_long_as_the_position() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, ALWAYS, 0)
    first = tracker.wanted
    tracker.want_hint(now, ALWAYS, 10)
    assert tracker.wanted is first
    tracker.want_hint(game("d6"), ALWAYS, 20)
    assert tracker.wanted is not first
    assert wanted_of(tracker).since == 20


def test_an_answer_is_an_event_and_is_known_from_then_on() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, ALWAYS, 0)
    assert tracker.show_results(wanted_of(tracker), RESULTS, 10)
    assert tracker.known is not None
    assert tracker.deadline is None
    [event] = [event.as_dict() for event in tracker.take_events()]
    assert len(event.pop("unknown")) == 21  # the other points
    assert event == {"event": "hint", "by": "white", "wins": ["d6"], "draws": ["f4"], "loses": ["a1"]} | {
        "suggested": []
    }
    assert not tracker.take_events()


def test_an_answer_to_another_position_is_dropped() -> None:
    tracker = HintTracker(new_session())
    tracker.want_hint(game(), ALWAYS, 0)
    old = wanted_of(tracker)
    tracker.want_hint(game("d6"), ALWAYS, 10)
    assert not tracker.show_results(old, RESULTS, 20)
    assert tracker.known is None
    assert not tracker.take_events()


@pytest.mark.parametrize(("now", "shown"), [(HINT_TIMEOUT - 1, True), (HINT_TIMEOUT, False)])
def test_an_answer_is_shown_within_a_second_or_not_at_all(now: int, shown: bool) -> None:
    tracker = HintTracker(new_session())
    tracker.want_hint(game(), ALWAYS, 0)
    assert tracker.show_results(wanted_of(tracker), RESULTS, now) is shown


def test_a_late_hint_can_be_asked_for_again() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, ALWAYS, 0)
    assert tracker.deadline == HINT_TIMEOUT
    tracker.want_hint(now, ALWAYS, HINT_TIMEOUT)
    assert tracker.is_late
    assert tracker.deadline is None
    late = tracker.wanted
    tracker.ask()
    tracker.want_hint(now, ALWAYS, HINT_TIMEOUT + 5)
    assert not tracker.is_late
    assert tracker.wanted is not late


NOTHING_KNOWN: TurnResults = ()
GUESSED: TurnResults = (("d6", Result.UNKNOWN), ("f4", Result.UNKNOWN))


def test_light_says_that_there_is_no_hint_if_one_was_asked_for() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, ON_REQUEST, 0)
    tracker.ask()
    tracker.want_hint(now, ON_REQUEST, 0)
    assert tracker.show_results(wanted_of(tracker), NOTHING_KNOWN, 10)
    assert tracker.shrugs_until == 10 + SHRUG
    tracker.want_hint(now, ON_REQUEST, 10 + SHRUG)
    assert tracker.shrugs_until is None


def test_a_suggestion_is_a_hint_and_no_refusal() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, ON_REQUEST, 0)
    tracker.ask()
    tracker.want_hint(now, ON_REQUEST, 0)
    assert tracker.show_results(wanted_of(tracker), GUESSED, 10)
    assert tracker.shrugs_until is None
    (event,) = [event.as_dict() for event in tracker.take_events()]
    assert event["suggested"] == ["d6"]
    assert (event["wins"], event["draws"], event["loses"]) == ([], [], [])


def test_a_hint_that_was_not_asked_for_is_just_not_there() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, ALWAYS, 0)
    assert tracker.show_results(wanted_of(tracker), NOTHING_KNOWN, 10)
    assert tracker.shrugs_until is None


def test_light_says_that_a_hint_is_late_until_another_turn() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, ON_REQUEST, 0)
    tracker.ask()
    tracker.want_hint(now, ON_REQUEST, 0)
    tracker.want_hint(now, ON_REQUEST, HINT_TIMEOUT)
    assert tracker.shrugs_until == HINT_TIMEOUT + SHRUG
    tracker.want_hint(game("d6"), ON_REQUEST, HINT_TIMEOUT + 5)
    assert tracker.shrugs_until is None


def test_a_hint_lasts_through_the_turn_and_no_longer() -> None:
    tracker, before = HintTracker(new_session()), game("d6", "a1", "d7", "a4", "b4")
    mill = before.play(before.position.legal_step("a7"))  # Black has closed a mill and has to take a piece
    tracker.want_hint(before, ON_REQUEST, 0)
    tracker.ask()
    tracker.want_hint(before, ON_REQUEST, 5)
    tracker.want_hint(mill, ON_REQUEST, 10)
    assert wanted_of(tracker).game is mill
    over = mill.play(mill.position.legal_step("xb4"))
    tracker.want_hint(over, ON_REQUEST, 20)
    assert tracker.wanted is None


def test_a_hint_that_was_asked_for_can_be_dismissed() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, ON_REQUEST, 0)
    tracker.ask()
    tracker.want_hint(now, ON_REQUEST, 5)
    tracker.dismiss()
    tracker.want_hint(now, ON_REQUEST, 10)
    assert tracker.wanted is None


def test_nobody_asks_for_a_hint_where_there_is_none() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, OFF, 0)
    with pytest.raises(RequestError, match="turn"):
        tracker.ask()
    tracker.want_hint(now, ON_REQUEST, 5)
    assert tracker.wanted is None


def test_a_hint_ends_when_it_is_switched_off() -> None:
    now, tracker = game(), HintTracker(new_session())
    tracker.want_hint(now, ALWAYS, 0)
    tracker.show_results(wanted_of(tracker), RESULTS, 0)
    tracker.want_hint(now, OFF, 5)
    assert tracker.wanted is None
    assert tracker.known is None
