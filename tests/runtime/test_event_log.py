"""The lines of the board's events: one a turn, and none in a loop."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Player, Reason
from firmware_host.games.layout import MORRIS
from firmware_host.play import events as ev
from firmware_host.runtime.event_log import EventLog
from firmware_host.runtime.journal import priority

SECOND = 1_000_000
FOUND = ev.FaultFound("leds", "it is unplugged")
CLEARED = ev.FaultCleared("leds")


def texts(log: EventLog, *events: ev.Event, at: float = 0) -> list[str]:
    return [f"{priority(line.level)} {line.text}" for line in log.lines(events, round(at * SECOND))]


def test_a_game_is_told_in_turns() -> None:
    events = (
        ev.GameContinued("six", 4),
        ev.GameBegun("standard", Player.WHITE),
        ev.PieceLifted(MORRIS["d6"]),
        ev.StepPlayed("d6", Player.WHITE),
        ev.TurnPlayed("d6", Player.WHITE),
        ev.TakenBack(0),
        ev.GameOver(None, Reason.ABANDONED, 0),
    )
    assert texts(EventLog(), *events) == [
        "6 a game of six goes on, after step 4",
        "6 a game of standard begins; white is first",
        "6 white: d6",
        "6 taken back to after step 0",
        "6 the game is over: nobody won (abandoned), after 0 steps",
    ]


def test_a_sensor_that_is_masked_is_a_notice() -> None:
    assert texts(EventLog(), ev.Masked(MORRIS["d6"]), ev.Unmasked(MORRIS["d6"])) == [
        "5 the sensor at d6 is masked: its readings are ignored",
        "5 the sensor at d6 is in use again",
    ]


def test_what_breaks_is_an_error_and_what_is_mended_a_notice() -> None:
    log = EventLog()
    assert texts(log, FOUND) == ["3 leds: it is unplugged"]
    assert texts(log, at=1) == []
    assert texts(log, CLEARED, at=2) == ["5 leds: all is well again"]


def test_what_works_less_well_is_a_warning() -> None:
    assert texts(EventLog(), ev.FaultFound("clock", "SPI changes")) == ["4 clock: SPI changes"]


def test_what_comes_and_goes_is_told_four_times_a_minute_and_then_how_often_it_was() -> None:
    log = EventLog()
    told = [texts(log, FOUND if second % 2 == 0 else CLEARED, at=second) for second in range(60)]
    assert sum(map(len, told)) == 4
    assert texts(log, at=60) == ["5 leds: all is well again (this changed 56 times)"]
    assert texts(log, at=61) == []


@given(st.lists(st.tuples(st.integers(0, 20 * SECOND), st.booleans()), max_size=200))
def test_whatever_flaps_no_minute_has_more_than_four_lines_and_the_last_state_is_told(
    changes: list[tuple[int, bool]],
) -> None:
    log, now, told = EventLog(), 0, []
    for passed, broken in changes:
        now += passed
        told += [(now, line.text) for line in log.lines((FOUND if broken else CLEARED,), now)]
    now += 60 * SECOND
    told += [(now, line.text) for line in log.lines((), now)]
    for index in range(4, len(told)):
        assert told[index][0] - told[index - 4][0] >= 60 * SECOND
    if changes:
        assert told[-1][1].startswith("leds: it is unplugged" if changes[-1][1] else "leds: all is well")
