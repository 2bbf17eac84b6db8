"""The reasons why a board cannot be built: parts that meet, thin walls, fields that disturb.

Invariants: whatever is drawn, cut or bought has passed this check. Reasons that one measure explains come
first, with the remedy; solids are compared only if there are none. Limits follow from geometry and from
calculated fields; nothing was tried on wood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, replace
from math import ceil, floor

from firmware_host.errors import ConfigError
from firmware_host.games.game import Piece
from firmware_host.games.layout import SQUARES, Layout
from hardware.case.assembly import Assembly, assemble
from hardware.case.heights import Heights
from hardware.case.housing import drivers
from hardware.case.insides import ON_LID
from hardware.case.magnets import MIN_SENSOR_MT
from hardware.case.measures import (
    BEND_MM,
    COVER_MM,
    GAP_MM,
    MAGNETS,
    MODULE_MM,
    MODULE_PLAY_MM,
    PLAY_MM,
    RIM_MM,
    SHEET_MM,
    WIRE_MM,
    LightOutlet,
    Measures,
)
from hardware.case.module import longest_reed_on_module_mm
from hardware.case.point import MAX_BELOW_MM
from hardware.case.sensor_types import SensorType
from hardware.case.solids import Solid, meetings, thin_walls

_MAX_MM = 2000.0
_NAMED = 3
"""The places that a message names before it counts the others."""

_REMEDIES = {
    "LED's carrier": "take round boards of at most 10 mm, or a strip with 144 a metre",
    "LED's wires": "take round boards of at most 10 mm, or a strip with 144 a metre",
    "reed": "take shorter reeds, or a thicker upper plate",
    "frame": "make the frame thinner, or the edge wider",
    "lid's block": "make the edge wider, or set the points further apart",
    "screw": "make the edge wider",
    "stripboard": "make the frame higher, or set the points further apart",
    "controller": "make the frame higher, or set the points further apart",
    "module": "make the inlays wider, or set the points further apart",
}
"""The change that helps if a part is in the way of another, by the part's name."""


def check(layout: Layout, box: Mapping[Piece, int], m: Measures) -> Assembly:
    """Return the solids of a board that can be built.

    Raises:
        ConfigError: with a line for each reason why it cannot.
    """
    if faults := [*_impossible(m)] or [*_misfits(layout, box, m)]:
        raise ConfigError("\n".join(faults))
    made = assemble(layout, m)
    if faults := [*clashes(made)]:
        raise ConfigError("\n".join(faults))
    return made


def clashes(made: Assembly) -> Iterator[str]:
    """Yield a line for each two kinds of parts that meet, and for walls that are too thin."""
    with_lid_off = [*made.named("frame"), *made.named("lid's block"), *drivers(made.layout, made.measures)]
    pairs: dict[tuple[str, str], dict[str, None]] = {}
    for one, other in [*meetings(made.parts), *meetings(with_lid_off), *_in_the_way_of_the_lid(made)]:
        first, second = sorted((one, other), key=lambda part: part.name)
        pairs.setdefault((first.name, second.name), {})[first.where or second.where] = None
    for names, wheres in pairs.items():
        remedy = next((_REMEDIES[name] for name in names if name in _REMEDIES), "change these measures")
        yield f"{_the(names[0])} and {_the(names[1])} meet{_at(wheres)}: {remedy}"
    for part in made.parts:
        yield from _thin(part)


def _in_the_way_of_the_lid(made: Assembly) -> Iterator[tuple[Solid, Solid]]:
    """Yield what stands on the lid with each part of the frame that it would hit as the lid is put on."""
    lid_top = Heights.of(made.measures).frame
    fixed = [*made.named("frame"), *made.named("lid's block"), *made.named("jack")]
    for part in made.parts:
        if part.name.startswith(ON_LID):
            way = replace(part, prism=replace(part.prism, bottom=min(lid_top, part.prism.bottom)))
            yield from ((part, other) for other in fixed if way.meets(other))


def _thin(part: Solid) -> Iterator[str]:
    walls: dict[str, None] = {}
    for one, other, wall in thin_walls(part, GAP_MM):
        walls[f"{one.name} and {other.name} ({max(wall, 0.0):.1f} mm)"] = None
    if walls:
        named = "; ".join([*walls][:_NAMED])
        more = f"; and {len(walls) - _NAMED} more" if len(walls) > _NAMED else ""
        yield (
            f"{_the(part.name)} is thinner than {GAP_MM:g} mm between {named}{more}: make the edge wider, or "
            "holes smaller"
        )
    if part.name in ("upper plate", "lower plate", "lid"):
        near = [hole.name for hole in part.holes if not part.prism.holds(hole.prism.grown(GAP_MM))]
        if near:
            yield (
                f"{_the(part.name)} is thinner than {GAP_MM:g} mm at the rim{_at(near)}: make the edge wider"
            )


def _the(name: str) -> str:
    return name if name.endswith(("wires", "legs", "sockets")) else f"the {name}"


def _at(wheres: Iterable[str]) -> str:
    places = [where for where in wheres if where]
    if not places:
        return ""
    more = f" and {len(places) - _NAMED} more" if len(places) > _NAMED else ""
    return f" at {', '.join(places[:_NAMED])}{more}"


def _impossible(m: Measures) -> Iterator[str]:
    lengths = [field.name for field in fields(m) if field.name.endswith("_mm")]
    for name, value in ((name, getattr(m, name)) for name in lengths):
        if not 0 < value <= _MAX_MM:
            yield f"{_words(name)} must be more than 0 and at most {_MAX_MM:g} mm, not {value:g} mm"


def _misfits(layout: Layout, box: Mapping[Piece, int], m: Measures) -> Iterator[str]:
    most = m.pitch_mm - GAP_MM
    if m.piece_mm > most:
        yield (
            f"pieces {m.piece_mm:g} mm wide overlap on points {m.pitch_mm:g} mm apart: make them at most "
            f"{most:g} mm wide, or set the points {m.piece_mm + GAP_MM:g} mm apart"
        )
    if m.outlet is LightOutlet.INLAY:
        yield from _inlay_misfits(m)
    if m.has_modules:
        yield from _module_misfits(layout, m)
    yield from _reed_misfits(m)
    yield from _stack_misfits(m)
    yield from _magnet_misfits(layout, box, m)


def _inlay_misfits(m: Measures) -> Iterator[str]:
    widest, narrowest = m.pitch_mm - GAP_MM, m.piece_mm + 2 * GAP_MM
    if m.inlay_mm > widest:
        yield (
            f"inlays {m.inlay_mm:g} mm wide leave no wood between points {m.pitch_mm:g} mm apart: make them "
            f"at most {widest:g} mm wide"
        )
    if m.inlay_mm < narrowest:
        yield (
            f"pieces {m.piece_mm:g} mm wide hide the light of inlays {m.inlay_mm:g} mm wide: make the inlays "
            f"at least {narrowest:g} mm wide"
        )
    if m.inlay_mm / 2 > m.edge_mm - GAP_MM:
        least = m.inlay_mm / 2 + GAP_MM
        yield f"inlays {m.inlay_mm:g} mm wide reach the rim: make the edge at least {least:g} mm"


def _module_misfits(layout: Layout, m: Measures) -> Iterator[str]:
    if layout is SQUARES:
        yield "the circuit boards are for boards with 24 points: take the stripboard for 25 squares"
    elif m.outlet is not LightOutlet.INLAY:
        yield "the LED of a circuit board is below the piece: choose inlays, or the stripboard"
    elif m.bore_mm < MODULE_MM + MODULE_PLAY_MM:
        least = MODULE_MM + MODULE_PLAY_MM + 2 * RIM_MM
        yield (
            f"circuit boards {MODULE_MM:g} mm wide don't fit bores of {m.bore_mm:g} mm: make the inlays at "
            f"least {least:g} mm wide, and set the points at least {least + GAP_MM:g} mm apart, or take the "
            "stripboard"
        )


def longest_reed_mm(m: Measures) -> float:
    """Return the longest glass that fits: from below its bend to as far below the plate as it may stand."""
    h = Heights.of(m)
    if m.has_modules:
        return longest_reed_on_module_mm(m, h)
    return h.surface - m.roof_mm - PLAY_MM - WIRE_MM - BEND_MM - h.lower + MAX_BELOW_MM


def _reed_misfits(m: Measures) -> Iterator[str]:
    longest = longest_reed_mm(m)
    if m.sensor is SensorType.REED and m.reed_mm > longest:
        least = m.upper_mm + m.reed_mm - longest
        if m.has_modules:
            fault = f"with a bend {BEND_MM:g} mm above the glass, has no room above its circuit board"
        else:
            fault = (
                f"whose wire is bent {BEND_MM:g} mm above the glass, would stand "
                f"{m.reed_mm - longest + MAX_BELOW_MM:g} mm below the lower plate, and "
                f"{MAX_BELOW_MM:g} mm are the most"
            )
        yield (
            f"a reed of {m.reed_mm:g} mm, {fault}: take reeds of at most {floor(longest)} mm, or an upper "
            f"plate of {least:g} mm"
        )


def _stack_misfits(m: Measures) -> Iterator[str]:
    if m.stacked:
        for name in ("upper_mm", "lower_mm", "inlay_depth_mm", "piece_height_mm", "lid_mm", "frame_mm"):
            if getattr(m, name) % SHEET_MM:
                yield (
                    f"{_words(name)} of {getattr(m, name):g} mm can't be made from sheets of "
                    f"{SHEET_MM:g} mm: take {ceil(getattr(m, name) / SHEET_MM) * SHEET_MM:g} mm"
                )


def _magnet_misfits(layout: Layout, box: Mapping[Piece, int], m: Measures) -> Iterator[str]:
    magnet = f"a magnet of {m.magnet_mm:g} x {m.magnet_height_mm:g} mm"
    deep = max(m.pocket_mm, m.magnet_height_mm + (0 if m.stacked else COVER_MM))
    if (
        m.magnet_mm > m.piece_mm - 2 * GAP_MM
        or deep > m.piece_height_mm - GAP_MM
        or m.magnet_height_mm > m.pocket_mm
    ):
        yield f"{magnet} does not fit into a piece of {m.piece_mm:g} x {m.piece_height_mm:g} mm"
    if m.near_mt < MIN_SENSOR_MT:
        yield (
            f"{magnet} is too weak: {m.near_mt:.1f} mT below {m.roof_mm:g} mm of inlay or wood, and "
            f"{MIN_SENSOR_MT:g} mT are needed"
        )
    yield from _stray_misfits(layout, box, m, magnet)


def _stray_misfits(layout: Layout, box: Mapping[Piece, int], m: Measures, magnet: str) -> Iterator[str]:
    stray, most = m.stray_mt(layout, box), m.max_stray_mt
    if stray <= most:
        return
    apart = ceil(m.pitch_mm)
    while replace(m, pitch_mm=apart).stray_mt(layout, box) > most:
        apart += 1
    tries = (replace(m, magnet_mm=wide, magnet_height_mm=high) for wide, high in MAGNETS)
    other = next(
        (
            f"take magnets of {one.magnet_mm:g} x {one.magnet_height_mm:g} mm, or "
            for one in tries
            if one.near_mt >= MIN_SENSOR_MT and one.stray_mt(layout, box) <= one.max_stray_mt
        ),
        "",
    )
    yield (
        f"the sensors are too close for {magnet}: all other pieces together have {stray:.2f} mT at an empty "
        f"point, where {most:.2f} mT are allowed: {other}set the points {apart} mm apart"
    )


def _words(name: str) -> str:
    return name.removesuffix("_mm").replace("_", " ")
