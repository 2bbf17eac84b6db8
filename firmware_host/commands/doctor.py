"""The command `millwright doctor`: the faults of a board, and how to fix them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable

import click

from firmware_host.config.found import configured
from firmware_host.config.loader import Config
from firmware_host.config.paths import CONFIG_HELP
from firmware_host.errors import ConfigError, HandsError, NotationError
from firmware_host.i18n import Message
from firmware_host.maintenance.doctor_target import DoctorTarget, pi_board, wiring_of_config
from firmware_host.maintenance.terminal import TerminalOperator
from firmware_host.ports import SensorKind
from firmware_host.runtime.journal import muted
from hardware.doctor.benchmark import measure
from hardware.doctor.findings import (
    Finding,
    as_dict,
    exit_status,
    fault,
    finding_text,
    quoted,
    skipped,
    summary,
)
from hardware.doctor.prompts import Operator

_STUCK = '{"point": "d6", "kind": "stuck-on"}'


@click.command()
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.option(
    "--walk/--no-walk",
    default=None,
    help="Test each point with a piece, and ask what you see. [default: ask, on a terminal]",
)
@click.option("--empty", is_flag=True, help="Promise that there are no pieces on the board.")
@click.option("--bench", is_flag=True, help="Measure the speed of sensors and strip on this machine instead.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print JSON at the end, and ask nothing unless --walk is given."
)
@click.option(
    "--sim",
    "broken",
    metavar="FAULT",
    help="Try it on a simulated board: {} for a sound one, or a fault to find.",
)
def doctor(
    given: str | None, walk: bool | None, empty: bool, bench: bool, as_json: bool, broken: str | None
) -> None:
    """Find the faults of this board and say how to fix them.

    Checks the Pi's system, the sensors' wires and the supply; with --walk also each sensor and LED, for which
    you put one piece on the points one after the other. The exit status is 0 if nothing is wrong, 1 if there
    are only warnings, and 2 if there is a fault or the configuration cannot be used.

    With --sim, a simulated operator walks over a simulated board: with --sim '{"point": "d6", "kind":
    "stuck-on"}' the sensor of d6 is stuck; sim/README.md lists all faults.
    """
    click.get_current_context().with_resource(muted("hardware"))  # failures become findings
    try:
        config = configured(given) if broken is None or given is not None else Config.default()
        board = pi_board(config) if broken is None else simulated_target(config, broken, in_time=bench)
    except (ConfigError, NotationError) as error:
        _finish([_wrong_setting(text) for text in str(error).split("\n")], as_json=as_json)
        return
    if bench:
        click.echo(_measured(board, as_json=as_json))
        return
    maker = board.maker if walk is not False else None
    if maker is None and _asks(walk, as_json=as_json):
        maker = _maker(as_json=as_json)
    _finish(board.findings(maker, empty=empty), as_json=as_json)


def simulated_target(config: Config, broken: str, *, in_time: bool) -> DoctorTarget:
    """Return a simulated board, wired as configured, with a fault and an operator who walks.

    With `in_time`, its clock is real.
    """
    from sim.clock import RealClock, VirtualClock
    from sim.electronics.board import SimulatedBoard
    from sim.maker import SimulatedOperator

    plan, clock = wiring_of_config(config), RealClock() if in_time else VirtualClock()
    alphabet = SensorKind(config.sensors.alphabet)
    board = SimulatedBoard(
        plan.layout,
        alphabet,
        clock,
        sensors=config.sensors,
        strip=config.strip,
        controls=config.controls,
        sound=config.sound,
    )
    try:
        described = json.loads(broken)
    except ValueError as error:
        raise HandsError(f"--sim takes JSON, as {_STUCK}, not {broken}") from error
    if described:
        board.inject(described)
    unseen_system = skipped("system", Message("doctor.simulated"))
    return DoctorTarget(
        config,
        board,
        lambda: (unseen_system,),
        board.supply.throttled,
        clock.sleep,
        SimulatedOperator(board),
    )


def _asks(walk: bool | None, *, as_json: bool) -> bool:
    """Return whether somebody is at the board and agrees to walk."""
    if walk is None and not as_json and sys.stdin and sys.stdin.isatty() and sys.stdout.isatty():
        return click.confirm("Are you at the board, with a piece, and may it be cleared?", default=True)
    return bool(walk)


def _maker(*, as_json: bool) -> Operator:
    return TerminalOperator(lambda text: click.echo(text, err=as_json), sys.stdin or ())


def _finish(findings: Iterable[Finding], *, as_json: bool) -> None:
    """Print each finding as soon as it is known, or all of them as JSON, and exit with their status."""
    kept = []
    for finding in findings:
        kept.append(finding)
        if not as_json:
            click.echo(finding_text(finding))
    click.echo(json.dumps(as_dict(kept), indent=2) if as_json else f"\n{summary(kept)}")
    sys.exit(exit_status(kept))


def _wrong_setting(text: str) -> Finding:
    return fault("settings", quoted(text), Message("doctor.settings.fix"))


def _measured(board: DoctorTarget, *, as_json: bool) -> str:
    config = board.config
    measured = measure(wiring_of_config(config), board.electronics, config.timing.frame_rate_hz)
    return json.dumps(measured.as_dict(), indent=2) if as_json else measured.as_text()
