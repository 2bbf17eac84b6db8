"""Set-up, done by a simulated maker on boards wired in any order: the program, its drivers, its files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from firmware_host.config import found
from firmware_host.config.loader import Config, load
from firmware_host.config.wiring_map import led_positions
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import to_english
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.ports import DARK, Frame
from firmware_host.settings import COLOUR_ORDERS, NO_LINE, Controls, Sensors, Sound
from tests.support.hardware.maker import NAMES, Truth, Workbench
from tests.support.hardware.service_folder import service_folder
from tests.support.matrix import CI, sampled

SETS = [(9, 9), (12, 12), (9, 9), (5, 4), (3, 0)]
"""White and black pieces that a maker may have."""

POLARITY = '[sensors]\nalphabet = "polarity"\nsignal = [23, 24, 25, 5, 6, 16]\n'


def check(evening: Workbench) -> None:
    """Check that with the written configuration the program senses every piece and lights every LED."""
    config = load(evening.path)
    assert config.strip.order == evening.truth.strip.order
    assert dict(zip(NAMES, led_positions(config.strip, MORRIS), strict=True)) == evening.truth.lights
    evening.run.close()
    for name in evening.standing():
        evening.lift(name)
    evening.table.stock({"white": 1, "black": 1})
    for kind, reading in (("white", 1), ("black", 2 if config.sensors.alphabet == "polarity" else 1)):
        frames = felt(evening, config, kind)
        assert [[n for n, felt in enumerate(frame) if felt] for frame in frames] == [[n] for n in range(24)]
        assert {max(frame) for frame in frames} == {reading}
    assert lit(evening, config) == NAMES


def felt(evening: Workbench, config: Config, kind: str) -> list[Frame]:
    """Return the frames read with a piece on one point after the other."""
    frames, clock = [], evening.clock
    with evening.board.open_sensors(config.sensors) as sensors:
        clock.sleep(0.1)
        assert not any(sensors.read())
        for name in NAMES:
            evening.put(name, kind)
            clock.sleep(0.1)
            frames.append(sensors.read())
            evening.lift(name)
            clock.sleep(0.1)
            sensors.read()
    return frames


def lit(evening: Workbench, config: Config) -> list[str]:
    """Return the points that shine alone when the program's driver lights one after the other in red."""
    right, shows = [], evening.board.spi
    strip = evening.board.open_leds(config.strip)
    for name, leds in config.strip.points.items() or zip(
        NAMES, led_positions(config.strip, MORRIS), strict=True
    ):
        strip.show(tuple((90, 0, 0) if led in leds else DARK for led in range(config.strip.leds)))
        shining = tuple(led for led, colour in enumerate(shows.leds) if colour == (90, 0, 0))
        if shining == evening.truth.lights[name]:
            right.append(name)
    strip.close()
    return right


def evening_of(
    seed: int, path: Path, text: str = "", pieces: tuple[int, int] = (9, 9), **truth: int
) -> Workbench:
    random = Random(seed)
    config = Config()
    if text:
        path.write_text(text)
        config = load(path)
    return Workbench(Truth.drawn(random, config.sensors, **truth), path, random, pieces, config)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "millwright.toml"


@pytest.mark.parametrize("seed", sampled(range(30), 5))
def test_whatever_the_wires_and_the_pieces_24_placements_do(path, seed):
    evening = evening_of(seed, path, pieces=SETS[seed % 5])
    evening.finish()
    assert evening.placements == 24
    check(evening)
    assert [file.name for file in path.parent.iterdir()] == ["millwright.toml"]


def test_a_board_set_up_by_its_page_plays_with_what_was_found(tmp_path, monkeypatch):
    etc, environ = service_folder(tmp_path, monkeypatch)
    files, random = SetupFiles.of_board(None, environ), Random(3)
    config = files.config()
    evening = Workbench(Truth.drawn(random, config.sensors), files.path, random, config=config, files=files)
    evening.finish()
    settings = found.configured(None, environ)
    assert settings.strip.order == evening.truth.strip.order
    assert lit(evening, settings) == NAMES
    assert settings.lights.brightness == 0.3
    assert etc.read_text().startswith("# mine")


@pytest.mark.long
def test_a_thousand_wirings_are_found(tmp_path):
    for seed in range(100, 1100):
        path = tmp_path / str(seed) / "millwright.toml"
        evening = evening_of(seed, path, pieces=SETS[seed % 5])
        evening.finish()
        assert evening.placements == 24, seed
        check(evening)


@pytest.mark.parametrize("seed", sampled(range(2), others=CI))
def test_two_contacts_a_point_take_48_placements(path, seed):
    evening = evening_of(seed, path, POLARITY)
    evening.finish()
    assert evening.placements == 48
    check(evening)


@pytest.mark.parametrize(
    "sensors",
    sampled(
        [
            "select = [17, 27, 22, 4]\nsignal = [23, 24]",
            "signal = [23]\nenable = [5, 6, 16]",
            f'kind = "direct"\nsignal = {[*range(2, 21), *range(22, 27)]}\n'
            '[strip]\nbackend = "pwm"\ngpio = 21',
            'kind = "matrix"',
            'kind = "mcp23017"',
            'kind = "mcp3008"',
            'kind = "mcp3008"\nalphabet = "polarity"',
            'kind = "serial"',
        ],
        2,
        others=CI,
    ),
    ids=[
        "two of 16",
        "enabled",
        "direct",
        "matrix",
        "expanders",
        "linear",
        "linear with colours",
        "a microcontroller",
    ],
)
def test_whatever_reads_them_the_wires_are_found(path, sensors):
    evening = evening_of(1, path, f"[sensors]\n{sensors}\n")
    evening.finish()
    assert evening.placements == 24
    check(evening)


@pytest.mark.parametrize("leds", sampled([24, 48], others=CI))
def test_points_with_two_leds_are_found_however_many_are_configured(path, leds):
    evening = evening_of(2, path, f"[strip]\nleds = {leds}\n", per_point=2)
    evening.finish()
    assert evening.placements == 24
    check(evening)


@pytest.mark.parametrize("seed", sampled([3, 4], others=CI))
def test_leds_that_shine_for_no_point_are_left_out(path, seed):
    evening = evening_of(seed, path, "[strip]\nleds = 30\n", spare=6)
    evening.finish()
    assert evening.placements == 24
    check(evening)


@pytest.mark.parametrize("every", sampled([1, 7], others=CI))
def test_a_set_up_that_is_interrupted_finds_the_same(path, every):
    evening = evening_of(4, path)
    for number in range(400):
        if evening.run.over:
            break
        if number % every == 0 and evening.run.prompt.stage != "colour":  # its looks begin again
            evening.interrupt()
            if evening.run.prompt.stage == "resume":
                evening.obey()
        evening.obey()
    assert evening.placements == 24
    check(evening)


@pytest.mark.ci("devices")
@pytest.mark.parametrize("seed", sampled(range(10), 5))
def test_hands_that_blunder_and_mend_it_find_the_same(path, seed):
    evening = evening_of(seed, path, POLARITY if seed % 5 == 4 else "", pieces=SETS[seed % 4])
    blunders = []
    for _ in range(600):
        if evening.run.over:
            break
        if evening.random.random() < 0.2 and evening.run.prompt.stage == "find":
            blunders.append(evening.blunder())
        else:
            evening.obey()
    assert evening.run.over, (blunders, evening.run.prompt)
    check(evening)


@pytest.mark.parametrize("kind", sampled(["stuck-on", "stuck-off", "chatter"], others=CI))
def test_a_sensor_that_fails_is_told_and_found_by_what_is_left(path, kind):
    evening = evening_of(5, path)
    evening.board.inject({"point": "d6", "kind": kind})
    for _ in range(400):
        if evening.run.prompt.stage == "review":
            break
        evening.obey()
    prompt = evening.run.prompt
    assert prompt.stage == "review", (prompt, evening.answers)
    assert any("d6" in to_english(note) for note in prompt.notes), prompt.notes
    evening.finish()
    evening.board.repair()
    evening.pass_time()
    check(evening)


def test_hands_that_do_all_they_are_told_need_hardly_any_answers(path):
    evening = evening_of(1, path, pieces=(12, 12))
    evening.finish()
    *colours, button, buzzer, save = evening.answers
    assert (button, buzzer, save) == ("", "", "")
    assert len(colours) == 2 if len(evening.truth.strip.order) == 3 else len(colours) == 4


@pytest.mark.parametrize("order", sampled(COLOUR_ORDERS, 7, others=CI))
def test_set_up_finds_any_order_of_colours(path, order):
    random = Random(9)
    drawn = Truth.drawn(random, Sensors())
    evening = Workbench(replace(drawn, strip=replace(drawn.strip, order=order)), path, random)
    while evening.run.prompt.stage != "find":
        evening.obey()
    assert evening.run.setup.result().strip.order == order
    evening.finish()
    check(evening)


@pytest.mark.parametrize(("button", "buzzer"), sampled([(26, NO_LINE), (NO_LINE, 12), (26, 12)], others=CI))
def test_button_and_buzzer_are_found(path, button, buzzer):
    random = Random(8)
    wired = Truth.drawn(random, Sensors())
    truth = replace(wired, controls=Controls(button=button), sound=Sound(buzzer=buzzer))
    evening = Workbench(truth, path, random)
    evening.finish()
    check(evening)
    config = load(path)
    assert (config.controls.button, config.sound.buzzer) == (button, buzzer)
    assert not evening.board.buzzer.is_on


def test_the_old_configuration_is_kept_and_its_comments_stay(path):
    lights = "".join(f"{name} = {23 - n}\n" for n, name in enumerate(NAMES))
    old = f"# my board\n[lights]\nbudget_ma = 700 # a good supply\n\n[strip.points]\n{lights}"
    evening = evening_of(6, path, old)
    evening.finish()
    check(evening)
    assert path.with_name("millwright.toml.before-setup-2026-11-21").read_text() == old
    assert path.read_text().startswith("# my board\n[lights]\nbudget_ma = 700 # a good supply\n")
    assert load(path).lights.budget_ma == 700


def test_another_wiring_makes_nothing_of_what_was_found(path):
    evening = evening_of(7, path)
    for _ in range(10):
        evening.obey()
    evening.config = Config(sensors=Sensors(signal=(23, 24, 25, 5)))
    evening.interrupt()
    assert evening.run.prompt.stage == "colour"
    assert "sensors.signal" in to_english(evening.run.prompt.notes[0])
