"""Checks of the wires of an untouched board.

Invariants: only the evidence decides. A line that is faulty as a whole is reported once, and none of its
contacts is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from hardware.doctor.findings import Check, Finding, fault, passed, skipped
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
        return skipped("settling", Message("doctor.settling.open"))
    configured, longest = tests[0].configured, max(tests[0].differ)
    wrong = sorted({wire for look in tests for wire in look.differ[configured]})
    short = [delay for delay in tests[0].differ if any(look.differ[delay] for look in tests)]
    if not wrong and short:
        return passed(
            "settling",
            Message(
                "doctor.settling.good.short", {"wait": configured, "longest": longest, "short": max(short)}
            ),
        )
    if not wrong:
        return passed("settling", Message("doctor.settling.good", {"wait": configured, "longest": longest}))
    enough = min((delay for delay in tests[0].differ if delay > max(short)), default=longest)
    wait = min(1000, 2 * enough)
    wires = several([names.wire(wire) for wire in wrong])
    return fault(
        "settling",
        Message("doctor.settling.differ", {"wait": configured, "longest": longest, "wires": wires}),
        Message("doctor.settling.fix.matrix", {"wait": wait})
        if names.rows
        else Message("doctor.settling.fix", {"wait": wait}),
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
    check: Check = "columns" if names.rows else "signal-lines"
    for line, wires in grounded.items():
        places, frames = count(len(wires), "row" if names.rows else "channel"), count(rest.frames, "frame")
        yield fault(
            check,
            Message("doctor.line.low", {"line": names.signal(line), "places": places, "frames": frames}),
            Message("doctor.touches-ground", {"line": names.signal(line)}),
        )
    for line in floating:
        yield fault(
            check,
            Message("doctor.line.floats", {"line": names.signal(line)}),
            Message("doctor.line.floats.fix", {"line": names.signal(line)}),
        )
    if floating or grounded:
        return
    lines = count(len(_lines(rest, names)), "column" if names.rows else "signal-line")
    if rest.down is None and not names.sensors.pull_up:
        yield skipped(check, Message("doctor.line.unpulled"))
    elif rest.down is None:
        yield passed(check, Message("doctor.line.held", {"lines": lines}))
    else:
        yield passed(check, Message("doctor.line.firm", {"lines": lines}))


def _contact_findings(rest: IdleReadings, names: PartNames, stuck: list[Wire]) -> Iterator[Finding]:
    wires = several([names.wire(wire) for wire in stuck])
    if not stuck and rest.empty:
        yield passed("open-contacts", Message("doctor.open.good", {"count": rest.frames}))
    elif not stuck:
        yield passed("open-contacts", Message("doctor.open.none-stands", {"count": rest.frames}))
    elif not rest.empty:
        yield skipped("open-contacts", Message("doctor.open.unclear", {"wires": wires}))
    else:
        yield fault(
            "open-contacts",
            Message("doctor.open.closed", {"count": rest.frames, "wires": wires}),
            # That wires of a matrix touch is a finding of its own.
            Message("doctor.open.fix.matrix") if names.rows else Message("doctor.open.fix"),
        )


def _chatter_findings(
    rest: IdleReadings, names: PartNames, chattering: list[tuple[Wire, int]]
) -> Iterator[Finding]:
    frames = rest.frames
    if not chattering:
        yield passed("quiet-contacts", Message("doctor.quiet.good", {"least": MIN_CHATTER, "count": frames}))
        return
    wires = [
        Message("doctor.quiet.changed", {"wire": names.wire(wire), "count": changes})
        for wire, changes in chattering
    ]
    yield fault(
        "quiet-contacts",
        Message("doctor.quiet.chatter", {"count": frames, "wires": several(wires)}),
        Message("doctor.quiet.fix"),
    )
