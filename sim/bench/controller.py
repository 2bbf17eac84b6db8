"""Speed of the controller alone, in the worst positions, for `millwright bench`.

Each step is timed separately, without sensors, strip and disk.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

from firmware_host.config.compatibility import simplest_sensors
from firmware_host.config.loader import Config
from firmware_host.games.game import Game, legal_turns
from firmware_host.games.rulesets import rule_set
from firmware_host.play.controller import Controller
from firmware_host.ports import Frame
from firmware_host.settings import Microseconds, Timing
from firmware_host.tracking.sensor_model import SensorModel
from sim.assembly import Blueprint
from sim.bench.figures import Figures, spread
from sim.bench.hands import actions_of

FLYING = "O*O***@*/****O***/@*****@* w m s 3 0 3 0 0 0 0 0 0 0 0 0 1"
"""Three against three: each may fly anywhere, and some flights close a mill."""

VAULTING = "w,b,bB,-,bB/-,bB,-,w,bwW/-,wW,b,-,w/-,wW,b,-,-/-,b,w,-,- b ring 12"
"""A stacking game with 1,762 possible turns; only one of 5,383 positions of random play had more."""

_MAX_TURNS = 500

_FRAME: Microseconds = 5_000
"""At 200 frames a second."""


def game_at(rules: str, position: str) -> Game:
    """Return a game by a named rule set that begins with a position."""
    chosen = rule_set(rules)
    return Game.begin(chosen, chosen.position(position))


def of_controller(game: Game, rounds: int) -> Figures:
    """Time the controller in a hard position: on an unchanged frame, a changed one, and a committed turn."""
    random = Random(2)  # noqa: S311 - the same frames each time
    frames = _frame_sequences(game, random)
    unchanged, changed = [], []
    controller, now = _controller_of(game), 0
    controller.step(frames[0][0], now)
    controller.step(frames[0][1], now)
    for _ in range(rounds):
        sequence = random.choice(frames)
        for frame in (*sequence[1:], sequence[0]):
            now += _FRAME
            changed.append(_timed(controller, frame, now))
            now += _FRAME
            unchanged.append(_timed(controller, frame, now))
    return {
        "unchanged_frame_us": spread(unchanged, 1e6),
        "changed_frame_us": spread(changed, 1e6),
        "first_changed_frame_of_a_turn_us": spread(list(_first_changes(game, frames, rounds // 10)), 1e6),
    }


def _first_changes(game: Game, frames: list[list[Frame]], times: int) -> Iterator[float]:
    """Yield the seconds for the first changed frame of a turn, before which nothing is cached."""
    for number in range(times):
        controller = _controller_of(game)
        sequence = frames[number % len(frames)]
        controller.step(sequence[0], 0)
        yield _timed(controller, sequence[1], _FRAME)


def _controller_of(game: Game) -> Controller:
    config = Config(timing=Timing(debounce_ms=0))
    return Blueprint(game.rules, simplest_sensors(game.rules), config=config).controller(game)


def _timed(controller: Controller, frame: Frame, now: Microseconds) -> float:
    began = time.perf_counter()
    controller.step(frame, now)
    return time.perf_counter() - began


def _frame_sequences(game: Game, random: Random) -> list[list[Frame]]:
    """Return, for legal turns, the frames during their actions, from none to all."""
    model, turns = SensorModel(simplest_sensors(game.rules)), legal_turns(game.position)
    sequences = []
    for turn in random.sample(turns, min(len(turns), _MAX_TURNS)):
        stacks = list(game.position.stacks)
        sequence = [model.expected(game.position)]
        for point, piece in actions_of(turn.steps):
            stack = stacks[point.index]
            stacks[point.index] = stack[:-1] if piece is None else (*stack, piece)
            frame = list(sequence[-1])
            frame[point.index] = model.reading(stacks[point.index], point.index)
            sequence.append(tuple(frame))
        sequences.append(sequence)
    return sequences
