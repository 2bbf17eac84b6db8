"""All that the wiring of a board follows from, and the wiring that is recommended where nothing is known.

Rules kept here: a plan is what a configuration says, of any layout; what is recommended holds the same checks
that a configuration does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from firmware_host.config.gpio import backend_of, clashes, uses
from firmware_host.config.wiring_map import sensor_faults, strip_faults
from firmware_host.errors import ConfigError
from firmware_host.games.layout import Layout
from firmware_host.ports import WHITE_PIECE, Alphabet
from firmware_host.settings import Gpio, Lights, Sensors, Strip
from hardware.scanner import Wire
from hardware.wiring.contacts import Contact, contacts_of, recommended
from hardware.wiring.netlist import Sensor

SPI_DATA_GPIO = 10
"""MOSI of the Pi's first SPI bus."""

_SIGNALS = (23, 24, 25, 5, 6, 16, 26, 20)
_ANY = (*(gpio for gpio in range(4, 28) if gpio != Strip().gpio), 2, 3)


@dataclass(frozen=True)
class BoardPlan:
    """All that the wiring of a board follows from.

    `places` has the LEDs of each point; `strip` is one of the settings, whose map of points is not read here;
    `pieces` is how many stand beside the board before a game.
    """

    layout: Layout
    sensors: Sensors
    places: tuple[tuple[int, ...], ...]
    strip: Strip = field(default_factory=Strip)
    lights: Lights = field(default_factory=Lights)
    pieces: int = 18

    @classmethod
    def recommended(
        cls,
        layout: Layout,
        alphabet: str = "presence",
        kind: str = "mux",
        lights: Lights | None = None,
        pieces: int = 18,
    ) -> BoardPlan:
        """The wiring for a board of which nothing else is known: its LEDs in the points' order.

        Raises ConfigError where there is none of this kind.
        """
        places = tuple((point.index,) for point in layout.points)
        strip = Strip(leds=len(layout), backend="pwm" if kind == "direct" else "auto")
        least = Sensors(kind=kind, alphabet=alphabet)
        if alphabet == "pieces":
            least = replace(least, select=recommended(layout, Alphabet.PIECES).select)
        for sensors in _larger_and_larger(least, len(layout)):
            plan = cls(layout, sensors, places, strip, lights or Lights(), pieces)
            if not list(plan.faults()):
                return plan
        raise ConfigError("\n".join(plan.faults()))

    def faults(self) -> Iterator[str]:
        """What is wrong where this cannot be wired."""
        yield from (what for _, what in sensor_faults(self.sensors, self.layout))
        yield from (what for _, what in strip_faults(self.strip, self.layout))
        yield from (what for _, what in clashes(uses(self.sensors, self.strip)))

    @property
    def contacts(self) -> Mapping[Contact, Wire]:
        """Where each contact hangs."""
        return contacts_of(self.layout, self.sensors)

    @property
    def sensor(self) -> Sensor:
        """What hangs on a channel."""
        if self.sensors.kind == "mcp3008":
            return Sensor.LINEAR
        return Sensor.HALL if self.sensors.alphabet == "polarity" else Sensor.REED

    @property
    def has_lines(self) -> bool:
        """Whether each contact has a line of the Pi for itself, without chips."""
        sensors = self.sensors
        return sensors.kind == "direct" or (
            sensors.kind == "mux" and not sensors.select and not sensors.enable
        )

    @property
    def signals(self) -> tuple[Gpio, ...]:
        """The lines on which mux chips answer, or contacts without chips."""
        if self.sensors.kind == "direct" and self.sensors.points:
            return tuple(wire[0] for point in self.layout.points for wire in self.sensors.points[point.name])
        return self.sensors.signal

    @property
    def resistors(self) -> int:
        """How many signal lines need a resistor of 10 kOhm to 3.3 V, since the Pi's own are not to pull."""
        pulled = self.sensors.kind in ("mux", "direct") and not self.sensors.pull_up
        return len(self.signals) if pulled else 0

    @property
    def backend(self) -> str:
        """How the strip's bytes leave; `auto`, open until the board starts, counts as SPI."""
        backend = backend_of(self.sensors, self.strip)
        return "spi" if backend == "auto" else backend

    @property
    def lit_by_board(self) -> bool:
        """Whether the strip hangs on the board with the microcontroller."""
        return self.backend == "serial"

    @property
    def data_gpio(self) -> Gpio | None:
        """The Pi's line that carries the strip's data, if one does."""
        return {"spi": SPI_DATA_GPIO, "serial": None}.get(self.backend, self.strip.gpio)


def contact_name(plan: BoardPlan, contact: Contact) -> str:
    """The point of a contact and, where it has one for each colour, whose pieces it feels."""
    point, reading = contact
    name = plan.layout.points[point].name
    if plan.sensor is not Sensor.HALL:
        return name
    return f"{name} {'white' if reading == WHITE_PIECE else 'black'}"


def _larger_and_larger(least: Sensors, points: int) -> Iterator[Sensors]:
    """The same sensors with more and more chips; without chips, with a line for each point."""
    if least.kind == "direct":
        yield replace(least, signal=_ANY[:points])
    else:
        for chips in range(1, 9):
            yield replace(
                least,
                signal=_SIGNALS[:chips],
                inputs=tuple(range(chips)),
                expanders=tuple(range(0x20, 0x20 + chips)),
            )
