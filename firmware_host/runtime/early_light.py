"""One LED that glows while the program starts, which takes a slow Pi many seconds.

Invariants: only the modules that an LED needs are imported, and the configuration is not checked. Whatever
keeps the LED dark is left to the program, which reports it once it has started. Wiring that was found is used
even if it doesn't count any more, which only the program can tell. The bus is free afterwards.
"""

from __future__ import annotations

import logging
import os
import tomllib
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from firmware_host.config.paths import find_config, found_beside
from firmware_host.ports import Colour
from firmware_host.settings import Lights, Sensors, Strip
from hardware.bus.spi import SpiBus, SpiOutput

_LOG = logging.getLogger(__name__)
_GLOW: Colour = (24, 24, 24)
"""About 6 mA, and visible under an inlay."""


def glow(
    given: str | None,
    open_bus: Callable[[], SpiOutput] | None = None,
    *,
    colour: Colour = _GLOW,
    environ: Mapping[str, str] = os.environ,
) -> bool:
    """Light the first LED of a strip on SPI, or darken it; return whether that was possible.

    `given` is the configuration file of the command line; tests pass their own `open_bus` and `environ`.
    """
    try:
        wanted = _first_led(given, environ)
        if wanted is None:
            return False
        with closing((open_bus or SpiBus)()) as bus:
            _light(bus, wanted, colour)
    except Exception as error:  # noqa: BLE001 - the program meets the same error, and says what to do about it
        _LOG.debug("no light before the start: %s", error)
        return False
    return True


def _first_led(given: str | None, environ: Mapping[str, str]) -> Strip | None:
    """Return the strip of the configuration with one LED, or None if there is nothing to light by SPI."""
    config, found = _read(find_config(given, environ)), found_beside(given, environ)
    strip, sensors, lights = (config.get(name, {}) for name in ("strip", "sensors", "lights"))
    with suppress(OSError, ValueError):
        strip = {**strip, **_read(found).get("strip", {})}
    usual = Strip()
    backend = strip.get("backend", usual.backend)
    if backend == "auto" and sensors.get("kind", Sensors().kind) == "serial":
        return None
    if backend not in ("auto", "spi") or not lights.get("brightness", Lights().brightness):
        return None
    return Strip(
        leds=1,
        order=strip.get("order", usual.order),
        chip=strip.get("chip", usual.chip),
        reset_us=strip.get("reset_us", usual.reset_us),
    )


def _read(path: Path | None) -> dict[str, Any]:
    """Return the document; an empty one without a path."""
    return {} if path is None else tomllib.loads(path.read_text("utf-8"))


def _light(bus: SpiOutput, strip: Strip, colour: Colour) -> None:
    from hardware.spi_pixels import SpiPixels

    pixels = SpiPixels(bus, strip.leds, strip.order, chip=strip.chip, reset_us=strip.reset_us)
    pixels[0] = colour
    pixels.show()
