"""The libraries that only some boards need, and how to install a missing one.

Invariants: the advice fits the way this copy of Millwright was installed, and names the library itself. It
never suggests installing Millwright from a package index, where another project may own that name.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from enum import Enum
from importlib.util import find_spec
from pathlib import Path

from firmware_host.frozen import frozen
from firmware_host.i18n import Message

PACKAGE_HOME = Path("/usr/lib/millwright")
"""Folder of the Debian package (systemd/deb/millwright)."""

SERVICE_HOME = Path("/opt/millwright")
"""Folder of the virtual environments made by `make install` (systemd/install.sh)."""


@frozen
class Library:
    """A library: its Python module, and its wheel."""

    module: str
    wheel: str
    is_compiled: bool = True
    """False if it is Python alone, and part of every way of installing Millwright that needs it."""

    @property
    def is_missing(self) -> bool:
        """True if Python finds no such module."""
        return find_spec(self.module) is None


NEOPIXEL = Library("neopixel", "adafruit-circuitpython-neopixel>=6.3")
GPIOD = Library("gpiod", "gpiod>=2.2.2,<3")
RPI_WS281X = Library("_rpi_ws281x", "rpi_ws281x")
PI5_NEOPIXEL = Library(
    "adafruit_raspberry_pi5_neopixel_write", "Adafruit-Blinka-Raspberry-Pi5-Neopixel>=1.0.0rc2"
)


class Installation(Enum):
    """The ways of installing a copy of Millwright."""

    PACKAGE = "by the Debian package"
    SERVICE = "by `make install`"
    OTHER = "by pip, into any other environment"

    @classmethod
    def of(cls, program: Path, prefix: Path) -> Installation:
        """Return the way the code in `program` was installed, given `sys.prefix`."""
        if program.is_relative_to(PACKAGE_HOME):
            return cls.PACKAGE
        return cls.SERVICE if prefix.is_relative_to(SERVICE_HOME) else cls.OTHER


def missing(libraries: Sequence[Library], installation: Installation | None = None) -> Message | None:
    """Return the missing ones of `libraries` and how to install them, or None if none is missing.

    `installation` defaults to that of this copy.
    """
    lacking = [library for library in libraries if library.is_missing]
    if not lacking:
        return None
    how = _how(lacking, installation or _own())
    names = ", ".join(library.module.removeprefix("_") for library in lacking)
    if len(lacking) == 1:
        return Message("fault.library.one", {"libraries": names, "how": how})
    return Message("fault.library.many", {"libraries": names, "how": how})


def _own() -> Installation:
    return Installation.of(Path(__file__).resolve(), Path(sys.prefix))


def _how(libraries: Sequence[Library], installation: Installation) -> Message:
    is_compiled = any(library.is_compiled for library in libraries)
    if installation is Installation.PACKAGE:
        return Message("fault.library.unavailable") if is_compiled else Message("fault.library.again")
    pip = shlex.join([sys.executable, "-m", "pip", "install", *(library.wheel for library in libraries)])
    sudo = "sudo " if installation is Installation.SERVICE else ""
    if is_compiled:
        return Message("fault.library.pip", {"command": f"{sudo}{pip}"})
    return Message("fault.library.pure", {"command": f"{sudo}{pip}"})
