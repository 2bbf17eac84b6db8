"""Send messages of all kinds to a board: `python -m tests.fuzz.messages --messages 1000000 --journal FILE`.

Batches of random texts go, in turn, to a simulated board from a page that may play, to one from a page that
may only watch, and to the import of games. Each message of a page must have one reply; nothing may be logged
as an error; an import may only refuse a text by an error that is meant for people; and a page that may not
play must not change the board.

Each batch is a seed, and a line of the journal. With the same journal a run goes on after the last one, until
it has as many messages as were asked for. Printed are the counts of all batches in the journal, and what
broke; with findings the command returns 1.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import logging
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.errors import MillwrightError
from firmware_host.store.database import StoredGame
from firmware_host.store.exchange import games_of, json_of, records_of
from firmware_host.store.saved_game import GameRecorder
from firmware_host.views.queries import QueryService
from firmware_host.web import app
from firmware_host.web.access import Access
from firmware_host.web.broadcast import PageBroadcast
from firmware_host.web.lesson import LessonLeader
from firmware_host.web.pairing.devices import DeviceFile
from firmware_host.web.rate_limits import Visitors
from firmware_host.web.rooms import RoomRelay
from sim.assembly import Blueprint
from sim.live.board import LiveBoard
from tests.support.games.random_games import played

BATCH = 500
PLAYER, VIEWER, IMPORT = "messages of a page that may play", "messages of a page that may watch", "imports"
KINDS = (PLAYER, VIEWER, IMPORT)
"""The kinds of messages, in the order in which they are sent."""
_GAMES = ("standard", "twelve", "lasker", "mitsudomoe")
_NOON_MS = 1_767_268_800_000
_HERE, _ELSEWHERE = "127.0.0.1", "192.0.2.7"
_PATIENCE_S = 120.0


@dataclass(frozen=True)
class FuzzedMessages:
    """The messages of one seed: their number by kind and answer, and what broke."""

    seed: int
    counts: dict[str, int] = field(default_factory=dict)
    broken: str = ""


# ---- random messages -------------------------------------------------------------------------------------

_POINTS = ("a1", "d6", "g7", "d2", "e4", "b4", "h9", "", "A1")
_PIECES = ("white", "black", "white-ring", "black-ball", "red")
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 3, 24, 10**9, 10**30, -0.0, 0.5, 1.5, 1e308, -1e308),
    *("", "x", "on", "\0", "\u2028", "\ud800", "../../etc/passwd", "<img src=x>", "x" * 500),
    *_POINTS,
    *_PIECES,
)
_FORMS: tuple[dict[str, Any], ...] = (
    *({"lift": "d6"}, {"put": "d6", "piece": "white"}, {"put": "a1"}, {"slide": "d6", "to": "d5"}),
    *({"push": 3, "to": [110, 180.5], "seconds": 0.04}, {"box": True}, {"sweep": True}, {"knock": "d6"}),
    {"flick": "d6", "to": [1, 2], "speed": 900},
    *({"fault": {"point": "d6", "kind": "stuck-on"}}, {"fault": {"kind": "disk-full"}}, {"repair": True}),
    *({"repair": {"point": "d6"}}, {"power": True}, {"power": False}, {"watch": True}, {"lead": "begin"}),
    *({"lead": "leave"}, {"lead": "take-over"}, {"resync": True}, {"answer": "n"}, {"do": "pause"}),
    *({"do": "resume"}, {"do": "take-back"}, {"do": "redo"}, {"do": "decline"}, {"do": "draw"}),
    *({"do": "resign"}, {"do": "new-game", "rules": "lasker", "set": {"flying": "never"}}),
    *({"do": "set", "theme": "candle", "brightness": 0.4}, {"do": "choose", "turn": "d6"}),
    *({"do": "mask", "point": "d6"}, {"do": "try-again"}, {"do": "confirm", "turn": "d6"}),
    *({"do": "set-up", "position": "x"}, {"do": "set-up"}, {"do": "undo"}, {"do": "ask"}, {"do": "off"}),
    *({"do": "seats", "black": "engine:1"}, {"do": "seats", "white": "far"}, {"do": "hint", "on": True}),
    *(
        {"do": "names", "names": {"white": "Anna"}},
        {"do": "unmask", "point": "d6"},
        {"do": "stay", "why": "x"},
    ),
    *(
        {"do": "answer", "point": "d6"},
        {"do": "result", "winner": "white"},
        {"do": "lesson"},
        {"do": "puzzle"},
        {"do": "phone"},
    ),
    *({"do": "take-phone"}, {"do": "speaker", "on": True}, {"do": "wish", "wish": "ready"}),
    *({"do": "far", "status": "sent", "points": ["d6"]}, {"do": "far", "turns": ["d6"]}),
    {"do": "far", "end": {"reason": "resigned", "winner": "white"}},
    {"do": "room", "stage": "waiting", "question": "draw", "done": 1, "refused": {"key": "x", "slots": {}}},
    *({"ask": "record"}, {"ask": "statistics"}, {"analyse": True, "game": 1}),
    *({"ask": "position", "after": 2}, {"ask": "games"}, {"ask": "game", "game": 3}, {"ask": "rules"}),
)


def random_message(chance: Random) -> str | bytes:
    """Return anything from noise to a proper request."""
    kind = chance.random()
    if kind < 0.03:
        return chance.randbytes(chance.randrange(200))
    if kind < 0.06:
        return "".join(chr(chance.randrange(1, 0xD800)) for _ in range(chance.randrange(60)))
    if kind < 0.07:
        return chance.choice("[{") * chance.randrange(1, 4000)
    request: dict[str, Any] = {"id": chance.randrange(1000), **chance.choice(_FORMS)}
    for _ in range(chance.choice((0, 0, 0, 1, 1, 2, 4))):
        request[chance.choice([*request, *request, "id", "set", "point", "to", "game", ""])] = _random_value(
            chance
        )
    text = json.dumps(request)
    if kind < 0.2:
        at = chance.randrange(len(text))
        return text[:at] + chance.choice(["", '"', "}", "\u2028", "NaN", "1e999"]) + text[at + 1 :]
    return text


def _random_value(chance: Random, depth: int = 3) -> Any:
    if depth and chance.random() < 0.2:
        return [_random_value(chance, depth - 1) for _ in range(chance.randrange(4))]
    if depth and chance.random() < 0.2:
        return {str(chance.choice(_VALUES)): _random_value(chance, depth - 1)}
    return chance.choice(_VALUES)


def random_games_text(chance: Random) -> str:
    """Return a text of games as they are exported, with some of it damaged."""
    rules = chance.choice(_GAMES)
    games = [played(chance, chance.randrange(12), rules) for _ in range(chance.randrange(1, 4))]
    kept = [StoredGame(n, GameRecorder().follow(game, _NOON_MS)) for n, game in enumerate(games, 1)]
    text = chance.choice((records_of, json_of))(kept)
    for _ in range(chance.choice((0, 1, 1, 2, 5, 20))):
        at = chance.randrange(len(text) + 1)
        end = at + chance.choice((0, 1, 1, 2, 30))
        text = text[:at] + str(chance.choice((*_VALUES, *'"[]{},:xX-\n9'))) + text[end:]
    return text


# ---- a board with pages ------------------------------------------------------------------------------------


class _Errors(logging.Handler):
    """Collects what is logged as an error."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.texts: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(self.format(record))


class FuzzedBoard:
    """A simulated board behind the application that serves its pages, without a network."""

    def __init__(self, seed: int) -> None:
        self.board = LiveBoard(Blueprint.of(rules=_GAMES[seed % len(_GAMES)], seed=seed))
        self.queries = QueryService(lambda: self.board.game)
        self.feed = PageBroadcast()
        self.done = 0
        self.broken: list[str] = []
        visitors = Visitors()
        access = Access(DeviceFile(Path("/nonexistent/devices.json")), 8765, visitors, lambda: 0.0)
        self.app = app.application(
            self.feed,
            app.PageBackend(
                *(self.submit, access, visitors, LessonLeader(), RoomRelay(), app.PendingReplies(), list)
            ),
        )
        self.board.tick(0)
        self.board.publish_changes(self.feed.publish)

    def submit(self, request: dict[str, Any]) -> Future[Any]:
        """Do what a page asks for, as the loop of a board does."""
        if "ask" in request:
            return self.queries.submit(request)
        future: Future[Any] = Future()
        self.done += 1
        try:
            future.set_result(self.board.do(request))
        except MillwrightError as error:
            future.set_exception(error)
        except Exception as error:  # noqa: BLE001 - each is a finding
            self.broken.append(f"{request}: {error!r}")
            future.set_exception(MillwrightError("broken"))
        self.board.tick(0)
        self.board.publish_changes(self.feed.publish)
        return future

    def history(self) -> Any:
        """Return everything that was done to the board."""
        return self.board.do({"script": True})

    def close(self) -> None:
        """End it."""
        self.queries.close()
        self.board.close()


class FuzzedPage:
    """A page of the board, connected from an address."""

    def __init__(self, board: FuzzedBoard, address: str) -> None:
        self._sent: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        self._came: asyncio.Queue[MutableMapping[str, Any]] = asyncio.Queue()
        scope: MutableMapping[str, Any] = {
            "type": "websocket",
            "path": "/ws",
            "query_string": b"",
            "headers": [],
            "client": (address, 5000),
            "server": (_HERE, 8765),
        }
        self._sent.put_nowait({"type": "websocket.connect"})
        self._task = asyncio.ensure_future(board.app(scope, self._sent.get, self._came.put))

    async def reply(self, message: str | bytes) -> dict[str, Any]:
        """Send a message and return its reply. Raises TimeoutError if there is none."""
        name = "bytes" if isinstance(message, bytes) else "text"
        self._sent.put_nowait({"type": "websocket.receive", name: message})
        async with asyncio.timeout(_PATIENCE_S):
            while True:
                came = await self._came.get()
                text = came.get("text", "")
                if text.startswith('{"type":"reply"'):
                    found: dict[str, Any] = json.loads(text)
                    return found

    async def close(self) -> None:
        """Disconnect."""
        self._sent.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task


async def _page_batch(chance: Random, seed: int, kind: str, count: int) -> tuple[Counter[str], list[str]]:
    board, counts = FuzzedBoard(seed), Counter[str]()
    page = FuzzedPage(board, _HERE if kind == PLAYER else _ELSEWHERE)
    before = board.history()
    for _ in range(count):
        message = random_message(chance)
        try:
            answer = await page.reply(message)
        except TimeoutError:
            board.broken.append(f"no reply to {message!r}")
            break
        counts[kind] += 1
        counts[f"{kind}: {'done' if 'ok' in answer else 'refused'}"] += 1
    await page.close()
    if kind == VIEWER and (board.done or board.history() != before):
        board.broken.append(f"a page that may only watch did {board.done} things")
    board.close()
    return counts, board.broken


def _import_batch(chance: Random, count: int) -> tuple[Counter[str], list[str]]:
    counts, broken = Counter[str](), []
    for _ in range(count):
        text = random_games_text(chance)
        counts[IMPORT] += 1
        try:
            counts[f"{IMPORT}: games read"] += len(games_of(text))
        except MillwrightError:
            counts[f"{IMPORT}: refused"] += 1
        except Exception as error:  # noqa: BLE001 - each is a finding
            broken.append(f"{error!r} from {text!r}")
    return counts, broken


def run_batch(seed: int, count: int = BATCH) -> FuzzedMessages:
    """Send the messages of one seed."""
    chance, kind, errors = Random(seed), KINDS[seed % len(KINDS)], _Errors()
    logging.getLogger().addHandler(errors)
    try:
        if kind == IMPORT:
            counts, broken = _import_batch(chance, count)
        else:
            counts, broken = asyncio.run(_page_batch(chance, seed // len(KINDS), kind, count))
    finally:
        logging.getLogger().removeHandler(errors)
    return FuzzedMessages(seed, dict(counts), "\n".join([*broken, *errors.texts]))


# ---- the command -----------------------------------------------------------------------------------------


def unlimited_rates() -> None:
    """Let pages send as fast as they can: the limits on rates have tests of their own."""
    app._REQUESTS_A_SECOND = app._RARE_REQUESTS_A_SECOND = app._RARE_REQUESTS_AT_ONCE = 10**9


def _batches(first: int) -> Iterator[FuzzedMessages]:
    for seed in itertools.count(first):
        try:
            yield run_batch(seed)
        except Exception as error:  # noqa: BLE001 - all findings are reported at the end
            yield FuzzedMessages(seed, broken=repr(error))


def _read(journal: Path | None) -> list[FuzzedMessages]:
    if journal is None or not journal.exists():
        return []
    return [FuzzedMessages(**json.loads(line)) for line in journal.read_text(encoding="utf-8").splitlines()]


def _total(batches: Iterable[FuzzedMessages]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for batch in batches:
        counts.update(batch.counts)
    return counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Send messages until there are enough, and print their counts; 1 if something broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.messages")
    parser.add_argument("--messages", type=int, default=1_000_000, help="with those in the journal")
    parser.add_argument("--journal", type=Path, help="file that keeps the batches")
    options = parser.parse_args(arguments)
    unlimited_rates()
    batches = _read(options.journal)
    counts = _total(batches)
    new = _batches(batches[-1].seed + 1 if batches else 0)
    while sum(counts[kind] for kind in KINDS) < options.messages:
        batch = next(new)
        batches.append(batch)
        counts.update(batch.counts)
        if options.journal is not None:
            with options.journal.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(batch)) + "\n")
    for what, number in sorted(counts.items()):
        print(f"  {number:8} {what}", flush=True)  # noqa: T201 - a command's output
    broken = [f"seed {batch.seed}: {batch.broken}" for batch in batches if batch.broken]
    print("\n\n".join(broken) or "nothing broke", flush=True)  # noqa: T201
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
