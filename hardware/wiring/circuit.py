"""The circuit of a board: the net of every pin of the header and of every chip.

Invariants: the circuit is derived once, from the settings that the drivers read; drawings and tables only
show it. Ground, 3.3 V and 5 V are one net each. No input of a chip is left open except those with a pull-up:
an expander's own, and channels on a signal line that the Pi pulls up.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from firmware_host.config.gpio import GpioUse, gpio_uses
from firmware_host.config.wiring_map import chips_and_channels
from firmware_host.errors import ConfigError
from firmware_host.ports import Contact
from hardware.wiring.controller import with_boards
from hardware.wiring.netlist import (
    BOARD_SUPPLY,
    BUTTON,
    BUZZER,
    DATA,
    FREE,
    GROUND,
    LOGIC,
    STRIP,
    SUPPLY,
    Chip,
    Circuit,
    Crossing,
    Net,
    NetKind,
    SensorType,
)
from hardware.wiring.pinout import (
    ADC,
    AHCT125,
    EXPANDER,
    HEADER,
    NANO,
    NANO_SELECT,
    NANO_SIGNALS,
    NANO_STRIP,
    PICO,
    PICO_COLUMNS,
    PICO_DIRECT,
    PICO_INPUTS,
    PICO_ROWS,
    PICO_SELECT,
    PICO_SIGNALS,
    PICO_STRIP,
    Package,
    header_pin,
    mux_for,
)
from hardware.wiring.plan import BoardPlan, contact_name

LOGIC_PIN, SUPPLY_PINS, GROUND_PIN, SENSOR_GROUND_PIN = 1, (2, 4), 6, 9
"""The header's power pins in use: 6 beside 5 V, 9 for the sensors; one more beside the data line."""

_CABLE = "USB to the Pi"
_ADC_PINS = {"SCLK": "CLK", "MOSI": "DIN", "MISO": "DOUT"}
"""The pin of an MCP3008 for each line of its bus; the remaining line is its CS."""


def build_circuit(plan: BoardPlan) -> Circuit:
    """Return the circuit of a plan; raises ConfigError if it cannot be wired."""
    if faults := list(plan.faults()):
        raise ConfigError("\n".join(faults))
    if plan.sensors.kind == "mcp3008" and not plan.sensors.select:
        raise ConfigError("an MCP3008 without mux chips has too few inputs for a board, and is not drawn")
    chips: tuple[Chip, ...] = ()
    front: Chip | None = None
    if plan.sensors.kind == "mcp23017":
        chips = _expanders(plan)
    elif plan.pico:
        front, chips = _pico(plan)
    elif plan.sensors.kind == "serial":
        front, chips = _board(plan)
    elif plan.has_chips:
        chips = _muxes(plan)
        front = _adc(plan) if plan.sensors.kind == "mcp3008" else None
    shifter = None
    if plan.data_gpio is not None or plan.pico:
        ties = {"1A": DATA, "1Y": STRIP, "VCC": SUPPLY, "2Y": FREE, "3Y": FREE, "4Y": FREE}
        shifter = _chip("level shifter", AHCT125, ties)
    power = BOARD_SUPPLY if plan.sensors.kind == "serial" and not plan.pico else LOGIC
    circuit = Circuit(_header(plan), chips, plan.sensor, front, shifter, power, _crossings(plan))
    return with_boards(plan, circuit) if plan.sensors.boards else circuit


def ground_pin_beside(gpio: int) -> int:
    """Return the ground pin next to the pin of a line, for a wire beside it."""
    pin = header_pin(gpio)
    grounds = [number for number, name in enumerate(HEADER, start=1) if name == "GND"]
    return min(grounds, key=lambda ground: (abs((ground - 1) // 2 - (pin - 1) // 2), (ground - pin) % 2))


def _header(plan: BoardPlan) -> tuple[Net, ...]:
    nets = [FREE] * len(HEADER)
    if plan.pico:  # any computer has a USB socket for it
        return tuple(nets)
    on_pi = plan.sensors.kind != "serial"
    if on_pi and (plan.has_chips or plan.sensor is not SensorType.REED or plan.resistors):
        nets[LOGIC_PIN - 1] = LOGIC
    for pin in SUPPLY_PINS:
        nets[pin - 1] = SUPPLY
    nets[GROUND_PIN - 1] = GROUND
    if on_pi and plan.sensors.kind != "matrix":
        nets[SENSOR_GROUND_PIN - 1] = GROUND
    if plan.data_gpio is not None:
        nets[ground_pin_beside(plan.data_gpio) - 1] = GROUND
        nets[header_pin(plan.data_gpio) - 1] = DATA
    for gpio, net in _lines(plan):
        nets[header_pin(gpio) - 1] = net
    if plan.button_gpio is not None:
        nets[ground_pin_beside(plan.button_gpio) - 1] = GROUND
        nets[header_pin(plan.button_gpio) - 1] = BUTTON
    if plan.buzzer_gpio is not None:
        nets[ground_pin_beside(plan.buzzer_gpio) - 1] = GROUND
        nets[header_pin(plan.buzzer_gpio) - 1] = BUZZER
    return tuple(nets)


def _lines(plan: BoardPlan) -> Iterator[tuple[int, Net]]:
    """Yield each line of the sensors and its net; without chips, each line has a contact."""
    sensors = plan.sensors
    if sensors.kind in ("mux", "mcp3008"):
        yield from ((gpio, Net(NetKind.SELECT, str(bit))) for bit, gpio in enumerate(sensors.select))
    if plan.has_lines:
        on_line = {chip: contact for contact, (chip, _) in plan.contacts.items()}
        for number, gpio in enumerate(plan.signals):
            yield gpio, _contact(plan, on_line[number]) if number in on_line else _signal(number)
    elif sensors.kind == "matrix":
        yield from ((gpio, _row(number)) for number, gpio in enumerate(sensors.rows))
        yield from ((gpio, _column(number)) for number, gpio in enumerate(sensors.columns))
    elif sensors.kind == "mux":
        yield from ((gpio, Net(NetKind.ENABLE, str(chip))) for chip, gpio in enumerate(sensors.enable))
        yield from ((gpio, _signal(number)) for number, gpio in enumerate(sensors.signal))
    for use in gpio_uses(sensors, plan.strip):
        if net := _bus_net(use):
            yield use.gpio, net


def _bus_net(use: GpioUse) -> Net | None:
    """Return the net of a bus line of the expanders or the ADC, or None for another line."""
    kind = {"sensors.i2c": NetKind.I2C, "sensors.adc": NetKind.SPI}.get(use.key)
    return Net(kind, str(use.user.args["name"])) if kind else None


def _crossings(plan: BoardPlan) -> tuple[Crossing, ...]:
    """Return the contacts of a matrix, row after row."""
    if plan.pico == "matrix":
        wired = [(divmod(n, len(PICO_COLUMNS)), contact) for n, contact in sorted(_numbered(plan).items())]
    elif plan.sensors.kind == "matrix":
        wired = sorted((wire, contact) for contact, wire in plan.contacts.items())
    else:
        return ()
    return tuple(
        Crossing(_contact(plan, contact), _row(row), _column(column)) for (row, column), contact in wired
    )


def _muxes(plan: BoardPlan) -> tuple[Chip, ...]:
    """Return the mux chips, wired to the Pi itself or to an ADC."""
    lines, chips = len(plan.sensors.select), (chips_and_channels(plan.sensors) or (0, 0))[0]
    return tuple(_mux(plan, number, lines) for number in range(chips))


def _mux(plan: BoardPlan, number: int, select_lines: int, power: Net = LOGIC) -> Chip:
    """Return a mux chip; select pins without a line are the highest bits, and always 0."""
    package = mux_for(select_lines)
    by_enable = plan.sensors.kind == "mux" and bool(plan.sensors.enable)
    ties = _channels(plan, number, package) | {"VCC": power}
    ties |= {name: Net(NetKind.SELECT, str(bit)) for bit, name in enumerate(package.select[:select_lines])}
    ties[package.common] = _signal(0 if by_enable else number)
    if by_enable:
        ties["E"] = Net(NetKind.ENABLE, str(number))
    return _chip(f"mux {number}", package, ties)


def _adc(plan: BoardPlan) -> Chip:
    """Return the ADC, with the inputs that have no mux chip on ground."""
    ties = {f"CH{given}": _signal(number) for number, given in enumerate(plan.sensors.inputs)}
    for use in gpio_uses(plan.sensors, plan.strip):
        if (net := _bus_net(use)) and net.kind is NetKind.SPI:
            ties[_ADC_PINS.get(net.which, "CS")] = net
    return _chip("ADC", ADC, ties | {"VDD": LOGIC, "VREF": LOGIC})


def _expanders(plan: BoardPlan) -> tuple[Chip, ...]:
    free = dict.fromkeys(("INTA", "INTB", "NC1", "NC2"), FREE)
    bus = {name: Net(NetKind.I2C, name) for name in ("SDA", "SCL")}
    chips = []
    for number, address in enumerate(plan.sensors.expanders):
        high = {f"A{bit}": LOGIC for bit in range(3) if address >> bit & 1}
        ties = _channels(plan, number, EXPANDER) | free | bus | high | {"VDD": LOGIC, "RESET": LOGIC}
        chips.append(_chip(f"expander {number}", EXPANDER, ties, f"address 0x{address:02X}"))
    return tuple(chips)


def _board(plan: BoardPlan) -> tuple[Chip | None, tuple[Chip, ...]]:
    """Return the Nano and its mux chips; if it has too few pins, a board of which only channels are known."""
    chips = max(chip for chip, _ in plan.contacts.values()) + 1
    channels = max(channel for _, channel in plan.contacts.values()) + 1
    if chips > len(NANO_SIGNALS) or channels > 1 << len(NANO_SELECT):
        return None, (_own_board(plan),)
    lines = 4 if channels > 8 else 3
    ties = dict.fromkeys(NANO.pins, FREE) | {"5V": BOARD_SUPPLY, "GND1": GROUND, "GND2": GROUND}
    ties |= {name: Net(NetKind.SELECT, str(bit)) for bit, name in enumerate(NANO_SELECT[:lines])}
    ties |= {name: _signal(chip) for chip, name in enumerate(NANO_SIGNALS[:chips])}
    if plan.lit_by_board:
        ties[NANO_STRIP] = STRIP
    muxes = (_mux(plan, number, lines, BOARD_SUPPLY) for number in range(chips))
    return _chip("Nano", NANO, ties, _CABLE), tuple(muxes)


def _pico(plan: BoardPlan) -> tuple[Chip, tuple[Chip, ...]]:
    """Return the Pico, wired as its front end has it without other settings, and its mux chips."""
    ties: dict[str, Net] = {name: GROUND if name.startswith("GND") else FREE for name in PICO.pins}
    ties[f"GP{PICO_STRIP}"] = DATA
    muxes: tuple[Chip, ...] = ()
    match plan.pico:
        case "direct":
            ties |= _on_pico(PICO_DIRECT, [_contact(plan, one) for _, one in sorted(_numbered(plan).items())])
        case "matrix":
            ties |= _on_pico(PICO_ROWS, map(_row, range(len(PICO_ROWS))))
            ties |= _on_pico(PICO_COLUMNS, map(_column, range(len(PICO_COLUMNS))))
        case _:
            chips = 1 + max(chip for chip, _ in plan.contacts.values())
            lines = PICO_INPUTS if plan.pico == "linear" else PICO_SIGNALS[:chips]
            ties |= _on_pico(PICO_SELECT, (Net(NetKind.SELECT, str(bit)) for bit in range(len(PICO_SELECT))))
            ties |= _on_pico(lines, map(_signal, range(chips))) | {"3V3": LOGIC}
            muxes = tuple(_mux(plan, number, len(PICO_SELECT)) for number in range(chips))
    return _chip("Pico", PICO, ties, "USB to the computer"), muxes


def _on_pico(lines: Iterable[int], nets: Iterable[Net]) -> dict[str, Net]:
    return {f"GP{line}": net for line, net in zip(lines, nets, strict=True)}


def _numbered(plan: BoardPlan) -> dict[int, Contact]:
    """Return the contacts by the number that a Pico gives them; the host counts in chips of eight."""
    return {8 * chip + channel: contact for contact, (chip, channel) in plan.contacts.items()}


def _own_board(plan: BoardPlan) -> Chip:
    wired = sorted((wire, contact) for contact, wire in plan.contacts.items())
    names = tuple(f"{chip}.{channel}" for (chip, channel), _ in wired)
    ties = {name: _contact(plan, contact) for name, (_, contact) in zip(names, wired, strict=True)}
    ties |= {"LEDs": STRIP if plan.lit_by_board else FREE, "5V": BOARD_SUPPLY}
    pins = ("LEDs", "5V", "GND", *names)
    return _chip("board", Package("own firmware", pins, names, numbered=False), ties, _CABLE)


def _channels(plan: BoardPlan, number: int, package: Package) -> dict[str, Net]:
    """Return the net of each channel of a chip."""
    linear = plan.sensors.is_linear  # an open input would keep the last channel's voltage
    ties: dict[str, Net] = dict.fromkeys(package.channels, GROUND if linear else FREE)
    for contact, (chip, channel) in plan.contacts.items():
        if chip == number:
            ties[package.channels[channel]] = _contact(plan, contact)
    return ties


def _contact(plan: BoardPlan, contact: Contact) -> Net:
    return Net(NetKind.CONTACT, contact_name(plan, contact))


def _row(number: int) -> Net:
    return Net(NetKind.ROW, str(number))


def _column(number: int) -> Net:
    return Net(NetKind.COLUMN, str(number))


def _signal(number: int) -> Net:
    return Net(NetKind.SIGNAL, str(number))


def _chip(name: str, package: Package, ties: Mapping[str, Net], remark: str = "") -> Chip:
    """Return a chip; pins not in `ties` go to ground: its ground, its enables and its unused inputs."""
    return Chip(name, package, tuple(ties.get(pin, GROUND) for pin in package.pins), remark)
