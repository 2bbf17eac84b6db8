"""The chips that the sensors of a board are wired to, or the wires of a matrix, with their names for people.

Invariants: chips are numbered as in the wiring report and by the doctor; the columns of a matrix follow its
rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.ports import NOTHING, SOMETHING, ChipMap, Contact
from firmware_host.settings import Sensors
from hardware.scanner import Wire
from hardware.wiring.contacts import contacts_of
from hardware.wiring.pinout import header_pin
from hardware.wiring.select_lines import SelectCause, select_causes


def chip_map(layout: Layout, sensors: Sensors) -> ChipMap:
    """Return the chips behind the sensors of a configuration, which has none with lines of their own."""
    wires = contacts_of(layout, sensors)
    if sensors.kind == "matrix":
        rows = len(sensors.rows)
        crossings = {contact: (row, rows + column) for contact, (row, column) in wires.items()}
        return ChipMap(_wire_names(sensors), _bus_name(sensors), crossings, wires=True)
    chips = {
        (point, NOTHING if sensors.is_linear else reading): (chip,)
        for (point, reading), (chip, _) in wires.items()
    }
    if not _has_chips(sensors):
        chips = {}
    count = 1 + max((chip for (chip,) in chips.values()), default=-1)
    names = [_chip_name(sensors, chip) for chip in range(count)]
    places = {
        contact: wires[contact[0], SOMETHING] if sensors.is_linear else wires[contact] for contact in chips
    }
    return ChipMap(names, _bus_name(sensors), chips, misreads=[*_misreads(sensors, places, range(count))])


def _misreads(
    sensors: Sensors, wires: Mapping[Contact, Wire], chips: Collection[int]
) -> Iterator[tuple[Message, Mapping[Contact, Contact | None]]]:
    """Yield each fault of the select lines, at all chips and at one alone, with what is then read."""
    contacts = {wire: contact for contact, wire in wires.items()}
    for cause in select_causes(len(sensors.select)):
        for faulty in (chips, *([chip] for chip in chips)):
            yield (
                _select_name(sensors, cause),
                {
                    contact: contacts.get((chip, cause.received(channel) if chip in faulty else channel))
                    for contact, (chip, channel) in wires.items()
                },
            )


def _select_name(sensors: Sensors, cause: SelectCause) -> Message:
    first, last = cause.bits[0], cause.bits[-1]
    if first != last:
        return Message("fault.wire.selects", {"count": first, "other": last})
    gpio = sensors.select[first]
    return Message("fault.wire.select", {"count": first, "gpio": gpio, "pin": header_pin(gpio)})


def _wire_names(sensors: Sensors) -> list[Message]:
    """Return the names of the rows and columns of a matrix."""
    rows = [
        Message("fault.wire.row", {"count": number, "gpio": gpio, "pin": header_pin(gpio)})
        for number, gpio in enumerate(sensors.rows)
    ]
    columns = [
        Message("fault.wire.column", {"count": number, "gpio": gpio, "pin": header_pin(gpio)})
        for number, gpio in enumerate(sensors.columns)
    ]
    return [*rows, *columns]


def _has_chips(sensors: Sensors) -> bool:
    """Return False if each sensor has its own line of the Pi, or its own input of an ADC."""
    match sensors.kind:
        case "direct":
            return False
        case "mux":
            return bool(sensors.select or sensors.enable)
        case "mcp3008":
            return bool(sensors.select)
    return True


def _chip_name(sensors: Sensors, chip: int) -> Message:
    match sensors.kind:
        case "mcp23017":
            address = f"0x{sensors.expanders[chip]:02x}"
            return Message("fault.chip.expander", {"count": chip, "address": address})
        case "serial":
            return Message("fault.chip.serial", {"count": chip})
    return Message("fault.chip.mux", {"count": chip})


def _bus_name(sensors: Sensors) -> Message:
    match sensors.kind:
        case "mcp23017":
            return Message("fault.bus.expander", {"device": sensors.i2c})
        case "mcp3008":
            return Message("fault.bus.adc", {"device": sensors.adc})
        case "serial":
            return Message("fault.bus.serial")
        case "matrix":
            return Message("fault.bus.matrix")
    return Message("fault.bus.mux") if _has_chips(sensors) else Message("fault.bus.direct")
