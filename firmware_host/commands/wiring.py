"""The command `millwright wiring`: the wiring of a board as a drawing or a table, and its parts."""

from __future__ import annotations

from typing import TextIO

import click

from firmware_host.config.found import configured
from firmware_host.config.loader import Config
from firmware_host.config.paths import CONFIG_HELP
from firmware_host.config.wiring_map import led_positions
from firmware_host.games.rulesets import rule_set
from firmware_host.ports import SensorKind
from firmware_host.settings import Sensors
from hardware.drawing.wiring import wiring_svg
from hardware.wiring.plan import PICO_KINDS, BoardPlan
from hardware.wiring.report import parts_text, wiring_text

_KINDS = ("mux", "direct", "matrix", "mcp23017", "mcp3008", "serial")


@click.command()
@click.option("--text", "as_text", is_flag=True, help="Print it pin by pin; this is the default.")
@click.option(
    "--svg",
    metavar="FILE",
    type=click.File("w", encoding="utf-8", lazy=True),
    help="Write a drawing to FILE, or - for standard output.",
)
@click.option("--parts", is_flag=True, help="Print the parts list and the current that the board draws.")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.option(
    "--sensors",
    type=click.Choice([alphabet.value for alphabet in SensorKind]),
    help="Show the recommended wiring for these sensors, not the configured one; pieces: linear sensors.",
)
@click.option(
    "--kind", type=click.Choice(_KINDS), help="Show the recommended wiring for sensors of this kind."
)
@click.option(
    "--pico",
    type=click.Choice(PICO_KINDS),
    help="Show the recommended wiring of a Raspberry Pi Pico that reads sensors in this way.",
)
def wiring(
    as_text: bool,
    svg: TextIO | None,
    parts: bool,
    given: str | None,
    sensors: str | None,
    kind: str | None,
    pico: str | None,
) -> None:
    """Show the wiring of the board."""
    if as_text + parts + (svg is not None) > 1:
        raise click.UsageError("choose one of --text, --svg and --parts")
    if pico is not None and kind is not None:
        raise click.UsageError("choose one of --pico and --kind: a Pico's kinds follow --pico")
    plan = _plan(configured(given), sensors, kind, pico)
    if svg is not None:
        if plan.sensors.boards:
            raise click.UsageError(
                "--svg draws hand-wired boards; hardware/pcb/files has pictures of the circuit boards"
            )
        svg.write(wiring_svg(plan))
    else:
        click.echo(parts_text(plan) if parts else wiring_text(plan), nl=False)


def _plan(config: Config, alphabet: str | None, kind: str | None, pico: str | None) -> BoardPlan:
    rules = rule_set(config.play.rules, config.play.switches)
    pieces = sum(rules.box.values())
    if pico is not None:
        return BoardPlan.with_pico(rules.layout, pico, alphabet or Sensors().alphabet, config.lights, pieces)
    if alphabet is not None or kind is not None:
        alphabet = alphabet or Sensors().alphabet
        read_by = kind or ("mcp3008" if alphabet == "pieces" else Sensors().kind)
        return BoardPlan.recommended(rules.layout, alphabet, read_by, config.lights, pieces)
    leds = led_positions(config.strip, rules.layout)
    return BoardPlan(
        rules.layout,
        config.sensors,
        leds,
        config.strip,
        config.lights,
        pieces,
        controls=config.controls,
        sound=config.sound,
    )
