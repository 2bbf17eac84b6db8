"""Two headless boards with a link each: JSON lines in, JSON lines out, in one virtual time.

Invariants: both boards are at the same time after each line. A seat is on its board's disk before it is
published, and survives a power cut. The same input and seed give the same output, byte for byte.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from random import Random
from typing import Annotated, Any, TextIO, TypeAlias

from firmware_host.decoding import Must, decode
from firmware_host.errors import FarError, HandsError, MillwrightError, RequestError
from firmware_host.far.board_link import BoardState, asks_by_itself
from firmware_host.far.invitation import Invitation, meeting
from firmware_host.far.judging import take_theirs
from firmware_host.far.linked_seat import LinkedSeat
from firmware_host.far.record import DRAW, TAKE_BACK, Offer
from firmware_host.far.seat import FarSeat
from firmware_host.far.wishing import granted, room_report
from firmware_host.games.game import Rules
from firmware_host.i18n import Message
from firmware_host.settings import LEAVE, MEET, SAY_PHRASE, Link, Microseconds
from sim import world as life
from sim.assembly import Blueprint
from sim.headless import MAX_WAIT_S, HeadlessBoard, read_command
from sim.pair.wire import MODES, Wire
from sim.table import hands

NAMES = ("a", "b")
_SLICE: Microseconds = 50_000
"""The longest that a link leaves its board alone while something is under way."""
_AWAY_AFTER: Microseconds = 10_000_000
"""The delay of a board's last will."""
_REST: Microseconds = Link().far_rest_ms * 1000
_HOST, _PORT = "sim.invalid", 1883
_SECOND: Microseconds = 1_000_000
_ROOM = Invitation(_HOST, _PORT, "SIMULATED2", b"a simulated room")
"""The room in which both boards are from the beginning."""

_Wait: TypeAlias = Annotated[Microseconds, hands.seconds_up_to(MAX_WAIT_S)]
_Mode: TypeAlias = Annotated[str, Must(f"one of {', '.join(MODES)}", lambda mode: mode in MODES)]
_Offer: TypeAlias = Annotated[str, Must(f'"{DRAW}" or "{TAKE_BACK}"', lambda what: what in (DRAW, TAKE_BACK))]


class LinkedBoard(HeadlessBoard):
    """One board with its link, whose lines have the board's name."""

    def __init__(self, name: str, rules: Rules, blueprint: Blueprint, out: TextIO, *, skip: bool) -> None:
        self.name = name
        self.gone_since: Microseconds | None = None
        """The time at which it lost its power or its connection."""
        self._rules = rules
        self._asked: Offer | None = None
        self._wish = 0
        self._reported: dict[str, Any] | None = None
        self._refused: Message | None = None
        self.says = ""
        """The phrase that is on its way to the other board; empty if none is."""
        self._message: tuple[int, str] | None = None
        self._luck = Random(f"board {name} {blueprint.seed}")  # noqa: S311
        self._disk: dict[str, str] = {}  # the seat in each room, as it was saved
        self._then: Invitation | None = None
        self.moves_at: Microseconds = 0
        """The time at which it goes to the room of the next hour, if nobody has come by then."""
        self._sit_down(_ROOM)
        super().__init__(blueprint, out, skip=skip)

    def _sit_down(self, room: Invitation) -> None:
        """Go into a room; if it is known already, its game goes on."""
        self.room: Invitation | None = room
        if room.room in self._disk:
            self.link = self._restored(room)
            return
        seat = FarSeat(_address(self.name), "", room.room, self._rules)
        self.link = LinkedSeat(seat, room.key, self._save, rest=_REST)
        self.link.save()

    def _restored(self, room: Invitation) -> LinkedSeat:
        stored = json.loads(self._disk[room.room])
        return LinkedSeat.restored(stored, self._rules, room.key, self._save, rest=_REST)

    def say(self, message: Mapping[str, Any]) -> None:
        """Write one line, with the current time and the board's name."""
        super().say({"board": self.name, **message})

    def _save(self, stored: Mapping[str, Any]) -> None:
        if self.room is not None:
            self._disk[self.room.room] = json.dumps(stored)

    def restart(self) -> None:
        """Come back from a power cut, with what the disk has."""
        if self.room is not None:
            self.link = self._restored(self.room)
        self._wish, self._reported = 0, None

    def receive(self, message: bytes) -> None:
        """Judge a message of the other board."""
        self.link.receive(message, self.life.now)

    def follow(self, *, is_away: bool) -> None:
        """Take over what hands have done, and have the board do what the seat wants."""
        self._heed_wish()
        self._move_on()
        self._report()
        if self.room is None:
            return
        before, self._asked = self._asked, self.link.seat.theirs_to_answer
        if self._asked not in (None, before):
            self.say({"event": "offered", "what": self._asked.what})
        wanted = self.link.follow(self._state(), self.life.now, is_away=is_away)
        if wanted is None:
            return
        for request in wanted:
            try:
                self.life.do(request)
            except RequestError as error:
                self.link.has_refused(request)
                self.say({"error": f"the link: {error}"})
                return
        self.link.has_led()

    def hear(self, phrase: str) -> None:
        """Report what the other player says."""
        self._message = (1 if self._message is None else self._message[0] + 1), phrase

    def leave(self) -> None:
        """Leave the room."""
        self.room = None

    def _heed_wish(self) -> None:
        """Do what hands want of the link, once."""
        room = self.life.play.controller.controls.far.room.as_dict()
        wish = room.get("wish") if room else None
        if wish is None or wish["number"] <= self._wish:
            return
        self._wish, self._refused = wish["number"], None
        try:
            if wish["what"] == MEET:
                points, rules = tuple(wish["points"]), self._rules.describe()
                found = meeting(_HOST, _PORT, points, rules, self.life.now / _SECOND)
                self._then, self.moves_at = found.then, found.moves_at * _SECOND
                self._sit_down(found.room)
            elif wish["what"] == LEAVE:
                self.leave()
            elif wish["what"] == SAY_PHRASE:
                self.says = wish["phrase"]
            else:
                nonce = f"{self._luck.getrandbits(128):032x}"
                self.link.take(granted(self.link.seat, wish["what"], nonce))
        except FarError as error:
            self._refused = error.message

    def _move_on(self) -> None:
        """Go to the room of the next hour, if nobody has come into that of the last."""
        if self._then is not None and self.life.now >= self.moves_at:
            then, self._then = self._then, None
            if self.room is not None and not self.link.seat.other:
                self._sit_down(then)

    def _report(self) -> None:
        """Report the room to the board, if it has changed."""
        report = room_report(
            self.link.seat,
            is_connected=self.gone_since is None,
            done=self._wish,
            refused=self._refused,
            message=self._message,
        )
        if self.room is None:
            report = {"do": "room", "stage": "outside", "done": self._wish}
        if report != self._reported:
            self._reported = report
            self.life.do(report)

    def _state(self) -> BoardState:
        controller = self.life.play.controller
        session, game, asking = controller.session, controller.accepted, controller.asks.asking
        return BoardState(
            game.turn_texts(),
            session.seats.as_dict(),
            None if game.outcome is None else game.outcome.as_dict(),
            controller.controls.far.status.value if controller.controls.far.is_on else None,
            bool(session.chosen),
            session.paused,
            asks_by_itself(None if asking is None else {"question": asking.question}),
        )


class PairedBoards:
    """Two boards, their links, and the wire between them."""

    def __init__(self, blueprint: Blueprint, out: TextIO, *, skip: bool = True) -> None:
        self.now: Microseconds = 0
        self._luck = Random(f"pair {blueprint.seed}")  # noqa: S311
        self.wire = Wire(blueprint.seed, NAMES)
        second = replace(blueprint, seed=blueprint.seed + 1, store=_second(blueprint))
        self.boards = {
            name: LinkedBoard(name, blueprint.rules, own, out, skip=skip)
            for name, own in zip(NAMES, (blueprint, second), strict=True)
        }

    def close(self) -> None:
        """Switch both boards off."""
        for board in self.boards.values():
            board.close()

    def obey(self, line: str) -> None:
        """Do what a line says, and let its time pass; raises MillwrightError if it is wrong."""
        if not line.strip():
            return
        command = read_command(line)
        name = command.pop("board", None)
        if name not in (None, *NAMES):
            raise HandsError(f'"board" must be "a" or "b", not {name!r}')
        board = self.boards[name or NAMES[0]]
        verb = hands.only_verb(command, _VERBS)
        lasts: Microseconds = 0
        if verb in life.VERBS:
            lasts = board.life.do(command)
            if verb == "power":
                self._power(board)
        elif verb in _OWN_VERBS:
            arguments = decode(_OWN_VERBS[verb], command, verb, HandsError)
            lasts = _OWN_VERBS[verb](self, board if name else None, **arguments) or 0
        else:
            board.obey(json.dumps(command))
            return
        self._exchange()
        self.let_pass(lasts)

    def let_pass(self, duration: Microseconds) -> None:
        """Let time pass on both boards and on the wire."""
        end = self.now + duration
        while self.now < end:
            to = min(end, max(self.now + _SLICE, self._due(end)))
            for board in self.boards.values():
                board.life.let_pass(to - self.now)
            self.now = to
            self._exchange()

    # ---- the verbs -------------------------------------------------------------------------------------

    def _wait(self, _: LinkedBoard | None, *, wait: _Wait) -> Microseconds:
        return wait

    def _wire(self, board: LinkedBoard | None, *, wire: _Mode) -> None:
        names = NAMES if board is None else (board.name,)
        before = {*self.wire.cut}
        self.wire.change(wire, names)
        for name in NAMES:
            if name in self.wire.cut - before:
                self._leave(self.boards[name])
            elif name in before - self.wire.cut or wire == "forget":
                self._join(self.boards[name])

    def _ready(self, board: LinkedBoard | None, *, ready: Annotated[bool, hands.TRUE]) -> None:  # noqa: ARG002
        for one in [board] if board else self.boards.values():
            one.link.take(one.link.seat.ready(f"{self._luck.getrandbits(128):032x}"))

    def _offer(self, board: LinkedBoard | None, *, offer: _Offer) -> None:
        board = board or self.boards[NAMES[0]]
        seat = board.link.seat
        board.link.take(seat.offer_draw() if offer == DRAW else seat.offer_take_back())

    def _accept(self, board: LinkedBoard | None, *, accept: Annotated[bool, hands.TRUE]) -> None:  # noqa: ARG002
        board = board or self.boards[NAMES[0]]
        board.link.take(board.link.seat.accept())

    def _refuse(self, board: LinkedBoard | None, *, refuse: Annotated[bool, hands.TRUE]) -> None:  # noqa: ARG002
        board = board or self.boards[NAMES[0]]
        board.link.take(board.link.seat.decline())

    def _take(self, board: LinkedBoard | None, *, take: Annotated[bool, hands.TRUE]) -> None:  # noqa: ARG002
        board = board or self.boards[NAMES[0]]
        board.link.take(take_theirs(board.link.seat))

    def _leave_room(self, board: LinkedBoard | None, *, leave: Annotated[bool, hands.TRUE]) -> None:  # noqa: ARG002
        for one in [board] if board else self.boards.values():
            one.leave()

    # ---- links and wire --------------------------------------------------------------------------------

    def _power(self, board: LinkedBoard) -> None:
        if board.life.powered:
            board.restart()
            self._join(board)
        else:
            self._leave(board)

    def _leave(self, board: LinkedBoard) -> None:
        board.gone_since = self.now if board.gone_since is None else board.gone_since

    def _join(self, board: LinkedBoard) -> None:
        """Connect a board that has power: it gets what is retained, and publishes."""
        if not board.life.powered or board.name in self.wire.cut:
            return
        board.gone_since = None
        board.link.publish_again()
        for sender, message in self.wire.retained_for(board.name):
            self._deliver(sender, board, message)

    def _deliver(self, sender: str, board: LinkedBoard, message: bytes) -> None:
        """Give a board a message, if it is of the room in which it is."""
        if board.life.powered and board.room is not None and self.boards[sender].room == board.room:
            board.receive(message)

    def _exchange(self) -> None:
        """Deliver what has arrived, have both links follow their boards, and publish."""
        for sender, name, message in self.wire.arrivals(self.now):
            self._deliver(sender, self.boards[name], message)
        for board in self.boards.values():
            self._pass_on(board)
            if board.life.powered:
                before = board.room
                board.follow(is_away=self._is_away(board))
                if board.room not in (None, before):
                    self.wire.drop(board.name)
                    self._join(board)
                if board.room is not None:
                    self._publish(board)

    def _publish(self, board: LinkedBoard) -> None:
        message = None if board.name in self.wire.cut else board.link.message_due(self.now)
        if message is not None:
            self.wire.publish(board.name, message, self.now)

    def _pass_on(self, board: LinkedBoard) -> None:
        """Pass on what a player says, without delay, to a board that is in the same room."""
        phrase, board.says = board.says, ""
        for other in self.boards.values():
            if phrase and other is not board and other.room == board.room:
                other.hear(phrase)

    def _is_away(self, board: LinkedBoard) -> bool:
        """Return whether the other board is away, as far as this one's connection shows it."""
        if board.gone_since is not None or any(one.room != board.room for one in self.boards.values()):
            return True
        others = (one.gone_since for one in self.boards.values() if one is not board)
        return any(gone is not None and self.now - gone >= _AWAY_AFTER for gone in others)

    def _due(self, end: Microseconds) -> Microseconds:
        """Return the time at which something may happen next, `end` at the latest."""
        dues = [end, *(due for due in (self.wire.due,) if due is not None)]
        for board in self.boards.values():
            if board.gone_since is not None:
                dues += [board.gone_since + _AWAY_AFTER] if board.gone_since + _AWAY_AFTER > self.now else []
            if board.life.powered:
                published = board.link.due()
                play = board.life.play
                times = (published, play.board.deadline, play.electronics.next_change(self.now))
                dues += [time for time in times if time is not None]
                dues += [board.moves_at] if board.moves_at > self.now else []
        return min(dues)


def run_pair(lines: Iterable[str], out: TextIO, blueprint: Blueprint, *, skip: bool = True) -> int:
    """Play `lines` on two boards of `blueprint`, and return the exit status: 1 if a line was wrong."""
    pair = PairedBoards(blueprint, out, skip=skip)
    status = 0
    try:
        out.flush()
        for number, line in enumerate(lines, start=1):
            try:
                pair.obey(line)
            except MillwrightError as error:
                out.write(json.dumps({"t": pair.now / 1_000_000, "error": f"line {number}: {error}"}) + "\n")
                status = 1
            out.flush()
    finally:
        pair.close()
    return status


def _address(name: str) -> str:
    """Return the board's address in a room."""
    return name.upper() * 16


def _second(blueprint: Blueprint) -> Any:
    """Return the file of the second board's games, beside that of the first."""
    path = blueprint.store
    return None if path is None else path.with_name(f"{path.stem}-b{path.suffix}")


_OWN_VERBS: Mapping[str, Callable[..., Microseconds | None]] = {
    "wait": PairedBoards._wait,
    "wire": PairedBoards._wire,
    "ready": PairedBoards._ready,
    "offer": PairedBoards._offer,
    "accept": PairedBoards._accept,
    "refuse": PairedBoards._refuse,
    "take": PairedBoards._take,
    "leave": PairedBoards._leave_room,
}
_VERBS = dict.fromkeys((*life.VERBS, *_OWN_VERBS, "show", "note"))
