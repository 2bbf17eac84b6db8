"""How far linear sensors are from being misread.

Rules kept here: nothing but the evidence decides. A piece is felt halfway between what a sensor reads at rest
and under it; noise of some counts, a piece beside its centre and the weather eat into the rest.
"""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.settings import Sensors
from hardware.doctor import Finding, fault, passed, unseen, warning
from hardware.doctor_names import count, several

LEAST = 0.25
"""Of the way from rest to piece: half of what there is where a piece reads just what it should."""

_MEASURE = "`millwright setup` measures each sensor and writes what it reads"
_MEASURE_PIECES = (
    "`millwright sensors watch` shows what each reads at rest and under each kind of piece: write it down"
)


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
            _MEASURE_PIECES if sensors.alphabet == "pieces" else _MEASURE,
        )
    if not felt:
        return unseen("levels", "no piece was felt")
    bad, least = [], 1.0
    for (point, piece), level in felt.items():
        rest, white, black, *_ = sensors.levels[point]
        meant = black if piece == "black" or (not piece and level < rest) == (black < rest) else white
        way = meant - rest
        drift, margin = (rests[point] - rest) / way, (level - rest) / way - 0.5
        margin = min(margin, 0.5 - drift)
        least = min(least, margin)
        if margin < LEAST:
            named = f"{point} {rests[point]} at rest and {level} under {piece or 'a'} piece"
            bad.append((margin, f"{named} (levels {rest} and {meant})"))
    mend = "`millwright setup` measures anew; a magnet nearer to the sensor makes the difference larger"
    if bad:
        worst, said = min(bad)[0], [text for _, text in sorted(bad)]
        tell = fault if worst <= 0 else warning
        return tell(
            "levels", f"{count(len(bad), 'level')} too near to being misread: {several(said, 3)}", mend
        )
    return passed("levels", f"{count(len(felt), 'piece')} felt with at least {least:.0%} of the way to spare")
