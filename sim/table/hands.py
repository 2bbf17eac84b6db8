"""The players' hands at the simulated table.

Each action is a JSON object, such as `{"put": "d6", "piece": "white"}`; the headless board and the page use
the same ones. A push or a flick only begins: it goes on while time passes. Time is an argument.

Invariants: an action is done completely or not at all, and its error says what is wrong; hands never put two
pieces into one place, unless one carries the other, and never push one through another. No two pieces leave
their points at the same moment: neither hands nor a jolt are that even, and the board takes it for a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Annotated, Any, Protocol, TypeAlias

from firmware_host.decoding import Must, decode, is_number, is_object, is_text, is_true
from firmware_host.errors import HandsError, did_you_mean
from firmware_host.games.layout import Point
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds
from sim.table import locations
from sim.table.locations import PlaceParser
from sim.table.motion import Rim, crosses, free_way, slide_out, too_near
from sim.table.table import Spot, Table, TablePiece, Track

MAX_SLIDE_S = 60.0
MAX_SPEED_MM_S = 10_000.0
_SECOND: Microseconds = 1_000_000
_SLIDE: Microseconds = 500_000
_PUSH: Microseconds = 100_000
_PRESS: Microseconds = 200_000

_SWEPT_APART: Microseconds = 20_000
"""The time from one piece to the next when all are swept off the board."""

_JOLTED_APART: Microseconds = 10_000
"""The time from one piece to the next that a jolt moves: two frames, so that each has its own."""

Command = Mapping[str, Any]


def seconds_up_to(most: float) -> Must:
    """Return the requirement of a duration from 0 to `most` seconds, which is decoded into microseconds."""
    return Must(
        f"a number of seconds from 0 to {most:.0f}",
        lambda value: is_number(value) and 0 <= value <= most,
        lambda value: round(value * _SECOND),
    )


TRUE = Must("true", is_true)

_Named: TypeAlias = Any
"""A place or a piece, which Places finds."""
_Kind: TypeAlias = Annotated[
    str | int | None,
    Must(
        'a kind such as "white", or a number',
        lambda value: value is None or is_text(value) or locations.is_number(value),
        quotes=True,
    ),
]
_Route: TypeAlias = Annotated[
    list[Any],
    Must(
        'a list of two places or more, such as ["g7", "d7"]',
        lambda value: isinstance(value, list) and len(value) > 1,
    ),
]
_Duration: TypeAlias = Annotated[Microseconds, seconds_up_to(MAX_SLIDE_S)]
_True: TypeAlias = Annotated[bool, TRUE]
_Jumps: TypeAlias = Annotated[
    Mapping[str, Any],
    Must('an object such as {"a1": "a4", "d1": null}', lambda value: is_object(value) and bool(value)),
]
_Button: TypeAlias = Annotated[str, Must('"button"', lambda value: value == "button", quotes=True)]
_Fault: TypeAlias = Annotated[
    Mapping[str, Any], Must('an object such as {"point": "d6", "kind": "stuck-on"}', is_object)
]
_FaultOrTrue: TypeAlias = Annotated[
    Mapping[str, Any] | bool, Must("true", lambda value: is_true(value) or is_object(value))
]


class ElectronicsInReach(Protocol):
    """The electronics that hands can press and damage; a table knows no chips."""

    def press(self, lasts: Microseconds) -> None:
        """Press the button for a time; raises HandsError if there is none."""

    def release(self) -> None:
        """Let the button go; raises HandsError if there is none."""

    def inject(self, described: Mapping[str, Any]) -> None:
        """Break what `described` names; raises HandsError if it is not a fault that can occur."""

    def repair(self, described: Mapping[str, Any] | None = None) -> None:
        """End the fault that was injected as `described`, or all; raises HandsError if there is none."""


class TableHands:
    """The hands of both players, which hold pieces in the order in which they were lifted."""

    def __init__(self, table: Table, electronics: ElectronicsInReach) -> None:
        self._table = table
        self._places = PlaceParser(table)
        self._rim = Rim.around(table.spots)
        self._electronics = electronics

    @property
    def held(self) -> list[str]:
        """The kinds of the held pieces, the one lifted last at the end."""
        return [piece.kind for piece in self._table.hands]

    def do(self, command: Command, now: Microseconds) -> Microseconds:
        """Do what `command` says, and return how long to wait until it ends.

        That is the time of a slide, a sweep or a jolt, otherwise 0. Raises HandsError if it is not possible;
        nothing has changed then.
        """
        self._table.catch_up(now)
        verb = only_verb(command, ACTIONS)
        action = ACTIONS[verb]
        return action(self, now, **decode(action, command, verb, HandsError)) or 0

    # ---- the verbs -------------------------------------------------------------------------------------

    def _put(self, now: Microseconds, *, put: _Named, piece: _Kind = None) -> None:
        spot = self._places.spot(put)
        chosen = self._piece_to_put(piece)
        if not self._rim.has(spot):
            raise HandsError(f"{put} is not on the board", Message("hands.off-board"))
        spot, beneath = self._onto(spot, now)
        for other, track in reversed(self._table.wood.items()):
            if other is not chosen and other not in beneath and too_near(spot, track.rest(now)):
                raise self._occupied(put, other, now)
        self._table.put(chosen, spot, now)

    def _occupied(self, place: _Named, other: TablePiece, now: Microseconds) -> HandsError:
        if isinstance(place, str) and self._table.standing(self._places.point(place), now) is other:
            text = f"a {other.kind} piece stands on {place} already"
            return HandsError(text, Message("hands.stands", {"points": (place,)}))
        return HandsError(f"a {other.kind} piece lies too near to {place}", Message("hands.too-near"))

    def _onto(self, spot: Spot, now: Microseconds) -> tuple[Spot, list[TablePiece]]:
        """Return where a piece put down at `spot` comes to lie, and the pieces that carry it there."""
        there = self._table.stack(spot, now)
        if not there or not all(piece.make.flat for piece in there):
            return spot, []
        return self._table.wood[there[-1]].at(now), there

    def _piece_to_put(self, asked: str | int | None) -> TablePiece:
        table = self._table
        if asked is None:
            if not table.hands:
                text = 'there is nothing in your hand; name a "piece" of the box'
                raise HandsError(text, Message("hands.empty"))
            return table.hands[-1]
        if isinstance(asked, int):
            piece = self._places.numbered(asked)
            if piece in table.wood:
                text = f"piece {asked} is on the board: it must be lifted first"
                raise HandsError(text, Message("hands.on-board"))
            return piece
        found = next((p for p in (*reversed(table.hands), *reversed(table.box)) if p.kind == asked), None)
        if found is None:
            kinds = {piece.kind for piece in (*table.hands, *table.box, *table.wood)}
            hint = "" if asked in kinds else f"; {did_you_mean(asked, kinds)}"
            text = f"there is no {asked} piece in your hand or the box{hint}"
            raise HandsError(text, Message("hands.none-left"))
        return found

    def _lift(self, now: Microseconds, *, lift: _Named) -> None:
        self._table.take(self._places.piece_at(lift, now, "lift"), now)

    def _slide(
        self, now: Microseconds, *, slide: _Route, seconds: _Duration = _SLIDE, meanwhile: _True = False
    ) -> Microseconds:
        route = [self._places.spot(place) for place in slide]
        if any(one == other for one, other in pairwise(route)):
            raise HandsError("a slide goes from each place to another")
        if not all(map(self._rim.has, route)):
            raise HandsError("a slide stays on the board", Message("hands.off-board"))
        piece = self._places.piece_at(slide[0], now, "slide")
        way = [self._table.wood[piece].at(now), *route[1:]]
        for other, track in self._table.wood.items():
            if other is not piece and crosses(way, track.rest(now)):
                at = self._table.point_of(other, now)
                text = f"the {other.kind} piece on {at or 'the board'} is in the way of the slide"
                raise HandsError(text, Message("hands.in-the-way"))
        self._table.push(piece, route[1:], now, now + seconds)
        return 0 if meanwhile else seconds

    def _push(self, now: Microseconds, *, push: _Named, to: _Named, seconds: _Duration = _PUSH) -> None:
        target = self._places.spot(to)
        piece = self._places.piece_at(push, now, "push")
        lies = self._table.wood[piece].at(now)
        end = free_way((lies, target), self._table.ways([piece], now), self._rim).spots[-1]
        part = lies.to(end) / lies.to(target) if lies != target else 0.0
        self._table.send(piece, Track((lies, end), (now, now + round(seconds * part))), now)

    def _flick(self, now: Microseconds, *, flick: _Named, speed: _Named) -> None:
        velocity = self._places.pair(speed, "speed")
        if velocity.to(Spot(0, 0)) > MAX_SPEED_MM_S:
            raise HandsError(f'"speed" must be at most {MAX_SPEED_MM_S:.0f} mm/s')
        piece = self._places.piece_at(flick, now, "flick")
        lies = self._table.wood[piece].at(now)
        slide = slide_out(lies, velocity, self._table.ways([piece], now), self._rim, now)
        piece.turned = piece.turned is not slide.turns_over
        self._table.send(piece, slide.track, now, off=slide.leaves)

    def _box(self, now: Microseconds, *, box: _True) -> None:  # noqa: ARG002 - `box` is the verb
        for piece in tuple(self._table.hands):
            self._table.stow(piece, now)

    def _sweep(
        self,
        now: Microseconds,
        *,
        sweep: _True,  # noqa: ARG002 - `sweep` is the verb
        meanwhile: _True = False,
    ) -> Microseconds:
        for piece in tuple(self._table.hands):
            self._table.stow(piece, now)
        pieces = (*reversed(self._table.wood),)  # the top one of a stack first
        for number, piece in enumerate(pieces):
            self._table.stow_at(piece, now + number * _SWEPT_APART)
        self._table.catch_up(now)
        return 0 if meanwhile else max(0, len(pieces) - 1) * _SWEPT_APART

    def _knock(self, now: Microseconds, *, knock: _Jumps, meanwhile: _True = False) -> Microseconds:
        point = self._places.point
        jumps = {point(origin): None if target is None else point(target) for origin, target in knock.items()}
        _check_jumps(jumps)
        going = {self._places.standing(origin, now, "knock"): target for origin, target in jumps.items()}
        staying = self._table.ways(going, now)
        for target in going.values():
            if target and any(too_near(self._table.spots[target.index], way) for way in staying):
                raise _crowded(target)
        leaves = {origin: now + number * _JOLTED_APART for number, origin in enumerate(jumps)}
        for (origin, target), piece in zip(jumps.items(), going, strict=True):
            if target is None:
                self._table.stow_at(piece, leaves[origin])
            else:
                lands = max(leaves[origin], leaves.get(target, 0))
                spot = self._table.spots[target.index]
                self._table.throw(piece, spot, leaves[origin], lands, self._is_free)
        self._table.catch_up(now)
        return 0 if meanwhile else max(leaves.values()) - now

    def _is_free(self, spot: Spot, now: Microseconds) -> bool:
        return not any(too_near(spot, way) for way in self._table.ways((), now))

    def _press(
        self,
        _now: Microseconds,
        *,
        press: _Button,  # noqa: ARG002 - `press` is the verb
        seconds: _Duration = _PRESS,
        meanwhile: _True = False,
    ) -> Microseconds:
        self._electronics.press(seconds)
        return 0 if meanwhile else seconds

    def _release(self, _now: Microseconds, *, release: _Button) -> None:  # noqa: ARG002 - the verb
        self._electronics.release()

    def _fault(self, _now: Microseconds, *, fault: _Fault) -> None:
        self._electronics.inject(fault)

    def _repair(self, _now: Microseconds, *, repair: _FaultOrTrue) -> None:
        if isinstance(repair, Mapping):
            self._electronics.repair(repair)
        else:
            self._electronics.repair()


ACTIONS: Mapping[str, Callable[..., Microseconds | None]] = {
    "put": TableHands._put,
    "lift": TableHands._lift,
    "slide": TableHands._slide,
    "push": TableHands._push,
    "flick": TableHands._flick,
    "box": TableHands._box,
    "sweep": TableHands._sweep,
    "knock": TableHands._knock,
    "press": TableHands._press,
    "release": TableHands._release,
    "fault": TableHands._fault,
    "repair": TableHands._repair,
}
"""The handler of each verb: its keyword-only parameters are the members of the verb's object."""

VERBS = frozenset(ACTIONS)


def _check_jumps(jumps: Mapping[Point, Point | None]) -> None:
    """Raise HandsError if a piece jumps to where it stands, or two to the same point."""
    filled: set[Point] = set()
    for origin, target in jumps.items():
        if target is origin:
            raise HandsError(f"a knock takes the piece on {origin} elsewhere, or off the board: null")
        if target in filled:
            raise _crowded(target)
        if target is not None:
            filled.add(target)


def _crowded(target: Point) -> HandsError:
    text = f"two pieces cannot come to stand on {target}"
    return HandsError(text, Message("hands.stands", {"points": (str(target),)}))


def only_verb(command: Command, verbs: Mapping[str, object]) -> str:
    """Return the one key of `command` that is a verb; raise HandsError if there is none, or several."""
    found = [key for key in command if key in verbs]
    if len(found) != 1:
        several = f"{' and '.join(map(repr, found))} cannot be done in one" if found else "nothing to do"
        raise HandsError(f"{several}: an object has exactly one of {', '.join(sorted(verbs))}")
    return found[0]
