"""The input of a board's wiring, and the recommended wiring if nothing is configured.

Invariants: a plan holds the settings of a configuration, for any layout. A recommended plan passes the same
checks as a configuration.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from typing import Any

from firmware_host.config.controller import controller_faults
from firmware_host.config.gpio import gpio_conflicts, gpio_uses, strip_backend
from firmware_host.config.wiring_map import sensor_faults, strip_faults
from firmware_host.errors import ConfigError
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from firmware_host.i18n import to_english
from firmware_host.ports import WHITE_PIECE, Contact, SensorKind
from firmware_host.settings import NO_LINE, Controls, Gpio, Lights, Sensors, Sound, Strip
from hardware.scanner import Wire
from hardware.wiring.contacts import contacts_of, recommended
from hardware.wiring.netlist import SensorType

SPI_DATA_GPIO = 10
"""MOSI of the Pi's first SPI bus."""

_SIGNALS = (23, 24, 25, 5, 6, 16, 26, 20)
_SPARE_COLUMNS = (26, 13)
"""Lines for more columns than the default has, for a board with more points."""

FORMS: Mapping[str, Sensors] = {
    "presence": Sensors(),
    "polarity": Sensors(alphabet="polarity"),
    "wide": Sensors(select=(17, 27, 22, 4)),
    "matrix": Sensors(kind="matrix"),
    "expanders": Sensors(kind="mcp23017"),
    "linear": Sensors(kind="mcp3008", alphabet="polarity"),
    "squares": Sensors(kind="mcp3008", alphabet="pieces", select=(17, 27, 22, 23)),
    "nano": Sensors(kind="serial"),
}
"""The hardware forms that the guide draws, the recommended one first; `of_form` gives them their chips."""

PICO_KINDS = ("direct", "matrix", "mux", "linear")
PICO_CONTACTS = 24

_ANY = (*(gpio for gpio in range(4, 28) if gpio != Strip().gpio), 2, 3)


@frozen(slots=False)
class BoardPlan:
    """Everything that the wiring of a board follows from.

    `places` has the LEDs of each point; the map of points in `strip` is ignored. `pieces` is the number of
    pieces beside the board before a game.
    """

    layout: Layout
    sensors: Sensors
    places: tuple[tuple[int, ...], ...]
    strip: Strip = field(default_factory=Strip)
    lights: Lights = field(default_factory=Lights)
    pieces: int = 18
    pico: str = ""
    """The way in which a Raspberry Pi Pico reads the sensors, one of `PICO_KINDS`; empty without a Pico."""
    controls: Controls = field(default_factory=Controls)
    sound: Sound = field(default_factory=Sound)
    """The parts beside the points, on lines of the Pi."""

    @classmethod
    def with_pico(
        cls,
        layout: Layout,
        kind: str,
        alphabet: str = "presence",
        lights: Lights | None = None,
        pieces: int = 18,
    ) -> BoardPlan:
        """Return the recommended wiring of a Pico that reads sensors in this way; raises ConfigError."""
        if len(layout) != PICO_CONTACTS:
            raise ConfigError(f"a Pico's wirings are for {PICO_CONTACTS} points, not {len(layout)}")
        if alphabet == "pieces" or (alphabet == "polarity" and kind not in ("mux", "linear")):
            raise ConfigError(f"a Pico with {kind} doesn't tell {alphabet}; mux and linear tell polarity")
        # A linear sensor tells both colours by itself, so that there is one a point, as with presence.
        sensors = Sensors(kind="serial", alphabet="presence" if kind == "linear" else alphabet)
        places = tuple((point.index,) for point in layout.points)
        return cls(layout, sensors, places, Strip(leds=len(layout)), lights or Lights(), pieces, kind)

    @classmethod
    def recommended(
        cls,
        layout: Layout,
        alphabet: str = "presence",
        kind: str = "mux",
        lights: Lights | None = None,
        pieces: int = 18,
    ) -> BoardPlan:
        """Return the wiring for a board of which nothing else is known, with LEDs in the points' order.

        Raises ConfigError if there is none of this kind.
        """
        form = Sensors(kind=kind, alphabet=alphabet)
        if alphabet == "pieces":
            form = replace(form, select=recommended(layout, SensorKind.PIECES).select)
        return cls.of_form(layout, form, lights, pieces)

    @classmethod
    def of_form(
        cls, layout: Layout, form: Sensors, lights: Lights | None = None, pieces: int = 18
    ) -> BoardPlan:
        """Return the wiring of a form with as many chips as it needs for `layout`, as `recommended` does."""
        places = tuple((point.index,) for point in layout.points)
        strip = Strip(leds=len(layout), backend="pwm" if form.kind == "direct" else "auto")
        for sensors in _growing(form, len(layout)):
            plan = cls(layout, sensors, places, strip, lights or Lights(), pieces)
            if not list(plan.faults()):
                return plan
        raise ConfigError("\n".join(plan.faults()))

    def faults(self) -> Iterator[str]:
        """Yield the reasons why this cannot be wired."""
        yield from (what for _, what in sensor_faults(self.sensors, self.layout))
        yield from (what for _, what in strip_faults(self.strip, self.layout))
        yield from (
            what for _, what in controller_faults(self.sensors, self.strip, self.controls, self.sound)
        )
        yield from (
            to_english(what)
            for _, what in gpio_conflicts(
                gpio_uses(self.sensors, self.strip, controls=self.controls, sound=self.sound)
            )
        )

    @property
    def contacts(self) -> Mapping[Contact, Wire]:
        """The wire of each contact."""
        return contacts_of(self.layout, self.sensors)

    @property
    def sensor(self) -> SensorType:
        """The type of sensor on a channel."""
        return SensorType.LINEAR if self.pico == "linear" else sensor_type(self.sensors)

    @property
    def has_lines(self) -> bool:
        """True if each contact has its own line of the Pi, without chips."""
        sensors = self.sensors
        return sensors.kind == "direct" or (
            sensors.kind == "mux" and not sensors.select and not sensors.enable
        )

    @property
    def has_chips(self) -> bool:
        """True if contacts are wired to chips."""
        return not self.has_lines and self.sensors.kind != "matrix"

    @property
    def signals(self) -> tuple[Gpio, ...]:
        """The signal lines of mux chips, or of contacts without chips, or the columns of a matrix."""
        if self.sensors.kind == "matrix":
            return self.sensors.columns
        if self.sensors.kind == "direct" and self.sensors.points:
            return tuple(wire[0] for point in self.layout.points for wire in self.sensors.points[point.name])
        return self.sensors.signal

    @property
    def resistors(self) -> int:
        """The number of signal lines that need a resistor of 10 kOhm to 3.3 V."""
        pulled = self.sensors.kind in ("mux", "direct", "matrix") and not self.sensors.pull_up
        return len(self.signals) if pulled else 0

    @property
    def button_gpio(self) -> Gpio | None:
        """The Pi's line of the button, if there is one."""
        return None if self.controls.button == NO_LINE else self.controls.button

    @property
    def buzzer_gpio(self) -> Gpio | None:
        """The Pi's line of the buzzer, if there is one."""
        return None if self.sound.buzzer == NO_LINE else self.sound.buzzer

    @property
    def backend(self) -> str:
        """The strip's backend, which is never `auto`."""
        return strip_backend(self.sensors, self.strip)

    @property
    def lit_by_board(self) -> bool:
        """True if the board with the microcontroller drives the strip."""
        return self.backend == "serial"

    @property
    def data_gpio(self) -> Gpio | None:
        """The Pi's line that carries the strip's data, if one does."""
        return {"spi": SPI_DATA_GPIO, "serial": None}.get(self.backend, self.strip.gpio)


def sensor_type(sensors: Sensors) -> SensorType:
    """Return the type of sensor that is recommended for these settings."""
    if sensors.kind == "mcp3008":
        return SensorType.LINEAR
    return SensorType.HALL if sensors.alphabet == "polarity" else SensorType.REED


def contact_name(plan: BoardPlan, contact: Contact) -> str:
    """Return the point of a contact and, if it has one for each colour, the colour that it detects."""
    point, reading = contact
    name = plan.layout.points[point].name
    if plan.sensor is not SensorType.HALL:
        return name
    return f"{name} {'white' if reading == WHITE_PIECE else 'black'}"


def _growing(smallest: Sensors, points: int) -> Iterator[Sensors]:
    """Yield the same sensors with more and more chips; without chips, with a line for each point."""
    if smallest.kind == "direct":
        yield replace(smallest, signal=_ANY[:points])
    elif smallest.kind == "matrix":
        for spare in range(3):
            yield replace(smallest, columns=(*smallest.columns, *_SPARE_COLUMNS[:spare]))
    else:
        for chips in range(1, 9):
            lines: dict[str, Any] = {
                "mux": {"signal": _SIGNALS[:chips]},
                "mcp23017": {"expanders": tuple(range(0x20, 0x20 + chips))},
                "mcp3008": {"inputs": tuple(range(chips))},
            }
            yield replace(smallest, **lines.get(smallest.kind, {}))
