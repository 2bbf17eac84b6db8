"""A program that plays on the simulated board, in virtual time but on a real disk, until it is killed.

Run as a program, it reads jobs from its input, forks for each, and writes what happens to its output, an
object a line: `pid` first, then the board's reports, and `ended` when the process is gone. Forking spares a
second of imports for each life, and what the first turns of a process cost. Steps about to be taken back are
reported first, as `about`.

With the disk layer (disk_layer.c) loaded, a job can end its life before the Nth operation of the disk, and
can record all operations.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from firmware_host.config.compatibility import simplest_sensors
from firmware_host.config.loader import Config
from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Piece, legal_turns
from firmware_host.games.layout import Point
from firmware_host.games.rulesets import MILL_SETS, rule_set
from firmware_host.play.events import Event
from firmware_host.runtime.factory import game_to_continue
from firmware_host.settings import Timing
from firmware_host.store.database import GamesFile, StoredGame
from firmware_host.store.saved_game import SavedGame
from firmware_host.store.store import Batch, SqliteStore
from firmware_host.store.writer import StoreWriter
from sim.assembly import Blueprint, SimulatedPlay
from sim.clock import VirtualClock

QUICK = Timing(
    debounce_ms=0, landing_ms=5, sliding_landing_ms=10, removal_ms=10, put_back_ms=0, take_back_rest_ms=5000
)
FRAME_US = 5000
SOON = 100
"""The frames that a usual disk may take."""
PATIENCE_S = 60
"""The seconds the disk may take on a busy machine."""

START = -1
"""The time of a fault that is there before the program starts."""

BOUNDARIES = ("played", "asked", "begun", "writing", "written", "finished", "telling", "told")
"""The boundaries of a step's life, in their order."""


@dataclass
class Doom:
    """Kills this process when it comes to a boundary for the so-and-so-many-th time."""

    boundary: str = ""
    times: int = 0

    def reach(self, boundary: str) -> None:
        if boundary == self.boundary:
            self.times -= 1
            if not self.times:
                os.kill(os.getpid(), signal.SIGKILL)


class DoomedStore(SqliteStore):
    """The store, with boundaries around what it does."""

    def __init__(self, path: Path, doom: Doom, say: Callable[[dict[str, Any]], None]) -> None:
        self.doom = doom
        self.say = say
        self.before: Game | None = None
        super().__init__(path, wall_ms=lambda: time.time_ns() // 1_000_000, open_file=self._open_doomed)

    def keep(self, game: Game) -> int:
        before, self.before = self.before, game
        if before is not None and before.positions[0] is game.positions[0] and game.ply < before.ply:
            self.say({"about": "take-back", "game": self._recorder.number, "to": game.ply})
        if game.ply:
            self.doom.reach("played")
        number = super().keep(game)
        if game.ply:
            self.doom.reach("asked")
        return number

    def begin(self) -> Batch:
        batch = super().begin()
        if batch.games:
            self.doom.reach("begun")
        return batch

    def finish(self, batch: Batch) -> bool:
        done = super().finish(batch)
        if batch.games:
            self.doom.reach("finished")
        return done

    def _open_doomed(self, path: Path) -> DoomedFile:
        return DoomedFile(GamesFile(path), self.doom)


@dataclass
class DoomedFile:
    """The file, with boundaries around its writing."""

    file: GamesFile
    doom: Doom

    def write(
        self, games: Mapping[int, SavedGame], rows: dict[int, int], settings: Mapping[str, str | None]
    ) -> None:
        self.doom.reach("writing")
        self.file.write(games, rows, settings)
        self.doom.reach("written")

    def settings(self) -> dict[str, str]:
        return self.file.settings()

    def last(self) -> StoredGame | None:
        return self.file.last()

    def close(self) -> None:
        self.file.close()


@dataclass
class Life:
    """One run of the program, and the hands that play with it."""

    path: Path
    luck: Random
    say: Callable[[dict[str, Any]], None]
    doom: Doom = field(default_factory=Doom)
    rules: str = ""
    """The rule set that is played; empty: any of the mills, with few pieces."""
    now: int = -FRAME_US
    waited: int = 0
    """For how many frames the disk has been waited for."""

    def live(self, actions: int, faults: Mapping[int, Callable[[], None]] | None = None) -> None:
        """Start, do `actions` things, and end properly.

        Before some of them, and at START before all, the disk fails or is repaired.
        """
        if faults and START in faults:
            faults[START]()
        clock = self.clock = VirtualClock()
        store = self.store = DoomedStore(self.path, self.doom, self.say)
        writer = StoreWriter(store, retry_s=0.01)
        mill = self.luck.choice(sorted(MILL_SETS))
        rules = rule_set(self.rules) if self.rules else rule_set(mill, ["pieces=4"])
        blueprint = Blueprint(
            rules, simplest_sensors(rules), seed=self.luck.randint(0, 99), config=Config(timing=QUICK)
        )
        self.play: SimulatedPlay = blueprint.build(clock, game_to_continue(store, rules), store)
        writer.start()
        self.frames(2)
        for number in range(actions):
            if faults and number in faults:
                faults[number]()
            self.act()
        self.settle()
        while store.troubles or store.waits:
            self.frames(1)
            time.sleep(0.001)
        self.frames(1)
        self.play.close()
        writer.close()

    def frames(self, count: int) -> None:
        for _ in range(count):
            self.now += FRAME_US
            self.clock.reach(self.now)
            for event in self.play.board.tick(self.now):
                self.tell(event)
            # Virtual time must not run away from the disk: where it is slow, time goes by as it really does.
            self.waited = 0 if self.play.controller.accepted is self.game else self.waited + 1
            if self.waited:
                time.sleep(0.0002 if self.waited < SOON else FRAME_US / 1e6)

    def tell(self, event: Event) -> None:
        self.doom.reach("telling")
        self.say(event.as_dict())
        self.doom.reach("told")

    @property
    def game(self) -> Game:
        return self.play.controller.session.game

    def settle(self) -> None:
        """Wait for the disk."""
        until = time.monotonic() + PATIENCE_S
        while time.monotonic() < until:
            if self.play.controller.accepted is self.game:
                return
            self.frames(1)
        raise TimeoutError("the disk does not answer")

    # ---- hands -----------------------------------------------------------------------------------------

    def act(self) -> None:
        """Play a turn, or do something else now and then; most times wait until it is accepted."""
        chance = self.luck.random()
        if self.game.outcome is not None or chance < 0.02:
            self.ask("new-game")
        elif chance < 0.1 and self.game.ply:
            self.ask("take-back")
        elif chance < 0.12:
            self.ask("resign")
        else:
            self.turn()
        if self.luck.random() < 0.6:
            self.settle()

    def ask(self, request: str) -> None:
        self.play.perform({"do": request})
        self.arrange()
        self.frames(4)

    def turn(self) -> None:
        ply = self.game.ply
        turn = self.luck.choice(legal_turns(self.game.position))
        for step in turn.steps:
            self.move(step.piece, step.origin, step.target)
            if step.origin is None and step.target is None:
                with suppress(RequestError):  # hands were faster than the board
                    self.play.perform({"do": "decline"})
            self.frames(self.luck.choice([0, 2, 6]))
        for _ in range(40):
            if self.game.ply >= ply + len(turn.steps):
                return
            self.frames(1)
        self.arrange()
        self.frames(10)

    def move(self, piece: Piece | None, origin: Point | None, target: Point | None) -> None:
        table, now = self.play.electronics.table, self.clock.now()
        there = table.standing(origin, now) if origin else None
        if target is not None:
            there = there or next(one for one in table.box if one.kind == str(piece))
            table.put(there, table.spots[target.index], now)
        elif there is not None:
            table.stow(there, now)

    def arrange(self) -> None:
        """Have the board stand as the game says, by hands that need no time."""
        points, stacks = self.game.rules.layout.points, self.game.position.stacks
        table, now = self.play.electronics.table, self.clock.now()
        lacking: list[tuple[Piece, Point]] = []
        for point, stack in zip(points, stacks, strict=True):
            there, wanted = table.stack(table.spots[point.index], now), [str(piece) for piece in stack]
            alike = 0
            while alike < min(len(there), len(wanted)) and there[alike].kind == wanted[alike]:
                alike += 1
            for piece in reversed(there[alike:]):
                table.stow(piece, now)
            lacking += [(piece, point) for piece in stack[alike:]]
        for piece, point in lacking:
            self.move(piece, None, point)


def main() -> None:
    """Read jobs, and have each lived by a process of its own.

    Two games are begun before, so that no life need import drivers, or work out what is worked out once.
    """
    with TemporaryDirectory() as folder:
        for rules in ("", "mitsudomoe"):
            Life(Path(folder) / f"{rules}.db", Random(0), lambda _: None, rules=rules).live(6)
    gc.collect()
    gc.freeze()
    for line in sys.stdin:
        job = json.loads(line)
        pid = os.fork()
        if not pid:
            write({"pid": os.getpid()})
            live(job)
        _, status = os.waitpid(pid, 0)
        write({"ended": os.waitstatus_to_exitcode(status)})


def live(job: dict[str, Any]) -> None:
    """Do what a job says, and end this process."""
    status = 1
    try:
        layer = ctypes.CDLL(None)
        path = Path(job["path"])

        def say(told: dict[str, Any]) -> None:
            write(told)
            if job.get("log"):
                layer.disk_layer_note(json.dumps(told).encode())

        if job.keys() & {"log", "operation", "faults"}:
            layer.disk_layer_watch(str(path.parent).encode())
        if job.get("log"):
            layer.disk_layer_log(job["log"].encode())
        if job.get("operation"):
            layer.disk_layer_kill_at(ctypes.c_long(job["operation"]))
        faults = {
            int(number): partial(layer.disk_layer_fault, ctypes.c_char(kind.encode() or b"\0"))
            for number, kind in job.get("faults", {}).items()
        }
        doom = Doom(job.get("boundary", ""), job.get("times", 0))
        Life(path, Random(job["seed"]), say, doom, job.get("rules", "")).live(job["actions"], faults)
        status = 0
    except BaseException:  # noqa: BLE001 - a forked process must not go on as the one it came from
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(status)


def write(told: dict[str, Any]) -> None:
    """Write one line at once, whole."""
    os.write(1, (json.dumps(told) + "\n").encode())


if __name__ == "__main__":
    main()
