"""Play far games over a bad wire: `python -m tests.fuzz.far [--games 10000] [--seed 1] [--journal FILE]`.

Two boards play in virtual time over a wire that loses, doubles, delays and reorders messages, is cut, and
whose broker dies and forgets or comes back with what it had long ago. Boards lose their power at any moment,
and come back with what their disk had. In every second game hands also revise, offer, accept and give up.
Printed are the numbers of games by how they ended. A game fails if the boards end with different games and
not both of them disagree, if a board disagrees although nobody took anything back, if a turn of the result
was never played by its player's hands, or one that was played is missing. Every hundred games are a line of
the journal; with the same journal, a run that was broken off goes on.

The oracle knows only the messages: it reads them with `json`, and computes hash and mac itself.
"""

from __future__ import annotations

import argparse
import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.errors import FarError
from firmware_host.far.judging import Judgement, judge, take_theirs
from firmware_host.far.linked_seat import RecordPublisher
from firmware_host.far.parsing import parse_record
from firmware_host.far.sealing import sealed
from firmware_host.far.seat import FarSeat, kept, restored
from firmware_host.games.game import legal_turns
from firmware_host.games.rulesets import rule_set
from tests.fuzz.journal import played

MS = 1_000
SECOND = 1_000 * MS
KEY = bytes(range(16))
ROOM = "ROOMROOM22"
NAMES = ("AAAAAAAAAAAAAAAA", "BBBBBBBBBBBBBBBB")
RULES = ("standard", "the-mill", "lasker", "six", "twelve", "mitsudomoe")
_A_PART = 100
"""The number of games in a line of the journal."""


@dataclass
class LossyWire:
    """A broker with one retained message for each board, and two bad connections."""

    luck: Random
    retained: dict[str, bytes] = field(default_factory=dict)
    ancient: dict[str, bytes] = field(default_factory=dict)
    """The retained messages that are on the broker's disk."""
    is_up: bool = True

    def delays(self) -> list[int]:
        """Return after which times a message arrives: not at all, once or twice, early or late."""
        kind = self.luck.random()
        if kind < 0.15:
            return []
        count = 2 if kind < 0.3 else 1
        return [self.luck.choice((5, 20, 400, 5_000)) * self.luck.randrange(1, 10) * MS for _ in range(count)]


class FarBoard:
    """One board: a seat in memory, what its disk has, and its connection."""

    def __init__(self, name: str, other: str, rules: str, luck: Random) -> None:
        self.rules = rule_set(rules)
        self.luck = luck
        self.seat = FarSeat(name, other, ROOM, self.rules)
        self.disk = json.dumps(kept(self.seat))
        self.publisher = RecordPublisher()
        self.is_on = self.is_connected = True
        self.hands: list[tuple[int, str]] = []
        """Each turn that this player's hands have played, with its index."""
        self.disagreements = 0

    def take(self, seat: FarSeat) -> None:
        """Go on as `seat`, once the disk has it."""
        self.disk = json.dumps(kept(seat))
        self.seat = seat

    def restart(self) -> None:
        """Come back from a power cut."""
        self.seat = restored(json.loads(self.disk), self.rules)
        self.publisher = RecordPublisher()
        self.is_on = True

    def receive(self, message: bytes, now: int) -> None:
        """Judge a message."""
        try:
            record = parse_record(message, KEY)
        except FarError as error:
            raise AssertionError(f"an honest message was refused: {error}") from error
        before = self.seat.theirs
        seat, judgement = judge(self.seat, record)
        self.publisher.note(judgement, now, is_repeated=record == before)
        self.disagreements += judgement is Judgement.DISAGREE
        self.take(seat)


class FuzzedGame:
    """One game of two boards over a wire, driven by chance."""

    def __init__(self, seed: str, *, calm: bool) -> None:
        self.luck = Random(seed)
        self.calm = calm
        self.wire = LossyWire(self.luck)
        rules = self.luck.choice(RULES)
        self.boards = {
            name: FarBoard(name, other, rules, self.luck)
            for name, other in zip(NAMES, reversed(NAMES), strict=True)
        }
        self.now = 0
        self._queue: list[tuple[int, int, Callable[[], None]]] = []
        self._number = 0
        self.is_bad = True
        self.messages = 0
        for board in self.boards.values():
            self.at(self.luck.randrange(3 * SECOND), partial(self.beat, board))
            self.at(self.luck.randrange(9 * SECOND), partial(self.act, board))
        self.at(SECOND, self.break_something)

    def at(self, delay: int, action: Callable[[], None]) -> None:
        """Do something after a while."""
        self._number += 1
        heappush(self._queue, (self.now + delay, self._number, action))

    def run(self, until: int) -> None:
        """Let time pass."""
        while self._queue and self._queue[0][0] <= until:
            self.now, _, action = heappop(self._queue)
            action()
        self.now = until

    # ---- wire ------------------------------------------------------------------------------------------

    def beat(self, board: FarBoard) -> None:
        """Publish if that is due, four times a second."""
        self.at(250 * MS, lambda: self.beat(board))
        due = board.publisher.due(board.seat)
        if board.is_on and board.is_connected and self.wire.is_up and due is not None and due <= self.now:
            board.publisher.publish(board.seat, self.now)
            self.publish(board, sealed(board.seat.record.as_dict(), KEY))

    def publish(self, board: FarBoard, message: bytes) -> None:
        """Bring a message to the broker, and from there to the other board."""
        self.messages += 1
        for delay in self.wire.delays() if self.is_bad else [20 * MS]:
            self.at(delay, lambda: self.arrive(board.seat.board, board.seat.other, message))

    def arrive(self, sender: str, receiver: str, message: bytes) -> None:
        """Have a message arrive at the broker, and at the other board if that is connected."""
        if not self.wire.is_up:
            return
        self.wire.retained[sender] = message
        board = self.boards[receiver]
        if board.is_on and board.is_connected:
            board.receive(message, self.now)

    def connect(self, board: FarBoard) -> None:
        """Connect a board: it gets what is retained, and publishes."""
        board.is_connected = True
        board.publisher.forget()
        if self.wire.is_up and board.is_on and (message := self.wire.retained.get(board.seat.other)):
            board.receive(message, self.now)

    # ---- breakage --------------------------------------------------------------------------------------

    def break_something(self) -> None:
        """Cut a connection, a board's power or the broker, for a while."""
        if not self.is_bad:
            return
        self.at(self.luck.randrange(1, 40) * SECOND, self.break_something)
        board = self.luck.choice(list(self.boards.values()))
        duration = self.luck.choice((MS, SECOND, 20 * SECOND))
        kind = self.luck.choice(("cut", "power", "broker", "save"))
        if kind == "cut":
            board.is_connected = False
            self.at(duration, lambda: self.connect(board))
        elif kind == "power" and board.is_on:
            board.is_on = False
            self.at(duration, lambda: self.switch_on(board))
        elif kind == "broker" and self.wire.is_up:
            self.wire.is_up = False
            self.wire.retained = dict(self.wire.ancient) if self.luck.random() < 0.5 else {}
            self.at(duration, self.start_broker)
        else:
            self.wire.ancient = dict(self.wire.retained)

    def switch_on(self, board: FarBoard) -> None:
        """Give a board its power back."""
        board.restart()
        self.connect(board)

    def start_broker(self) -> None:
        """Start the broker, to which both boards connect again."""
        self.wire.is_up = True
        for board in self.boards.values():
            self.connect(board)

    def heal(self) -> None:
        """Make everything work from now on."""
        self.is_bad = False
        self.wire.is_up = True
        for board in self.boards.values():
            if not board.is_on:
                board.restart()
            self.connect(board)

    # ---- hands -----------------------------------------------------------------------------------------

    def act(self, board: FarBoard) -> None:
        """Have a player do something, if the board is on."""
        self.at(self.luck.randrange(200, 12_000) * MS, lambda: self.act(board))
        if not board.is_on or not self.is_bad:
            return
        with suppress(FarError):  # a player may ask for what isn't possible now
            if self.calm or self.luck.random() < 0.8:
                self._play(board)
            else:
                self._fuss(board)

    def _play(self, board: FarBoard) -> None:
        seat = board.seat
        if seat.game is None:
            board.take(seat.ready(f"{self.luck.getrandbits(128):032x}"))
            return
        if seat.carried < len(seat.turns):
            seat = seat.carry(len(seat.turns))
        if seat.may_play:
            turn = self.luck.choice(legal_turns(seat.game.position))
            text = seat.game.rules.turn_text(turn.steps)
            board.hands.append((len(seat.turns), text))
            seat = seat.play(text, self.luck.randrange(60_000))
        board.take(seat)

    def _fuss(self, board: FarBoard) -> None:
        seat, luck = board.seat, self.luck
        match luck.randrange(80):
            case 0:
                board.take(seat.resign())
            case number if number < 6:
                board.take(seat.offer_draw())
            case number if number < 15:
                board.take(seat.offer_take_back(max(len(seat.turns) - luck.randrange(1, 4), 0)))
            case number if number < 35:
                board.take(seat.revise())
            case number if number < 45:
                board.take(take_theirs(seat) if seat.trouble else seat)
            case number if number < 65:
                board.take(seat.accept())
            case _:
                board.take(seat.decline())


# ---- the oracle --------------------------------------------------------------------------------------------


def decoded(message: bytes) -> dict[str, Any]:
    """Return the members of a message whose mac and hash are right, by their definition."""
    members: dict[str, Any] = json.loads(message)
    mac = members.pop("mac")
    text = json.dumps(members, sort_keys=True, separators=(",", ":")).encode()
    assert hmac.new(KEY, text, hashlib.sha256).hexdigest() == mac
    digest = b""
    for text in (members["rules"], members["white"], members["black"], members["game"], *members["turns"]):
        digest = hashlib.sha256(digest + text.encode()).digest()
    assert members["hash"] == (digest.hex()[:16] if members["game"] else "")
    return members


def verdict_on(game: FuzzedGame) -> str:
    """Return how a game ended, as a word; raise AssertionError if it may not end like that."""
    first, second = (decoded(sealed(b.seat.record.as_dict(), KEY)) for b in game.boards.values())
    told = [board.seat.trouble is not None for board in game.boards.values()]
    if any(told):
        assert all(told), "only one board knows that they disagree"
        assert not game.calm, (
            f"they disagree without a reason: {[b.seat.trouble for b in game.boards.values()]}"
        )
        return "disagree"
    for member in ("game", "white", "black", "turns", "used_ms", "declared", "hash", "takes_back"):
        assert first[member] == second[member], f"{member} differs, and nobody knows"
    for board, record in zip(game.boards.values(), (first, second), strict=True):
        own = [
            (n, t)
            for n, t in enumerate(record["turns"])
            if (n % 2 == 0) == (record["white"] == record["board"])
        ]
        played = board.hands
        assert set(own) <= set(played), "a turn was never played by these hands"
        assert not game.calm or own == played, "a turn is missing"
    if first["declared"] is not None:
        return str(first["declared"]["reason"])
    seat = game.boards[NAMES[0]].seat
    return "going on" if seat.game and seat.outcome is None else "not begun" if seat.game is None else "over"


@dataclass
class FarResults:
    """The numbers of games by their ends, with what it took."""

    ends: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    messages: int = 0

    def add(self, games: Mapping[str, Any]) -> None:
        """Add the results of a part, as `played_part` returns them."""
        self.ends.update(games["ends"])
        self.turns += games["turns"]
        self.messages += games["messages"]


@dataclass(frozen=True)
class FarPart:
    """Games of a seed: the number of the first, and of the one after the last."""

    seed: int
    first: int
    end: int


def played_part(part: FarPart) -> dict[str, Any]:
    """Play games, every other one calm, and judge each; raise AssertionError with its number."""
    found = FarResults()
    for number in range(part.first, part.end):
        game = FuzzedGame(f"{part.seed}-{number}", calm=number % 2 == 0)
        game.run(game.luck.choice((60, 300, 900)) * SECOND)
        game.heal()
        game.run(game.now + 60 * SECOND)
        try:
            found.ends[verdict_on(game)] += 1
        except AssertionError as error:
            raise AssertionError(f"game {number} of seed {part.seed}: {error}") from error
        found.turns += len(game.boards[NAMES[0]].seat.turns)
        found.messages += game.messages
    return {"ends": dict(found.ends), "turns": found.turns, "messages": found.messages}


def main() -> None:
    """Play as many games as the command line says, and print the results."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=10_000, help="with those in the journal")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--journal", type=Path, help="file that keeps the games that were played")
    given = parser.parse_args()
    firsts = range(0, given.games, _A_PART)
    parts = [FarPart(given.seed, first, min(first + _A_PART, given.games)) for first in firsts]
    found = FarResults()
    for _, result in played(parts, played_part, 1, given.journal):
        found.add(result)
    print(f"{given.games} games, {found.turns} turns, {found.messages} messages")  # noqa: T201
    for end, count in found.ends.most_common():
        print(f"{count:7} {end}")  # noqa: T201


if __name__ == "__main__":
    main()
