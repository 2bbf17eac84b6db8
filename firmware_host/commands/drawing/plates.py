"""The command `millwright plates`: the board's wood as files for a laser cutter or a milling machine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import click

from firmware_host.config.loader import load
from firmware_host.config.paths import CONFIG_HELP, find_config
from firmware_host.errors import ConfigError
from firmware_host.games.rulesets import rule_set
from hardware.case.dxf import sheet_dxf
from hardware.case.measures import LightOutlet, Measures
from hardware.case.plates import sheets
from hardware.case.svg import sheet_svg

_F = TypeVar("_F", bound=Callable[..., Any])

_WRITERS = {"svg": sheet_svg, "dxf": sheet_dxf}


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
    help="Diameter and height of the magnets in mm. [default: 8x3]",
)
@_length("--pitch", "Distance between neighbouring rows of points. [default: 40, on squares 60]")
@_length("--edge", "Distance from the outermost points to the rim. [default: 30]")
@_length("--piece", "Diameter of the pieces. [default: 24, on squares 36]")
@_length("--piece-height", "Height of the pieces. [default: 8]")
@_length("--inlay", "Diameter of the inlays. [default: 34, on squares 48]")
@_length("--inlay-depth", "Thickness of the inlays. [default: 3]")
@_length("--upper", "Thickness of the upper plate. [default: 15]")
@_length("--led-offset", "Distance of an LED from the centre of its inlay. [default: 10, on squares 15]")
def plates(
    folder: Path,
    rules: str | None,
    given: str | None,
    light: str,
    magnet: tuple[float, float] | None,
    **lengths: float | None,
) -> None:
    """Write plates, inlays and pieces into FOLDER, each as SVG and DXF in millimetres.

    Measures that don't fit together are refused with the reason. What each layer means is in the builder's
    guide, hardware/CASE.md.
    """
    play = load(find_config(given)).play
    game = rule_set(rules or play.rules, () if rules else play.switches)
    measures = replace(
        Measures.recommended(game.layout),
        outlet=LightOutlet(light),
        **{name: value for name, value in lengths.items() if value is not None},
    )
    if magnet is not None:
        measures = replace(measures, magnet_mm=magnet[0], magnet_height_mm=magnet[1])
    drawn = sheets(game.layout, game.box, measures)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for sheet in drawn:
            for ending, text in _WRITERS.items():
                (folder / f"{sheet.name}.{ending}").write_text(text(sheet), encoding="utf-8", newline="\n")
    except OSError as error:
        raise ConfigError(f"{folder}: cannot be written: {error.strerror}") from error
    for sheet in drawn:
        layers = ", ".join(layer.name for layer in sheet.layers)
        click.echo(f"{sheet.name:12} {sheet.width:g} x {sheet.height:g} mm, {sheet.title}: {layers}")
