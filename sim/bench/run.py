"""`millwright bench`: speed of this machine, measured in real time on the simulated board.

Invariants: the program is timed as it plays, drivers included. Hands act at moments unrelated to frames.
Times are medians and 99th percentiles. Each part is measured in a process of its own. Nothing is asserted
here. Multiplexers have the settling time of a Pi, and each step waits for the disk.
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
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from firmware_host.config.loader import Config
from firmware_host.config.paths import games_path
from firmware_host.frozen import frozen
from firmware_host.games import perft
from firmware_host.games.game import Game, Player, Position, Step, legal_turns
from firmware_host.games.layout import Point
from firmware_host.games.rulesets import rule_set
from firmware_host.lights.cues import Cue
from firmware_host.play.rest import STILL_AFTER_S
from firmware_host.runtime.clock import machine_clock
from firmware_host.settings import Lights, Microseconds, Rest
from firmware_host.settings import Store as Settings
from firmware_host.store.store import Batch, SqliteStore
from firmware_host.store.writer import StoreWriter
from firmware_host.tracking.verdict import Settled
from hardware.doctor.light_checks import current_ma
from sim.assembly import Blueprint, SimulatedPlay
from sim.bench.actor import Actions, Until, Wait, act
from sim.bench.controller import FLYING, VAULTING, game_at, of_controller
from sim.bench.engine import of_frames_beside_engine
from sim.bench.figures import Figures, lines_of, machine, spread
from sim.bench.hands import of_hands
from sim.bench.touch import of_touches
from sim.clock import RealClock, VirtualClock
from sim.table.hands import Command

# ---- the disk ------------------------------------------------------------------------------------------
# Invariants: the file is on the disk of a board's games, and is removed afterwards. A time runs from the step
# to its confirmation by the store, including the wake-up of the thread.


class TimedStore(SqliteStore):
    """A store that notes the time until each state of a game is on disk."""

    def __init__(self, path: Path, taken: list[Microseconds]) -> None:
        super().__init__(path, wall_ms=machine_clock().now)
        self._taken = taken
        self._kept_at_ns: dict[int, int] = {}

    def keep(self, game: Game) -> int:
        """Keep a game, as the store does."""
        given = time.perf_counter_ns()
        number = super().keep(game)
        self._kept_at_ns[number] = given
        return number

    def finish(self, batch: Batch) -> bool:
        """Finish a batch, as the store does."""
        done = super().finish(batch)
        now = time.perf_counter_ns()
        for number in [number for number in self._kept_at_ns if number <= self.kept]:
            self._taken.append((now - self._kept_at_ns.pop(number)) // 1000)
        return done


@contextmanager
def kept_on_disk(taken: list[Microseconds]) -> Iterator[TimedStore]:
    """Yield a store on this machine's disk, which appends its times in microseconds to `taken`."""
    parents = games_path(Settings()).parents
    nearest = next(folder for folder in parents if folder.is_dir())
    with TemporaryDirectory(prefix="millwright-bench-", dir=nearest) as folder:
        store = TimedStore(Path(folder) / "games.db", taken)
        thread = StoreWriter(store)
        thread.start()
        try:
            yield store
        finally:
            thread.close()


# ---- all parts -----------------------------------------------------------------------------------------


_RATE_HZ = 200
_SECOND: Microseconds = 1_000_000
_FRAME: Microseconds = _SECOND // _RATE_HZ
_LIVE_S = 20.0
_STARTS = 10
_PROGRAM = (sys.executable, "-P", "-m", "firmware_host")
"""This very program, even if there is another in the current folder."""


def run(*, quick: bool = False) -> str:
    """Measure everything, in some minutes (`quick`: a tenth of it), and return it as JSON."""
    share = 0.1 if quick else 1.0
    figures: Figures = {"machine": machine(), "quick": quick}
    figures["start_to_first_frame_s"] = spread(list(_starts(max(3, round(_STARTS * share)))), 1.0, 3)
    figures["controller"] = _in_process(_controller, "standard", FLYING, round(5000 * share))
    figures["controller_of_stacks"] = _in_process(_controller, "mitsudomoe", VAULTING, round(2000 * share))
    figures["reconciling"] = _in_process(of_hands, "standard", round(2000 * share))
    figures["reconciling_of_stacks"] = _in_process(of_hands, "mitsudomoe", round(500 * share))
    figures["perft"] = _in_process(_perft, 5 if not quick else 4)
    figures["without_page"] = _in_process(_idle, _LIVE_S * share)
    figures["asleep"] = _in_process(_asleep, _LIVE_S * share)
    figures["with_page"] = _with_page(_LIVE_S * share)
    figures["frames_beside_the_engine"] = _in_process(of_frames_beside_engine, _LIVE_S * share)
    figures["hand_to_light_ms"] = _in_process(_hand_to_light, round(1000 * share), round(200 * share))
    figures["touches_ms"] = _in_process(of_touches, round(400 * share), round(50 * share))
    return json.dumps(figures, indent=2)


def _in_process(measure: Callable[..., Figures], *arguments: object) -> Figures:
    """Return the result of `measure` in a process of its own, unaffected by earlier measurements."""
    with multiprocessing.get_context("spawn").Pool(1) as process:
        return process.apply(measure, arguments)


def _controller(rules: str, position: str, rounds: int) -> Figures:
    return of_controller(game_at(rules, position), rounds)


# ---- the process ---------------------------------------------------------------------------------------


def _starts(times: int) -> Iterator[float]:
    """Yield the seconds from the start of a process to its first frame, which reports a new game."""
    for _ in range(times):
        began = time.perf_counter()
        command = [*_PROGRAM, "sim", "--headless"]
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as board:  # noqa: S603
            _wait_for_line(board)
            yield time.perf_counter() - began
            board.terminate()


def _idle(seconds: float) -> Figures:
    """Measure the cost of a board at rest: with all points lit, and with pulsing pieces."""
    after_s = STILL_AFTER_S + 1.0
    steady, missed = _resting(Blueprint(), None, seconds, after_s)
    blueprint, game = _middle_game(Random(1))  # noqa: S311 - the same game each time
    pulsing, missed_too = _resting(blueprint, game, seconds, after_s)
    return {
        "cpu_percent_of_a_core": {"steady_light": steady, "pulsing_light": pulsing},
        "memory_mb": _memory_mb("self"),
        "missed_frames": missed + missed_too,
    }


def _asleep(seconds: float) -> Figures:
    """Measure the cost of a board that nobody has used for a while, and the current of its LEDs."""
    blueprint, game = _middle_game(Random(1))  # noqa: S311 - the game of a board at rest
    awake_ma = _light_ma(blueprint, game, Rest(0, 0), seconds)
    sleeping = replace(blueprint, config=Config(rest=Rest(0, 1)))
    cpu, missed = _resting(sleeping, game, seconds, after_s=2.0)
    return {
        "cpu_percent_of_a_core": cpu,
        "leds_ma_by_the_model": {
            "before_the_first_turn": _light_ma(blueprint, None, Rest(0, 0), seconds),
            "in_play": awake_ma,
            "dim": _light_ma(blueprint, game, Rest(1, 0), seconds),
            "asleep": _light_ma(blueprint, game, Rest(0, 1), seconds),
        },
        "missed_frames": missed,
    }


def _light_ma(blueprint: Blueprint, game: Game | None, rest: Rest, seconds: float) -> float:
    """Return the highest current of the LEDs in virtual time, once the lights have faded."""
    clock = VirtualClock()
    play = replace(blueprint, config=Config(rest=rest)).build(clock, game)
    highest = 0.0
    for frame in range(round((4 + seconds) * _RATE_HZ)):
        clock.reach(frame * _FRAME)
        play.board.tick(frame * _FRAME)
        if frame >= 4 * _RATE_HZ:
            highest = max(highest, current_ma(play.electronics.spi.leds, Lights()))
    play.close()
    return round(highest, 1)


def _resting(blueprint: Blueprint, game: Game | None, seconds: float, after_s: float) -> tuple[float, int]:
    """Return the share of a core that an idle board uses, in percent, and its missed frames."""
    clock = RealClock()
    play = blueprint.build(clock, game)
    used: list[float] = []

    def rest() -> Actions:
        yield Wait(round(after_s * _SECOND))
        used.append(time.process_time())
        yield Wait(round(seconds * _SECOND))
        used.append(time.process_time())

    loop = act(play, clock, _RATE_HZ, rest())
    play.close()
    return round(100 * (used[1] - used[0]) / seconds, 1), loop.missed


def _with_page(seconds: float) -> Figures:
    """Measure the cost of an idle `millwright sim`, with its web server and no page; Linux only."""
    command = [*_PROGRAM, "sim", "--no-browser", "--port", "0", "--no-store"]
    began = time.perf_counter()
    with subprocess.Popen(command, stdout=subprocess.PIPE) as board:  # noqa: S603 - our own program
        try:
            _wait_for_line(board)
            address_after = time.perf_counter() - began
            time.sleep(STILL_AFTER_S + 1)
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


def _wait_for_line(board: subprocess.Popen[bytes]) -> None:
    """Wait until the program has printed its first line; raises RuntimeError if it ended instead."""
    assert board.stdout is not None  # noqa: S101 - it was asked for
    if not board.stdout.readline():
        raise RuntimeError("the simulated board ended before it had begun, so it can't be measured")


def _cpu_seconds(pid: int) -> float | None:
    stat = lines_of(f"/proc/{pid}/stat")
    if not stat:
        return None
    user, system = stat[0].rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


def _memory_mb(pid: int | str) -> float | None:
    """Return the resident memory of a process in MB, or None if the system does not report it."""
    lines = (line for line in lines_of(f"/proc/{pid}/status") if line.startswith("VmRSS"))
    return next((round(int(line.split()[1]) / 1024, 1) for line in lines), None)


# ---- the rules -----------------------------------------------------------------------------------------


def _perft(depth: int) -> Figures:
    """Count leaves per second, without a cache and with the last level counted."""
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
    """Measure the milliseconds from an action to the bytes sent to the strip in response."""
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
    blueprint: Blueprint, game: Game, times: _Times, deeds: Callable[[SimulatedPlay, RealClock], Actions]
) -> int:
    """Let hands act on a board that keeps its games; return the number of missed frames."""
    clock = RealClock()
    with kept_on_disk(times.disk) as store:
        play = blueprint.build(clock, game, store)
        loop = act(play, clock, _RATE_HZ, deeds(play, clock))
        play.close()
    return loop.missed


@frozen(slots=False)
class _Times:
    """Microseconds from an action to the light, and the share of the disk."""

    lift: list[Microseconds]
    landing: list[Microseconds]
    sliding: list[Microseconds]
    disk: list[Microseconds]


def _lift_about(play: SimulatedPlay, clock: RealClock, taken: list[Microseconds], lifts: int) -> Actions:
    """Lift and put back one movable piece after another, each at most twice in a second or so."""
    random = Random(4)  # noqa: S311 - the same hands each time
    session, light = play.controller.session, _Light(play)
    origins = sorted({_origin(step) for step in _quiet_moves(session.game.position)}, key=str)
    pause = round(0.65 * _SECOND / len(origins) / 2)
    yield Wait(_SECOND)
    for number in range(lifts):
        point = origins[number % len(origins)]
        yield Wait(random.randint(pause, pause + _FRAME))
        taken.append((yield light.after({"lift": point.name}, clock.now(), Cue.LIFTED, point)) - light.began)
        yield Wait(random.randint(pause, pause + _FRAME))
        play.hands.do({"put": point.name}, clock.now())
        yield Until(lambda: isinstance(session.verdict, Settled))


def _play_on(play: SimulatedPlay, clock: RealClock, times: _Times, turns: int) -> Actions:
    """Play turns that close no mill until there are enough of both kinds."""
    random = Random(5)  # noqa: S311 - the same hands each time
    session, light = play.controller.session, _Light(play)
    yield Wait(_SECOND)
    while len(times.landing) < turns or len(times.sliding) < turns:
        step, taken = _next_move(session.game.position, random, times, turns)
        play.hands.do({"lift": _origin(step).name}, clock.now())
        yield Wait(random.randint(80_000, 100_000))
        target = _target(step)
        taken.append(
            (yield light.after({"put": target.name}, clock.now(), Cue.LAST_MOVE, target)) - light.began
        )
        yield Wait(random.randint(20_000, 40_000))


class _Light:
    """A wait for the light that answers an action."""

    def __init__(self, play: SimulatedPlay) -> None:
        self.began: Microseconds = 0
        self._play = play

    def after(self, deed: Command, now: Microseconds, cue: Cue, point: Point) -> Until:
        """Carry out `deed`, and wait for bytes sent to the strip after `point` got the cue `cue`."""
        play, sent = self._play, self._play.electronics.spi.writes
        self.began = now
        play.hands.do(deed, now)
        return Until(
            lambda: cue in play.controller.scene.cues.get(point, ()) and play.electronics.spi.writes > sent
        )


def _next_move(
    position: Position, random: Random, times: _Times, turns: int
) -> tuple[Step, list[Microseconds]]:
    """Return a move that closes no mill, and the list for its time: of the kind with too few so far."""
    moves = _quiet_moves(position)
    landings = Counter(step.origin for step in position.legal_steps())
    single = [step for step in moves if landings[step.origin] == 1]
    if single and (len(times.landing) < turns or len(single) == len(moves)):
        return random.choice(single), times.landing
    return random.choice([step for step in moves if step not in single] or moves), times.sliding


def _quiet_moves(position: Position) -> list[Step]:
    """Return the moves that end the turn and leave the opponent such a move as well."""
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
    """Return a game with all pieces placed and none captured, which cannot end in a draw."""
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
