"""The lines of the Pi's header: their users, and conflicts between them.

Invariants: no line is driven to find out. A line has one user, and a conflict names both. All models with 40
pins, from the A+ and B+ to the Pi 5, have the same lines in the same places; the two with 26, Model A and
Model B, have fewer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import reduce

from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.settings import NO_LINE, Controls, Gpio, Sensors, Sound, Strip

HEADER = range(28)
"""The lines of a header with 40 pins."""

BUTTON_LINE: Gpio = 26
BUZZER_LINE: Gpio = 12
"""The lines that the guide has for a button and a buzzer; no recommended wiring uses them."""

PWM_LINES = (12, 13, 18, 19, 21)
"""The lines on which rpi_ws281x can send the LEDs' bytes: PWM0 and PWM1, and PCM."""

_SHORT_COMMON = (4, *range(7, 12), 14, 15, 17, 18, *range(22, 26))
_SHORT_FIRST, _SHORT_LATER = (0, 1, *_SHORT_COMMON, 21), (2, 3, *_SHORT_COMMON, 27)
"""The lines of a header with 26 pins, of the first revision and of later ones, after gpiozero's tables."""

_SHORT_MODEL = re.compile(r"Raspberry Pi Model [AB](?! Plus|\+)(?:.*[Rr]ev (\d))?")

_HAT = {0: "ID_SD", 1: "ID_SC"}
_SPI = {
    0: {7: "CE1", 8: "CE0", 9: "MISO", 10: "MOSI", 11: "SCLK"},
    1: {16: "CE2", 17: "CE1", 18: "CE0", 19: "MISO", 20: "MOSI", 21: "SCLK"},
}
"""The lines of the SPI buses; the CE lines that are not in use are free."""

_I2C = {"/dev/i2c-1": {2: "SDA", 3: "SCL"}, "/dev/i2c-0": {0: "SDA", 1: "SCL"}}
"""The lines of the buses that have the same ones on every model; an overlay decides those of others."""

_SERIAL = {14: "TXD", 15: "RXD"}
_SERIAL_PORTS = ("/dev/serial0", "/dev/ttyAMA0", "/dev/ttyS0")
"""The names of the header's serial port, by model and overlay."""

BUSES: Mapping[str, Mapping[Gpio, str]] = {
    "I2C": _I2C["/dev/i2c-1"],
    "the serial port": _SERIAL,
    "the serial console": _SERIAL,
    **{
        f"SPI{bus}.{chip}": {
            gpio: name for gpio, name in lines.items() if name[:2] != "CE" or name == f"CE{chip}"
        }
        for bus, lines in _SPI.items()
        for chip in range(3)
    },
}
"""Lines that are free unless the machine has these switched on; of SPI each device that the kernel made."""

_BUS_NAMES = {
    "the serial port": Message("doctor.bus.port"),
    "the serial console": Message("doctor.bus.console"),
}
"""The names of the buses that aren't the same in all languages."""


@frozen
class GpioUse:
    """A user of a line; `key` is the setting that assigns it, if any.

    `bus` is the one of BUSES to which the line belongs, if any.
    """

    gpio: Gpio
    user: Message
    key: str = ""
    bus: str = ""


def bus_name(bus: str) -> str | Message:
    """Return the name of one of BUSES, for messages."""
    return _BUS_NAMES.get(bus, bus)


def header_lines(model: str) -> Collection[Gpio]:
    """Return the lines of a model's header; `model` is the text of /proc/device-tree/model, or empty."""
    if short := _SHORT_MODEL.match(model):
        return _SHORT_FIRST if short[1] == "1" else _SHORT_LATER
    return HEADER


def gpio_uses(
    sensors: Sensors,
    strip: Strip,
    buses: Iterable[str] = (),
    *,
    controls: Controls | None = None,
    sound: Sound | None = None,
) -> Iterator[GpioUse]:
    """Yield every use of a line; `buses` are those of BUSES that the machine has switched on."""
    own = [
        *_strip_uses(sensors, strip),
        *_SENSOR_USES[sensors.kind](sensors),
        *_control_uses(controls or Controls()),
        *_sound_uses(sound or Sound()),
    ]
    yield from (GpioUse(gpio, Message("doctor.use.add-on", {"name": name})) for gpio, name in _HAT.items())
    own_lines = {(use.gpio, use.bus.partition(".")[0]) for use in own if use.bus}
    taken: set[Gpio] = set()
    for bus in buses:
        for gpio, name in BUSES[bus].items():
            if gpio not in taken and (gpio, bus.partition(".")[0]) not in own_lines:
                taken.add(gpio)
                yield GpioUse(gpio, _pin_of(name, bus.partition(".")[0]))
    yield from own


def control_lines(controls: Controls, sound: Sound, sensors: Sensors, strip: Strip) -> tuple[Gpio, Gpio]:
    """Return the lines on which a button and a buzzer can be looked for: the configured ones, or the guide's.

    NO_LINE where another part has the line.
    """
    button = BUTTON_LINE if controls.button == NO_LINE else controls.button
    buzzer = BUZZER_LINE if sound.buzzer == NO_LINE else sound.buzzer
    uses = tuple(gpio_uses(sensors, strip, controls=controls, sound=sound))

    def free(line: Gpio, key: str) -> Gpio:
        return NO_LINE if any(use.gpio == line and use.key != key for use in uses) else line

    return free(button, "controls.button"), free(buzzer, "sound.buzzer")


def _pin_of(name: str, bus: str) -> Message:
    return Message("doctor.use.bus", {"name": name, "bus": bus_name(bus)})


def _strip_uses(sensors: Sensors, strip: Strip) -> Iterator[GpioUse]:
    backend = strip_backend(sensors, strip)
    if backend == "spi":
        for gpio, name in _SPI[0].items():
            yield GpioUse(gpio, Message("doctor.use.light", {"name": name}), bus="SPI0")
    if backend in ("pio", "pwm"):
        yield GpioUse(strip.gpio, Message("doctor.use.strip"), "strip.gpio")


def _control_uses(controls: Controls) -> Iterator[GpioUse]:
    if controls.button != NO_LINE:
        yield GpioUse(controls.button, Message("doctor.use.button"), "controls.button")


def _sound_uses(sound: Sound) -> Iterator[GpioUse]:
    if sound.buzzer != NO_LINE:
        yield GpioUse(sound.buzzer, Message("doctor.use.buzzer"), "sound.buzzer")


def strip_backend(sensors: Sensors, strip: Strip) -> str:
    """Return the strip's backend. `auto` is the serial line if the sensors are read over it, otherwise SPI.

    It never depends on what is switched on, since the strip is soldered to one line.
    """
    if strip.backend != "auto":
        return strip.backend
    return "serial" if sensors.kind == "serial" else "spi"


def adc_bus(sensors: Sensors) -> tuple[int, int] | None:
    """Return the SPI bus and chip-enable numbers of the ADC; None if the kernel gives no such name."""
    match = re.fullmatch(r"/dev/spidev([01])\.([0-2])", sensors.adc)
    return (int(match[1]), int(match[2])) if match else None


def _mux_uses(sensors: Sensors) -> Iterator[GpioUse]:
    named = (("select", sensors.select), ("signal", sensors.signal), ("enable", sensors.enable))
    for role, lines in named:
        for n, gpio in enumerate(lines):
            yield GpioUse(gpio, Message(f"doctor.use.{role}", {"number": n}), f"sensors.{role}")


def _direct_uses(sensors: Sensors) -> Iterator[GpioUse]:
    if not sensors.points:
        for n, gpio in enumerate(sensors.signal):
            yield GpioUse(gpio, Message("doctor.use.signal", {"number": n}), "sensors.signal")
    for point, wires in sensors.points.items():
        sensor = Message("doctor.use.sensor", {"point": point})
        yield from (GpioUse(wire[0], sensor, f"sensors.points.{point}") for wire in wires)


def _matrix_uses(sensors: Sensors) -> Iterator[GpioUse]:
    for axis, lines in (("row", sensors.rows), ("column", sensors.columns)):
        for n, gpio in enumerate(lines):
            yield GpioUse(gpio, Message(f"doctor.use.{axis}", {"number": n}), f"sensors.{axis}s")


def _expander_uses(sensors: Sensors) -> Iterator[GpioUse]:
    for gpio, name in _I2C.get(sensors.i2c, {}).items():
        yield GpioUse(gpio, _pin_of(name, "I2C"), "sensors.i2c", bus="I2C")


def _adc_uses(sensors: Sensors) -> Iterator[GpioUse]:
    for n, gpio in enumerate(sensors.select):
        yield GpioUse(gpio, Message("doctor.use.select", {"number": n}), "sensors.select")
    bus, enable = adc_bus(sensors) or (None, None)
    for gpio, name in _SPI[1].items() if bus == 1 else ():
        if not name.startswith("CE") or name == f"CE{enable}":
            yield GpioUse(gpio, Message("doctor.use.adc", {"name": name}), "sensors.adc", bus="SPI1")


def _serial_uses(sensors: Sensors) -> Iterator[GpioUse]:
    """Yield the lines of a board on the header's own port; one on USB has none."""
    for gpio, name in _SERIAL.items() if sensors.port in _SERIAL_PORTS else ():
        yield GpioUse(
            gpio, Message("doctor.use.serial", {"name": name}), "sensors.port", bus="the serial port"
        )


_SENSOR_USES: Mapping[str, Callable[[Sensors], Iterator[GpioUse]]] = {
    "mux": _mux_uses,
    "direct": _direct_uses,
    "matrix": _matrix_uses,
    "mcp23017": _expander_uses,
    "mcp3008": _adc_uses,
    "serial": _serial_uses,
}
"""The line users for each kind of sensors."""


def gpio_conflicts(
    users: Iterable[GpioUse], lines: Collection[Gpio] = HEADER
) -> Iterator[tuple[str, Message]]:
    """Yield the conflicts between users, each as the setting to change and the fault.

    `lines` are those of the header: see `header_lines`.
    """
    first: dict[Gpio, GpioUse] = {}
    for use in users:
        other = first.setdefault(use.gpio, use)
        is_ours = use.key or use.bus
        if is_ours and use.gpio not in lines:
            yield (
                use.key,
                Message("doctor.gpio.none", {"gpio": use.gpio, "user": use.user, "lines": _ranges(lines)}),
            )
        elif other is not use:
            # The setting to change comes first, before a line of the header that has no setting.
            one, two = (other, use) if other.key else (use, other)
            yield (
                use.key,
                Message("doctor.gpio.both", {"gpio": use.gpio, "first": one.user, "second": two.user}),
            )


def joined(conflicts: Iterable[Message]) -> Message:
    """Return several conflicts as one message."""
    return reduce(lambda first, second: Message("doctor.also", {"first": first, "second": second}), conflicts)


def _ranges(lines: Collection[Gpio]) -> str:
    """Return the numbers in order, with ranges as `7-11`."""
    ranges: list[list[Gpio]] = []
    for gpio in sorted(lines):
        if ranges and gpio == ranges[-1][-1] + 1:
            ranges[-1].append(gpio)
        else:
            ranges.append([gpio])
    return ", ".join(
        f"{numbers[0]}-{numbers[-1]}" if len(numbers) > 1 else str(numbers[0]) for numbers in ranges
    )
