"""`millwright bench`: how fast this machine is, measured in real time on the simulated board.

Rules kept here: what is timed is the program as it plays, drivers and all; hands act at moments that have
nothing to do with frames; times are told as medians and 99th percentiles; each part is measured in a process
of its own; nothing is asserted here.

Multiplexers are waited for as on a Pi, and each step for the disk.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from firmware_host.config.loader import Config
from firmware_host.games import perft
from firmware_host.games.game import Game, Player, Position, Step, legal_turns
from firmware_host.games.layout import Point
from firmware_host.games.rulesets import rule_set
from firmware_host.lights.scene import Cue
from firmware_host.settings import Lights, Microseconds
from firmware_host.tracking.verdict import Settled
from sim.assembly import Blueprint, SimulatedPlay
from sim.bench.actor import After, Deeds, Once, act
from sim.bench.controller import FLYING, VAULTING, game_at, of_controller
from sim.bench.disk import kept_on_disk
from sim.bench.figures import Figures, lines_of, machine, spread
from sim.clock import RealClock
from sim.table.hands import Command

_RATE_HZ = 200
_SECOND: Microseconds = 1_000_000
_FRAME: Microseconds = _SECOND // _RATE_HZ
_LIVE_S = 20.0
_STARTS = 10


def run(*, quick: bool = False) -> str:
    """Measure everything, in some minutes (`quick`: a tenth of it), and tell it as JSON."""
    share = 0.1 if quick else 1.0
    figures: Figures = {"machine": machine(), "quick": quick}
    figures["start_to_first_frame_s"] = spread(list(_starts(max(3, round(_STARTS * share)))), 1.0, 3)
    figures["controller"] = _apart(_controller, "standard", FLYING, round(5000 * share))
    figures["controller_of_stacks"] = _apart(_controller, "mitsudomoe", VAULTING, round(2000 * share))
    figures["perft"] = _apart(_perft, 5 if not quick else 4)
    figures["without_page"] = _apart(_idle, _LIVE_S * share)
    figures["with_page"] = _with_page(_LIVE_S * share)
    figures["hand_to_light_ms"] = _apart(_hand_to_light, round(1000 * share), round(200 * share))
    return json.dumps(figures, indent=2)


def _apart(measure: Callable[..., Figures], *arguments: object) -> Figures:
    """What `measure` says in a process of its own, in which nothing is left of what was measured before."""
    with multiprocessing.get_context("spawn").Pool(1) as process:
        return process.apply(measure, arguments)


def _controller(rules: str, position: str, rounds: int) -> Figures:
    return of_controller(game_at(rules, position), rounds)


# ---- the process ---------------------------------------------------------------------------------------


def _starts(times: int) -> Iterator[float]:
    """Seconds from the start of a process to its first frame, which says that a game began."""
    for _ in range(times):
        began = time.perf_counter()
        command = [sys.executable, "-m", "firmware_host", "sim", "--headless"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as board:  # noqa: S603
            assert board.stdout is not None  # noqa: S101 - it was asked for
            board.stdout.readline()
            yield time.perf_counter() - began
            board.terminate()


def _idle(seconds: float) -> Figures:
    """What a board at rest costs: with all points lit, and with pieces whose lights pulse."""
    steady, missed = _resting(Blueprint(), None, seconds)
    blueprint, game = _middle_game(Random(1))  # noqa: S311 - the same game each time
    pulsing, missed_too = _resting(blueprint, game, seconds)
    return {
        "cpu_percent_of_a_core": {"steady_light": steady, "pulsing_light": pulsing},
        "memory_mb": _memory_mb("self"),
        "missed_frames": missed + missed_too,
    }


def _resting(blueprint: Blueprint, game: Game | None, seconds: float) -> tuple[float, int]:
    """The share of a core that a board takes to which nothing happens, in percent, and its missed frames."""
    clock = RealClock()
    play = blueprint.build(clock, game)
    used: list[float] = []

    def rest() -> Deeds:
        yield After(_SECOND)
        used.append(time.process_time())
        yield After(round(seconds * _SECOND))
        used.append(time.process_time())

    loop = act(play, clock, _RATE_HZ, rest())
    play.close()
    return round(100 * (used[1] - used[0]) / seconds, 1), loop.missed


def _with_page(seconds: float) -> Figures:
    """What `millwright sim` costs at rest, its web server and no page included; Linux only."""
    command = [sys.executable, "-m", "firmware_host", "sim", "--no-browser", "--port", "0"]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as board:  # noqa: S603 - our own program
        try:
            assert board.stdout  # noqa: S101 - it was asked for
            board.stdout.readline()
            address_after = time.perf_counter() - began
            time.sleep(1)
            before = _cpu_seconds(board.pid)
            time.sleep(seconds)
            used = None if before is None else (_cpu_seconds(board.pid) or 0) - before
            memory = _memory_mb(board.pid)
        finally:
            board.terminate()
    return {
        "address_after_s": round(address_after, 3),
        "cpu_percent_of_a_core": None if used is None else round(100 * used / seconds, 1),
        "memory_mb": memory,
    }


def _cpu_seconds(pid: int) -> float | None:
    stat = lines_of(f"/proc/{pid}/stat")
    if not stat:
        return None
    user, system = stat[0].rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int | str) -> float | None:
    """What a process has in memory now, or None where the system does not tell."""
    lines = (line for line in lines_of(f"/proc/{pid}/status") if line.startswith("VmRSS"))
    return next((round(int(line.split()[1]) / 1024, 1) for line in lines), None)


# ---- the rules -----------------------------------------------------------------------------------------


def _perft(depth: int) -> Figures:
    """Leaves a second, nothing remembered and the last level counted."""
    standard = rule_set()
    start, flying = standard.start(Player.WHITE), standard.position(FLYING)
    return {
        f"from_the_start_depth_{depth}": _leaves_a_second(start, depth),
        f"flying_depth_{depth - 2}": _leaves_a_second(flying, depth - 2),
    }


def _leaves_a_second(position: Position, depth: int) -> Figures:
    figures = {}
    for name, turns in (("steps", False), ("turns", True)):
        began = time.perf_counter()
        leaves = perft.count(position, depth, turns)
        took = time.perf_counter() - began
        figures[name] = {"leaves": leaves, "millions_a_second": round(leaves / took / 1e6, 2)}
    return figures


# ---- from hand to light --------------------------------------------------------------------------------


def _hand_to_light(lifts: int, turns: int) -> Figures:
    """Milliseconds from a hand's deed to the bytes that leave for the strip with its answer."""
    blueprint, game = _middle_game(Random(3))  # noqa: S311 - the same game each time
    times = _Times([], [], [], [])
    # Lifts follow each other faster than at a table. Without hints no light comes so often that the flash
    # limit would hold it back.
    calm = replace(blueprint, config=Config(lights=Lights(hints=False)))
    missed = _acted(calm, game, times, lambda play, clock: _lift_about(play, clock, times.lift, lifts))
    missed += _acted(blueprint, game, times, lambda play, clock: _play_on(play, clock, times, turns))
    return {
        "lift": spread(times.lift, 1e-3),
        "turn_where_no_slide_could_go_on": spread(times.landing, 1e-3),
        "turn_where_a_slide_could_go_on": spread(times.sliding, 1e-3),
        "of_which_disk": spread(times.disk, 1e-3),
        "missed_frames": missed,
    }


def _acted(
    blueprint: Blueprint, game: Game, times: _Times, deeds: Callable[[SimulatedPlay, RealClock], Deeds]
) -> int:
    """Have hands do `deeds` on a board that keeps its games; how many frames were missed."""
    clock = RealClock()
    with kept_on_disk(times.disk) as store:
        play = blueprint.build(clock, game, store)
        loop = act(play, clock, _RATE_HZ, deeds(play, clock))
        play.close()
    return loop.missed


@dataclass(frozen=True)
class _Times:
    """Microseconds from deed to light, and what the disk took of them."""

    lift: list[Microseconds]
    landing: list[Microseconds]
    sliding: list[Microseconds]
    disk: list[Microseconds]


def _lift_about(play: SimulatedPlay, clock: RealClock, taken: list[Microseconds], lifts: int) -> Deeds:
    """Lift and put back one movable piece after the other, each at most twice in a second or so."""
    random = Random(4)  # noqa: S311 - the same hands each time
    session, light = play.controller.session, _Light(play)
    origins = sorted({_origin(step) for step in _quiet_moves(session.game.position)}, key=str)
    pause = round(0.65 * _SECOND / len(origins) / 2)
    yield After(_SECOND)
    for number in range(lifts):
        point = origins[number % len(origins)]
        yield After(random.randint(pause, pause + _FRAME))
        taken.append((yield light.after({"lift": point.name}, clock.now(), Cue.LIFTED, point)) - light.began)
        yield After(random.randint(pause, pause + _FRAME))
        play.hands.do({"put": point.name}, clock.now())
        yield Once(lambda: isinstance(session.verdict, Settled))


def _play_on(play: SimulatedPlay, clock: RealClock, times: _Times, turns: int) -> Deeds:
    """Play turns that close no mill until there are enough of both kinds."""
    random = Random(5)  # noqa: S311 - the same hands each time
    session, light = play.controller.session, _Light(play)
    yield After(_SECOND)
    while len(times.landing) < turns or len(times.sliding) < turns:
        step, taken = _next_move(session.game.position, random, times, turns)
        play.hands.do({"lift": _origin(step).name}, clock.now())
        yield After(random.randint(80_000, 100_000))
        target = _target(step)
        taken.append(
            (yield light.after({"put": target.name}, clock.now(), Cue.LAST_MOVE, target)) - light.began
        )
        yield After(random.randint(20_000, 40_000))


class _Light:
    """Waits for the light that answers a deed."""

    def __init__(self, play: SimulatedPlay) -> None:
        self.began: Microseconds = 0
        self._play = play

    def after(self, deed: Command, now: Microseconds, cue: Cue, point: Point) -> Once:
        """Do `deed`, and wait until bytes have left for the strip since `point` came to mean `cue`."""
        play, sent = self._play, self._play.electronics.spi.writes
        self.began = now
        play.hands.do(deed, now)
        return Once(
            lambda: cue in play.controller.scene.cues.get(point, ()) and play.electronics.spi.writes > sent
        )


def _next_move(
    position: Position, random: Random, times: _Times, turns: int
) -> tuple[Step, list[Microseconds]]:
    """A move that closes no mill, and where its time belongs: of the kind of which there are too few."""
    moves = _quiet_moves(position)
    landings = Counter(step.origin for step in position.legal_steps())
    single = [step for step in moves if landings[step.origin] == 1]
    if single and (len(times.landing) < turns or len(single) == len(moves)):
        return random.choice(single), times.landing
    return random.choice([step for step in moves if step not in single] or moves), times.sliding


def _quiet_moves(position: Position) -> list[Step]:
    """The moves that end the turn and leave the opponent one, too."""
    return [
        turn.steps[0]
        for turn in legal_turns(position)
        if len(turn.steps) == 1 and any(len(reply.steps) == 1 for reply in legal_turns(turn.positions[0]))
    ]


def _origin(step: Step) -> Point:
    assert step.origin is not None  # noqa: S101 - all pieces are placed
    return step.origin


def _target(step: Step) -> Point:
    assert step.target is not None  # noqa: S101 - it is a move
    return step.target


def _middle_game(random: Random) -> tuple[Blueprint, Game]:
    """A game whose pieces are all placed, and none taken, which no draw ends."""
    rules = rule_set("standard", ["repetition=0", "quiet=0"])
    while True:
        game = Game.begin(rules, rules.start(Player.WHITE))
        while game.position.in_hand(game.position.to_move):
            quiet = [turn.steps for turn in legal_turns(game.position) if len(turn.steps) == 1]
            if not quiet:
                break
            game = game.play(*random.choice(quiet))
        if game.ply == 18 and game.outcome is None and _quiet_moves(game.position):
            return Blueprint(rules=rules), Game.begin(rules, game.position)
