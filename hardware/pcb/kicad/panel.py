"""A panel of nine points on 100 x 100 mm: the point that was made, copied, with slots between the copies.

Discs can't be parted by V-cuts, which only run straight from edge to edge. So a slot as wide as a usual
router bit surrounds each, and four tabs hold it, with a row of small holes to break them at. The holes lie so
far inside the disc's edge that what remains of a broken tab doesn't stand out.
"""

import math

import pcbnew
from draw import area, mm
from pcbnew import VECTOR2I, FromMM

SIDE, ACROSS = 100.0, 3
SLOT, TAB = 2.0, 3.0
HOLES, HOLE, PITCH, INSIDE = 4, 0.6, 0.9, 0.15
"""The holes of a tab: their number, diameter, distance, and how far their middles lie inside the edge."""

_BIT_RADIUS = SLOT / 2 - 0.05
_CIRCLE_STEPS = 180
_ERROR = FromMM(0.005)


def make_panel(point, radius, path):
    """Write a board file with copies of a disc, and return it."""
    source, panel = pcbnew.LoadBoard(str(point)), pcbnew.NewBoard(str(path))
    panel.SetTitleBlock(source.GetTitleBlock())
    panel.GetDesignSettings().CloneFrom(source.GetDesignSettings())
    own = _centre(source)
    centres = list(_centres(radius))
    for number, (x, y) in enumerate(centres, start=1):
        _copy(source, panel, mm(x, y) - own, number)
        for place in _breaks(x, y, radius):
            _drill(panel, place)
    _edges(panel, _wood(centres, radius))
    pcbnew.SaveBoard(str(path), panel)
    panel = pcbnew.LoadBoard(str(path))
    pcbnew.ZONE_FILLER(panel).Fill(panel.Zones())
    pcbnew.SaveBoard(str(path), panel)
    return path


def _centres(radius):
    """Yield the middles of all copies, a slot apart, row by row."""
    pitch = 2 * radius + SLOT
    first = (SIDE - (ACROSS - 1) * pitch) / 2
    for row in range(ACROSS):
        for column in range(ACROSS):
            yield first + column * pitch, first + row * pitch


def _centre(board):
    return board.GetBoardEdgesBoundingBox().GetCenter()


def _copy(source, panel, by, number):
    """Copy everything but the outline, each copy with nets of its own."""
    nets = {}
    for name in sorted(str(name) for name in source.GetNetsByName() if str(name)):
        nets[name] = pcbnew.NETINFO_ITEM(panel, f"{number}_{name}")
        panel.Add(nets[name])
    drawings = [one for one in source.GetDrawings() if one.GetLayer() != pcbnew.Edge_Cuts]
    for item in [*source.GetFootprints(), *source.GetTracks(), *source.Zones(), *drawings]:
        copy = item.Duplicate()
        copy.Move(by)
        panel.Add(copy)
        for one, old in zip(_wired(copy), _wired(item), strict=True):
            if name := old.GetNetname():
                one.SetNet(nets[name])


def _wired(item):
    """Return the copper of an item that belongs to nets."""
    if isinstance(item, pcbnew.FOOTPRINT):
        return list(item.Pads())
    return [item] if isinstance(item, pcbnew.BOARD_CONNECTED_ITEM) else []


def _tabs():
    """Yield the direction of each tab: along the diagonals, where most of the panel lies beside a disc."""
    for quarter in range(4):
        angle = math.pi / 4 + quarter * math.pi / 2
        yield math.cos(angle), math.sin(angle)


def _breaks(x, y, radius):
    for along, up in _tabs():
        for number in range(HOLES):
            aside = (number - (HOLES - 1) / 2) * PITCH
            reach = math.sqrt((radius - INSIDE) ** 2 - aside**2)
            yield x + reach * along - aside * up, y + reach * up + aside * along


def _drill(panel, place):
    part = pcbnew.FOOTPRINT(panel)
    part.SetAttributes(pcbnew.FP_BOARD_ONLY | pcbnew.FP_EXCLUDE_FROM_BOM | pcbnew.FP_EXCLUDE_FROM_POS_FILES)
    part.Reference().SetVisible(False)
    part.Value().SetVisible(False)
    pad = pcbnew.PAD(part)
    pad.SetAttribute(pcbnew.PAD_ATTRIB_NPTH)
    pad.SetShape(pcbnew.PAD_SHAPE_CIRCLE)
    pad.SetSize(VECTOR2I(FromMM(HOLE), FromMM(HOLE)))
    pad.SetDrillSize(VECTOR2I(FromMM(HOLE), FromMM(HOLE)))
    pad.SetLayerSet(pad.UnplatedHoleMask())
    part.Add(pad)
    panel.Add(part)
    part.SetPosition(mm(*place))


def _wood(centres, radius):
    """Return the shape of the panel: everything but the slots."""
    slots = pcbnew.SHAPE_POLY_SET()
    for x, y in centres:
        slots.BooleanAdd(_disc(x, y, radius + SLOT))
    for x, y in centres:
        slots.BooleanSubtract(_disc(x, y, radius))
        for along, up in _tabs():
            slots.BooleanSubtract(_bar(x, y, along, up, radius - 1, radius + SLOT + 1))
    # A round bit leaves no sharp corner inside.
    slots.Deflate(FromMM(_BIT_RADIUS), pcbnew.CORNER_STRATEGY_ROUND_ALL_CORNERS, _ERROR)
    slots.Inflate(FromMM(_BIT_RADIUS), pcbnew.CORNER_STRATEGY_ROUND_ALL_CORNERS, _ERROR)
    made = area([(0, 0), (SIDE, 0), (SIDE, SIDE), (0, SIDE)])
    made.BooleanSubtract(slots)
    return made


def _disc(x, y, radius):
    steps = (2 * math.pi * step / _CIRCLE_STEPS for step in range(_CIRCLE_STEPS))
    return area([(x + radius * math.cos(step), y + radius * math.sin(step)) for step in steps])


def _bar(x, y, along, up, begin, end):
    half = TAB / 2
    corners = ((begin, -half), (end, -half), (end, half), (begin, half))
    return area([(x + far * along - aside * up, y + far * up + aside * along) for far, aside in corners])


def _edges(panel, shape):
    for number in range(shape.OutlineCount()):
        holes = (shape.Hole(number, hole) for hole in range(shape.HoleCount(number)))
        for chain in (shape.Outline(number), *holes):
            places = [chain.CPoint(at) for at in range(chain.PointCount())]
            for start, end in zip(places, [*places[1:], places[0]], strict=True):
                edge = pcbnew.PCB_SHAPE(panel)
                edge.SetShape(pcbnew.SHAPE_T_SEGMENT)
                edge.SetLayer(pcbnew.Edge_Cuts)
                edge.SetWidth(FromMM(0.1))
                edge.SetStart(start)
                edge.SetEnd(end)
                panel.Add(edge)
