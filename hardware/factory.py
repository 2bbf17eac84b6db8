"""The ways by which an LED strip can hang on a Pi, and which of them this Pi has.

Rules kept here: SPI comes first, since it needs no root and no more than the kernel; what `auto` takes is
told with the reason; a way that the configuration names is taken or refused, and no other in its place; a
line that a bus has is refused before it is driven.
Vendor libraries are imported where a strip is opened.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

from firmware_host.config.gpio import clashes, header_lines, uses
from firmware_host.errors import StripError
from firmware_host.ports import LedPort
from firmware_host.said import Said
from firmware_host.settings import Sensors, Strip
from hardware.bus.pi import buses_in_use, model
from hardware.bus.spi import SpiBus
from hardware.libraries import GPIOD, PI5_NEOPIXEL, RPI_WS281X, missing
from hardware.machine import PiMachine
from hardware.serial.board import SerialBoard
from hardware.strip import NeoPixelStrip

_DEV = Path("/dev")
_LIBRARIES = {"pwm": (GPIOD, RPI_WS281X), "pio": (GPIOD, PI5_NEOPIXEL)}
"""The libraries that Blinka imports for a strip on a line; an extra or the user has to bring them."""


def open_strip(
    strip: Strip,
    places: Sequence[Sequence[int]],
    say: Callable[[str], object],
    *,
    board: Callable[[], SerialBoard] = lambda: PiMachine().serial(),
    dev: Path = _DEV,
) -> LedPort:
    """The strip of a configuration, whose points have the LEDs `places`; `say` is told how it is driven.

    `board` is the one whose microcontroller drives it, where one does. Raises StripError where the strip
    cannot be opened.
    """
    backend, reason = chosen(strip.backend, dev)
    _check_line(replace(strip, backend=backend), dev)
    driver: LedPort
    if backend == "serial":
        driver = board().strip(places, order=strip.order)
    elif backend == "spi":
        with ExitStack() as opened:
            bus = SpiBus(dev / "spidev0.0")
            opened.callback(bus.close)
            driver = NeoPixelStrip.on_spi(
                bus, places, leds=strip.leds, colours=strip.order, release=bus.close
            )
            opened.pop_all()
    else:
        pixels = _on_line(replace(strip, backend=backend))
        driver = NeoPixelStrip(pixels, places, release=pixels.deinit)
    say(f"LEDs by {backend}: {reason}")
    return driver


def chosen(backend: str, dev: Path = _DEV, *, root: bool | None = None) -> tuple[str, str]:
    """The way to be taken and why; raises StripError where `auto` finds none."""
    if backend != "auto":
        return backend, "the configuration says so"
    if (dev / "spidev0.0").exists():
        return "spi", f"there is {dev / 'spidev0.0'}"
    if (dev / "pio0").exists():
        return "pio", f"there is no {dev / 'spidev0.0'}, but {dev / 'pio0'}"
    if os.geteuid() == 0 if root is None else root:
        return "pwm", f"there is neither {dev / 'spidev0.0'} nor {dev / 'pio0'}, and this is root"
    slots = {"device": str(dev / "spidev0.0"), "other": str(dev / "pio0")}
    raise StripError(Said("fault.strip.no-way", slots))


def _check_line(strip: Strip, dev: Path) -> None:
    """Raise StripError where a bus of this machine has the strip's line, or its header has it not."""
    users = uses(Sensors(kind="serial"), strip, buses_in_use(dev))
    if wrong := [what for _, what in clashes(users, header_lines(model(dev.parent / "proc")))]:
        raise StripError(Said("fault.unfit", {"text": "; ".join(wrong)}))


def _on_line(strip: Strip) -> Any:
    """The pixels on a line that PWM drives, or on a Pi 5 its PIO; Blinka knows which of them this Pi has."""
    # Otherwise Blinka asks on the terminal whether it may install things.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    try:
        import board  # type: ignore[import-untyped]
        import neopixel  # type: ignore[import-untyped]

        pin = getattr(board, f"D{strip.gpio}")
        return neopixel.NeoPixel(pin, strip.leds, pixel_order=strip.order, auto_write=False)
    except Exception as error:
        # On a machine that is not a Pi, no library helps.
        lacking = None if isinstance(error, NotImplementedError) else missing(_LIBRARIES[strip.backend])
        # After its first sentence Blinka gives advice, over many lines, that does not fit every installation.
        why = lacking or " ".join(str(error).split()).partition(". ")[0]
        raise StripError(Said("fault.strip.unopened.line", {"line": str(strip.gpio), "why": why})) from error
