"""Lives of the playing program that are cut off, and what each has promised until then."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.store.database import GameId, GamesFile, StoredGame
from firmware_host.store.saved_game import game_of
from tests.support.paths import PROJECT

HERE = Path(__file__).parent

Told = dict[str, Any]


def disk_layer(folder: Path) -> Path | None:
    """The disk layer, built into `folder`; None where there is no C compiler."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        return None
    built = folder / "disk_layer.so"
    source = str(HERE / "disk_layer.c")
    command = [compiler, "-O1", "-Wall", "-Werror", "-shared", "-fPIC", "-o", str(built), source, "-ldl"]
    subprocess.run([*command, "-lpthread"], check=True)  # noqa: S603
    return built


class Lives:
    """The playing program, ready to be started again and again."""

    def __init__(self, layer: Path | None = None) -> None:
        preload = {} if layer is None else {"LD_PRELOAD": str(layer)}
        self._program = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.player"],
            cwd=PROJECT,
            env={**os.environ, **preload},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def close(self) -> None:
        """End the program."""
        self._program.communicate(timeout=60)

    def live(
        self, path: Path, seed: int, kill: Callable[[int], float | None] = lambda _: None, **job: Any
    ) -> tuple[list[Told], int]:
        """Run one life; return its reports, and its exit status (-9: it was killed).

        `kill` is called after each report, with their number, and returns the seconds until the life ends
        (None: not yet).
        """
        given, heard = self._program.stdin, self._program.stdout
        assert given is not None
        assert heard is not None
        given.write(json.dumps({"path": str(path), "seed": seed, "actions": 40, **job}) + "\n")
        pid = int(json.loads(heard.readline())["pid"])
        told: list[Told] = []
        killed = False
        while "ended" not in (line := json.loads(heard.readline())):
            told.append(line)
            if not killed and (after := kill(len(told))) is not None:
                time.sleep(after)
                with suppress(ProcessLookupError):  # it ended in the meantime
                    os.kill(pid, signal.SIGKILL)
                killed = True
        return told, int(line["ended"])


@contextmanager
def opened(path: Path) -> Iterator[GamesFile]:
    """The file of games, as the program would find it."""
    file = GamesFile(path)
    try:
        yield file
    finally:
        file.close()


@dataclass
class ToldGame:
    """A game as reported by a board."""

    rules: str
    steps: list[str] = field(default_factory=list)
    is_over: bool = False


@dataclass
class Promises:
    """The games of one file that boards have reported, one life after the other."""

    games: list[ToldGame] = field(default_factory=list)
    """The games of this life: the one that goes on, and those that were begun."""
    going_back: list[tuple[int, int]] = field(default_factory=list)
    """Steps about to be taken back, not reported yet: the game of this life, and the ply."""
    earlier: dict[GameId, StoredGame] = field(default_factory=dict)
    """Games that were over, and followed by others, when the file was looked into last."""
    steps_told: int = 0
    disk_may_fail: bool = False

    def hear(self, told: list[Told]) -> None:
        """Take in the reports of one life; raises AssertionError if it did not continue correctly."""
        for line in told:
            self._hear(line)

    def _hear(self, line: Told) -> None:
        match line:
            case {"event": "game", "rules": str(rules)}:
                self.games.append(ToldGame(rules))
            case {"event": "continued", "rules": str(rules), "ply": int(ply)}:
                game = self.games[-1]
                assert (rules, ply) == (game.rules, len(game.steps)), "it goes on elsewhere than it was found"
            case {"about": "take-back", "game": int(number), "to": int(ply)}:
                self.going_back.append((number, ply))
            case {"event": "step", "text": str(text)}:
                self.games[-1].steps.append(text)
                self.steps_told += 1
            case {"event": "taken-back", "ply": int(ply)}:
                assert ply <= len(self.games[-1].steps)
                del self.games[-1].steps[ply:]
                self.going_back.remove((len(self.games), ply))
            case {"event": "over", "ply": int(ply)}:
                assert ply == len(self.games[-1].steps)
                self.games[-1].is_over = True
            case {"event": "fault"} if not self.disk_may_fail:
                raise AssertionError(line)

    def check(self, file: GamesFile) -> None:
        """Raise AssertionError unless all that was promised is in the file, and the last game can go on.

        The next life continues from the contents of the file.
        """
        kept = {row: file.game(row) for row in file.rows()}
        for row, one in self.earlier.items():
            assert kept[row] == one
        sure = [self._sure(number) for number in range(1, len(self.games) + 1)]
        told = [
            (game, steps)
            for game, steps in zip(self.games, sure, strict=True)
            if steps or (game.is_over and game is not self.games[-1])
        ]
        later = [one for row, one in kept.items() if row not in self.earlier and _is_played(one)]
        assert len(told) <= len(later)
        for (game, steps), one in zip(told, later, strict=False):
            whole = game is not self.games[-1]
            assert one.saved.rules == game.rules
            assert texts(one)[: None if whole else len(steps)] == steps
        for one in later:
            game_of(one.saved)
        self._go_on_from(kept)

    def _sure(self, number: int) -> list[str]:
        """The steps of a game of this life that no take-back is about to take away."""
        plies = [ply for game, ply in self.going_back if game == number]
        return self.games[number - 1].steps[: min(plies, default=None)]

    def _go_on_from(self, kept: dict[GameId, StoredGame]) -> None:
        *before, last = kept or [0]
        self.earlier = {row: kept[row] for row in before}
        self.games = []
        self.going_back = []
        if last:
            game = kept[last]
            self.games = [ToldGame(game.saved.rules, texts(game), is_over=game.saved.outcome is not None)]


def _is_played(kept: StoredGame) -> bool:
    return bool(kept.saved.steps or kept.saved.outcome)


def texts(kept: StoredGame) -> list[str]:
    """The steps of a game."""
    return [step.text for step in kept.saved.steps]


def at_random(luck: Random, most: int) -> Callable[[int], float | None]:
    """End a life some moments after one of the first reports."""
    number, after = luck.randint(0, most), luck.random() * 0.004
    return lambda told: after if told >= number else None
