"""The answer of light to touches, in real time, for `millwright bench`: of the menu, and of a resting board.

Invariants: a time begins as the hand acts, between two frames, and ends when the strip was sent the light of
the answer, so that a pulse of other lights doesn't count.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from firmware_host.config.loader import Config
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.play.rest import RestDepth
from firmware_host.ports import DARK
from firmware_host.settings import Microseconds, Rest
from sim.assembly import Blueprint, SimulatedPlay
from sim.bench.actor import Actions, Until, Wait, act
from sim.bench.figures import Figures, spread
from sim.clock import RealClock

_RATE_HZ = 200
_SECOND: Microseconds = 1_000_000
_OPENS, _BACK = "b6", "d2"
"""The points of the rules, and of the way back."""
_ONLY_IN_RULES = "a7"
"""A point that is lit while the rules are asked for, and dark before."""


def of_touches(touches: int, wakes: int) -> Figures:
    """Measure the milliseconds from the end of a touch, and from waking a board, to the light."""
    touched: list[Microseconds] = []
    stirred: list[Microseconds] = []
    woken: list[Microseconds] = []
    missed = _acted(Blueprint(), lambda play, clock: _touch(play, clock, touched, touches))
    sleeping = Blueprint(config=Config(rest=Rest(0, 1)))
    missed += _acted(sleeping, lambda play, clock: _wake(play, clock, woken, wakes, RestDepth.ASLEEP))
    missed += _acted(Blueprint(), lambda play, clock: _stir(play, clock, stirred, wakes))
    return {
        "touch_to_light": spread(touched, 1e-3),
        "first_touch_of_a_still_board_to_light": spread(stirred, 1e-3),
        "first_touch_of_a_sleeping_board_to_light": spread(woken, 1e-3),
        "missed_frames": missed,
    }


def _acted(blueprint: Blueprint, deeds: Callable[[SimulatedPlay, RealClock], Actions]) -> int:
    clock = RealClock()
    rules = rule_set()
    play = blueprint.build(clock, Game.begin(rules, rules.start(Player.WHITE)))
    loop = act(play, clock, _RATE_HZ, deeds(play, clock))
    play.close()
    return loop.missed


def _touch(play: SimulatedPlay, clock: RealClock, taken: list[Microseconds], touches: int) -> Actions:
    """Touch the point of the rules and the way back by turns, in a menu that stays open."""
    luck = Random(6)  # noqa: S311 - the same hands each time
    asks, index = play.controller.asks, play.electronics.layout[_ONLY_IN_RULES].index
    yield Wait(_SECOND)
    asks.open(clock.now())
    play.controller.refresh()
    yield Until(lambda: asks.asking is not None)
    kinds = {"piece": "white"}
    for number in range(touches):
        leads_on = number % 2 == 0
        yield Wait(luck.randint(250_000, 350_000))
        play.hands.do({"put": _OPENS if leads_on else _BACK, **kinds}, clock.now())
        kinds = {}
        yield Wait(luck.randint(80_000, 300_000))
        began = clock.now()
        play.hands.do({"lift": _OPENS if leads_on else _BACK}, began)
        answered = yield _lit(play, index) if leads_on else _dark(play, index)
        taken.append(answered - began)


def _lit(play: SimulatedPlay, index: int) -> Until:
    return Until(lambda: play.electronics.leds()[index] != DARK)


def _changed(play: SimulatedPlay, index: int) -> Until:
    before = play.electronics.leds()[index]
    return Until(lambda: play.electronics.leds()[index] != before)


def _dark(play: SimulatedPlay, index: int) -> Until:
    return Until(lambda: play.electronics.leds()[index] == DARK)


def _stir(play: SimulatedPlay, clock: RealClock, taken: list[Microseconds], wakes: int) -> Actions:
    """Do as `_wake` on a board that is still, which this one is sooner than others."""
    play.controller.rest.count_to(Rest(0, 0), still_after_s=1.0)
    return _wake(play, clock, taken, wakes, RestDepth.STILL)


def _wake(
    play: SimulatedPlay, clock: RealClock, taken: list[Microseconds], wakes: int, depth: RestDepth
) -> Actions:
    """Set a piece down on a board that rests at this depth, and take it off once it is awake."""
    luck, rest = Random(7), play.controller.rest  # noqa: S311 - the same hands each time
    index, kinds = play.electronics.layout["g1"].index, {"piece": "white"}
    for _ in range(wakes):
        yield Until(lambda: rest.depth is depth)
        yield Wait(_SECOND + luck.randint(0, depth.min_period))
        began = clock.now()
        play.hands.do({"put": "d6", **kinds}, began)
        kinds = {}
        taken.append((yield _changed(play, index)) - began)
        yield Wait(100_000)
        play.hands.do({"lift": "d6"}, clock.now())
