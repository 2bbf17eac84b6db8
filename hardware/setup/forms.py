"""The hardware forms among which a set-up lets people choose: what reads the sensors of their board.

Invariants: the forms are those that the guide draws, of which the recommended one is first. Only forms that
the checker of configurations accepts are offered, with the board's other settings as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from firmware_host.config.compatibility import simplest_sensors
from firmware_host.config.loader import Config, combined_faults
from firmware_host.config.wiring_map import led_positions
from firmware_host.errors import ConfigError
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.ports import SensorKind
from firmware_host.settings import Sensors
from hardware.setup.prompts import Part
from hardware.wiring.circuit import build_circuit
from hardware.wiring.plan import FORMS, BoardPlan


@frozen
class HardwareForm:
    """A form: its name, the settings of the board in this form, and the parts from a sensor to the Pi."""

    name: Message
    config: Config
    parts: tuple[Part, ...]


def is_form_written(config: Config) -> bool:
    """Return whether somebody has said what reads the sensors, even if it is the default."""
    tuned = ("sensors.settling_us", "sensors.pull_up")
    return any(key.startswith("sensors.") and key not in tuned for key in config.origins)


def offered_forms(config: Config, recognised: Sequence[Sensors] = ()) -> tuple[HardwareForm, ...]:
    """Return the forms for a board with these settings, the likeliest one first.

    That is one that was `recognised`, the configured one, or the recommended one.
    """
    rules = rule_set(config.play.rules, config.play.switches)
    recommended, *others = drawn = list(_drawn(rules.layout, simplest_sensors(rules)))
    # A converter says that it is there, and not for which points.
    converter = next((sensors for sensors in drawn if sensors.kind == "mcp3008"), None)
    likely = [
        *(
            ("found", converter if converter and sensors.kind == "mcp3008" else sensors)
            for sensors in recognised
        ),
        *([("configured", config.sensors)] if is_form_written(config) else []),
        ("recommended", recommended),
    ]
    forms: list[HardwareForm] = []
    for mark, sensors in (*likely, *(("", sensors) for sensors in others)):
        own = config if mark == "configured" else in_form(config, sensors)
        if not combined_faults(own) and not any(is_same_form(own, one.config) for one in forms):
            forms.append(HardwareForm(_name(own.sensors, mark), own, _parts(rules.layout, own)))
    return tuple(forms)


def is_same_form(one: Config, other: Config) -> bool:
    """Return whether the sensors are read in the same way, wherever their wires lead."""
    first, second = (replace(config.sensors, points={}, levels={}) for config in (one, other))
    return first == second


def in_form(config: Config, sensors: Sensors) -> Config:
    """Return the settings with these sensors, as far as no set-up has to find them or people tuned them."""
    tuned = config.sensors
    return replace(
        config, sensors=replace(sensors, settling_us=tuned.settling_us, pull_up=tuned.pull_up, levels={})
    )


def _drawn(layout: Layout, simplest: SensorKind) -> Iterator[Sensors]:
    """Yield the drawn forms in which a board with such points can be played."""
    for form in FORMS.values():
        if (form.alphabet == "pieces") is (simplest is SensorKind.PIECES):
            yield BoardPlan.of_form(layout, form).sensors


def _name(sensors: Sensors, mark: str) -> Message:
    name = Message(f"setup.form.{sensors.kind}")
    if sensors.alphabet == "polarity":
        name = Message("setup.form.polarity", {"form": name})
    return Message(f"setup.form.{mark}", {"form": name}) if mark else name


def _parts(layout: Layout, config: Config) -> tuple[Part, ...]:
    """Return how many of each part lie between the board's points and the Pi; none if that isn't drawn."""
    plan = BoardPlan(layout, config.sensors, led_positions(config.strip, layout), config.strip)
    try:
        circuit = build_circuit(plan)
    except ConfigError:
        return ()
    parts = [(len(plan.contacts), plan.sensor.name.lower())]
    if circuit.crossings:
        parts.append((len(circuit.crossings), "1N4148"))
    chips = Counter(chip.package.name for chip in circuit.chips)
    parts += [(count, name) for name, count in chips.items()]
    return (*parts, *([(1, circuit.front.package.name)] if circuit.front else []))
