"""The board's frames beside the engine: alone, and while it thinks without a pause, in turn."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack

from firmware_host.games.game import Game
from firmware_host.play.engine_turns import WantedTurn
from firmware_host.play.events import Event
from firmware_host.runtime.engines.supervised import SupervisedEngine
from firmware_host.runtime.loop import Loop, prioritized_loop
from firmware_host.settings import Microseconds
from sim.assembly import Blueprint, SimulatedPlay
from sim.bench.controller import game_at
from sim.bench.figures import Figures, spread
from sim.clock import RealClock

_RATE_HZ = 200
_SECOND: Microseconds = 1_000_000
_MIDDLE_GAME = "O@O@O@O@/*@O@O*O@/O@*O*@** w m s 9 0 9 0 0 0 0 0 0 0 0 0 1"
_LEVEL = 8
_PARTS = 4


def of_frames_beside_engine(seconds: float) -> Figures:
    """Measure the frames of a resting board for `seconds` alone and for as long beside the engine.

    Both take turns, so that whatever else the machine does disturbs them alike. The engine may use every
    core, and with `on_one_core` only the one that the board uses.
    """
    return {
        "own_choice_of_cores": _alternating(seconds),
        "on_one_core": _on_one_core(seconds),
    }


def _on_one_core(seconds: float) -> Figures | None:
    """Measure with all processes on one core; None where the system doesn't allow that choice."""
    if not hasattr(os, "sched_setaffinity"):
        return None
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cores)})
    try:
        return _alternating(seconds)
    finally:
        os.sched_setaffinity(0, cores)


def _alternating(seconds: float) -> Figures:
    alone, beside = _Frames(), _Frames()
    game = game_at("standard", _MIDDLE_GAME)
    with ExitStack() as parts:
        play = Blueprint().build(RealClock())
        parts.callback(play.close)
        engine = SupervisedEngine(1)
        parts.callback(engine.close)
        parts.enter_context(prioritized_loop())
        for _ in range(_PARTS):
            _run(_TimedBoard(play, alone), seconds / _PARTS)
            _run(_TimedBoard(play, beside, engine, game), seconds / _PARTS)
            engine.give_up()
    return {"alone": alone.figures(), "beside_the_engine": beside.figures()}


class _Frames:
    """The times of frames, in us: how late each began, and how long it took."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self.took: list[float] = []
        self.missed = 0
        self.turns = 0

    def figures(self) -> Figures:
        """Return medians, 99th percentiles and counts."""
        return {
            "late_ms": spread(self.late, 1e-3),
            "took_ms": spread(self.took, 1e-3),
            "missed_frames": self.missed,
            "turns_of_the_engine": self.turns,
        }


class _TimedBoard:
    """A board whose passes are timed, with an engine that is asked again as soon as it answers."""

    def __init__(
        self,
        play: SimulatedPlay,
        frames: _Frames,
        engine: SupervisedEngine | None = None,
        game: Game | None = None,
    ) -> None:
        self._play = play
        self._frames = frames
        self._engine = engine
        self._game = game
        self._began = time.monotonic_ns()
        self._is_asked = False

    def tick(self, now: Microseconds) -> tuple[Event, ...]:
        """Do one pass, and time it."""
        started = time.monotonic_ns()
        self._frames.late.append(max(0, (started - self._began) / 1000 - now))
        events = self._play.board.tick(self._play.electronics.clock.now())
        if self._engine is not None and self._game is not None:
            self._think(self._engine, self._game, now)
        self._frames.took.append((time.monotonic_ns() - started) / 1000)
        return events

    def add_missed(self, frames: int) -> None:
        """Add frames that the loop has skipped."""
        self._frames.missed += frames

    def _think(self, engine: SupervisedEngine, game: Game, now: Microseconds) -> None:
        if self._is_asked and engine.answer(now) is None:
            return
        self._frames.turns += self._is_asked
        engine.ask(WantedTurn(game, _LEVEL, now))
        self._is_asked = True


def _run(board: _TimedBoard, seconds: float) -> None:
    loop = Loop(board, _RATE_HZ)

    def after(_events: object, now: Microseconds) -> None:
        if now >= seconds * _SECOND:
            loop.stop()

    loop.run(after)
    board.add_missed(loop.missed)
