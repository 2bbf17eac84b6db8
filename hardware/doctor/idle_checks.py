"""What the wires of a board say while nobody touches it.

Rules kept here: nothing but the evidence decides; a line that is wrong as a whole is told once, and none of
its contacts then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from firmware_host.settings import Microseconds
from hardware.doctor.findings import Finding, fault, passed, unseen
from hardware.doctor.part_names import Names, count, several
from hardware.scanner import Levels, Wire

FRAMES = 100
"""How many frames are looked at: half a second."""

CHATTERS = 4
"""A contact that nobody touches changes so often only if something is loose."""


@dataclass(frozen=True, slots=True)
class Rest:
    """Some frames of a board that nobody touched.

    `closed` and `changes`: in how many of the frames each wire was closed, and how often it changed. `up` and
    `down`: the levels under the Pi's own resistors, where it has them on these lines. `empty`: whether
    there are no pieces on the board, as far as is known.
    """

    wires: tuple[Wire, ...]
    closed: tuple[int, ...]
    changes: tuple[int, ...]
    frames: int = FRAMES
    up: Levels | None = None
    down: Levels | None = None
    empty: bool = False


@dataclass(frozen=True, slots=True)
class RestReport:
    """What was found, and the wires of which no more is to be said."""

    findings: tuple[Finding, ...]
    spoilt: frozenset[Wire]


@dataclass(frozen=True, slots=True)
class Settling:
    """Scans that waited so many microseconds for their lines to settle: which wires read otherwise than when
    they waited longest. `configured` is what the settings say; `closed`: whether any contact was closed, as
    else all lines are at rest already.
    """

    configured: Microseconds
    differ: Mapping[Microseconds, tuple[Wire, ...]]
    closed: bool

    def without(self, spoilt: frozenset[Wire]) -> Settling:
        """The same without some wires."""
        kept = {delay: tuple(w for w in wires if w not in spoilt) for delay, wires in self.differ.items()}
        return replace(self, differ=kept)


def look_at_settling(
    seen: Sequence[Settling], names: Names, spoilt: frozenset[Wire] = frozenset()
) -> Finding:
    """Whether scans wait long enough; nothing is said of wires that are `spoilt`."""
    looks = [look.without(spoilt) for look in seen if look.closed]
    if not looks:
        return unseen("settling", "it takes a contact that is closed and stays so")
    configured, longest = looks[0].configured, max(looks[0].differ)
    wrong = sorted({wire for look in looks for wire in look.differ[configured]})
    short = [delay for delay in looks[0].differ if any(look.differ[delay] for look in looks)]
    if not wrong:
        said = f"scans that wait {configured} us read as those that wait {longest} us do"
        quick = f"; those that wait {max(short)} us do not" if short else ", and so do all shorter ones"
        return passed("settling", said + quick)
    enough = min((delay for delay in looks[0].differ if delay > max(short)), default=longest)
    return fault(
        "settling",
        f"scans that wait {configured} and {longest} us differ at {several([names.wire(w) for w in wrong])}",
        f"settling_us = {min(1000, 2 * enough)} in the section [sensors]; or 10 kOhm from each signal line "
        "to 3.3 V, which is faster, and pull_up = false",
    )


def look_at_rest(rest: Rest, names: Names) -> RestReport:
    """What is wrong with the lines and the contacts."""
    floating = _floating(rest, names)
    grounded = {line: wires for line, wires in _always_low(rest, names).items() if line not in floating}
    spoilt = {wire for wires in (*floating.values(), *grounded.values()) for wire in wires}
    chattering = [
        (wire, changes)
        for wire, changes in zip(rest.wires, rest.changes, strict=True)
        if changes >= CHATTERS and wire not in spoilt
    ]
    spoilt |= {wire for wire, _ in chattering}
    stuck = [
        wire
        for wire, closed in zip(rest.wires, rest.closed, strict=True)
        if closed == rest.frames and wire not in spoilt
    ]
    findings = [
        *_line_findings(rest, names, floating, grounded),
        *_contact_findings(rest, names, stuck),
        *_chatter_findings(rest, names, chattering),
    ]
    return RestReport(tuple(findings), frozenset(spoilt | (set(stuck) if rest.empty else set())))


def _lines(rest: Rest, names: Names) -> Mapping[int, list[Wire]]:
    """The wires of each signal line of the Pi, by its number."""
    found: dict[int, list[Wire]] = {}
    for wire in rest.wires:
        found.setdefault(0 if names.sensors.enable else wire[0], []).append(wire)
    return found


def _floating(rest: Rest, names: Names) -> dict[int, list[Wire]]:
    """The lines that no resistor outside the Pi holds, so that they follow whatever the Pi does."""
    if rest.up is None or rest.down is None:
        return {}
    up, down = (dict(zip(rest.wires, levels, strict=True)) for levels in (rest.up, rest.down))
    return {
        line: wires
        for line, wires in _lines(rest, names).items()
        if not any(up[wire] for wire in wires) and all(down[wire] for wire in wires)
    }


def _always_low(rest: Rest, names: Names) -> dict[int, list[Wire]]:
    """The lines that are low whatever is chosen, where that cannot be pieces or a single contact."""
    if names.sensors.kind != "mux":
        return {}
    closed = dict(zip(rest.wires, rest.closed, strict=True))
    return {
        line: wires
        for line, wires in _lines(rest, names).items()
        if len(wires) > 2 and all(closed[wire] == rest.frames for wire in wires)
    }


def _line_findings(
    rest: Rest, names: Names, floating: Mapping[int, list[Wire]], grounded: Mapping[int, list[Wire]]
) -> Iterator[Finding]:
    if names.sensors.kind not in ("mux", "direct"):
        return
    for line, wires in grounded.items():
        yield fault(
            "signal lines",
            f"{names.signal(line)} is low at each of {count(len(wires), 'channel')}, in all of "
            f"{count(rest.frames, 'frame')}",
            f"find where the wire of {names.signal(line)} touches GND",
        )
    for line in floating:
        yield fault(
            "signal lines",
            f"{names.signal(line)} floats: high under the Pi's pull-up and low under its pull-down",
            f"10 kOhm from {names.signal(line)} to 3.3 V (header pin 1), and the wire to its chip; without "
            "such a resistor, `pull_up = true` in the section [sensors]",
        )
    if floating or grounded:
        return
    lines = count(len(_lines(rest, names)), "signal line")
    if rest.down is None and not names.sensors.pull_up:
        yield unseen("signal lines", "the Pi's own resistors on GPIO 2 and 3 cannot be switched off")
    elif rest.down is None:
        yield passed("signal lines", f"{lines}, held up by the Pi's own resistors (pull_up = true)")
    else:
        yield passed("signal lines", f"{lines} held up by resistors, against the Pi's pull-down too")


def _contact_findings(rest: Rest, names: Names, stuck: list[Wire]) -> Iterator[Finding]:
    if not stuck:
        known = "" if rest.empty else ", and so no piece stands there"
        yield passed("open contacts", f"no contact was closed in all of {rest.frames} frames{known}")
    elif not rest.empty:
        yield unseen(
            "open contacts",
            f"pieces may stand there: closed are {several([names.wire(wire) for wire in stuck])}; "
            "clear the board and say so with --empty",
        )
    else:
        yield fault(
            "open contacts",
            f"closed in all of {rest.frames} frames with no piece on the board: "
            f"{several([names.wire(wire) for wire in stuck])}",
            "a reed that sticks (knock at it, or change it), a magnet left there, or its wire touches GND",
        )


def _chatter_findings(rest: Rest, names: Names, chattering: list[tuple[Wire, int]]) -> Iterator[Finding]:
    if not chattering:
        yield passed("quiet contacts", f"no contact changed {CHATTERS} times in {rest.frames} frames")
        return
    said = [f"{names.wire(wire)} changed {count(changes, 'time')}" for wire, changes in chattering]
    yield fault(
        "quiet contacts",
        f"in {rest.frames} frames, touched by nobody, {several(said)}",
        "a wire that is loose at the sensor or at the chip, or a reed that is broken",
    )
