"""The command `millwright plates`: the board's wood as files for a laser cutter or a milling machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from firmware_host.config.loader import Config, load
from firmware_host.config.paths import CONFIG_HELP, find_config
from firmware_host.errors import ConfigError
from firmware_host.games.game import Rules
from firmware_host.games.layout import SQUARES, Layout
from firmware_host.games.rulesets import rule_set
from hardware.case.carriers import CARRIERS
from hardware.case.check import check
from hardware.case.files.export import board_files, screws_text
from hardware.case.files.plates import board_sheets
from hardware.case.measures import ChipBoard, LightOutlet, Measures
from hardware.wiring.netlist import SensorType
from hardware.wiring.plan import sensor_type

_F = TypeVar("_F", bound=Callable[..., Any])

_SENSORS = {"reed": SensorType.REED, "hall": SensorType.HALL, "linear": SensorType.LINEAR}


class _MagnetSize(click.ParamType[tuple[float, float]]):
    """A disc's diameter and height, such as 8x3."""

    name = "DxH"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[float, float]:
        try:
            diameter, height = map(float, str(value).split("x"))
        except ValueError:
            self.fail(f"{value!r} is not a diameter and a height in mm, such as 8x3", param, ctx)
        return diameter, height


def _length(option: str, about: str) -> Callable[[_F], _F]:
    """Return an option for a length in millimetres, whose parameter is the field of the measures."""
    field = f"{option.removeprefix('--').replace('-', '_')}_mm"
    return click.option(option, field, type=float, metavar="MM", help=about)


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--rules", metavar="NAME", help="Rule set that the board is for. [default: the configured one]")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.option(
    "--light",
    type=click.Choice([outlet.value for outlet in LightOutlet]),
    default=LightOutlet.INLAY.value,
    show_default=True,
    help="Where light comes out: at translucent inlays, or at a hole beside each point.",
)
@click.option(
    "--magnet",
    type=_MagnetSize(),
    metavar="DxH",
    help="Diameter and height of the magnets in mm. [default: 8x3, or 6x2 or 5x2 where that is too strong]",
)
@click.option(
    "--sensors",
    type=click.Choice([*_SENSORS]),
    help="What stands at each point; hall: two switches. [default: as configured]",
)
@click.option(
    "--led",
    "carrier",
    type=click.Choice([*CARRIERS]),
    default="pixel",
    show_default=True,
    help="The board of an LED: round, of 10 mm, or a piece of a strip with so many a metre.",
)
@click.option(
    "--electronics",
    type=click.Choice([kind.value for kind in ChipBoard]),
    help="What carries the chips: a stripboard beside the Pi, or the circuit boards to order, a controller "
    "on its header and a module at each point. [default: as configured]",
)
@click.option(
    "--stack", "stacked", is_flag=True, help="Make everything from sheets of 3 mm that a laser cuts through."
)
@_length("--pitch", "Distance between neighbouring rows of points. [default: 40, on squares 60]")
@_length(
    "--edge", "Distance from the outermost points to the rim. [default: 30, wider on small boards of squares]"
)
@_length("--piece", "Diameter of the pieces. [default: 24, on squares 36]")
@_length("--piece-height", "Height of the pieces. [default: 8, in a stack 9]")
@_length("--inlay", "Diameter of the inlays. [default: 34, on squares 48]")
@_length("--inlay-depth", "Thickness of the inlays. [default: 3]")
@_length("--upper", "Thickness of the upper plate. [default: 15]")
@_length("--reed", "Length of a reed's glass. [default: 14]")
@_length("--led-offset", "Distance of an LED from the centre of its inlay. [default: 8.5, on squares 12.5]")
@_length("--frame", "Thickness of the frame. [default: 10, in a stack 9]")
@_length("--frame-height", "Height of the frame. [default: 50]")
def plates(folder: Path, rules: str | None, given: str | None, **options: Any) -> None:
    """Write the board's wood into FOLDER: sheets as SVG and DXF, pieces as STL, and the wires to cut.

    Everything is in millimetres, and follows from one model of the board, in which nothing may be in the way
    of anything else. Measures that don't fit together are refused with the reason. What each layer means is
    in the builder's guide, hardware/CASE.md.
    """
    config = load(find_config(given))
    game = rule_set(rules or config.play.rules, () if rules else config.play.switches)
    measures = _measures(config, game, **options)
    made = check(game.layout, game.box, measures)
    _write(folder, board_files(made, game.box))
    for sheet in board_sheets(made, game.box):
        layers = ", ".join(layer.name for layer in sheet.layers)
        click.echo(f"{sheet.name:13} {sheet.width:g} x {sheet.height:g} mm, {sheet.title}: {layers}")
    thin, thick = (made.wires.metres(thick=thick) for thick in (False, True))
    click.echo(f"Screws: {screws_text(made)}.")
    click.echo(f"Wire: {thin} m of 0.14 mm², {thick} m of 0.5 mm²; wires.csv has each length.")
    click.echo(f"Magnets: {measures.magnet_mm:g} x {measures.magnet_height_mm:g} mm.")


def _measures(
    config: Config,
    game: Rules,
    *,
    light: str,
    magnet: tuple[float, float] | None,
    sensors: str | None,
    carrier: str,
    electronics: str | None,
    stacked: bool,
    **lengths: float | None,
) -> Measures:
    """Return the recommended measures, and in place of some of them those that the options give."""
    recommended = Measures.recommended(
        game.layout,
        game.box,
        pitch_mm=lengths["pitch_mm"],
        sensor=_SENSORS[sensors] if sensors else _configured(config, game.layout),
        outlet=LightOutlet(light),
        carrier=CARRIERS[carrier],
        electronics=ChipBoard(electronics) if electronics else _configured_boards(config),
        stacked=stacked,
        lengths={name: value for name, value in lengths.items() if value is not None},
    )
    if magnet is None:
        return recommended
    wide, high = magnet
    return replace(recommended, magnet_mm=wide, magnet_height_mm=high)


def _configured(config: Config, layout: Layout) -> SensorType:
    """Return the sensors of the configured board; squares have linear ones."""
    return SensorType.LINEAR if layout is SQUARES else sensor_type(config.sensors)


def _configured_boards(config: Config) -> ChipBoard:
    return ChipBoard.CONTROLLER if config.sensors.boards else ChipBoard.STRIPBOARD


def _write(folder: Path, files: Iterable[tuple[str, str]]) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files:
            (folder / name).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from error
