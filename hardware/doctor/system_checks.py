"""Checks of the Pi's system: the header's chip, free lines, the strip's device, permissions.

Invariants: faults follow from the gathered facts alone. Each finding has the command that fixes it.
Consequences of another finding are not reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from firmware_host.config.gpio import bus_name, gpio_conflicts, gpio_uses, header_lines, joined, strip_backend
from firmware_host.i18n import Message
from firmware_host.settings import NO_LINE, Controls, Gpio, Sensors, Sound, Strip
from hardware.boot.config_txt import ConfigTxt
from hardware.boot.models import model_named
from hardware.boot.needs import core_clock_line
from hardware.bus.pi import LABELS
from hardware.doctor.findings import Finding, fault, passed, quoted, skipped, warning
from hardware.doctor.part_names import line, several
from hardware.doctor.system_facts import GROUPS, SystemFacts
from hardware.wiring.contacts import MuxWiring

_SOUND = "snd_bcm2835"
_SOUND_LINES = (18, 19, 12, 13)
_ON_THE_PI = Message("doctor.on-the-pi")


def check_system(
    facts: SystemFacts,
    sensors: Sensors,
    strip: Strip,
    controls: Controls | None = None,
    sound: Sound | None = None,
) -> tuple[Finding, ...]:
    """Check the system for a board with these settings."""
    controls, sound = controls or Controls(), sound or Sound()
    lines = lines_of(sensors, controls, sound)
    found: list[Finding | None] = [_clashes(facts, sensors, strip, controls, sound)]
    if lines:
        found += [_header(facts), _free_lines(facts, lines)]
    found += [
        _permissions(facts, sensors, strip, needs_lines=bool(lines)),
        _strip_device(facts, sensors, strip),
    ]
    found += [_sound(facts, sensors, strip), _core_clock(facts, sensors, strip), _usb(facts, sensors)]
    return tuple(finding for finding in found if finding is not None)


def lines_of(sensors: Sensors, controls: Controls, sound: Sound) -> tuple[Gpio, ...]:
    """Return the lines of the header that all parts need as plain inputs and outputs."""
    own = tuple(gpio for gpio in (controls.button, sound.buzzer) if gpio != NO_LINE)
    if sensors.kind == "matrix":
        return (*sensors.rows, *sensors.columns, *own)
    wired = MuxWiring.bare(sensors).lines if sensors.kind in ("mux", "direct", "mcp3008") else ()
    return (*wired, *own)


def _clashes(facts: SystemFacts, sensors: Sensors, strip: Strip, controls: Controls, sound: Sound) -> Finding:
    uses = gpio_uses(sensors, strip, facts.buses, controls=controls, sound=sound)
    wrong = [what for _, what in gpio_conflicts(uses, header_lines(facts.model))]
    if wrong:
        return fault("lines", joined(wrong), Message("doctor.lines.fix"))
    if not facts.buses:
        return passed("lines", Message("doctor.lines.good"))
    buses = several([*map(bus_name, facts.buses)])
    return passed("lines", Message("doctor.lines.good.buses", {"buses": buses}))


def _chips(facts: SystemFacts) -> list[str]:
    return [name for name in facts.devices if name.startswith("gpiochip")]


def _header(facts: SystemFacts) -> Finding | None:
    chips = _chips(facts)
    if not chips:
        return fault("header", Message("doctor.header.none"), _ON_THE_PI)
    if not any(facts.devices[chip] for chip in chips):
        return None  # the groups are at fault, which have a finding of their own
    for label in LABELS:
        for chip, own in facts.labels.items():
            if own == label:
                return passed("header", Message("doctor.header.good", {"chip": chip, "label": label}))
    chips_here = several([f"{chip}: {label}" for chip, label in facts.labels.items()])
    return fault(
        "header",
        Message("doctor.header.other", {"chips": chips_here})
        if chips_here
        else Message("doctor.header.unlabelled"),
        Message("doctor.header.fix", {"labels": ", ".join(LABELS)}),
    )


def _free_lines(facts: SystemFacts, lines: Sequence[Gpio]) -> Finding | None:
    if not facts.labels:
        return None
    held = {gpio: facts.held[gpio] for gpio in lines if gpio in facts.held}
    if not held:
        return passed("free-lines", Message("doctor.free.good", {"count": len(lines)}))
    names = several([_held(gpio, user) for gpio, user in held.items()])
    holders = several(list(facts.holders))
    return fault(
        "free-lines",
        Message("doctor.free.held", {"lines": names}),
        Message("doctor.free.fix", {"programs": holders}) if holders else Message("doctor.free.fix.unknown"),
    )


def _held(gpio: Gpio, user: str) -> Message:
    if user:
        return Message("doctor.free.by", {"line": line(gpio), "program": user})
    return Message("doctor.free.unnamed", {"line": line(gpio)})


def _permissions(facts: SystemFacts, sensors: Sensors, strip: Strip, *, needs_lines: bool) -> Finding:
    needed = _devices(facts, sensors, strip, needs_lines=needs_lines)
    closed = [name for name in needed if not facts.devices[name]]
    if not closed:
        if not needed:
            return passed("permissions", Message("doctor.permissions.all"))
        return passed("permissions", Message("doctor.permissions.good", {"devices": several(needed)}))
    groups, devices = sorted({_group(name) for name in closed}), several([_path(name) for name in closed])
    unknown = [group for group in groups if group not in facts.known]
    if unknown:
        commands = "; ".join(f"`sudo groupadd --system {group}`" for group in unknown)
        return fault(
            "permissions",
            Message("doctor.permissions.no-group", {"devices": devices, "groups": several(unknown)}),
            Message("doctor.permissions.no-group.fix", {"commands": commands}),
        )
    if set(groups) <= facts.groups:
        commands = "; ".join(
            f"`sudo chgrp {_group(name)} {_path(name)} && sudo chmod 660 {_path(name)}`" for name in closed
        )
        found = Message("doctor.permissions.grouped", {"devices": devices, "groups": several(groups)})
        return fault("permissions", found, quoted(commands))
    return fault(
        "permissions",
        Message("doctor.permissions.none", {"devices": devices}),
        Message("doctor.permissions.none.fix", {"groups": ",".join(groups)}),
    )


def _devices(facts: SystemFacts, sensors: Sensors, strip: Strip, *, needs_lines: bool) -> list[str]:
    """Return the existing devices that a board with these settings needs."""
    needed = []
    if needs_lines:
        # One that may be opened is enough, unless it is another chip than the header's.
        chips = _chips(facts)
        needed += [chip for chip in chips if facts.labels.get(chip) in LABELS] or chips
    if sensors.kind == "mcp23017":
        needed.append(Path(sensors.i2c).name)
    if sensors.kind == "mcp3008":
        needed.append(Path(sensors.adc).name)
    if sensors.kind == "serial":
        found = [name for name in facts.devices if name.startswith(("ttyACM", "ttyUSB"))]
        needed += [Path(sensors.port).name] if sensors.port else found
    backend = strip_backend(sensors, strip)
    if backend == "spi":
        needed.append("spidev0.0")
    if backend == "pio":
        needed.append("pio0")
    return [name for name in needed if name in facts.devices]


def _path(device: str) -> str:
    """Return the path of a device; one named after its maker is a link to another."""
    known = any(device.startswith(begin) for begin in GROUPS)
    return f"/dev/{device}" if known else f"/dev/serial/by-id/{device}"


def _group(device: str) -> str:
    return next((group for begin, group in GROUPS.items() if device.startswith(begin)), "dialout")


def _strip_device(facts: SystemFacts, sensors: Sensors, strip: Strip) -> Finding | None:
    backend = strip_backend(sensors, strip)
    spi, pio = "spidev0.0" in facts.devices, "pio0" in facts.devices
    match backend:
        case "serial":
            return None
        case "spi":
            if spi:
                return passed("strip", Message("doctor.strip.spi"))
            if not facts.model:
                return _strip_elsewhere(facts, sensors)
            return fault("strip", Message("doctor.strip.no-spi"), Message("doctor.strip.no-spi.fix"))
        case "pio" if not pio:
            return fault("strip", _without_pio(facts.model), Message("doctor.strip.no-pio.fix"))
        case "pwm" if (own := model_named(facts.model)) is not None and own.has_rp1:
            return fault(
                "strip",
                Message("doctor.strip.no-pwm", {"model": own.name}),
                Message("doctor.strip.no-pwm.fix"),
            )
        case "pwm" if not facts.root:
            return fault("strip", Message("doctor.strip.root"), Message("doctor.strip.root.fix"))
    return passed("strip", quoted(backend.upper()))


def _without_pio(model: str) -> Message:
    if model:
        return Message("doctor.strip.no-pio", {"model": model})
    return Message("doctor.strip.no-pio.elsewhere")


def _strip_elsewhere(facts: SystemFacts, sensors: Sensors) -> Finding | None:
    """Return the finding for a strip on SPI if this is not a Pi, unless that of the header says so."""
    if lines_of(sensors, Controls(), Sound()) and not _chips(facts):
        return None
    return fault("strip", Message("doctor.strip.elsewhere"), _ON_THE_PI)


def _sound(facts: SystemFacts, sensors: Sensors, strip: Strip) -> Finding | None:
    if strip_backend(sensors, strip) != "pwm" or strip.gpio not in _SOUND_LINES:
        return None
    if _SOUND in facts.modules:
        return fault(
            "sound",
            Message("doctor.sound.loaded", {"module": _SOUND, "line": line(strip.gpio)}),
            Message("doctor.sound.fix"),
        )
    return passed("sound", Message("doctor.sound.good", {"module": _SOUND, "line": line(strip.gpio)}))


def _core_clock(facts: SystemFacts, sensors: Sensors, strip: Strip) -> Finding | None:
    line = core_clock_line(facts.model, facts.config or ConfigTxt(""), sensors, strip)
    if line is None:
        return None
    if facts.config is None:
        return skipped("core-clock", Message("doctor.clock.unknown"))
    if line.is_there:
        return passed("core-clock", Message("doctor.clock.good"))
    return warning(
        "core-clock",
        Message("doctor.clock.changes", {"setting": line.text}),
        Message("doctor.clock.fix", {"setting": line.text}),
    )


def _usb(facts: SystemFacts, sensors: Sensors) -> Finding | None:
    """Check the current for USB on a Pi 5, which depends on what its own supply says of itself."""
    if facts.supply_ma is None:
        return None
    current = f"{facts.supply_ma} mA"
    if not facts.usb_is_limited:
        return passed("usb", Message("doctor.usb.good", {"current": current}))
    if sensors.kind != "serial":
        return passed("usb", Message("doctor.usb.unused", {"current": current}))
    return warning("usb", Message("doctor.usb.limited", {"current": current}), Message("doctor.usb.fix"))
