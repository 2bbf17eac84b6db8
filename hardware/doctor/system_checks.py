"""Checks of the Pi's system: the header's chip, free lines, the strip's device, permissions.

Invariants: faults follow from the gathered facts alone. Each finding has the command that fixes it.
Consequences of another finding are not reported.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from firmware_host.config.gpio import gpio_conflicts, gpio_uses, header_lines, strip_backend
from firmware_host.settings import NO_LINE, Controls, Gpio, Sensors, Sound, Strip
from hardware.boot.config_txt import ConfigTxt
from hardware.boot.models import model_named
from hardware.boot.needs import core_clock_line
from hardware.bus.pi import LABELS
from hardware.doctor.findings import Finding, fault, passed, skipped, warning
from hardware.doctor.part_names import line, several
from hardware.doctor.system_facts import GROUPS, SystemFacts
from hardware.wiring.contacts import MuxWiring

_SOUND = "snd_bcm2835"
_SOUND_LINES = (18, 19, 12, 13)
_ON_THE_PI = "run this on the Pi in the board; `millwright sim` plays without one"


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
        fix = "take another line in the configuration, or switch the bus off with `sudo raspi-config`"
        return fault("lines", "; ".join(wrong), fix)
    return passed("lines", f"no two users want the same line ({several(facts.buses) or 'no other bus'} on)")


def _chips(facts: SystemFacts) -> list[str]:
    return [name for name in facts.devices if name.startswith("gpiochip")]


def _header(facts: SystemFacts) -> Finding | None:
    chips = _chips(facts)
    if not chips:
        return fault(
            "header",
            "there is no /dev/gpiochip0, so this is not a Raspberry Pi",
            _ON_THE_PI,
        )
    if not any(facts.devices[chip] for chip in chips):
        return None  # the groups are at fault, which have a finding of their own
    names = [f"{chip} is {label}" for chip, label in facts.labels.items()]
    for label in LABELS:
        for chip, own in facts.labels.items():
            if own == label:
                return passed("header", f"{chip} is {label}")
    return fault(
        "header",
        f"no chip has a Raspberry Pi's header: {several(names) or 'none has a label'}",
        f"one of {', '.join(LABELS)} is needed: is this a Pi with 40 pins, and its kernel up to date?",
    )


def _free_lines(facts: SystemFacts, lines: Sequence[Gpio]) -> Finding | None:
    if not facts.labels:
        return None
    held = {gpio: facts.held[gpio] for gpio in lines if gpio in facts.held}
    if not held:
        return passed("free lines", f"{len(lines)} lines, none in use by other programs")
    holders = several(list(facts.holders)) or "the program that holds them (or an overlay in config.txt)"
    names = [f"{line(gpio)} by {user or 'an unnamed program'}" for gpio, user in held.items()]
    return fault(
        "free lines",
        f"held: {several(names)}",
        f"end {holders}, or use other lines",
    )


def _permissions(facts: SystemFacts, sensors: Sensors, strip: Strip, *, needs_lines: bool) -> Finding:
    needed = _devices(facts, sensors, strip, needs_lines=needs_lines)
    closed = [name for name in needed if not facts.devices[name]]
    if not closed:
        return passed("permissions", f"may open {several(needed) or 'all of the devices that are there'}")
    groups = sorted({_group(name) for name in closed})
    found = f"may not open {several([_path(name) for name in closed])}"
    unknown = [group for group in groups if group not in facts.known]
    if unknown:
        return fault(
            "permissions",
            f"{found}, and there is no group {' or '.join(unknown)}",
            "; ".join(f"`sudo groupadd --system {group}`" for group in unknown)
            + " and a udev rule that gives it these devices",
        )
    if set(groups) <= facts.groups:
        each = [
            f"`sudo chgrp {_group(name)} {_path(name)} && sudo chmod 660 {_path(name)}`" for name in closed
        ]
        fix = "; ".join(each)
        return fault("permissions", f"{found}, though the user is in {several(groups)}", fix)
    return fault(
        "permissions", found, f"`sudo usermod -aG {','.join(groups)} $USER`, then log out and in again"
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
                return passed("strip's way", "SPI: there is /dev/spidev0.0")
            if not facts.model:
                return _strip_elsewhere(facts, sensors)
            switch_on = "`sudo raspi-config nonint do_spi 0`, then restart the Pi"
            return fault("strip's way", "there is no /dev/spidev0.0", switch_on)
        case "pio" if not pio:
            return fault(
                "strip's way",
                f"there is no /dev/pio0, which only a Pi 5 has (this is {facts.model or 'not a Pi'})",
                'backend = "spi" in the section [strip]; on a Pi 5, `sudo apt full-upgrade` for its kernel',
            )
        case "pwm" if (own := model_named(facts.model)) is not None and own.has_rp1:
            return fault(
                "strip's way",
                f"a {own.name} can't drive LEDs by PWM",
                'backend = "spi" in the section [strip], with the strip on GPIO 10; or backend = "pio"',
            )
        case "pwm" if not facts.root:
            return fault(
                "strip's way", "PWM needs root", 'backend = "spi" in the section [strip], which needs none'
            )
    return passed("strip's way", backend.upper())


def _strip_elsewhere(facts: SystemFacts, sensors: Sensors) -> Finding | None:
    """Return the finding for a strip on SPI if this is not a Pi, unless that of the header says so."""
    if lines_of(sensors, Controls(), Sound()) and not _chips(facts):
        return None
    return fault("strip's way", "there is no /dev/spidev0.0, and this is not a Raspberry Pi", _ON_THE_PI)


def _sound(facts: SystemFacts, sensors: Sensors, strip: Strip) -> Finding | None:
    if strip_backend(sensors, strip) != "pwm" or strip.gpio not in _SOUND_LINES:
        return None
    if _SOUND in facts.modules:
        return fault(
            "sound",
            f"{_SOUND} is loaded, and uses the PWM that drives the strip on {line(strip.gpio)}",
            "`dtparam=audio=off` into config.txt, then restart; or SPI for the strip",
        )
    return passed("sound", f"{_SOUND} is not loaded: {line(strip.gpio)} is the strip's alone")


def _core_clock(facts: SystemFacts, sensors: Sensors, strip: Strip) -> Finding | None:
    line = core_clock_line(facts.model, facts.config or ConfigTxt(""), sensors, strip)
    if line is None:
        return None
    if facts.config is None:
        return skipped("core clock", "there is no config.txt that can be read")
    if line.is_there:
        return passed("core clock", "config.txt keeps it steady, and with it SPI, which drives the LEDs")
    return warning(
        "core clock",
        f"SPI follows the core clock, which changes: there is no {line.text} in config.txt",
        f"`sudo millwright boot` writes {line.text} into it; then restart the Pi, or LEDs flicker",
    )


def _usb(facts: SystemFacts, sensors: Sensors) -> Finding | None:
    """Check the current for USB on a Pi 5, which depends on what its own supply says of itself."""
    if facts.supply_ma is None:
        return None
    supply = f"the supply offers {facts.supply_ma} mA, as far as the Pi knows"
    if not facts.usb_is_limited:
        return passed("USB current", f"not limited: {supply}")
    found = f"600 mA at most in all sockets, since {supply}"
    if sensors.kind != "serial":
        return passed("USB current", f"{found}; this board takes none of it")
    return warning(
        "USB current",
        found,
        "nothing beside the board on USB; or a supply of 5 A, and `usb_max_current_enable=1` in config.txt",
    )
