"""The command `millwright report`: gathers what the project needs to know about a board into one file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from firmware_host.commands.doctor import simulated_target
from firmware_host.config.found import configured
from firmware_host.config.loader import Config
from firmware_host.config.paths import CONFIG_HELP, find_config
from firmware_host.errors import ConfigError, NoBoardError, PageError
from firmware_host.maintenance import report as reports
from firmware_host.maintenance.board_client import get_object
from firmware_host.maintenance.doctor_target import pi_board
from firmware_host.maintenance.report import Redactor
from firmware_host.runtime.clock import machine_clock
from firmware_host.runtime.journal import muted


@click.command()
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.option("--sim", "simulated", is_flag=True, help="Examine a simulated board instead of this Pi's.")
@click.option(
    "--out",
    metavar="FILE",
    help="Write into FILE, or - for standard output. [default: millwright-report-DATE.json]",
)
def report(given: str | None, simulated: bool, out: str | None) -> None:
    """Write a report on this board for the project, to attach to an issue.

    It has the model, system, kernel and libraries, the settings you changed, the doctor's findings, and the
    timings of sensors and strip. It has no names, addresses, paths or access code, and no games. Read the
    file before you send it.

    A running board is asked for its status; for the doctor and the timings, stop it first.
    """
    click.get_current_context().with_resource(muted("hardware"))  # failures become findings
    is_ours = given is not None or not simulated
    settings = find_config(given) if is_ours else None
    try:
        config, faults = (configured(given) if is_ours else Config.default()), ""
    except ConfigError as error:
        config, faults = Config.default(), str(error)
    day = machine_clock().day()
    gathered = reports.compose(
        reports.machine_facts(),
        reports.library_versions(),
        day=day,
        settings={"faults": reports.setting_faults(faults)} if faults else reports.changed_settings(config),
        simulated=simulated,
        **_board(config, faults, simulated=simulated),
    )
    clean = reports.redact(gathered, config, settings, Redactor.of_this_machine)
    text = reports.as_text(clean)
    if out == "-":
        click.echo(text, nl=False)
        return
    file = Path(out or f"millwright-report-{day}.json")
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{file}: cannot be written: {error.strerror}") from error
    click.echo("\n".join(reports.overview(clean)))
    click.echo(f"\nWritten to {file}. Read it, then attach it to an issue of the project.")


def _board(config: Config, faults: str, *, simulated: bool) -> Mapping[str, Any]:
    """Return the parts of a report that are about the board: its status, or its examination."""
    if simulated:
        board, timed = (simulated_target(config, "{}", in_time=in_time) for in_time in (False, True))
        return {"examined": reports.examine(board, timed)}
    try:
        running = get_object(config.web.host, config.web.port, "/status")
    except NoBoardError:
        if faults:
            return {"left_out": (reports.UNUSABLE,)}
        return {"examined": reports.examine(pi_board(config))}
    except PageError as error:  # a board that is stuck, or another program: leave its lines alone
        return {"running": {"status": str(error)}, "left_out": (reports.UNCLEAR,)}
    return {"running": running, "left_out": (reports.RUNNING,)}
