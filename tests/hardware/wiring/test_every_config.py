"""Tests that every accepted configuration is drawn, printed and listed alike."""

import re
from collections import Counter
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

from firmware_host.cli import main
from firmware_host.config.loader import Config, load
from firmware_host.config.writer import settings_listing
from tests.support.examples import costly
from tests.support.hardware.plans import KINDS, plans
from tests.support.matrix import CI, sampled

PIN_OF_GPIO = [27, 28, 3, 5, 7, 29, 31, 26, 24, 21, 19, 23, 32, 33, 8, 10, 36, 11, 12, 35, 38, 40, 15, 16, 18]
PIN_OF_GPIO += [22, 37, 13]


def shown(*arguments: str) -> str:
    result = CliRunner().invoke(main, ["wiring", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


@pytest.mark.parametrize("kind", sampled(KINDS, others=CI))
@costly(8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_whatever_a_configuration_may_say_each_of_its_wires_is_told_once(tmp_path, kind, data):
    plan = data.draw(plans(kinds=(kind,)))
    file = tmp_path / "millwright.toml"
    file.write_text(
        settings_listing(Config(sensors=plan.sensors, strip=plan.strip, lights=plan.lights)), "utf-8"
    )
    assert CliRunner().invoke(main, ["config", "check", "--config", str(file)]).exit_code == 0
    config = load(file)
    assert (config.sensors, config.strip) == (plan.sensors, plan.strip)
    text, svg, parts = (shown(way, *more, "--config", str(file)) for way, more in WAYS)
    assert ElementTree.fromstring(svg).tag.endswith("svg")  # noqa: S314 - it was drawn here
    assert parts.startswith("Parts\n")
    rows = header_rows(text)
    assert Counter(pin for pin, _ in rows) == Counter({pin for pin, _ in rows})
    signals = {PIN_OF_GPIO[gpio] for gpio in lines_named(config)}
    assert signals <= {pin for pin, _ in rows}
    told = re.findall(r"(?:reed|hall switch|linear sensor) of (\w+(?: white| black)?)$", text, re.MULTILINE)
    assert len(told) == len(set(told))
    assert {name.split()[0] for name in told} == set(config.sensors.points or plan.layout.by_name)
    contacts = sum(map(len, config.sensors.points.values())) or len(plan.contacts)
    assert len(told) == contacts


WAYS = (("--text", ()), ("--svg", ("-",)), ("--parts", ()))


def header_rows(text: str) -> list[tuple[int, str]]:
    """The rows of the header's table: pin, and what it is for."""
    table = text.partition("\n\n")[0].splitlines()[2:]
    return [(int(row.split()[0]), row) for row in table]


def lines_named(config: Config) -> set[int]:
    """The lines that the configuration has for sensors and strip, by what settings say of them."""
    sensors, strip = config.sensors, config.strip
    named: set[int] = set()
    match sensors.kind:
        case "mux":
            named |= {*sensors.select, *sensors.signal, *sensors.enable}
        case "matrix":
            named |= {*sensors.rows, *sensors.columns}
        case "direct":
            named |= {wire[0] for wires in sensors.points.values() for wire in wires} or set(sensors.signal)
        case "mcp23017" if sensors.i2c == "/dev/i2c-1":
            named |= {2, 3}
        case "mcp3008":
            named |= {*sensors.select, 19, 20, 21, {"0": 18, "1": 17}[sensors.adc[-1]]}
    if strip.backend in ("pio", "pwm"):
        named.add(strip.gpio)
    elif strip.backend == "spi" or (strip.backend == "auto" and sensors.kind != "serial"):
        named.add(10)
    return named
