"""Speed of reconciling alone, over games that hands play, for `millwright bench`.

Frames come 200 times a second in virtual time. Each is timed separately, as CPU time of its thread, without
debouncing, light, strip and disk. Hands take their time like people: they straighten pieces, and sometimes
reply before the turn counts.

Invariants: only `observe` and `deadline` of a session are used, so that an older version can be measured by a
copy of this module: `python -m sim.bench.hands`. With `--instructions`, those of the interpreter are counted
instead, which other work on the machine doesn't change.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from random import Random
from types import FrameType
from typing import Any

from firmware_host.config.compatibility import simplest_sensors
from firmware_host.games.game import Game, Piece, Player, Step, Turn, legal_turns
from firmware_host.games.layout import Point
from firmware_host.games.rulesets import rule_set
from firmware_host.ports import Frame
from firmware_host.settings import Microseconds
from firmware_host.tracking.sensor_model import SensorModel
from sim.assembly import Blueprint
from sim.bench.figures import Figures, spread

_FRAME: Microseconds = 5_000
"""At 200 frames a second."""
_PATIENCE_MS = 4000
"""Hands leave a board that has not understood a turn after that time."""


_Work = Callable[[], object]


def cpu_us(work: _Work) -> float:
    """Return the microseconds of processor time that some work takes."""
    began = time.thread_time()
    work()
    return 1e6 * (time.thread_time() - began)


def instructions(work: _Work) -> float:
    """Return how many instructions the interpreter follows for some work, without what a collector calls."""
    count, collects = 0, gc.isenabled()

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        count += event == "opcode"
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return trace

    gc.disable()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
        if collects:
            gc.enable()
    return count


@dataclass
class Costs:
    """The cost of each frame, by its kind, as `measure` measures it."""

    measure: Callable[[_Work], float] = cpu_us

    changed: list[float] = field(default_factory=list)
    at_deadline: list[float] = field(default_factory=list)
    unchanged: list[float] = field(default_factory=list)


class PlayedBoard:
    """A game that hands play, and the session that follows it."""

    def __init__(self, rules: str, luck: Random, costs: Costs) -> None:
        """Begin a game by a named rule set, with all choices drawn from `luck`."""
        chosen = rule_set(rules)
        self.game = Game.begin(chosen, chosen.start(Player.WHITE))
        self._luck = luck
        self._costs = costs
        self._sensors = SensorModel(simplest_sensors(chosen))
        self._stacks = list(self.game.position.stacks)
        blueprint = Blueprint(chosen, self._sensors.alphabet)
        self._session = blueprint.controller(self.game).session
        self._now: Microseconds = 0
        self._frame: Frame = ()
        self._see()

    @property
    def is_understood(self) -> bool:
        """True if the session has the game that was played."""
        return self._session.game.steps == self.game.steps

    @property
    def is_followed(self) -> bool:
        """True if the session has all of that game but the last turn, which may not count yet."""
        steps = self._session.game.steps
        return steps[: self.game.last_turn] == self.game.steps[: self.game.last_turn]

    def play(self, turn: Turn) -> None:
        """Play `turn` by hand, and wait until it counts; a reply may come before."""
        if self._luck.random() < 0.15:
            self._straighten()
        for point, piece in actions_of(turn.steps):
            stack = self._stacks[point.index]
            self._stacks[point.index] = stack[:-1] if piece is None else (*stack, piece)
            self._see()
            self._wait(self._luck.randint(80, 700))
        self.game = self.game.play(*turn.steps)
        if self._luck.random() < 0.7:
            self._wait(self._luck.randint(300, 2000))
            waited = 0
            while not self.is_understood and waited < _PATIENCE_MS:
                self._wait(100)
                waited += 100

    def _straighten(self) -> None:
        """Lift any piece, and set it down where it was."""
        standing: list[Point] = [p for p in self.game.rules.layout.points if self._stacks[p.index]]
        if not standing:
            return
        index = self._luck.choice(standing).index
        stack = self._stacks[index]
        for left in (stack[:-1], stack):
            self._stacks[index] = left
            self._see()
            self._wait(self._luck.randint(100, 500))

    def _see(self) -> None:
        """Show the session the board, which has changed."""
        self._now += _FRAME
        self._frame = tuple(self._sensors.reading(stack, i) for i, stack in enumerate(self._stacks))
        self._observe(self._costs.changed)

    def _wait(self, milliseconds: int) -> None:
        """Let frames pass in which nothing changes."""
        for _ in range(milliseconds * 1000 // _FRAME):
            self._now += _FRAME
            self._costs.unchanged.append(self._costs.measure(lambda: self._session.deadline))
            due = self._session.deadline
            if due is not None and self._now >= due:
                self._observe(self._costs.at_deadline)

    def _observe(self, costs: list[float]) -> None:
        costs.append(self._costs.measure(lambda: self._session.observe(self._frame, self._now)))


def actions_of(steps: tuple[Step, ...]) -> Iterator[tuple[Point, Piece | None]]:
    """Yield each action: the point of a lift (None), or the point and the piece set down."""
    for step in steps:
        if step.origin is not None:
            yield step.origin, None
        if step.target is not None:
            yield step.target, step.piece


def of_hands(rules: str, turns: int, measure: Callable[[_Work], float] = cpu_us) -> Figures:
    """Measure each frame while that many turns are played; a board that is not understood is left."""
    costs, luck, left = Costs(measure), Random(6), 0  # noqa: S311 - the same hands each time
    board = PlayedBoard(rules, luck, costs)
    for _ in range(turns):
        if board.game.outcome is not None or not board.is_followed:
            left += board.game.outcome is None
            board = PlayedBoard(rules, luck, costs)
        board.play(luck.choice(legal_turns(board.game.position)))
    return {
        "changed_frame_us": spread(costs.changed, 1),
        "frame_at_a_deadline_us": spread(costs.at_deadline, 1),
        "unchanged_frame_us": spread(costs.unchanged, 1),
        "turns": turns,
        "boards_left": left,
    }


if __name__ == "__main__":
    chosen = instructions if "--instructions" in sys.argv else cpu_us
    for name in ("standard", "mitsudomoe"):
        print(json.dumps({name: of_hands(name, 400, chosen)}, indent=2))  # noqa: T201 - a command's output
