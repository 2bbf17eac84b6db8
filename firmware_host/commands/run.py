"""The command `millwright run`: the program on a real board."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

import click

from firmware_host.commands import fast_imports
from firmware_host.config.paths import CONFIG_HELP, find_config
from firmware_host.errors import MillwrightError
from firmware_host.ports import DARK

if TYPE_CHECKING:  # what is slow to import waits until the command runs
    from firmware_host.config.loader import Config
    from firmware_host.runtime.page import PageAddress
    from firmware_host.runtime.watchdog import ServiceReporter

_F = TypeVar("_F", bound=Callable[..., Any])
_LOG = logging.getLogger(__name__)


def page_options(command: _F) -> _F:
    """Add the options of every command that serves a page to `command`."""
    for option in reversed(_PAGE_OPTIONS):
        command = option(command)
    return command


_PAGE_OPTIONS = (
    click.option("--host", help="Address to serve the page at. [default: the configured one, or 127.0.0.1]"),
    click.option(
        "--port",
        type=int,
        help="Port of the page, 0 for any free one. [default: the configured one, or 8765]",
    ),
    click.option(
        "--listen",
        is_flag=True,
        help="Let others in the house watch; to play, a device needs the printed code once.",
    ),
)


@click.command()
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@page_options
def run(given: str | None, host: str | None, port: int | None, listen: bool) -> None:
    """Play on the board that this Raspberry Pi is built into."""
    from firmware_host.runtime.early_light import glow

    glow(given)  # before the imports, which take a slow Pi many seconds
    with fast_imports():  # of the web server and the drivers
        from firmware_host.runtime.page import PageAddress
        from firmware_host.runtime.run import BoardProcess
        from firmware_host.runtime.watchdog import inherited_socket

    page = PageAddress(host, port, listen, inherited_socket(os.environ, os.getpid()))
    try:
        status = BoardProcess(given, page, os.environ, partial(_open_workshop, given)).go()
    except MillwrightError:  # perhaps before the strip was opened, which darkens it in the end
        glow(given, colour=DARK)
        raise
    sys.exit(status)


def _open_workshop(
    given: str | None, kind: str, config: Config, page: PageAddress, service: ServiceReporter
) -> bool:
    """Open the workshop of a kind, as `BoardProcess` wants it."""
    from firmware_host.maintenance.doctor_target import pi_board  # the workshop, which play does without
    from firmware_host.maintenance.settings_files import SettingsFiles
    from firmware_host.maintenance.setup_files import SetupFiles
    from firmware_host.maintenance.workshop import choose_by_page, examine_by_page, set_up_by_page
    from firmware_host.play.asking.options import DOCTOR, SETTINGS
    from hardware.electronics import PiElectronics

    if kind == DOCTOR:
        return examine_by_page(pi_board(config), page, service, find_config(given))
    if kind == SETTINGS:
        return choose_by_page(config, page, service, SettingsFiles.of_board(given, os.environ))
    files = SetupFiles.of_board(given, os.environ)
    return set_up_by_page(config, page, service, PiElectronics(_LOG.info), files)
