"""The back of the card: who begins, a position that is set up, the first game, settings, the page's address.

And sheets of their own: about games with another board, and with the name and password of the board's Wi-Fi.

Invariants: as for the card; the turns of the first game are those of the lesson.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.play.asking.options import BOARD, PLACES, ROOM, RULES, STARTING, Option, options
from firmware_host.play.lesson import COURSE
from firmware_host.play.other_board import RoomReport
from firmware_host.views.card import (
    COLUMN,
    GUTTER,
    HEAD,
    HEIGHT,
    MARGIN,
    SMALL,
    TEXT,
    CardBoard,
    CardSheet,
    blank_sheet,
    draw_board,
    everything,
    wrapped,
)
from firmware_host.views.wording import option_name
from firmware_host.web.qr import qr_path

_TOP = 290
_BELOW_BOARD = _TOP + 1010
_QR_SIZE = 300
_BELOW_LESSON = 2060
_NAMES, _NAMES_WIDTH = 2410, 480
"""The top of the board with the names of the points, and its width."""
_TWO_RINGS = PLACES[:16]
"""The places of the settings, outside of which nothing is drawn."""


def card_back_svg(board: CardBoard, language: str, paper: str = "a4", addresses: Sequence[str] = ()) -> str:
    """Return the back of the card, as `card_svg` the card.

    `addresses` are those of the page, if it has any; the first one stands there as a QR code as well.
    """
    sheet = blank_sheet(Message("card.back"), language, paper)
    now, layout = everything(board), board.rules.layout
    right = MARGIN + COLUMN + GUTTER
    sheet.write([sheet.translated(option_name(STARTING))], MARGIN, _TOP, HEAD, bold=True)
    draw_board(sheet, layout, options(STARTING, now), MARGIN, _TOP + 50)
    top = _heading(sheet, option_name("set-up"), MARGIN, _BELOW_BOARD)
    for number, step in enumerate(_SET_UP, 1):
        top = sheet.wrap(step, MARGIN, top, first=f"{number}. ")
    has_lesson = "lesson" in (option.does for option in options(RULES, now).values())
    if has_lesson:
        _explain_lesson(sheet, right)
        _draw_names(sheet, layout, MARGIN, _NAMES)
    _draw_settings(sheet, layout, options(BOARD, now), right, _BELOW_LESSON if has_lesson else _TOP)
    if addresses:
        _draw_addresses(sheet, addresses, *((MARGIN, top + 40) if has_lesson else (right, _BELOW_BOARD)))
    return sheet.text()


def card_room_svg(board: CardBoard, language: str, paper: str = "a4") -> str:
    """Return the sheet about games with another board, as `card_svg` the card."""
    sheet = blank_sheet(Message("card.room"), language, paper)
    layout = board.rules.layout
    for number, messages in enumerate(_ROOM):
        left, top = MARGIN + number * (COLUMN + GUTTER), _TOP
        for message in messages:
            top = sheet.wrap(message, left, top)
    trouble = {"key": "link.refused-there", "slots": {}}
    rooms = (
        (Message("card.room-before"), RoomReport("waiting")),
        (Message("card.room-during"), RoomReport("playing", "draw", may_claim=True, trouble=trouble)),
    )
    for number, (title, room) in enumerate(rooms):
        left = MARGIN + number * (COLUMN + GUTTER)
        now = replace(everything(board), room=room)
        sheet.write([sheet.translated(title)], left, _ROOM_TOP, HEAD, bold=True)
        draw_board(sheet, layout, options(ROOM, now), left, _ROOM_TOP + 50)
    return sheet.text()


def card_wifi_svg(name: str, password: str, address: str, language: str, paper: str = "a4") -> str:
    """Return the sheet about the board's own Wi-Fi, as `card_svg` the card; its page is at `address`.

    Name and password are letters, digits, spaces and hyphens: other signs have a meaning in the code.
    """
    sheet = blank_sheet(Message("card.wifi"), language, paper)
    path, modules = qr_path(f"WIFI:T:WPA;S:{name};P:{password};;")
    scale = COLUMN / modules
    sheet.draw("path", d=path, transform=f"translate({MARGIN} {_TOP}) scale({scale:.3f})", fill="#000000")
    top = _TOP + COLUMN + 80
    for title, text in ((Message("card.wifi-name"), name), (Message("card.wifi-password"), password)):
        sheet.write([sheet.translated(title)], MARGIN, top, SMALL)
        sheet.write([text], MARGIN, top + 80, HEAD, bold=True)
        top += 190
    top = _TOP + 30
    for message in (
        Message("card.wifi-when"),
        Message("card.wifi-how", {"address": address}),
        Message("card.wifi-keep"),
    ):
        top = sheet.wrap(message, MARGIN + COLUMN + GUTTER, top)
    return sheet.text()


_ROOM_TOP = 1010
_ROOM = (
    (Message("card.room-meet"), Message("card.room-same"), Message("card.room-ready")),
    (Message("card.room-offers"), Message("card.room-answers"), Message("card.room-says")),
)

_SET_UP = (
    Message("card.set-up"),
    Message("card.set-up-white"),
    Message("card.set-up-stands"),
    Message("card.set-up-moves"),
)


def _heading(sheet: CardSheet, title: Message, left: int, top: int) -> int:
    """Write a title, and return where the text below it begins."""
    sheet.write([sheet.translated(title)], left, top, HEAD, bold=True)
    return top + 70


def _explain_lesson(sheet: CardSheet, left: int) -> None:
    """Write the turns of the first game in a column."""
    top = _heading(sheet, Message("lesson.learn"), left, _TOP)
    for number, turn in enumerate(COURSE, 1):
        top = sheet.wrap(turn.says, left, top, first=f"{number}. ")
    sheet.wrap(Message("card.lesson-takes"), left, top)


def _draw_names(sheet: CardSheet, layout: Layout, left: int, top: int) -> None:
    """Draw a board with the letters and numbers that name its points."""
    at = draw_board(sheet, layout, {}, left, top, width=_NAMES_WIDTH)
    beside = left + _NAMES_WIDTH + 30
    title = wrapped(sheet.translated(Message("card.points")), (COLUMN - _NAMES_WIDTH - 30) / TEXT)
    sheet.write(title, beside, top + 60, TEXT)
    lowest, leftmost = max(y for _, y in at.values()), min(x for x, _ in at.values())
    for letter, x in sorted({(point.name[0], x) for point, (x, _) in at.items()}):
        sheet.write([letter], x, lowest + 45, SMALL, middle=True)
    for number, y in sorted({(point.name[1], y) for point, (_, y) in at.items()}):
        sheet.write([number], leftmost - 30, y + 10, SMALL, middle=True)


def _draw_settings(
    sheet: CardSheet, layout: Layout, found: Mapping[str, Option], left: int, top: int
) -> None:
    """Draw the settings, which need no more than two rings, as large as the paper permits."""
    sheet.write([sheet.translated(option_name(BOARD))], left, top, HEAD, bold=True)
    draw_board(sheet, layout, found, left, top + 50, width=min(COLUMN, HEIGHT - top - 150), part=_TWO_RINGS)


def _draw_addresses(sheet: CardSheet, addresses: Sequence[str], left: int, top: int) -> None:
    """Draw the first address of the page as a QR code, with all of them beside it."""
    path, modules = qr_path(addresses[0])
    scale = _QR_SIZE / modules
    sheet.draw("path", d=path, transform=f"translate({left} {top}) scale({scale:.3f})", fill="#000000")
    text, beside = 30, left + _QR_SIZE + 40
    lines = wrapped(sheet.translated(Message("card.page")), (COLUMN - _QR_SIZE - 40) / text)
    sheet.write([*lines, *addresses], beside, top + 60, text)
