"""Checks of the wires of an untouched board.

Invariants: only the evidence decides. A line that is faulty as a whole is reported once, and none of its
contacts is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from firmware_host.frozen import frozen
from firmware_host.settings import Microseconds
from hardware.doctor.findings import Finding, fault, passed, skipped
from hardware.doctor.matrix_checks import check_idle_matrix
from hardware.doctor.part_names import PartNames, count, several
from hardware.scanner import Levels, Wire

FRAMES = 100
"""Number of frames read: half a second."""

MIN_CHATTER = 4
"""Changes of an untouched contact that show a loose connection."""


@frozen
class IdleReadings:
    """Some frames of an untouched board.

    `closed` and `changes` count, for each wire, the frames in which it was closed and its changes. `up` and
    `down` are the levels under the Pi's own resistors, if these lines have them. `backwards` are the wires of
    a matrix that conduct from row to column. `empty`: there are no pieces on the board, as far as is known.
    """

    wires: tuple[Wire, ...]
    closed: tuple[int, ...]
    changes: tuple[int, ...]
    frames: int = FRAMES
    up: Levels | None = None
    down: Levels | None = None
    backwards: frozenset[Wire] = frozenset()
    empty: bool = False


@frozen
class IdleReport:
    """The findings, and the wires that later checks must exclude."""

    findings: tuple[Finding, ...]
    excluded: frozenset[Wire]


@frozen
class SettlingTest:
    """Scans with several settling times, in microseconds, and the wires that differ from the longest one.

    `configured` is the settling time of the settings. `closed`: a contact was closed; otherwise all lines
    were at rest anyway.
    """

    configured: Microseconds
    differ: Mapping[Microseconds, tuple[Wire, ...]]
    closed: bool

    def without(self, spoilt: frozenset[Wire]) -> SettlingTest:
        """Return the same without some wires."""
        kept = {delay: tuple(w for w in wires if w not in spoilt) for delay, wires in self.differ.items()}
        return replace(self, differ=kept)


def check_settling(
    seen: Sequence[SettlingTest], names: PartNames, spoilt: frozenset[Wire] = frozenset()
) -> Finding:
    """Check that scans wait long enough, ignoring the wires in `excluded`."""
    tests = [look.without(spoilt) for look in seen if look.closed]
    if not tests:
        return skipped("settling", "it takes a contact that is closed and stays so")
    configured, longest = tests[0].configured, max(tests[0].differ)
    wrong = sorted({wire for look in tests for wire in look.differ[configured]})
    short = [delay for delay in tests[0].differ if any(look.differ[delay] for look in tests)]
    if not wrong:
        text = f"scans that wait {configured} us read as those that wait {longest} us do"
        quick = f"; those that wait {max(short)} us do not" if short else ", and so do all shorter ones"
        return passed("settling", text + quick)
    line = "column" if names.rows else "signal line"
    enough = min((delay for delay in tests[0].differ if delay > max(short)), default=longest)
    return fault(
        "settling",
        f"scans that wait {configured} and {longest} us differ at {several([names.wire(w) for w in wrong])}",
        f"settling_us = {min(1000, 2 * enough)} in the section [sensors]; or 10 kOhm from each {line} "
        "to 3.3 V, which is faster, and pull_up = false",
    )


def check_idle(rest: IdleReadings, names: PartNames) -> IdleReport:
    """Check the lines and the contacts."""
    floating = _floating(rest, names)
    grounded = {line: wires for line, wires in _always_low(rest, names).items() if line not in floating}
    spoilt = {wire for wires in (*floating.values(), *grounded.values()) for wire in wires}
    always = [w for w, closed in zip(rest.wires, rest.closed, strict=True) if closed == rest.frames]
    known = set(always) - spoilt if rest.empty else set()
    matrix = list(check_idle_matrix(known, rest.backwards, names))
    spoilt |= {wire for found in matrix for wire in found.wires}
    chattering = [
        (wire, changes)
        for wire, changes in zip(rest.wires, rest.changes, strict=True)
        if changes >= MIN_CHATTER and wire not in spoilt
    ]
    spoilt |= {wire for wire, _ in chattering}
    stuck = [wire for wire in always if wire not in spoilt]
    findings = [
        *_line_findings(rest, names, floating, grounded),
        *(found.finding for found in matrix),
        *_contact_findings(rest, names, stuck),
        *_chatter_findings(rest, names, chattering),
    ]
    return IdleReport(tuple(findings), frozenset(spoilt | (set(stuck) if rest.empty else set())))


def _lines(rest: IdleReadings, names: PartNames) -> Mapping[int, list[Wire]]:
    """Return the wires of each signal line of the Pi, or of each column, by its number."""
    found: dict[int, list[Wire]] = {}
    for wire in rest.wires:
        chip, channel = wire
        line = channel if names.rows else 0 if names.sensors.enable else chip
        found.setdefault(line, []).append(wire)
    return found


def _floating(rest: IdleReadings, names: PartNames) -> dict[int, list[Wire]]:
    """Return the lines without an external resistor, which follow any pull of the Pi."""
    if rest.up is None or rest.down is None:
        return {}
    up, down = (dict(zip(rest.wires, levels, strict=True)) for levels in (rest.up, rest.down))
    return {
        line: wires
        for line, wires in _lines(rest, names).items()
        if not any(up[wire] for wire in wires) and all(down[wire] for wire in wires)
    }


def _always_low(rest: IdleReadings, names: PartNames) -> dict[int, list[Wire]]:
    """Return the lines that are always low, if neither pieces nor a single contact can explain that."""
    if names.sensors.kind not in ("mux", "matrix"):
        return {}
    closed = dict(zip(rest.wires, rest.closed, strict=True))
    return {
        line: wires
        for line, wires in _lines(rest, names).items()
        if len(wires) > 2 and all(closed[wire] == rest.frames for wire in wires)
    }


def _line_findings(
    rest: IdleReadings,
    names: PartNames,
    floating: Mapping[int, list[Wire]],
    grounded: Mapping[int, list[Wire]],
) -> Iterator[Finding]:
    if names.sensors.kind not in ("mux", "direct", "matrix"):
        return
    noun, places = ("column", "row") if names.rows else ("signal line", "channel")
    for line, wires in grounded.items():
        yield fault(
            f"{noun}s",
            f"{names.signal(line)} is low at each of {count(len(wires), places)}, in all of "
            f"{count(rest.frames, 'frame')}",
            f"find where the wire of {names.signal(line)} touches GND",
        )
    for line in floating:
        yield fault(
            f"{noun}s",
            f"{names.signal(line)} floats: high under the Pi's pull-up and low under its pull-down",
            f"10 kOhm from {names.signal(line)} to 3.3 V (header pin 1), and its wire; without "
            "such a resistor, `pull_up = true` in the section [sensors]",
        )
    if floating or grounded:
        return
    lines = count(len(_lines(rest, names)), noun)
    if rest.down is None and not names.sensors.pull_up:
        yield skipped(f"{noun}s", "the Pi's own resistors on GPIO 2 and 3 cannot be switched off")
    elif rest.down is None:
        yield passed(f"{noun}s", f"{lines}, held up by the Pi's own resistors (pull_up = true)")
    else:
        yield passed(f"{noun}s", f"{lines} held up by resistors, against the Pi's pull-down too")


def _contact_findings(rest: IdleReadings, names: PartNames, stuck: list[Wire]) -> Iterator[Finding]:
    if not stuck:
        known = "" if rest.empty else ", and so no piece stands there"
        yield passed("open contacts", f"no contact was closed in all of {rest.frames} frames{known}")
    elif not rest.empty:
        yield skipped(
            "open contacts",
            f"pieces may stand there: closed are {several([names.wire(wire) for wire in stuck])}; "
            "clear the board and say so with --empty",
        )
    else:
        touches = "" if names.rows else ", or its wire touches GND"  # in a matrix a finding of its own
        yield fault(
            "open contacts",
            f"closed in all of {rest.frames} frames with no piece on the board: "
            f"{several([names.wire(wire) for wire in stuck])}",
            f"a reed that sticks (knock at it, or change it), a magnet left there{touches}",
        )


def _chatter_findings(
    rest: IdleReadings, names: PartNames, chattering: list[tuple[Wire, int]]
) -> Iterator[Finding]:
    if not chattering:
        yield passed("quiet contacts", f"no contact changed {MIN_CHATTER} times in {rest.frames} frames")
        return
    text = [f"{names.wire(wire)} changed {count(changes, 'time')}" for wire, changes in chattering]
    yield fault(
        "quiet contacts",
        f"in {rest.frames} frames, touched by nobody, {several(text)}",
        "a wire that is loose at the sensor or at the chip, or a reed that is broken",
    )
