"""The card that lies beside a board: where the ask offers what, in the owner's language, for printing.

Invariants: the places are those of `play/asking/options.py`, so a card never differs from the board. The same
board and language give the same text, byte for byte. All lengths are in tenths of a millimetre on A4; A5 is
the same drawing, smaller.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from xml.etree.ElementTree import Element, SubElement, tostring

from firmware_host.config.compatibility import playable_rule_sets
from firmware_host.frozen import frozen
from firmware_host.games.game import Rules
from firmware_host.games.layout import Layout, Point
from firmware_host.games.rulesets import levels, standard_options
from firmware_host.i18n import Message, translate
from firmware_host.play.asking.options import (
    CLOCK,
    GAME,
    OPPONENT,
    PLACES,
    RULES,
    Option,
    Situation,
    options,
    places,
)
from firmware_host.play.other_board import RoomReport
from firmware_host.ports import SensorKind
from firmware_host.settings import Lights, Play, Sound
from firmware_host.views.wording import option_name

# ---- the widths of texts --------------------------------------------------------------------------------
# The widths of texts on paper, so that they fit where they are printed.
#
# Invariants: a text is at most as wide as it is here in any of the fonts that a card names, of which DejaVu
# Sans and Verdana are the widest. Widths are shares of the letters' size.


_WIDTHS = (
    ("iíl", 0.29),
    ("j.,:;'|!¡’·", 0.36),
    (" \u00a0ItrfJ()-/“”„", 0.42),
    ("csz", 0.55),
    ("CEFLPSTYZÉÊk", 0.7),
    ("ABDGHKNOQRUVXÁÄÀÂÃÓÔÕÖÚÜMw+=<>", 0.87),
    ("mW%@", 1.08),
)
"""Letters that are narrower or wider than most, with their widths."""
_OF = {letter: width for letters, width in _WIDTHS for letter in letters}
_USUAL = 0.64


def text_width(text: str) -> float:
    """Return the width of a line of text."""
    return sum(_OF.get(letter, _USUAL) for letter in text)


def wrapped(text: str, width: float) -> list[str]:
    """Return the lines of a text that is to be no wider; a word that is wider has a line of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


# ---- the card -------------------------------------------------------------------------------------------


PAPERS: Mapping[str, tuple[int, int]] = {"a4": (210, 297), "a5": (148, 210)}
"""The papers that a card can be printed on, in millimetres."""

WIDTH, HEIGHT = 2100, 2970
MARGIN, COLUMN, GUTTER = 110, 900, 80
_BOARD_TOP, _BOARD_PITCH = 900, 1010
SMALL, TEXT, HEAD, TITLE = 27, 34, 46, 84
_SMALLEST = 20
"""The size of letters that can still be read on A5: four points."""
_ROOM = 0.9
"""The room for a name, as a share of the distance to the next one beside it."""
_OVER_EDGE = 25
"""The room for a name beyond the edge of its board."""
_INK, _LINE, _WHITE_WON, _BLACK_WON = "#22303c", "#b9a888", "#0072b2", "#e69f00"
_POSSIBLE = frozenset({"take-back", "redo", "pause", "draw", "hint"})


@frozen
class CardBoard:
    """The board that a card is for, as far as the card says."""

    rules: Rules
    sensors: SensorKind
    has_button: bool = True
    switches_off: bool = True
    """True if the board can switch its machine off."""
    is_linked: bool = True
    """True if it can play with other boards."""


def card_svg(board: CardBoard, language: str, paper: str = "a4") -> str:
    """Return the card of a board, in one of LANGUAGES, for one of PAPERS."""
    sheet = blank_sheet(Message("card.title"), language, paper)
    _explain(sheet, board)
    now = everything(board)
    whole = (
        (GAME, Message("card.first")),
        (RULES, option_name("rules")),
        (OPPONENT, option_name("opponent")),
        (CLOCK, option_name("clock")),
    )
    for number, (question, title) in enumerate(whole):
        left = MARGIN + number % 2 * (COLUMN + GUTTER)
        top = _BOARD_TOP + number // 2 * _BOARD_PITCH
        sheet.write([translate(title, language)], left, top, HEAD, bold=True)
        draw_board(sheet, board.rules.layout, options(question, now), left, top + 50)
    return sheet.text()


def unbroken(text: str) -> str:
    """Return a text in which no unit is left alone on a line, nor a plus sign or a number of pieces."""
    text = re.sub(r": \d.*", lambda found: ": " + found[0][2:].replace(" ", "\u00a0"), text)
    return re.sub(r"(\d) (%|min\b|s\b)", "\\1\u00a0\\2", text).replace("+ ", "+\u00a0")


def everything(board: CardBoard) -> Situation:
    """Return the situation in which every option is possible that the board can ever have."""
    rules = board.rules
    return Situation(
        possible=_POSSIBLE | {"off"} if board.switches_off else _POSSIBLE,
        is_begun=True,
        is_over=False,
        rules=rules.name,
        rule_sets=tuple(playable_rule_sets(board.sensors, rules.layout)),
        levels=tuple(levels(rules)),
        white="here",
        black="here",
        lights=Lights(),
        play=Play(),
        sound=Sound(),
        switches={},
        plays_sounds=True,
        speaks=False,
        odds=standard_options(rules.name).get("odds"),
        room=RoomReport("outside") if board.is_linked else None,
    )


def blank_sheet(title: Message, language: str, paper: str) -> CardSheet:
    """Return a sheet with nothing but its title."""
    width, height = PAPERS[paper]
    size = {"width": f"{width}mm", "height": f"{height}mm", "viewBox": f"0 0 {WIDTH} {HEIGHT}"}
    svg = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", "role": "img", "lang": language, **size})
    SubElement(svg, "title").text = translate(title, language)
    SubElement(svg, "rect", {"width": str(WIDTH), "height": str(HEIGHT), "fill": "#ffffff"})
    sheet = CardSheet(svg, language)
    sheet.write([translate(title, language)], MARGIN, 170, TITLE, bold=True)
    return sheet


class CardSheet:
    """An SVG, and the language of its texts."""

    def __init__(self, svg: Element, language: str) -> None:
        self.svg = svg
        self.language = language

    def write(
        self, lines: Iterable[str], x: int, y: int, size: float, *, bold: bool = False, middle: bool = False
    ) -> None:
        """Write lines from a place on, each below the last; with `middle` centred on it."""
        look = {"font-family": "'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif", "fill": _INK}
        look |= {"font-weight": "bold"} if bold else {}
        look |= {"text-anchor": "middle"} if middle else {}
        text = SubElement(self.svg, "text", {"font-size": f"{size:g}", **look})
        for number, line in enumerate(lines):
            at = {"x": str(x), "y": f"{y + number * 1.15 * size:g}"}
            SubElement(text, "tspan", at).text = line

    def wrap(self, message: Message, x: int, y: int, *, first: str = "") -> int:
        """Write a message in a column, after the text `first`, and return where the next one begins."""
        lines = wrapped(first + translate(message, self.language), COLUMN / TEXT)
        self.write(lines, x, y, TEXT)
        return y + round(len(lines) * 1.15 * TEXT) + 26

    def text(self) -> str:
        """Return the drawing as text."""
        for child in self.svg:
            child.tail = "\n"  # within a text, a line break would be a space and shift the next line
        return tostring(self.svg, encoding="unicode") + "\n"

    def translated(self, message: Message) -> str:
        """Return the text of a message in the sheet's language."""
        return translate(message, self.language)

    def draw(self, name: str, **attributes: object) -> None:
        """Draw a shape; underscores in its attributes are hyphens."""
        SubElement(self.svg, name, {key.replace("_", "-"): str(value) for key, value in attributes.items()})


def _explain(sheet: CardSheet, board: CardBoard) -> None:
    """Write how the menu is opened, answered and left, in two columns."""
    button = Message("card.button-off") if board.switches_off else Message("card.button")
    columns = (
        (Message("card.knock"), Message("card.hold-up"), Message("card.leave")),
        (
            *(Message("card.touch"), Message("card.sure"), Message("card.cleared")),
            *((button,) if board.has_button else ()),
        ),
    )
    for number, messages in enumerate(columns):
        left, top = MARGIN + number * (COLUMN + GUTTER), 260
        for message in messages:
            top = sheet.wrap(message, left, top)


def draw_board(
    sheet: CardSheet,
    layout: Layout,
    found: Mapping[str, Option],
    left: int,
    top: int,
    *,
    width: int = COLUMN,
    part: Sequence[str] = PLACES,
) -> dict[Point, tuple[int, int]]:
    """Draw the board, or `part` of its places as large as `width` permits, and each option's name.

    Returns where its points lie.
    """
    at = places(layout)
    left_edge, right_edge = (edge(at[place].x for place in part) for edge in (min, max))
    top_edge, low_edge = (edge(at[place].y for place in part) for edge in (max, min))
    shown = [p for p in layout.points if left_edge <= p.x <= right_edge and low_edge <= p.y <= top_edge]
    unit = width / (right_edge - left_edge + 1.1)
    spots = {
        point: (
            round(left + (point.x - left_edge + 0.55) * unit),
            round(top + (top_edge - point.y + 0.35) * unit),
        )
        for point in shown
    }
    for line in layout.lines:
        for one, other in pairwise(line):
            if one in spots and other in spots:
                (x1, y1), (x2, y2) = spots[one], spots[other]
                sheet.draw("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=_LINE, stroke_width=5)
    for x, y in spots.values():
        sheet.draw("circle", cx=x, cy=y, r=8, fill=_LINE)
    for place, option in found.items():
        x, _ = spots[at[place]]
        edge = min(x - left, left + width - x) + _OVER_EDGE
        room = min(_ROOM * unit * _gap(at[place], map(at.__getitem__, found)), 2 * edge)
        _draw_option(sheet, option, spots[at[place]], (room, unit - 21 - 17 - 4))
    return spots


def _draw_option(sheet: CardSheet, option: Option, at: tuple[int, int], room: tuple[float, float]) -> None:
    """Mark the point of an option, and write its name below."""
    x, y = at
    colour = {"white-won": _WHITE_WON, "black-won": _BLACK_WON}.get(option.does, _INK)
    sheet.draw("circle", cx=x, cy=y, r=17, fill="#ffffff", stroke=colour, stroke_width=7)
    _label(sheet, translate(option_name(option.does), sheet.language), x, y + 21, room)


def _gap(point: Point, others: Iterable[Point]) -> float:
    """Return the distance from a point to the nearest of others on its left and right."""
    gaps = (abs(other.x - point.x) for other in others if other.y == point.y)
    return min((gap for gap in gaps if gap), default=math.inf)


def _label(sheet: CardSheet, text: str, x: int, top: int, room: tuple[float, float]) -> None:
    """Write a name below its point, as small as it must be for a room of that width and height."""
    text = unbroken(text)
    size, lines = _fitted(text, *room)
    width = max(map(text_width, lines)) * size
    height = (len(lines) * 1.15 + 0.1) * size
    sheet.draw(
        "rect",
        x=round(x - width / 2),
        y=top,
        width=round(width),
        height=round(height),
        fill="#ffffff",
        opacity=0.85,
    )
    sheet.write(lines, x, round(top + size), size, middle=True)


def _fitted(text: str, width: float, height: float) -> tuple[float, list[str]]:
    """Return the largest size of letters for a room of that width and height, and the lines of the text."""
    longest = max(map(text_width, text.split(" ")))
    size = max(_SMALLEST, min(SMALL, width / longest))
    lines = wrapped(text, width / size)
    while (len(lines) * 1.15 + 0.1) * size > height and size > _SMALLEST:
        size = max(_SMALLEST, size - 1)
        lines = wrapped(text, width / size)
    return size, lines
