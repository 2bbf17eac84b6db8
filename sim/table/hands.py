"""What hands do at the simulated table, read from one JSON object each: `{"put": "d6", "piece": "white"}`.

Rules kept here: an object is done whole or not at all, and what is wrong with it is said in its own words;
hands never put two pieces into one place, unless one carries the other, and never push one through another; a
jolt moves all at once. A push or a flick only begins: it goes on while time passes. Time is an argument; the
same objects serve the headless board and the page.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any, Protocol

from firmware_host.errors import HandsError, did_you_mean
from firmware_host.games.layout import Point
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from sim.table.locations import Places, is_number
from sim.table.motion import Rim, crosses, free_way, slide_out, too_near
from sim.table.table import Piece, Spot, Table, Track

LONGEST_SLIDE_S = 60.0
USUAL_SLIDE_S = 0.5
USUAL_PUSH_S = 0.1
FASTEST_MM_S = 10_000.0
_SECOND: Microseconds = 1_000_000

Command = Mapping[str, Any]


class Electronics(Protocol):
    """What hands can damage."""

    def inject(self, described: Mapping[str, Any]) -> None:
        """Break what `described` says; raises HandsError where that makes no sense."""

    def repair(self, described: Mapping[str, Any] | None = None) -> None:
        """End the fault that was said so, or all; raises HandsError where it is not there."""


class Hands:
    """One player's hands and the other's: they hold pieces in the order in which they were lifted."""

    def __init__(self, table: Table, electronics: Electronics) -> None:
        self._table = table
        self._places = Places(table)
        self._rim = Rim.around(table.spots)
        self._electronics = electronics

    @property
    def held(self) -> list[str]:
        """The kinds of the pieces that are held; the one lifted last is the last."""
        return [piece.kind for piece in self._table.hands]

    def do(self, command: Command, now: Microseconds) -> Microseconds:
        """Do what `command` says, and say how long to wait until it ends: the time of a slide, else 0.

        Raises HandsError where that cannot be done; nothing has changed then.
        """
        verb = only_verb(command, _DEEDS)
        others, deed = _DEEDS[verb]
        only_keys(command, verb, others)
        return deed(self, command, now) or 0

    # ---- the verbs -------------------------------------------------------------------------------------

    def _put(self, command: Command, now: Microseconds) -> None:
        place = command["put"]
        spot = self._places.spot(place)
        piece = self._piece_to_put(command.get("piece"))
        if not self._rim.has(spot):
            raise HandsError(f"{place} is not on the board", Message("hands.off-board"))
        spot, beneath = self._onto(spot, now)
        for other, track in reversed(self._table.wood.items()):
            if other is not piece and other not in beneath and too_near(spot, track.rest(now)):
                stands = (
                    isinstance(place, str) and self._table.standing(self._places.point(place), now) is other
                )
                if stands:
                    text = f"a {other.kind} piece stands on {place} already"
                    raise HandsError(text, Message("hands.stands", {"points": (str(place),)}))
                text = f"a {other.kind} piece lies too near to {place}"
                raise HandsError(text, Message("hands.too-near"))
        self._table.put(piece, spot, now)

    def _onto(self, spot: Spot, now: Microseconds) -> tuple[Spot, list[Piece]]:
        """Where a piece comes to lie that is set down at a spot, and on what, if that carries it."""
        there = self._table.stack(spot, now)
        if not there or not all(piece.make.flat for piece in there):
            return spot, []
        return self._table.wood[there[-1]].at(now), there

    def _piece_to_put(self, asked: object) -> Piece:
        table = self._table
        if asked is None:
            if not table.hands:
                raise HandsError('the hands are empty; name a "piece" of the box', Message("hands.empty"))
            return table.hands[-1]
        if is_number(asked):
            piece = self._places.numbered(asked)
            if piece in table.wood:
                text = f"piece {asked} is on the board: it must be lifted first"
                raise HandsError(text, Message("hands.on-board"))
            return piece
        if not isinstance(asked, str):
            raise HandsError(f'"piece" must be a kind such as "white", or a number, not {asked!r}')
        found = next((p for p in (*reversed(table.hands), *reversed(table.box)) if p.kind == asked), None)
        if found is None:
            kinds = {piece.kind for piece in (*table.hands, *table.box, *table.wood)}
            hint = "" if asked in kinds else f"; {did_you_mean(asked, kinds)}"
            text = f"there is no {asked} piece in the hands or the box{hint}"
            raise HandsError(text, Message("hands.none-left"))
        return found

    def _lift(self, command: Command, now: Microseconds) -> None:
        self._table.take(self._places.lying(command["lift"], now, "lift"), now)

    def _slide(self, command: Command, now: Microseconds) -> Microseconds:
        names = command["slide"]
        if not isinstance(names, list) or len(names) < 2:
            raise HandsError('"slide" must be a list of two places or more, such as ["g7", "d7"]')
        route = [self._places.spot(name) for name in names]
        if any(one == other for one, other in pairwise(route)):
            raise HandsError("a slide goes from each place to another")
        if not all(map(self._rim.has, route)):
            raise HandsError("a slide stays on the board", Message("hands.off-board"))
        lasts = duration(command.get("seconds", USUAL_SLIDE_S), "seconds", LONGEST_SLIDE_S)
        meanwhile = "meanwhile" in command
        if meanwhile:
            must_be_true(command, "meanwhile")
        piece = self._places.lying(names[0], now, "slide")
        way = [self._table.wood[piece].at(now), *route[1:]]
        for other, track in self._table.wood.items():
            if other is not piece and crosses(way, track.rest(now)):
                at = self._table.point_of(other, now)
                text = f"the {other.kind} piece on {at or 'the board'} is in the way of the slide"
                raise HandsError(text, Message("hands.in-the-way"))
        self._table.push(piece, route[1:], now, now + lasts)
        return 0 if meanwhile else lasts

    def _push(self, command: Command, now: Microseconds) -> None:
        must_have(command, "push", "to")
        target = self._places.spot(command["to"])
        lasts = duration(command.get("seconds", USUAL_PUSH_S), "seconds", LONGEST_SLIDE_S)
        piece = self._places.lying(command["push"], now, "push")
        lies = self._table.wood[piece].at(now)
        end = free_way((lies, target), self._table.ways([piece], now), self._rim).spots[-1]
        part = lies.to(end) / lies.to(target) if lies != target else 0.0
        self._table.send(piece, Track((lies, end), (now, now + round(lasts * part))), now)

    def _flick(self, command: Command, now: Microseconds) -> None:
        must_have(command, "flick", "speed")
        speed = self._places.pair(command["speed"], "speed")
        if speed.to(Spot(0, 0)) > FASTEST_MM_S:
            raise HandsError(f'"speed" must be at most {FASTEST_MM_S:.0f} mm/s')
        piece = self._places.lying(command["flick"], now, "flick")
        lies = self._table.wood[piece].at(now)
        slide = slide_out(lies, speed, self._table.ways([piece], now), self._rim, now)
        piece.turned = piece.turned is not slide.turns_over
        self._table.send(piece, slide.track, now, off=slide.leaves)

    def _box(self, command: Command, now: Microseconds) -> None:
        must_be_true(command, "box")
        for piece in tuple(self._table.hands):
            self._table.stow(piece, now)

    def _sweep(self, command: Command, now: Microseconds) -> None:
        must_be_true(command, "sweep")
        for piece in (*self._table.wood, *self._table.hands):
            self._table.stow(piece, now)

    def _knock(self, command: Command, now: Microseconds) -> None:
        for piece, target in self._jumps(command["knock"], now).items():
            if target is None:
                self._table.stow(piece, now)
            else:
                self._table.put(piece, self._table.spots[target.index], now)

    def _jumps(self, jumps: object, now: Microseconds) -> dict[Piece, Point | None]:
        if not isinstance(jumps, Mapping) or not jumps:
            raise HandsError('"knock" must be an object such as {"a1": "a4", "d1": null}')
        going = {
            self._places.point(origin): None if target is None else self._places.point(target)
            for origin, target in jumps.items()
        }
        filled: set[Point] = set()
        for origin, target in going.items():
            if target is origin:
                raise HandsError(f"a knock takes the piece on {origin} elsewhere, or off the board: null")
            if target is not None and target in filled:
                raise _crowded(target)
            if target is not None:
                filled.add(target)
        found = {self._places.standing(origin, now, "knock"): target for origin, target in going.items()}
        staying = self._table.ways(found, now)
        for target in filled:
            if any(too_near(self._table.spots[target.index], way) for way in staying):
                raise _crowded(target)
        return found

    def _fault(self, command: Command, _now: Microseconds) -> None:
        fault = command["fault"]
        if not isinstance(fault, Mapping):
            raise HandsError('"fault" must be an object such as {"point": "d6", "kind": "stuck-on"}')
        self._electronics.inject(fault)

    def _repair(self, command: Command, _now: Microseconds) -> None:
        if isinstance(fault := command["repair"], Mapping):
            self._electronics.repair(fault)
            return
        must_be_true(command, "repair")
        self._electronics.repair()


_DEEDS: dict[str, tuple[tuple[str, ...], Callable[[Hands, Command, Microseconds], Microseconds | None]]] = {
    "put": (("piece",), Hands._put),
    "lift": ((), Hands._lift),
    "slide": (("seconds", "meanwhile"), Hands._slide),
    "push": (("to", "seconds"), Hands._push),
    "flick": (("speed",), Hands._flick),
    "box": ((), Hands._box),
    "sweep": ((), Hands._sweep),
    "knock": ((), Hands._knock),
    "fault": ((), Hands._fault),
    "repair": ((), Hands._repair),
}

VERBS = frozenset(_DEEDS)


def _crowded(target: Point) -> HandsError:
    text = f"two pieces cannot come to stand on {target}"
    return HandsError(text, Message("hands.stands", {"points": (str(target),)}))


def only_verb(command: Command, verbs: Mapping[str, object]) -> str:
    """The one key of `command` that says what to do; raises HandsError where none or several do."""
    found = [key for key in command if key in verbs]
    if len(found) != 1:
        several = f"{' and '.join(map(repr, found))} cannot be done in one" if found else "nothing to do"
        raise HandsError(f"{several}: an object has exactly one of {', '.join(sorted(verbs))}")
    return found[0]


def only_keys(command: Command, verb: str, others: tuple[str, ...]) -> None:
    """Raise HandsError where `command` has a key besides `verb` and `others`."""
    for key in command:
        if key != verb and key not in others:
            raise HandsError(f"{verb!r} takes no {key!r}; it takes {', '.join(others) or 'nothing else'}")


def duration(seconds: object, name: str, most: float) -> Microseconds:
    """What was given as `name` in microseconds; raises HandsError unless it is 0 to `most` seconds."""
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= most:
        raise HandsError(f'"{name}" must be a number of seconds from 0 to {most:.0f}')
    return round(seconds * _SECOND)


def must_have(command: Command, verb: str, key: str) -> None:
    """Raise HandsError where `command` lacks what `verb` needs besides."""
    if key not in command:
        raise HandsError(f'"{verb}" needs "{key}", too')


def must_be_true(command: Command, verb: str) -> None:
    """Raise HandsError where what stands alone is given anything but true."""
    if command[verb] is not True:
        raise HandsError(f'"{verb}" must be true')
