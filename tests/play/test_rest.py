"""The rest of a board: when it begins, how deep it is, and what ends it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from firmware_host.play.rest import RestDepth, RestTracker
from firmware_host.ports import SensorKind
from firmware_host.settings import Lights, Rest, Sensors
from hardware.doctor.light_checks import current_ma
from sim.assembly import Blueprint
from sim.world import SimulatedWorld

SECOND = 1_000_000
MINUTE = 60 * SECOND
DAY = 24 * 60 * MINUTE


class RestingBoard:
    """A simulated board, and what it reports, each with its time."""

    def __init__(self, **options: Any) -> None:
        self.told: list[tuple[int, Mapping[str, Any]]] = []
        self.world = SimulatedWorld(
            Blueprint(**options), lambda event: self.told.append((self.world.now, event))
        )
        self.world.begin()

    def do(self, command: Mapping[str, Any]) -> None:
        self.world.let_pass(self.world.do(command))

    def is_at(self, depth: RestDepth) -> bool:
        return self.world.play.controller.rest.depth is depth

    @property
    def cues(self) -> dict[str, list[str]]:
        found = self.world.play.controller.scene.cues
        return {point.name: sorted(map(str, cues)) for point, cues in found.items()}

    @property
    def leds_ma(self) -> float:
        return current_ma(self.world.play.electronics.spi.leds, Lights())

    def highest_ma(self, lasts: int) -> float:
        """Return the highest current of the LEDs while time passes."""
        highest = 0.0
        for _ in range(lasts // 40_000):
            self.world.let_pass(40_000)
            highest = max(highest, self.leds_ma)
        return highest

    def close(self) -> None:
        self.world.close()


@pytest.fixture
def evening() -> RestingBoard:
    evening = RestingBoard()
    for at, piece in (("d6", "white"), ("f4", "black")):
        evening.do({"put": at, "piece": piece})
        evening.world.let_pass(SECOND)
    return evening


def test_the_depth_follows_from_the_time_since_the_last_use() -> None:
    rest = RestTracker(Rest(180, 900))
    awake, asleep = ((0, "AWAKE"), (9, "AWAKE")), ((900, "ASLEEP"), (90_000, "ASLEEP"))
    for at, depth in (*awake, (10, "STILL"), (179, "STILL"), (180, "DIM"), (899, "DIM"), *asleep):
        rest.deepen(at * SECOND)
        assert rest.depth.name == depth
    assert rest.deepens_at is None
    rest.on_use(90_001 * SECOND)
    assert rest.depth == RestDepth.AWAKE
    assert rest.deepens_at == 90_011 * SECOND
    rest.deepen(90_011 * SECOND)
    assert rest.deepens_at == 90_181 * SECOND


def test_a_time_of_zero_is_never() -> None:
    rest = RestTracker(Rest(0, 0))
    rest.deepen(0)
    rest.deepen(DAY)
    assert rest.depth is RestDepth.STILL
    assert rest.deepens_at is None
    rest = RestTracker(Rest(0, 900))
    rest.deepen(0)
    rest.deepen(10 * SECOND)
    assert rest.deepens_at == 900 * SECOND


def test_lights_fade_and_then_one_point_breathes(evening: RestingBoard) -> None:
    awake_ma = evening.leds_ma
    evening.world.let_pass(177 * SECOND)
    assert len(evening.cues) > 2
    evening.world.let_pass(3 * SECOND)
    assert evening.cues == {"f4": ["resting"]}
    assert 30 < evening.leds_ma < awake_ma, "it fades"
    evening.world.let_pass(3 * SECOND)
    assert evening.highest_ma(10 * SECOND) < min(30, awake_ma / 4)
    assert evening.is_at(RestDepth.DIM)
    evening.world.let_pass(15 * MINUTE)
    assert evening.is_at(RestDepth.ASLEEP)
    assert evening.cues == {"f4": ["resting"]}
    assert 24 < evening.highest_ma(10 * SECOND) < 25
    evening.close()


def test_a_day_at_rest_changes_nothing_and_its_first_touch_counts(evening: RestingBoard) -> None:
    evening.world.let_pass(DAY)
    evening.told.clear()
    evening.do({"put": "b6", "piece": "white"})
    evening.world.let_pass(2 * SECOND)
    assert [event["event"] for _, event in evening.told] == ["step", "turn"]
    assert evening.is_at(RestDepth.AWAKE)
    assert len(evening.cues) > 2
    evening.close()


SENSORS: Mapping[str, tuple[SensorKind, Sensors]] = {
    "mux": (SensorKind.PRESENCE, Sensors()),
    "polarity": (SensorKind.POLARITY, Sensors(alphabet="polarity", signal=(23, 24, 25, 5, 6, 16))),
    "direct": (SensorKind.PRESENCE, Sensors(kind="direct", signal=tuple(range(4, 28)))),
    "matrix": (SensorKind.PRESENCE, Sensors(kind="matrix")),
    "mcp23017": (SensorKind.PRESENCE, Sensors(kind="mcp23017")),
    "mcp3008": (SensorKind.POLARITY, Sensors(kind="mcp3008", alphabet="polarity")),
    "serial": (SensorKind.PRESENCE, Sensors(kind="serial")),
}


WITHIN = {RestDepth.STILL: (11 * SECOND, 35_000), RestDepth.ASLEEP: (16 * MINUTE, 60_000)}
"""The time without a change until a board has this depth, and the time within which it answers a touch."""


@pytest.mark.parametrize("depth", WITHIN)
@pytest.mark.parametrize("kind", SENSORS)
def test_first_touch_of_a_resting_board_is_lit_in_time(kind: str, depth: RestDepth) -> None:
    alphabet, sensors = SENSORS[kind]
    evening = RestingBoard(alphabet=alphabet, sensors=sensors)
    world = evening.world
    rests, within = WITHIN[depth]
    for delay in (1, 17_000, 33_000, 49_000):
        world.let_pass(rests + delay)
        assert evening.is_at(depth)
        writes = world.play.electronics.spi.writes
        evening.do({"put": "d6", "piece": "white"})
        world.let_pass(within)
        assert evening.is_at(RestDepth.AWAKE)
        assert world.play.electronics.spi.writes > writes
        evening.do({"lift": "d6"})
        evening.do({"box": True})
        world.let_pass(10 * SECOND)
    evening.close()


def test_a_short_touch_of_a_sleeping_board_counts_as_one() -> None:
    evening = RestingBoard()
    for delay in range(0, 50_000, 7_000):
        evening.world.let_pass(16 * MINUTE + delay)
        evening.told.clear()
        for _ in range(3):
            evening.do({"put": "d6", "piece": "white"})
            evening.world.let_pass(150_000)
            evening.do({"lift": "d6"})
            evening.world.let_pass(150_000)
        evening.world.let_pass(SECOND)
        assert "ask" in [event["event"] for _, event in evening.told], delay
        evening.do({"do": "ask"})
        evening.world.let_pass(5 * SECOND)
    evening.close()


SIX = (("a1", "white"), ("a4", "black"), ("d1", "white"), ("d2", "black"), ("b4", "white"), ("g7", "black"))


def resting_with_six_pieces(rests: int) -> RestingBoard:
    evening = RestingBoard()
    for at, piece in SIX:
        evening.do({"put": at, "piece": piece})
        evening.world.let_pass(SECOND)
    evening.world.let_pass(rests)
    evening.told.clear()
    return evening


@pytest.mark.parametrize(("rests", "apart"), [(0, 5000), (11 * SECOND, 4000), (16 * MINUTE, 12_000)])
def test_pieces_swept_off_a_resting_board_are_not_an_outage(rests: int, apart: int) -> None:
    evening = resting_with_six_pieces(rests)
    for at, _ in SIX[:4]:
        evening.do({"lift": at})
        evening.do({"box": True})
        evening.world.let_pass(apart)
    evening.world.let_pass(5 * SECOND)
    assert [event["event"] for _, event in evening.told] == ["mismatch"]
    evening.close()


@pytest.mark.parametrize("rests", [0, 11 * SECOND, 16 * MINUTE])
def test_all_sensors_of_a_resting_board_that_fail_are_an_outage(rests: int) -> None:
    evening = resting_with_six_pieces(rests)
    for chip in range(3):
        evening.do({"fault": {"mux": chip, "kind": "dead"}})
    evening.world.let_pass(5 * SECOND)
    assert [event["event"] for _, event in evening.told] == ["fault"]
    evening.close()


def test_the_button_and_requests_wake_the_board(evening: RestingBoard) -> None:
    for command in ({"press": "button", "seconds": 3}, {"do": "set", "hints": True}):
        evening.world.let_pass(20 * MINUTE)
        assert evening.is_at(RestDepth.ASLEEP)
        evening.do(command)
        assert evening.is_at(RestDepth.AWAKE)
    evening.close()


@pytest.mark.ci("games")
def test_a_masked_sensor_that_chatters_keeps_nobody_awake(evening: RestingBoard) -> None:
    evening.do({"do": "mask", "point": "a1"})
    evening.world.let_pass(14 * MINUTE)
    evening.do({"fault": {"point": "a1", "kind": "chatter"}})
    evening.world.let_pass(2 * MINUTE)
    assert evening.is_at(RestDepth.ASLEEP)
    evening.close()


def test_an_error_stays_lit_until_the_board_sleeps(evening: RestingBoard) -> None:
    evening.do({"lift": "d6"})
    evening.do({"box": True})
    evening.world.let_pass(10 * MINUTE)
    assert evening.cues == {"d6": ["missing"]}
    evening.world.let_pass(6 * MINUTE)
    assert evening.cues == {"f4": ["resting"]}
    evening.close()


@pytest.mark.ci("games")
def test_frames_that_are_skipped_change_nothing() -> None:
    shown = []
    for skip in (True, False):
        world = SimulatedWorld(Blueprint(seed=3), lambda _: None, skip=skip)
        world.begin()
        world.do({"put": "d6", "piece": "white"})
        world.let_pass(901 * SECOND)
        shown.append(world.play.electronics.spi.leds)
        world.close()
    assert shown[0] == shown[1]
