"""The grid that tracks are searched on: for each cell of both layers, the net that alone may use it."""

import pcbnew
from draw import CLEARANCE, TRACK, VIA, area, mm
from pcbnew import FromMM, ToMM

STEP = 0.25
FREE, BARRED = 0, -1
LAYERS = (pcbnew.F_Cu, pcbnew.B_Cu)

_CORNER, _ROUND = 0.05, 0.02
"""Room beyond the clearance, because only the nodes of the grid are tested: at corners, and at round pads."""


class Grid:
    """The cells of a board; a cell has the number of a net, or FREE, or BARRED."""

    def __init__(self, board, edge=0.8):
        box = board.GetBoardEdgesBoundingBox()
        self.left, self.top = ToMM(box.GetLeft()), ToMM(box.GetTop())
        self.columns = int(ToMM(box.GetWidth()) / STEP) + 1
        self.rows = int(ToMM(box.GetHeight()) / STEP) + 1
        self.size = self.columns * self.rows
        self.owner = [[FREE] * self.size, [FREE] * self.size]
        self.via_owner = [FREE] * self.size
        self.pads = sorted((pad for part in board.GetFootprints() for pad in part.Pads()), key=pad_key)
        for pad in self.pads:
            drilled = pad.GetAttribute() == pcbnew.PAD_ATTRIB_NPTH
            self.mark(pad, BARRED if drilled else pad.GetNetCode() or BARRED, 0.06 if drilled else 0)
        outline = pcbnew.SHAPE_POLY_SET()
        board.GetBoardPolygonOutlines(outline)
        for cell in range(self.size):
            point = self.point(cell)
            if not outline.Contains(point) or outline.CollideEdge(point, None, FromMM(edge)):
                self.via_owner[cell] = self.owner[0][cell] = self.owner[1][cell] = BARRED

    def point(self, cell):
        """Return the position of a cell of either layer."""
        row, column = divmod(cell % self.size, self.columns)
        return mm(self.left + column * STEP, self.top + row * STEP)

    def around(self, box, reach):
        """Yield the cells of a layer whose positions lie in a box or at most `reach` mm beside it."""
        columns = (ToMM(box.GetLeft()) - reach - self.left, ToMM(box.GetRight()) + reach - self.left)
        rows = (ToMM(box.GetTop()) - reach - self.top, ToMM(box.GetBottom()) + reach - self.top)
        for row in range(max(0, int(rows[0] / STEP)), min(self.rows, int(rows[1] / STEP) + 2)):
            for column in range(
                max(0, int(columns[0] / STEP)), min(self.columns, int(columns[1] / STEP) + 2)
            ):
                yield row * self.columns + column

    def mark(self, item, net, extra=0.0):
        """Reserve the cells near a piece of copper, or a hole, for its net."""
        is_round = isinstance(item, pcbnew.PAD) and item.GetShape(pcbnew.F_Cu) == pcbnew.PAD_SHAPE_CIRCLE
        room = extra + (_ROUND if is_round else _CORNER)
        for number in layers_of(item):
            shape = item.GetEffectiveShape(LAYERS[number])
            for cell in self.around(item.GetBoundingBox(), 1.0):
                point = self.point(cell)
                if shape.Collide(point, FromMM(CLEARANCE + VIA / 2 + 0.01 + extra)):
                    _claim(self.via_owner, cell, net)
                    if shape.Collide(point, FromMM(CLEARANCE + TRACK / 2 + room)):
                        _claim(self.owner[number], cell, net)

    def reserve(self, corners, layers, net):
        """Bar tracks and vias of other nets from an area."""
        barred = area(corners)
        for cell in self.around(barred.BBox(), 1.0):
            if barred.Collide(self.point(cell), FromMM(0.25 + VIA / 2)):
                _claim(self.via_owner, cell, net)
                if barred.Collide(self.point(cell), FromMM(0.25 + TRACK / 2)):
                    for number in layers:
                        _claim(self.owner[number], cell, net)

    def cells(self, pad):
        """Return the cells inside a pad; one of the bottom has a higher number."""
        return [
            number * self.size + cell
            for number in layers_of(pad)
            for cell in self.around(pad.GetBoundingBox(), 0)
            if self.owner[number][cell] in (FREE, pad.GetNetCode())
            and pad.GetEffectiveShape(LAYERS[number]).Collide(self.point(cell), 0)
        ]


def layers_of(item):
    """Return the numbers, in LAYERS, of the layers that an item has copper or a hole on."""
    if isinstance(item, pcbnew.PAD) and item.GetAttribute() in (
        pcbnew.PAD_ATTRIB_NPTH,
        pcbnew.PAD_ATTRIB_PTH,
    ):
        return (0, 1)
    return tuple(number for number, layer in enumerate(LAYERS) if item.IsOnLayer(layer))


def pad_key(pad):
    """Return a key that sorts pads alike in every run."""
    position = pad.GetPosition()
    return pad.GetParentFootprint().GetReference(), pad.GetNumber(), position.x, position.y


def _claim(cells, cell, net):
    cells[cell] = net if cells[cell] in (FREE, net) else BARRED
