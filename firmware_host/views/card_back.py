"""The back of the card: who begins, a position that is set up, the first game, and the page's address.

Invariants: as for the card; the turns of the first game are those of the lesson.
"""

from __future__ import annotations

from firmware_host.games.game import Rules
from firmware_host.i18n import Message
from firmware_host.play.asking.options import RULES, STARTING, options
from firmware_host.play.beginning.lesson import COURSE
from firmware_host.ports import SensorKind
from firmware_host.views.card import (
    COLUMN,
    GUTTER,
    HEAD,
    MARGIN,
    Sheet,
    blank_sheet,
    draw_board,
    everything,
    option_name,
)
from firmware_host.web.qr import qr_path

_TOP = 290
_BELOW_BOARD = _TOP + 1010
_QR_SIZE = 300


def card_back_svg(
    rules: Rules, sensors: SensorKind, language: str, paper: str = "a4", address: str | None = None
) -> str:
    """Return the back of the card, as `card_svg` the card; `address` is that of the page, if it has one."""
    sheet = blank_sheet(Message("card.back"), language, paper)
    now = everything(rules, sensors)
    right = MARGIN + COLUMN + GUTTER
    sheet.write([sheet.translated(option_name(STARTING))], MARGIN, _TOP, HEAD, bold=True)
    draw_board(sheet, rules.layout, options(STARTING, now), MARGIN, _TOP + 50)
    top = _heading(sheet, option_name("set-up"), MARGIN, _BELOW_BOARD)
    for number, step in enumerate(_SET_UP, 1):
        top = sheet.wrap(step, MARGIN, top, first=f"{number}. ")
    if address is not None:
        _draw_address(sheet, address, MARGIN, top + 40)
    if "lesson" in (option.does for option in options(RULES, now).values()):
        top = _heading(sheet, Message("lesson.learn"), right, _TOP)
        for number, turn in enumerate(COURSE, 1):
            top = sheet.wrap(turn.says, right, top, first=f"{number}. ")
        sheet.wrap(Message("card.lesson-takes"), right, top)
    return sheet.text()


_SET_UP = (
    Message("card.set-up"),
    Message("card.set-up-white"),
    Message("card.set-up-stands"),
    Message("card.set-up-moves"),
)


def _heading(sheet: Sheet, title: Message, left: int, top: int) -> int:
    """Write a title, and return where the text below it begins."""
    sheet.write([sheet.translated(title)], left, top, HEAD, bold=True)
    return top + 70


def _draw_address(sheet: Sheet, address: str, left: int, top: int) -> None:
    """Draw the page's address as a QR code, with the address beside it."""
    path, modules = qr_path(address)
    scale = _QR_SIZE / modules
    sheet.draw("path", d=path, transform=f"translate({left} {top}) scale({scale:.3f})", fill="#000000")
    sheet.write([sheet.translated(Message("card.page")), address], left + _QR_SIZE + 40, top + 60, 30)
