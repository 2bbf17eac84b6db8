"""The card: every option of every question is named where the board lights it, and can be read."""

from __future__ import annotations

from itertools import combinations, pairwise, product
from xml.etree import ElementTree

import pytest

from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import LANGUAGES, Message, translate
from firmware_host.play.asking.options import places
from firmware_host.ports import SensorKind
from firmware_host.views.card import PAPERS, CardBoard, card_svg, unbroken
from firmware_host.views.wording import option_name

SVG = "{http://www.w3.org/2000/svg}"
BOARDS = {"standard": SensorKind.PRESENCE, "mitsudomoe": SensorKind.PIECES}
EACH_CARD = pytest.mark.parametrize(("board", "language"), list(product(BOARDS, LANGUAGES)))


def card(board: str, language: str, paper: str = "a4") -> ElementTree.Element:
    return ElementTree.fromstring(card_svg(CardBoard(rule_set(board), BOARDS[board]), language, paper))  # noqa: S314


def texts(svg: ElementTree.Element) -> list[str]:
    return [" ".join(line.text or "" for line in text) for text in svg.iter(f"{SVG}text")]


def labels(svg: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """Return the left, upper, right and lower edge of each label."""
    found = []
    for rect in svg.iter(f"{SVG}rect"):
        if "opacity" in rect.attrib:
            x, y, width, height = (float(rect.attrib[name]) for name in ("x", "y", "width", "height"))
            found.append((x, y, x + width, y + height))
    return found


@EACH_CARD
def test_every_option_is_named(board: str, language: str) -> None:
    found = texts(card(board, language))
    options = ["take-back", "redo", "white-won", "black-won", "draw", "pause", "brightness", "back", "again"]
    options += ["rules", "opponent", "board", "people", "board-white", "board-black", "board-both"]
    options += ["engine:3", f"rules:{board}", "clock", "clock:none", "off"]
    options += ["clock:5+3", "clock:30", "clock:move:30", "clock-strict", "sound"]
    options += ["white-clock", "black-clock"]
    for does in options:
        assert unbroken(translate(option_name(does), language)) in found
    assert translate(Message("card.title"), language) in found


@EACH_CARD
def test_labels_lie_on_the_paper_and_not_on_each_other(board: str, language: str) -> None:
    svg = card(board, language)
    found = labels(svg)
    marks = [circle for circle in svg.iter(f"{SVG}circle") if circle.attrib["r"] == "17"]
    assert len(found) == len(marks) > 30
    for mark, (left, upper, right, lower) in product(marks, found):
        x, y = int(mark.attrib["cx"]), int(mark.attrib["cy"])
        assert right <= x - 17 or x + 17 <= left or lower <= y - 17 or y + 17 <= upper
    for left, upper, right, lower in found:
        assert left > 0
        assert right < 2100
        assert 0 < upper < lower < 2970
    for (left, upper, right, lower), other in combinations(found, 2):
        apart = 5  # half a millimetre, so that two names are not read as one
        beside = right + apart <= other[0] or other[2] + apart <= left
        assert beside or lower <= other[1] or other[3] <= upper


@EACH_CARD
def test_letters_can_be_read_on_the_smaller_paper(board: str, language: str) -> None:
    sizes = [float(text.attrib["font-size"]) for text in card(board, language).iter(f"{SVG}text")]
    assert min(sizes) / 10 * PAPERS["a5"][0] / PAPERS["a4"][0] > 1.4  # millimetres: four points


@EACH_CARD
def test_instructions_end_above_the_boards(board: str, language: str) -> None:
    svg = card(board, language)
    heads = [text for text in svg.iter(f"{SVG}text") if text.attrib["font-size"] == "46"]
    first = min(float(line.attrib["y"]) for head in heads for line in head)
    lines = [line for text in svg.iter(f"{SVG}text") if text.attrib["font-size"] == "34" for line in text]
    assert max(float(line.attrib["y"]) for line in lines) < first - 46


def test_options_are_marked_at_their_points() -> None:
    svg = card("standard", "en")
    layout = rule_set("standard").layout
    marks = [circle for circle in svg.iter(f"{SVG}circle") if circle.attrib["r"] == "17"]
    colours = {(int(mark.attrib["cx"]), int(mark.attrib["cy"])): mark.attrib["stroke"] for mark in marks}
    dots = [circle for circle in svg.iter(f"{SVG}circle") if circle.attrib["r"] == "8"]
    first = dict(zip(layout.points, dots, strict=False))
    white, black = (first[places(layout)[place]] for place in ("inner-w", "inner-e"))
    assert colours[int(white.attrib["cx"]), int(white.attrib["cy"])] == "#0072b2"
    assert colours[int(black.attrib["cx"]), int(black.attrib["cy"])] == "#e69f00"


@pytest.mark.parametrize("paper", PAPERS)
def test_paper_has_its_size(paper: str) -> None:
    width, height = PAPERS[paper]
    svg = card("standard", "en", paper)
    assert (svg.attrib["width"], svg.attrib["height"]) == (f"{width}mm", f"{height}mm")
    assert abs(width / height - 2100 / 2970) < 0.003


def test_cards_of_all_languages_differ() -> None:
    found = [card_svg(CardBoard(rule_set(), SensorKind.PRESENCE), language, "a5") for language in LANGUAGES]
    assert all(one != other for one, other in pairwise(found))
    assert found[0] == card_svg(CardBoard(rule_set(), SensorKind.PRESENCE), LANGUAGES[0], "a5")


@pytest.mark.parametrize("language", LANGUAGES)
def test_parts_that_the_board_lacks_are_not_on_its_card(language: str) -> None:
    plain = CardBoard(rule_set(), SensorKind.PRESENCE, has_button=False, switches_off=False)
    found = texts(ElementTree.fromstring(card_svg(plain, language)))  # noqa: S314
    whole = texts(card("standard", language))
    off = translate(option_name("off"), language)
    button = translate(Message("card.button-off"), language).split()[0]
    assert off in whole
    assert off not in found
    assert [text for text in whole if text.startswith(button)]
    assert not [text for text in found if text.startswith(button)]
