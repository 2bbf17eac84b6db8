"""How far linear sensors are from being misread.

Rules kept here: nothing but the evidence decides. A piece is felt halfway between what a sensor reads at rest
and under it; noise of some counts, a piece beside its centre and the weather eat into the rest. Where stacks
are told apart, the least step between two of them is what counts, and not the way from rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.ports import TOLD
from firmware_host.settings import Sensors
from hardware.doctor.findings import Finding, fault, passed, unseen, warning
from hardware.doctor.part_names import count, several
from hardware.sensors.stack_decode import DEEPER

LEAST = 0.25
"""Of the way from rest to piece: half of what there is where a piece reads just what it should."""

_MEASURE = "`millwright setup` measures each sensor and writes what it reads"


def look_at_margins(
    rests: Mapping[str, int], felt: Mapping[tuple[str, str], int], sensors: Sensors
) -> Finding:
    """Whether points at rest and under pieces read what the settings have them read.

    `rests` has what each point reads at rest, `felt` what it reads under a piece, by the names of both.
    """
    if not sensors.levels:
        return warning(
            "levels",
            "the settings have no levels: one threshold has to do for all sensors",
            _MEASURE,
        )
    if not felt:
        return unseen("levels", "no piece was felt")
    bad, least = [], 1.0
    for (point, piece), level in felt.items():
        margin, meant = _margin(rests[point], level, piece, sensors.levels[point])
        least = min(least, margin)
        if margin < LEAST:
            named = f"{point} {rests[point]} at rest and {level} under {piece or 'a'} piece"
            bad.append((margin, f"{named} (levels {sensors.levels[point][0]} and {meant})"))
    mend = "`millwright setup` measures anew; a magnet nearer to the sensor makes the difference larger"
    if bad:
        worst, said = min(bad)[0], [text for _, text in sorted(bad)]
        tell = fault if worst <= 0 else warning
        return tell(
            "levels", f"{count(len(bad), 'level')} too near to being misread: {several(said, 3)}", mend
        )
    of = "the least step between two stacks" if sensors.alphabet == "pieces" else "the way"
    return passed("levels", f"{count(len(felt), 'piece')} felt with at least {least:.0%} of {of} to spare")


def _margin(at_rest: int, level: int, piece: str, levels: Sequence[int]) -> tuple[float, int]:
    """What is to spare at a sensor that reads so at rest and under a piece, and what `levels` have it read.

    Of the way from rest to piece, or of the least step between two stacks; `piece` may be empty: not known.
    """
    rest, white, black, *strong = levels
    is_black = piece == "black" or (not piece and level < rest) == (black < rest)
    meant = black if is_black else white
    if strong:
        step = abs(meant - rest) * DEEPER ** (TOLD - 1)
        meant = min(meant, strong[is_black], key=lambda one: abs(one - level))
        return 0.5 - max(abs(level - meant), abs(at_rest - rest)) / step, meant
    way = meant - rest
    return min((level - rest) / way - 0.5, 0.5 - (at_rest - rest) / way), meant
