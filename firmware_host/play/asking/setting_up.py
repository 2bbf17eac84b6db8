"""The questions by which hands set up a position: the pieces, who moves, and whether pieces are still placed.

While the pieces are asked for, hands may set them anywhere, and one lit point says that they stand: it is
touched as it is, with a piece or without. The questions after that are answered like any other.

Invariants: what can't begin a game is never offered, and the points that break the rules are lit. The answer
is the request `set-up` with the position's text, so that hands and pages do the same. Time is an argument.

Sensors that only detect a piece take all pieces for White's first, and then what is added for Black's. A
piece of White's that is lifted and put back stays White's, since it may be a touch, or a weak sensor that
drops out. Of a high stack the sensor reads only the top, so it is followed piece by piece.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from firmware_host.errors import NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Piece, Player, Position, Rules, SetUpFault
from firmware_host.games.layout import Point
from firmware_host.i18n import Message
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Scene
from firmware_host.play.asking.asking import Asking
from firmware_host.play.asking.options import BACK_AT, Option
from firmware_host.play.asking.touches import MAX_TOUCH, Touches
from firmware_host.ports import NOTHING, Frame, SensorKind
from firmware_host.settings import Microseconds
from firmware_host.tracking.sensor_model import SensorModel

# ---- positions that are set up --------------------------------------------------------------------------
# Positions that are set up: the fault of one that cannot be played, and the ways to go on from one that can.
#
# Invariants: legal is what the rules' own `position` accepts; a fault only explains a refusal. A position in
# which the game would be over is none to begin with.


Stacks = Sequence[tuple[Piece, ...]]
"""The pieces on each point, the lowest first, in the layout's order."""


@frozen
class SetUps:
    """The games that pieces can begin as they were set up."""

    fault: SetUpFault | None
    """The reason why no game can begin so; None if one can."""
    starts: Mapping[Player, Mapping[bool, Position]]
    """The positions that can begin a game, by the player to move and whether pieces are still placed."""


def set_ups(rules: Rules, stacks: Stacks) -> SetUps:
    """Return the games that `stacks` can begin under `rules`."""
    fault = rules.set_up_fault(stacks)
    if fault is not None:
        return SetUps(fault, {})
    found = {player: _starts(rules, stacks, player) for player in Player}
    starts = {player: ways for player, ways in found.items() if ways}
    standing = frozenset(point for point in rules.layout.points if stacks[point.index])
    return SetUps(None if starts else SetUpFault(standing, Message("set-up.over")), starts)


def _starts(rules: Rules, stacks: Stacks, to_move: Player) -> Mapping[bool, Position]:
    """Return the positions with these pieces, each once, by whether pieces are still being placed."""
    found: dict[bool, Position] = {}
    for placing in (False, True):
        try:
            position = rules.position(rules.set_up_text(stacks, to_move, placing=placing))
        except NotationError:
            continue
        if position.outcome is None and str(position) not in map(str, found.values()):
            found[placing] = position
    return found


# ---- the questions --------------------------------------------------------------------------------------


class PositionDraft:
    """A position that is being set up on a board."""

    def __init__(self, rules: Rules, sensors: SensorModel, white: Collection[str] | None = None) -> None:
        """Begin with an empty board; `white` are the points of White's pieces if all of them stand."""
        self._rules = rules
        self._sensors = sensors
        self.tells_owners = sensors.alphabet is not SensorKind.PRESENCE
        """True if the sensors tell whose each piece is."""
        self.white: frozenset[Point] | None = None
        """The points of White's pieces, once all of them stand; None before, and if the sensors tell."""
        if white is not None and not self.tells_owners:
            self.white = frozenset(point for point in rules.layout.points if point.name in white)
        self._frame: Frame = (NOTHING,) * len(rules.layout)
        self._stacks: list[tuple[Piece, ...]] = [()] * len(rules.layout)
        self._gone_since: dict[int, Microseconds] = {}
        self.result: SetUps = set_ups(rules, self._stacks)
        """The games that the pieces can begin as they stand now."""

    @property
    def owners(self) -> dict[Point, Player]:
        """The owner of the top piece on each point that has one."""
        return {
            p: self._stacks[p.index][-1].owner for p in self._rules.layout.points if self._stacks[p.index]
        }

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which `read` has news although no reading changes; None if it won't."""
        return min((since + MAX_TOUCH for since in self._gone_since.values()), default=None)

    def finish_white(self) -> None:
        """Take the pieces that stand now for White's, and those to come for Black's."""
        self.white = frozenset(self.owners)
        self._gone_since.clear()

    def read(self, frame: Frame, now: Microseconds) -> bool:
        """Take in a debounced frame without masked sensors; return whether the pieces differ from before."""
        self._forget_white(frame, now)
        before, self._frame = self._frame, frame
        stacks = [self._stack(index, before[index]) for index in range(len(frame))]
        if stacks == self._stacks:
            return False
        self._stacks = stacks
        self.result = set_ups(self._rules, stacks)
        return True

    def _forget_white(self, frame: Frame, now: Microseconds) -> None:
        """Forget the points of White's pieces that have been gone for longer than a touch."""
        for point in self.white or ():
            if frame[point.index] != NOTHING:
                self._gone_since.pop(point.index, None)
            else:
                self._gone_since.setdefault(point.index, now)
        gone = {index for index, since in self._gone_since.items() if now - since >= MAX_TOUCH}
        for index in gone:
            del self._gone_since[index]
        if gone and self.white is not None:
            self.white = frozenset(point for point in self.white if point.index not in gone)

    def _stack(self, index: int, before: int) -> tuple[Piece, ...]:
        """Return the pieces on a point, by its reading and by those that stood there `before`."""
        reading, stack = self._frame[index], self._stacks[index]
        if reading == NOTHING:
            return ()
        if not self.tells_owners:
            return (self._piece_of(Player.WHITE if self._is_white(index) else Player.BLACK),)
        if reading == before:
            return stack
        shown = self._sensors.shown(reading, self._rules.box)
        if reading.is_complete or not stack:
            return shown
        if self._sensors.reading((*stack, shown[-1]), index) == reading:
            return (*stack, shown[-1])
        return stack[:-1] if self._sensors.reading(stack[:-1], index) == reading else shown

    def _is_white(self, index: int) -> bool:
        return self.white is None or any(point.index == index for point in self.white)

    def _piece_of(self, player: Player) -> Piece:
        return next(piece for piece in self._rules.box if piece.owner is player)


PIECES, WHITE_PIECES, BLACK_PIECES = "set-up", "set-up-white", "set-up-black"
TO_MOVE, WHITE_PHASE, BLACK_PHASE = "to-move", "phase-white", "phase-black"
"""The names of the questions."""
PIECE_QUESTIONS = frozenset({PIECES, WHITE_PIECES, BLACK_PIECES})
SET_UP_QUESTIONS = PIECE_QUESTIONS | {TO_MOVE, WHITE_PHASE, BLACK_PHASE}

TO_MOVE_AT = ("inner-w", "inner-e")
"""The places at which White and Black are to move."""
PHASE_AT = ("inner-n", "inner-s")
"""The places at which pieces are still placed, and all have been."""
SET_UP_TIMEOUT: Microseconds = 300_000_000
"""The longest that nothing may change before setting up is given up."""
_CUES = {Player.WHITE: Cue.WHITE, Player.BLACK: Cue.BLACK}
_PHASES = {Player.WHITE: WHITE_PHASE, Player.BLACK: BLACK_PHASE}


class SettingUp:
    """A position that hands set up, from the first piece to the request that begins the game."""

    def __init__(
        self,
        rules: Rules,
        sensors: SensorModel,
        at: Mapping[str, Point],
        empty_for: Microseconds,
        white: Collection[str] | None = None,
    ) -> None:
        """Set up for `rules`; `at` are the points of places that can be touched; `white` as for the draft.

        A board that stays empty for `empty_for` ends it, as it ends a game, once a piece was set down: those
        that stood before have to be cleared first.
        """
        self.draft = PositionDraft(rules, sensors, white)
        self._at, self._empty_for = at, empty_for
        inner = [point for place, point in at.items() if place.startswith("inner-")]
        self._done = inner[0]
        self._last: Frame = ()
        self._touches = Touches((), ())
        self._is_begun = white is not None
        self._empty_since: Microseconds | None = None

    @property
    def question(self) -> str:
        """The question that asks for the pieces now."""
        if self.draft.tells_owners:
            return PIECES
        return WHITE_PIECES if self.draft.white is None else BLACK_PIECES

    @property
    def fault(self) -> SetUpFault | None:
        """The reason why the pieces can't stay so; None if they can, or if more of them are to come."""
        return self.draft.result.fault

    @property
    def kept(self) -> dict[str, Any]:
        """The stored form: the points of White's pieces, or None while they are being set up."""
        white = self.draft.white
        return {"white": None if white is None else sorted(point.name for point in white)}

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although no reading changes; None if nothing will."""
        empty = None if self._empty_since is None else self._empty_since + self._empty_for
        return min((due for due in (empty, self.draft.deadline) if due is not None), default=None)

    def read(self, frame: Frame, now: Microseconds) -> tuple[bool, bool]:
        """Take in a frame; return whether the pieces changed, and whether they were touched as done."""
        changed = self.draft.read(frame, now)
        landed = zip(self._last, frame, strict=False)
        self._is_begun = self._is_begun or any(was == NOTHING != reads for was, reads in landed)
        if any(frame):
            self._empty_since = None
        elif self._empty_since is None and changed and self._is_begun:
            self._empty_since = now
        return changed, self._is_touched(frame, now)

    def _is_touched(self, frame: Frame, now: Microseconds) -> bool:
        """Return whether a touch of the lit point ends; after any other change, one begins again."""
        last, self._last = self._last, frame
        done = self._done.index
        if not last or last[:done] + last[done + 1 :] != frame[:done] + frame[done + 1 :]:
            self._touches = Touches(frame, frame)
            return False
        if self._touches.is_left(now):  # a piece was set down there to stay
            self._touches = Touches(last, last)
        return self._touches.touched_in(frame, now) == done

    def is_cleared(self, now: Microseconds) -> bool:
        """Return whether the pieces were taken off again."""
        return self._empty_since is not None and now >= self._empty_since + self._empty_for

    def take_answer(self, does: str) -> None:
        """Note an answer that leads to other pieces."""
        if does == "white-stands":
            self.draft.finish_white()

    # ---- questions -------------------------------------------------------------------------------------

    def options(self, question: str) -> dict[Point, Option]:
        """Return the options of one of the SET_UP_QUESTIONS."""
        if question in PIECE_QUESTIONS:
            return self._when_they_stand(question)
        found = self._to_move() if question == TO_MOVE else self._phases(question)
        back = Option("back", leads_to=self.question if question == TO_MOVE else TO_MOVE)
        return {
            self._at[place]: option for place, option in {**found, BACK_AT: back}.items() if place in self._at
        }

    def _when_they_stand(self, question: str) -> dict[Point, Option]:
        fault = self.fault
        if question == WHITE_PIECES:
            is_wrong = fault is not None and bool(fault.points) and fault.reason.key != "set-up.over"
            return {} if is_wrong else {self._done: Option("white-stands", leads_to=BLACK_PIECES)}
        return {} if fault else {self._done: Option("pieces-stand", leads_to=TO_MOVE)}

    def _to_move(self) -> dict[str, Option]:
        found = {}
        for place, player in zip(TO_MOVE_AT, (Player.WHITE, Player.BLACK), strict=True):
            does, ways = f"{player}-moves", self.draft.result.starts.get(player, {})
            if len(ways) > 1:
                found[place] = Option(does, leads_to=_PHASES[player])
            elif ways:
                found[place] = Option(does, _request(*ways.values()))
        return found

    def _phases(self, question: str) -> dict[str, Option]:
        player = Player.WHITE if question == WHITE_PHASE else Player.BLACK
        ways = self.draft.result.starts.get(player, {})
        answers = zip(PHASE_AT, (True, False), ("placing", "moving"), strict=True)
        return {place: Option(does, _request(ways[key])) for place, key, does in answers if key in ways}

    # ---- what people see -------------------------------------------------------------------------------

    def scene(self, asking: Asking) -> Scene:
        """Return the light while pieces are asked for: whose each is and where to touch, or what is wrong."""
        wrong = self._wrong(asking.question)
        cues = {point: _CUES[owner] for point, owner in self.draft.owners.items()}
        cues |= dict.fromkeys(asking.lit, Cue.ASK)
        shown = dict.fromkeys(wrong, Cue.WRONG) if wrong else cues
        return Scene({point: frozenset({cue}) for point, cue in shown.items()})

    def sentence(self, asking: Asking) -> Message:
        """Return what to do now, or why the pieces can't stand so."""
        fault = self.fault
        if asking.question in PIECE_QUESTIONS and fault and self._says(asking.question):
            return fault.reason
        points = {"points": (self._done.name,)}
        match asking.question:
            case "set-up-white":
                return Message("set-up.pieces.white", points)
            case "set-up-black":
                return Message("set-up.pieces.black", points)
            case "set-up":
                return Message("set-up.pieces", points)
            case "to-move":
                white, black = ((self._at[place].name,) for place in TO_MOVE_AT)
                return Message("set-up.to-move", {"points": white, "others": black})
            case _:
                placing, moving = ((self._at[place].name,) for place in PHASE_AT)
                return Message("set-up.phase", {"points": placing, "others": moving})

    def _says(self, question: str) -> bool:
        """Return whether the fault is worth saying: not while the board is empty or half of it is to come."""
        return bool(self._wrong(question)) or (question != WHITE_PIECES and bool(self.draft.owners))

    def _wrong(self, question: str) -> frozenset[Point]:
        fault = self.fault
        if fault is None or (question == WHITE_PIECES and fault.reason.key == "set-up.over"):
            return frozenset()
        return fault.points


def _request(position: Position) -> Mapping[str, Any]:
    return {"do": "set-up", "position": str(position)}
