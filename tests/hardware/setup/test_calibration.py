"""Set-up of sensors that tell kinds of pieces apart: the reading of each sensor under each kind."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.config.loader import Config, load
from firmware_host.games.layout import SQUARES
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import to_english
from firmware_host.ports import SensorKind
from firmware_host.tracking.sensor_model import reading_of
from hardware.sensors.decode import DEFAULT_STACK_LEVELS
from hardware.sensors.stack_decode import known_stacks, stack_field
from hardware.setup.calibration import fits_kind, levels_of_kinds, odd_places, place_to_measure
from hardware.setup.progress import Seat, SetupFindings
from sim.electronics.hall import measured
from sim.table.table import Make
from tests.support.examples import few
from tests.support.hardware.maker import Truth, Workbench

pytestmark = pytest.mark.ci("devices")

NAMES = [point.name for point in SQUARES.points]
BOX = rule_set("mitsudomoe").box
KINDS = {str(piece): (count, Make(piece.magnet, piece.flat)) for piece, count in BOX.items()}
EVERY_FRAME = (5000,) * 100
"""Half a second frame by frame, as a board reads its sensors: levels are averages."""

BOARD = """[play]
rules = "mitsudomoe"
[strip]
leds = 25
[sensors]
kind = "mcp3008"
alphabet = "pieces"
select = [17, 27, 22, 23]
inputs = [0, 1]
"""


def evening_of(seed: int, path: Path) -> Workbench:
    path.write_text(BOARD)
    random, config = Random(seed), load(path)
    truth = Truth.drawn(random, config.sensors, layout=SQUARES)
    return Workbench(truth, path, random, config=config, kinds=KINDS, steps_us=EVERY_FRAME)


def check(evening: Workbench) -> None:
    """Check that the written configuration lets the program recognise kinds and stacks on every square."""
    config = load(evening.path)
    assert config.strip.order == evening.truth.strip.order
    assert config.strip.points == evening.truth.lights
    assert config.sensors.points == evening.truth.sensors.points
    evening.run.close()
    for name in evening.standing():
        evening.lift(name)
    by_name = {str(piece): piece for piece in BOX}
    with evening.board.open_sensors(config.sensors) as sensors:
        for built in (
            ["white-ring"],
            ["black-ball"],
            ["black-ring", "white-ring"],
            ["white-ring", "black-ring", "black-ball"],
        ):
            for name in NAMES:
                for kind in built:
                    evening.put(name, kind)
                    evening.clock.sleep(0.1)
                    frame = sensors.read()
                wanted = reading_of(tuple(by_name[kind] for kind in built), SensorKind.PIECES)
                assert frame == tuple(wanted * (n == name) for n in NAMES), (name, built)
                for _ in built:
                    evening.lift(name)
                    evening.clock.sleep(0.1)
                    sensors.read()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "millwright.toml"


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2, 3))])
def test_whatever_the_wires_a_ring_on_each_square_and_one_piece_of_each_kind_do(
    path: Path, seed: int
) -> None:
    evening = evening_of(seed, path)
    evening.finish()
    assert evening.placements == len(NAMES) + len(KINDS)
    check(evening)


def test_a_set_up_that_is_interrupted_goes_on_measuring(path: Path) -> None:
    evening, asked = evening_of(5, path), set()
    for _ in range(400):
        if evening.run.over:
            break
        key = evening.run.prompt.sentence.key
        if evening.run.prompt.stage == "measure" and key not in asked:
            asked.add(key)
            evening.interrupt()
        evening.obey()
    assert len(asked) == len(KINDS) + 1
    assert evening.run.over
    check(evening)


def measuring(path: Path) -> Workbench:
    """Return a set-up that asks for the first kind of piece."""
    evening = evening_of(1, path)
    while evening.run.prompt.stage != "measure":
        evening.obey()
    return evening


def tried(evening: Workbench, kind: str) -> str:
    """Set a piece of `kind` down alone where kinds are measured; return the next kind that is asked for."""
    point = evening.run.prompt.point
    assert point is not None
    if evening.stands(point):
        evening.lift(point)
        evening.pass_time()
    evening.put(point, kind)
    evening.pass_time()
    return evening.run.prompt.sentence.key.rpartition(".")[2]


def test_another_kind_than_the_one_that_is_asked_for_is_not_taken(path: Path) -> None:
    evening = measuring(path)
    assert tried(evening, "white-ball") == "white-ring"
    assert "unlike" in evening.run.prompt.notes[0].key
    assert tried(evening, "white-ring") == "black-ring"
    assert evening.run.prompt.notes == ()
    assert tried(evening, "white-ring") == "black-ring"
    assert tried(evening, "black-ring") == "white-ball"
    assert tried(evening, "black-ball") == "white-ball"
    assert tried(evening, "white-ring") == "white-ball"
    assert tried(evening, "white-ball") == "black-ball"


def test_a_kind_that_cannot_be_read_is_taken_to_be_as_strong_as_usual_and_told(path: Path) -> None:
    evening = measuring(path)
    for kind in ("white-ring", "black-ring"):
        tried(evening, kind)
    evening.say("l")
    evening.say("l")
    while evening.run.prompt.stage in ("button", "buzzer"):
        evening.obey()
    assert evening.run.prompt.stage == "review"
    assert any("typical" in to_english(note) for note in evening.run.prompt.notes)
    evening.finish()
    check(evening)


def test_back_takes_the_last_kind_back(path: Path) -> None:
    evening = measuring(path)
    assert tried(evening, "white-ring") == "black-ring"
    evening.say("b")
    assert evening.run.prompt.sentence.key == "setup.measure.white-ring"
    evening.pass_time()
    assert evening.run.prompt.sentence.key == "setup.measure.white-ring"


def found_on(
    seed: int, *, strengths: tuple[float, ...] = (1, 1, 1, 1), odd: int | None = None
) -> SetupFindings:
    """Return the findings on a board whose sensors differ by `seed`; `strengths` are those of its magnets."""
    truth = [*measured(seed, SQUARES, SensorKind.PIECES).values()]
    levels = [
        (rest, *(rest + (one - rest) * s for one, s in zip(under, strengths, strict=True)))
        for rest, *under in truth
    ]
    seats = tuple(
        Seat((n,), point=name, levels=(round(levels[n][3 if n == odd else 1 + n % 2]), None))
        for n, name in enumerate(NAMES)
    )
    found = SetupFindings(seats=seats, rests=tuple(rest for rest, *_ in levels))
    scale = place_to_measure(found)
    assert scale is not None
    return replace(found, scale=scale, kinds=tuple(round(level) for level in levels[scale][1:]))


@few(10)
@given(
    seed=st.integers(0, 1000),
    rings=st.floats(0.7, 1.1),
    balls=st.floats(0.9, 1.1),
    turned=st.booleans(),
)
def test_what_is_worked_out_is_what_the_sensors_read(
    seed: int, rings: float, balls: float, turned: bool
) -> None:
    pole = -1 if turned else 1
    strengths = tuple(pole * one for one in (rings, rings * 0.95, balls, balls * 1.05))
    found = found_on(seed, strengths=strengths)
    seats = {seat.point: seat for seat in found.seats if seat.point}
    rests = dict(zip(NAMES, found.rests or (), strict=True))
    worked_out = levels_of_kinds(found, seats, rests)
    for name, (rest, *under) in measured(seed, SQUARES, SensorKind.PIECES).items():
        real = [rest + (one - rest) * s for one, s in zip(under, strengths, strict=True)]
        for kind, (one, other) in enumerate(zip(worked_out[name][1:], real, strict=True)):
            assert abs(one - other) <= 4, (name, kind)
    assert all(fits_kind(replace(found, kinds=found.kinds[:n]), found.kinds[n] or 0) for n in range(4))


def test_a_ball_among_the_rings_is_told() -> None:
    assert odd_places(found_on(3)) == ()
    assert odd_places(found_on(3, odd=7)) == (NAMES[7],)


def test_where_nothing_was_felt_there_is_no_place_to_measure() -> None:
    assert place_to_measure(SetupFindings()) is None
    levels = levels_of_kinds(SetupFindings(rests=(500,)), {"a1": Seat((None,), point="a1")}, {"a1": 500})
    assert levels == {
        "a1": (500, *(500 + level - DEFAULT_STACK_LEVELS[0] for level in DEFAULT_STACK_LEVELS[1:]))
    }


def test_usual_magnets_leave_room_between_any_two_stacks_that_are_told() -> None:
    fields = [0, *(level - DEFAULT_STACK_LEVELS[0] for level in DEFAULT_STACK_LEVELS[1:])]
    levels = sorted({stack_field(stack[-3:], fields) for stack in known_stacks()})
    assert min(above - below for below, above in pairwise(levels)) > 8


def test_a_configuration_without_such_sensors_asks_for_no_kinds(tmp_path: Path) -> None:
    evening = Workbench(Truth.drawn(Random(1), Config().sensors), tmp_path / "m.toml", Random(1))
    evening.finish()
    assert not any("measure" in key for key in evening.answers)
    assert evening.placements == 24
