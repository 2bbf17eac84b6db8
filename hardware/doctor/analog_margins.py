"""The margins by which linear sensors are safe from misreading.

Invariants: only the evidence decides. A piece counts halfway between a sensor's readings without and with it;
noise of some counts, a piece off its centre and the weather eat into the rest. For stacks, the margin is
measured against the smallest step between two of them instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.ports import READABLE_PIECES
from firmware_host.settings import Sensors
from hardware.doctor.findings import Finding, fault, passed, skipped, warning
from hardware.doctor.part_names import count, several
from hardware.sensors.stack_decode import DEPTH_FACTOR

MIN_MARGIN = 0.25
"""Minimum margin, as a share of the way from rest to piece: half of what a perfect reading has."""

_MEASURE = "`millwright setup` measures each sensor and writes what it reads"


def check_margins(
    rests: Mapping[str, int], readings: Mapping[tuple[str, str], int], sensors: Sensors
) -> Finding:
    """Check that sensors at rest and under pieces read what the settings expect.

    `rests` has each point's reading at rest, `readings` its reading under a piece, by the names of both.
    """
    if not sensors.levels:
        return warning(
            "levels",
            "the settings have no levels: one threshold has to do for all sensors",
            _MEASURE,
        )
    if not readings:
        return skipped("levels", "no piece was detected")
    bad, least = [], 1.0
    for (point, piece), level in readings.items():
        margin, meant = _margin(rests[point], level, piece, sensors.levels[point])
        least = min(least, margin)
        if margin < MIN_MARGIN:
            named = f"{point} {rests[point]} at rest and {level} under {piece or 'a'} piece"
            bad.append((margin, f"{named} (levels {sensors.levels[point][0]} and {meant})"))
    fix = "`millwright setup` measures again; a magnet closer to the sensor makes the difference larger"
    if bad:
        worst, texts = min(bad)[0], [text for _, text in sorted(bad)]
        report = fault if worst <= 0 else warning
        return report(
            "levels", f"{count(len(bad), 'level')} too close to a misreading: {several(texts, 3)}", fix
        )
    of = "the least step between two stacks" if sensors.alphabet == "pieces" else "the way"
    return passed(
        "levels", f"{count(len(readings), 'piece')} read with at least {least:.0%} of {of} to spare"
    )


def _margin(at_rest: int, level: int, piece: str, levels: Sequence[int]) -> tuple[float, int]:
    """Return the margin of a sensor with these readings, and the level expected under the piece.

    The margin is a share of the way from rest to piece, or of the smallest step between two stacks. `piece`
    is empty if its colour is not known.
    """
    rest, white, black, *strong = levels
    is_black = piece == "black" or (not piece and level < rest) == (black < rest)
    meant = black if is_black else white
    if strong:
        step = abs(meant - rest) * DEPTH_FACTOR ** (READABLE_PIECES - 1)
        meant = min(meant, strong[is_black], key=lambda one: abs(one - level))
        return 0.5 - max(abs(level - meant), abs(at_rest - rest)) / step, meant
    swing = meant - rest
    return min((level - rest) / swing - 0.5, 0.5 - (at_rest - rest) / swing), meant
