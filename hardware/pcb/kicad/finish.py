"""The steps after routing: wider tracks where there is room, and vias that join both grounds."""

import pcbnew
from draw import CLEARANCE, DRILL, GROUND, VIA, area, mm
from grid import layers_of
from pcbnew import FromMM, ToMM

PITCH, FROM_EDGE, FROM_PADS, FROM_POURS = 8, 0.8, 1.2, 0.9
_WIDTH_STEP = 0.05


def widen(board, widest):
    """Widen the tracks of some nets, segment by segment, as far as their neighbours allow."""
    copper = _copper(board)
    for track in sorted((t for t in board.GetTracks() if t.GetClass() == "PCB_TRACK"), key=_track_key):
        most = widest.get(track.GetNetname())
        while most and ToMM(track.GetWidth()) + _WIDTH_STEP <= most + 1e-6:
            track.SetWidth(track.GetWidth() + FromMM(_WIDTH_STEP))
            shape = track.GetEffectiveShape()
            if any(
                other.GetNetCode() != track.GetNetCode()
                and other.IsOnLayer(track.GetLayer())
                and other.GetEffectiveShape(track.GetLayer()).Collide(shape, FromMM(CLEARANCE + 0.005))
                for other in copper
            ):
                track.SetWidth(track.GetWidth() - FromMM(_WIDTH_STEP))
                break


def stitch(board, pours):
    """Join ground, and the areas of other nets, on both sides by vias on a wide grid."""
    box = board.GetBoardEdgesBoundingBox()
    copper, ground = _copper(board), board.FindNet(GROUND)
    outline = pcbnew.SHAPE_POLY_SET()
    board.GetBoardPolygonOutlines(outline)
    areas = [(board.FindNet(net), layers, area(corners)) for net, layers, corners in pours]
    for x in range(int(ToMM(box.GetLeft())) + 2, int(ToMM(box.GetRight())), PITCH // 2):
        for y in range(int(ToMM(box.GetTop())) + 2, int(ToMM(box.GetBottom())), PITCH // 2):
            place = mm(x, y)
            if not outline.Contains(place) or outline.CollideEdge(place, None, FromMM(FROM_EDGE)):
                continue
            over = [one for one in areas if one[2].Collide(place, FromMM(FROM_POURS))]
            inside = [
                one
                for one in over
                if one[2].Contains(place) and not one[2].CollideEdge(place, None, FromMM(FROM_POURS))
            ]
            if not over and (x + y) % PITCH == 0:
                net = ground
            elif inside and len(inside[0][1]) == 2:
                net = inside[0][0]
            else:
                continue
            if _is_clear(copper, place, net):
                copper.append(_via(board, place, net))


def _is_clear(copper, place, net):
    for item in copper:
        apart = CLEARANCE + 0.02
        if item.GetNetCode() == net.GetNetCode() and not isinstance(item, pcbnew.PCB_TRACK):
            apart = FROM_PADS - VIA / 2
        for number in layers_of(item):
            layer = (pcbnew.F_Cu, pcbnew.B_Cu)[number]
            if item.GetEffectiveShape(layer).Collide(place, FromMM(VIA / 2 + apart)):
                return False
    return True


def _via(board, place, net):
    via = pcbnew.PCB_VIA(board)
    via.SetPosition(place)
    via.SetDrill(FromMM(DRILL))
    via.SetWidth(pcbnew.F_Cu, FromMM(VIA))
    via.SetNet(net)
    board.Add(via)
    return via


def _copper(board):
    return [*board.GetTracks(), *(pad for part in board.GetFootprints() for pad in part.Pads())]


def _track_key(track):
    start, end = track.GetStart(), track.GetEnd()
    return track.GetNetname(), track.GetLayer(), start.x, start.y, end.x, end.y
