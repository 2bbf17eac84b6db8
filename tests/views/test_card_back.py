"""The back of the card: who begins, positions, the first game, and the page's address."""

from __future__ import annotations

from collections.abc import Sequence
from xml.etree import ElementTree

import pytest

from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import LANGUAGES, Message, translate
from firmware_host.play.lesson import COURSE
from firmware_host.ports import SensorKind
from firmware_host.views.card import CardBoard, unbroken
from firmware_host.views.card_back import card_back_svg, card_room_svg
from firmware_host.views.wording import option_name

SVG = "{http://www.w3.org/2000/svg}"
ADDRESSES = ("http://192.168.178.120:8765/", "http://raspberrypi.local:8765/")


def back(rules: str, language: str, addresses: Sequence[str] = ADDRESSES) -> ElementTree.Element:
    sensors = SensorKind.PIECES if rules == "mitsudomoe" else SensorKind.PRESENCE
    drawn = card_back_svg(CardBoard(rule_set(rules), sensors), language, "a5", addresses)
    return ElementTree.fromstring(drawn)  # noqa: S314


def texts(svg: ElementTree.Element) -> str:
    return " ".join(" ".join(line.text or "" for line in text) for text in svg.iter(f"{SVG}text"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_who_begins_and_each_turn_of_the_first_game(language: str) -> None:
    found = texts(back("standard", language))
    for does in ("starts:turns", "starts:lot", "odds:white-2", "odds:black-3", "set-up", "hints"):
        assert unbroken(translate(option_name(does), language)) in found
    for number, turn in enumerate(COURSE, 1):
        said = f"{number}. {translate(turn.says, language)}"
        assert said.replace(" ", "") in found.replace(" ", "")  # lines may end at a hyphen
    assert " ".join(ADDRESSES) in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_lies_on_the_paper(language: str) -> None:
    for rules in ("standard", "mitsudomoe"):
        svg = back(rules, language)
        lines = [line for text in svg.iter(f"{SVG}text") for line in text]
        assert max(float(line.attrib["y"]) for line in lines) < 2900
        right = [line for line in lines if float(line.attrib["x"]) > 1050]
        assert max(float(line.attrib["y"]) for line in right) > 1000, "both halves are used"


@pytest.mark.parametrize("language", LANGUAGES)
def test_settings_are_drawn_below_the_first_game(language: str) -> None:
    svg = back("standard", language)
    heading = translate(option_name("board"), language)
    texts = [[(float(line.attrib["y"]), line.text or "") for line in text] for text in svg.iter(f"{SVG}text")]
    at = next(lines[0][0] for lines in texts if lines[0][1] == heading)
    takes = translate(Message("card.lesson-takes"), language).split()[0]
    ends = next(lines[-1][0] for lines in texts if lines[0][1].startswith(takes) and len(lines) > 1)
    assert ends + 50 < at
    names = {" ".join(text for _, text in lines) for lines in texts if lines[0][0] > at}
    for does in ("theme:candle", "brightness:30%", "hints", "back"):
        assert unbroken(translate(option_name(does), language)) in names


def test_without_an_address_there_is_no_code() -> None:
    assert list(back("standard", "en").iter(f"{SVG}path"))
    assert not list(back("standard", "en", ()).iter(f"{SVG}path"))


def test_mitsudomoe_has_neither_lesson_nor_handicap() -> None:
    found = texts(back("mitsudomoe", "en"))
    assert translate(Message("lesson.learn"), "en") not in found
    assert translate(option_name("odds:even"), "en") not in found


@pytest.mark.parametrize("language", LANGUAGES)
def test_points_that_the_first_game_names_can_be_found(language: str) -> None:
    svg = back("standard", language)
    lines = [line for text in svg.iter(f"{SVG}text") for line in text]
    labels = {line.text or "": line for line in lines if len(line.text or "") == 1}
    assert "".join(sorted(labels)) == "1234567abcdefg"
    across = [float(labels[letter].attrib["x"]) for letter in "abcdefg"]
    upwards = [float(labels[number].attrib["y"]) for number in "7654321"]
    assert across == sorted(across)
    assert upwards == sorted(upwards)
    dots = {(float(dot.attrib["cx"]), float(dot.attrib["cy"])) for dot in svg.iter(f"{SVG}circle")}
    assert (across[0], upwards[0] - 10) in dots  # a7
    assert (across[3], upwards[3] - 10) not in dots  # d4 is no point
    addresses = [path.attrib["transform"] for path in svg.iter(f"{SVG}path")]
    lowest_code = max(float(text.split()[1].split(")")[0]) for text in addresses) + 300
    assert lowest_code < upwards[0] - 30


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("rules", ["standard", "mitsudomoe"])
def test_the_sheet_of_another_board_names_all_that_is_done_there(language: str, rules: str) -> None:
    board = CardBoard(rule_set(rules), SensorKind.PIECES if rules == "mitsudomoe" else SensorKind.PRESENCE)
    svg = ElementTree.fromstring(card_room_svg(board, language, "a5"))  # noqa: S314
    found = texts(svg)
    for does in ("ready", "accept", "decline", "claim-win", "take-theirs", "leave", "say:thanks", "say:bye"):
        assert unbroken(translate(option_name(does), language)) in found
    lines = [line for text in svg.iter(f"{SVG}text") for line in text]
    explained = [line for line in lines if float(line.attrib["y"]) < 1000]
    assert max(float(line.attrib["y"]) for line in explained) < 940, "texts end above the boards"
