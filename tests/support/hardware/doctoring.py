"""Boards for the doctor to examine, in virtual time, with an operator who obeys and answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from firmware_host.config.wiring_map import led_positions
from firmware_host.games.layout import MORRIS
from firmware_host.ports import SensorKind
from firmware_host.settings import COLOUR_ORDERS, Lights, Sensors, Strip
from hardware.doctor.doctor import Doctor
from hardware.doctor.examination import Examination, ExaminedBoard
from hardware.doctor.findings import Finding, Verdict
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.maker import SimulatedOperator
from sim.table.table import TablePiece

NAMES = [point.name for point in MORRIS.points]

SENSORS: Mapping[str, Sensors] = {
    "three 4051": Sensors(),
    "resistors outside": Sensors(pull_up=False),
    "two 4067": Sensors(select=(17, 27, 22, 4), signal=(23, 24)),
    "one signal line": Sensors(signal=(23,), enable=(5, 6, 16)),
    "polarity": Sensors(alphabet="polarity", signal=(23, 24, 25, 5, 6, 16)),
    "lines": Sensors(kind="direct", signal=tuple(range(4, 28)), pull_up=False),
    "expanders": Sensors(kind="mcp23017"),
    "linear": Sensors(kind="mcp3008"),
}


def plan(sensors: Sensors, strip: Strip | None = None) -> ExaminedBoard:
    """Return a board with these presumed settings."""
    strip = strip or Strip()
    leds = dict(zip(NAMES, led_positions(strip, MORRIS), strict=True))
    return ExaminedBoard(MORRIS, sensors, strip, Lights(), leds)


def examined(
    fault: Mapping[str, Any] | None = None,
    sensors: Sensors | None = None,
    *,
    truth: Sensors | None = None,
    strip: Strip | None = None,
    thought_strip: Strip | None = None,
    hands: bool = True,
    slow: int = 0,
    empty: bool = False,
    stands: str = "",
    seed: int = 0,
) -> list[Finding]:
    """Return the doctor's findings on a board with `fault`, whose settings are `sensors`.

    `truth` and `strip` are its true wiring, and `thought_strip` the settings of the strip, if they differ.
    `slow` is how much longer the operator lets a piece rest, and `stands` a point on which a piece stands
    from the beginning.
    """
    thought = sensors or Sensors()
    clock = VirtualClock()
    alphabet = SensorKind(thought.alphabet)
    board = SimulatedBoard(MORRIS, alphabet, clock, seed=seed, sensors=truth or thought, strip=strip)
    if fault:
        board.inject(fault)
    maker = SimulatedOperator(board, slow=slow)
    if stands:
        board.table.put(TablePiece("white"), board.table.spots[board.layout[stands].index], clock.now())
    look = Examination(plan(thought, thought_strip), board, maker if hands else None, clock.sleep)
    return list(Doctor(look, board.supply.throttled, empty=empty).findings())


def wrong(findings: list[Finding]) -> list[Finding]:
    """Return the faults and warnings."""
    return [finding for finding in findings if finding.verdict in (Verdict.FAULT, Verdict.WARNING)]


def checks(findings: list[Finding]) -> list[str]:
    """Return the checks with faults or warnings."""
    return [finding.check for finding in wrong(findings)]


def elsewhere(sensors: Sensors, moved: Mapping[str, str]) -> Sensors:
    """The same with the wires of some points where those of others should be."""
    from hardware.wiring.contacts import contacts_of

    contacts = contacts_of(MORRIS, sensors)
    readings = sorted({reading for _, reading in contacts})
    return replace(
        sensors,
        points={
            name: tuple(contacts[MORRIS[moved.get(name, name)].index, reading] for reading in readings)
            for name in NAMES
        },
    )


POINT_FAULTS = {
    "stuck-on": "open contacts",
    "stuck-off": "silent contacts",
    "chatter": "quiet contacts",
    "faint": "resting pieces",
    "wrong-pole": "poles",
}
"""The check that finds each fault of one sensor."""

TURNS = ["mirrored", "upside-down", "half-turned", "turned-right", "turned-left"]


@st.composite
def single_faults(draw: st.DrawFn, chips: int, select: int) -> tuple[dict[str, Any], str]:
    """Return any fault that a board with this number of chips can have, and the check that should find it."""
    point, chip, bit = st.sampled_from(NAMES), st.integers(0, chips - 1), st.integers(0, select - 1)
    two_bits = st.lists(bit, min_size=2, max_size=2, unique=True)
    kinds: list[tuple[st.SearchStrategy[dict[str, Any]], str]] = [
        *(
            (st.fixed_dictionaries({"point": point, "kind": st.just(kind)}), check)
            for kind, check in POINT_FAULTS.items()
        ),
        (st.fixed_dictionaries({"mux": chip, "kind": st.just("dead")}), "chips"),
        (st.fixed_dictionaries({"signal": chip, "kind": st.just("floating")}), "chips"),
        (st.fixed_dictionaries({"signal": chip, "kind": st.just("slow")}), "settling"),
        (
            st.fixed_dictionaries({"select": bit, "kind": st.sampled_from(["open", "high"])}),
            "select lines",
        ),
        (
            st.fixed_dictionaries({"select": bit, "kind": st.sampled_from(["open", "high"]), "mux": chip}),
            "select lines",
        ),
        (
            st.fixed_dictionaries({"select": two_bits, "kind": st.sampled_from(["swapped", "shorted"])}),
            "select lines",
        ),
        (st.fixed_dictionaries({"wiring": st.sampled_from(TURNS)}), "order"),
        (
            st.fixed_dictionaries({"wiring": st.lists(point, min_size=2, max_size=24, unique=True)}),
            "order",
        ),
        (st.fixed_dictionaries({"magnets": st.just("strong")}), "neighbours"),
        (st.fixed_dictionaries({"magnets": st.just("weak")}), "resting pieces"),
        (st.fixed_dictionaries({"leds": st.sampled_from(["unplugged", "reversed"])}), "light"),
        (st.fixed_dictionaries({"leds": st.just("first-green")}), "first LED"),
        (st.fixed_dictionaries({"leds": st.just("broken"), "led": st.integers(1, 23)}), "LED order"),
        (
            st.fixed_dictionaries({"leds": st.just("colours"), "order": st.sampled_from(COLOUR_ORDERS[1:])}),
            "colours",
        ),
        (st.fixed_dictionaries({"supply": st.just("sags")}), "supply"),
    ]
    faults, check = draw(st.sampled_from(kinds))
    return draw(faults), check
