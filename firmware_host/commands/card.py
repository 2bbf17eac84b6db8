"""The command `millwright card`: the card that lies beside a board, as a drawing to print."""

from __future__ import annotations

from typing import TextIO

import click

from firmware_host.commands.wifi import own_wifi
from firmware_host.config.found import configured
from firmware_host.config.paths import CONFIG_HELP
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import ENGLISH, LANGUAGES
from firmware_host.maintenance.wifi.network_manager import ADDRESS
from firmware_host.ports import SensorKind
from firmware_host.settings import NO_LINE
from firmware_host.views.card import PAPERS, CardBoard, card_svg
from firmware_host.views.card_back import card_back_svg, card_room_svg, card_wifi_svg
from firmware_host.web.addresses import mdns_name, network_urls, url


@click.command()
@click.option(
    "--output",
    metavar="FILE",
    type=click.File("w", encoding="utf-8", lazy=True),
    default="-",
    help="Write it to FILE, not to standard output.",
)
@click.option(
    "--language", type=click.Choice(LANGUAGES), default=ENGLISH, show_default=True, help="Its language."
)
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a5", show_default=True, help="Its size.")
@click.option("--rules", metavar="NAME", help="Rule set that the board is for. [default: the configured one]")
@click.option("--back", is_flag=True, help="Draw the back: who begins, positions, the first game, the page.")
@click.option("--room", is_flag=True, help="Draw the sheet about games with another board.")
@click.option("--wifi", is_flag=True, help="Draw the sheet with the board's own Wi-Fi (root only).")
@click.option(
    "--address",
    metavar="URL",
    help="Address of the page. [default: those of this machine in its network, by number and by name]",
)
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
def card(
    output: TextIO,
    language: str,
    paper: str,
    rules: str | None,
    back: bool,
    room: bool,
    wifi: bool,
    address: str | None,
    given: str | None,
) -> None:
    """Draw the card of the menu that hands open at the board, as SVG to print."""
    config = configured(given)
    chosen = rule_set(config.play.rules, config.play.switches) if rules is None else rule_set(rules)
    sensors = SensorKind(config.sensors.alphabet)
    if any(piece.flat for piece in chosen.box):
        sensors = SensorKind.PIECES
    has_button = config.controls.button != NO_LINE
    is_linked = bool(config.link.broker)
    board = CardBoard(chosen, sensors, has_button, config.controls.off, is_linked)
    if back + room + wifi > 1:
        raise click.UsageError("--back, --room and --wifi are sheets of their own. Draw one at a time.")
    if wifi:
        name, password = own_wifi()
        home = address or url(mdns_name(), config.web.port)
        output.write(card_wifi_svg(name, password, (url(ADDRESS, 80), home), language, paper))
        return
    if room:
        output.write(card_room_svg(board, language, paper))
        return
    if not back:
        output.write(card_svg(board, language, paper))
        return
    addresses = [address] if address else network_urls(config.web.port) if config.web.listen else []
    output.write(card_back_svg(board, language, paper, addresses))
