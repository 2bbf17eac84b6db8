"""The back of the card: who begins, positions, the first game, and the page's address."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import LANGUAGES, Message, translate
from firmware_host.play.beginning.lesson import COURSE
from firmware_host.ports import SensorKind
from firmware_host.views.card import option_name, unbroken
from firmware_host.views.card_back import card_back_svg

SVG = "{http://www.w3.org/2000/svg}"
ADDRESS = "http://raspberrypi.local:8765/"


def back(rules: str, language: str, address: str | None = ADDRESS) -> ElementTree.Element:
    sensors = SensorKind.PIECES if rules == "mitsudomoe" else SensorKind.PRESENCE
    return ElementTree.fromstring(card_back_svg(rule_set(rules), sensors, language, "a5", address))  # noqa: S314


def texts(svg: ElementTree.Element) -> str:
    return " ".join(" ".join(line.text or "" for line in text) for text in svg.iter(f"{SVG}text"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_has_who_begins_and_each_turn_of_the_first_game(language: str) -> None:
    found = texts(back("standard", language))
    for does in ("starts:turns", "starts:lot", "odds:white-2", "odds:black-3", "set-up", "hints", "phone"):
        assert unbroken(translate(option_name(does), language)) in found
    for number, turn in enumerate(COURSE, 1):
        said = f"{number}. {translate(turn.says, language)}"
        assert said.replace(" ", "") in found.replace(" ", "")  # lines may end at a hyphen
    assert ADDRESS in found


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
    for does in ("theme:candle", "brightness:30%", "hints", "phone", "back"):
        assert unbroken(translate(option_name(does), language)) in names


def test_without_an_address_there_is_no_code() -> None:
    assert list(back("standard", "en").iter(f"{SVG}path"))
    assert not list(back("standard", "en", None).iter(f"{SVG}path"))


def test_mitsudomoe_has_neither_lesson_nor_handicap() -> None:
    found = texts(back("mitsudomoe", "en"))
    assert translate(Message("lesson.learn"), "en") not in found
    assert translate(option_name("odds:even"), "en") not in found
