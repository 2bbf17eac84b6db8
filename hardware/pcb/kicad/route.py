"""Route a board on a grid by negotiated congestion.

All nets share cells first, and the price of those that several want rises until each cell has one net
(McMurchie and Ebeling, PathFinder, 1995).

Nets with an area of copper of their own are left to it, ground as well; only its pads on the surface get a
via.
"""

import heapq
import json
import math
from itertools import pairwise

import pcbnew
from draw import DRILL, GROUND, TRACK, VIA
from grid import FREE, LAYERS, Grid
from pcbnew import VECTOR2I, FromMM

VIA_COST, BOTTOM_COST, MAX_ROUNDS, MAX_PENALTY = 10.0, 0.15, 80, 30.0
GREED = 1.25
"""Above 1, a search opens fewer cells, and its way is dearer than the cheapest by at most this factor."""

_TRACK_REACH, _VIA_REACH, _VIA_VIA_REACH = 1.5, 2.52, 3.21
"""Distances in cells below which two tracks, a track and a via, and two vias are too close."""


class RoutingError(Exception):
    """Nets that found no way."""


class Connection:
    """The pads of a net that tracks have to join; `net` is its number."""

    def __init__(self, net, pads, cells):
        self.net, self.pads = net, pads
        self.ends = [cells(pad) for pad in pads]
        self.paths = []

    @property
    def cells(self):
        """All cells of its tracks."""
        return {cell for path in self.paths for cell in path}

    def vias(self, size):
        """Return the cells, of the top, at which its tracks change layers."""
        pairs = ((a, b) for path in self.paths for a, b in pairwise(path))
        return {a % size for a, b in pairs if a // size != b // size}


class Router:
    """The tracks of a board while they are negotiated."""

    def __init__(self, board, poured, extra=()):
        self.board, self.grid = board, Grid(board)
        self.penalty = 0.5
        self._poured = poured
        size = self.grid.size
        self._use, self._via_use, self._history = [0] * (2 * size), [0] * size, [0.0] * (2 * size)
        near, middle, far = (self._disc(reach) for reach in (_TRACK_REACH, _VIA_REACH, _VIA_VIA_REACH))
        self._near, self._middle, self._far = near, middle, far
        columns = self.grid.columns
        straight, slant = (1, -1, columns, -columns), (columns + 1, columns - 1, 1 - columns, -columns - 1)
        self._steps = [(step, 1.0) for step in straight] + [(step, math.sqrt(2)) for step in slant]
        self._extra = extra

    def _disc(self, reach):
        span = range(-int(reach), int(reach) + 1)
        return [y * self.grid.columns + x for x in span for y in span if math.hypot(x, y) <= reach]

    def reserve_pours(self, pours):
        """Keep the areas of copper for their nets."""
        for net, layers, corners in pours:
            self.grid.reserve(corners, layers, self.board.FindNet(net).GetNetCode())

    def drop_ground_vias(self):
        """Give each pad of ground on the surface a via to the other side, or a neighbour's."""
        ground, found = self.board.FindNet(GROUND).GetNetCode(), []
        for pad in self.grid.pads:
            if pad.GetNetCode() != ground or pad.GetAttribute() != pcbnew.PAD_ATTRIB_SMD:
                continue
            best = self._via_place(pad, ground)
            if best is None:
                raise RoutingError(f"no room for a via beside {_name(pad)}")
            beside = [via for via in found if (via - best).EuclideanNorm() < FromMM(0.9)]
            place = beside[0] if beside else best
            if not beside:
                found.append(place)
                self.grid.mark(self._via(ground, place), ground)
            self.grid.mark(self._track(ground, 0, pad.GetPosition(), place), ground)

    def _via_place(self, pad, net):
        centre, grid = pad.GetPosition(), self.grid
        shape = pad.GetEffectiveShape(pcbnew.F_Cu)

        def is_clear(cell):
            point = grid.point(cell)
            if grid.via_owner[cell] not in (FREE, net) or shape.Collide(point, FromMM(VIA / 2 + 0.02)):
                return False
            way = point - centre
            between = (
                centre + VECTOR2I(round(way.x * step / 10), round(way.y * step / 10)) for step in range(11)
            )
            return all(grid.owner[0][self._cell(place)] in (FREE, net) for place in between)

        near = sorted(
            grid.around(pad.GetBoundingBox(), 2.0),
            key=lambda cell: (grid.point(cell) - centre).EuclideanNorm(),
        )
        return next((grid.point(cell) for cell in near if is_clear(cell)), None)

    def _cell(self, point):
        step = FromMM(0.25)
        row = round((point.y - FromMM(self.grid.top)) / step)
        return row * self.grid.columns + round((point.x - FromMM(self.grid.left)) / step)

    def route(self, say, kept):
        """Join all pads of each net, as the file `kept` has it if there is one; raises RoutingError."""
        wanted = self._connections()
        if kept.exists():
            for one, paths in zip(wanted, json.loads(kept.read_text()), strict=True):
                one.paths = paths
        else:
            self._negotiate(wanted, say)
            kept.write_text(json.dumps([one.paths for one in wanted]))
        for one in wanted:
            self._draw(one)

    def _negotiate(self, wanted, say):
        todo = wanted
        for number in range(MAX_ROUNDS):
            for one in todo:
                self._occupy(one, -1)
                self._search_all(one)
                self._occupy(one, 1)
            todo = [one for one in wanted if self._is_contested(one)]
            say(f"round {number}: {len(todo)} of {len(wanted)} nets contested")
            if not todo:
                break
            self.penalty = min(self.penalty * 1.5, MAX_PENALTY)
        if todo:
            raise RoutingError(f"no way without crossing: {[_name(one.pads[0]) for one in todo]}")

    def _connections(self):
        by_net = {}
        for pad in self.grid.pads:
            if pad.GetNetname() and pad.GetNetname() not in self._poured:
                by_net.setdefault(pad.GetNetCode(), []).append(pad)
        named = {_name(pad): pad for pad in self.grid.pads}
        groups = [pads for pads in by_net.values() if len(pads) > 1]
        groups += [[named[first], named[second]] for first, second in self._extra]
        made = [Connection(pads[0].GetNetCode(), pads, self.grid.cells) for pads in groups]
        for one in made:
            if empty := [_name(pad) for pad, cells in zip(one.pads, one.ends, strict=True) if not cells]:
                raise RoutingError(f"no track can start at {empty}")
        return sorted(made, key=lambda one: (_span(one.pads), _name(one.pads[0])))

    def _search_all(self, one):
        left = list(one.ends)
        tree, one.paths = set(left.pop(0)), []
        while left:
            path = self._search(one.net, tree, {cell for cells in left for cell in cells})
            if path is None:
                raise RoutingError(f"no way at all to join {[_name(pad) for pad in one.pads]}")
            reached = next(cells for cells in left if path[-1] in cells)
            left.remove(reached)
            tree.update(path, reached)
            one.paths.append(path)

    def _search(self, net, sources, goals):
        """Return the cheapest way from one of the sources to one of the goals, by A*, or None.

        The loop is written out, because nearly all time is spent here.
        """
        grid, size, steps = self.grid, self.grid.size, self._steps
        history, use, penalty = self._history, self._use, self.penalty
        via_owner, via_use = grid.via_owner, self._via_use
        guess, push, pop = self._distance_to(goals), heapq.heappush, heapq.heappop
        cost, came, done = dict.fromkeys(sources, 0.0), {}, set()
        heap = [(guess(cell), cell) for cell in sources]
        heapq.heapify(heap)
        while heap:
            _, cell = pop(heap)
            if cell in done:
                continue
            done.add(cell)
            if cell in goals:
                return _traced(came, cell)
            number, place = divmod(cell, size)
            owner, spent = grid.owner[number], cost[cell]
            base, side = number * size, 1 + BOTTOM_COST * number
            for step, length in steps:
                own = owner[place + step]
                if own != FREE and own != net:
                    continue
                other = base + place + step
                total = spent + length * (side + history[other] + penalty * use[other])
                if total < cost.get(other, math.inf):
                    cost[other], came[other] = total, cell
                    push(heap, (total + guess(other), other))
            other = (1 - number) * size + place
            if via_owner[place] in (FREE, net) and grid.owner[1 - number][place] in (FREE, net):
                total = spent + VIA_COST + penalty * 2 * via_use[place] + history[other]
                if total < cost.get(other, math.inf):
                    cost[other], came[other] = total, cell
                    push(heap, (total + guess(other), other))
        return None

    def _distance_to(self, goals):
        columns, size = self.grid.columns, self.grid.size
        xs = [cell % size % columns for cell in goals]
        ys = [cell % size // columns for cell in goals]
        left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
        saved = 2 - math.sqrt(2)

        def guess(cell):
            y, x = divmod(cell % size, columns)
            across = left - x if x < left else x - right if x > right else 0
            along = top - y if y < top else y - bottom if y > bottom else 0
            return GREED * (across + along - saved * min(across, along))

        return guess

    def _occupy(self, one, sign):
        """Count this net's tracks in the cells that they take from other tracks and vias."""
        size = self.grid.size
        tracks, vias = set(), set()
        for cell in one.cells:
            tracks.update(cell + near for near in self._near)
            vias.update(cell % size + near for near in self._middle)
        for cell in one.vias(size):
            tracks.update(side + cell + near for near in self._middle for side in (0, size))
            vias.update(cell + near for near in self._far)
        for cell in tracks:
            if 0 <= cell < 2 * size:
                self._use[cell] += sign
        for cell in vias:
            if 0 <= cell < size:
                self._via_use[cell] += sign

    def _is_contested(self, one):
        """Return whether another net is too close, and make the places in question dearer."""
        size = self.grid.size
        self._occupy(one, -1)
        tracks = [cell for cell in one.cells if self._use[cell] > 0]
        vias = [cell for cell in one.vias(size) if self._via_use[cell] > 0]
        self._occupy(one, 1)
        for cell in tracks:
            self._history[cell] += 0.4
        for cell in vias:
            self._history[cell] += 0.6
            self._history[size + cell] += 0.6
        return bool(tracks or vias)

    def _draw(self, one):
        size, at = self.grid.size, self.grid.point
        for path in one.paths:
            start = path[0]
            for before, cell, after in zip(path, path[1:], [*path[2:], None], strict=False):
                if cell // size != before // size:
                    self._via(one.net, at(cell))
                    start = cell
                elif after is None or after - cell != cell - before:
                    self._track(one.net, cell // size, at(start), at(cell))
                    start = cell
            for cell in (path[0], path[-1]):
                for pad, cells in zip(one.pads, one.ends, strict=True):
                    if cell in cells:
                        self._track(one.net, cell // size, at(cell), pad.GetPosition())

    def _track(self, net, number, start, end, width=TRACK):
        track = pcbnew.PCB_TRACK(self.board)
        track.SetStart(start)
        track.SetEnd(end)
        track.SetWidth(FromMM(width))
        track.SetLayer(LAYERS[number])
        track.SetNetCode(net)
        if start != end:
            self.board.Add(track)
        return track

    def _via(self, net, place):
        via = pcbnew.PCB_VIA(self.board)
        via.SetPosition(place)
        via.SetDrill(FromMM(DRILL))
        via.SetWidth(pcbnew.F_Cu, FromMM(VIA))
        via.SetNetCode(net)
        self.board.Add(via)
        return via


def _traced(came, cell):
    path = [cell]
    while cell in came:
        cell = came[cell]
        path.append(cell)
    return path[::-1]


def _span(pads):
    first = pads[0].GetPosition()
    return sum(abs(pad.GetPosition().x - first.x) + abs(pad.GetPosition().y - first.y) for pad in pads)


def _name(pad):
    return f"{pad.GetParentFootprint().GetReference()}.{pad.GetNumber()}"
