"""The board's questions on the page: each option's name at its point, and a click as an answer."""

from dataclasses import replace

import pytest
from playwright.sync_api import Page, expect

from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import RULE_SETS, rule_set
from firmware_host.i18n import Message, translate
from firmware_host.lights.themes import THEMES
from firmware_host.play.asking.options import options as menu_options
from firmware_host.play.asking.options import places
from firmware_host.play.other_board import RoomReport
from firmware_host.ports import SensorKind
from firmware_host.settings import Sound
from firmware_host.views.card import CardBoard, everything, unbroken
from firmware_host.views.wording import option_name
from tests.support.matrix import sampled
from tests.support.web.browsing import OpenPage, choose, until
from tests.support.web.fake_board import FakeBoard
from tests.support.web.spoken import LANGUAGES, VALUES

ROOM = RoomReport("playing", "draw", may_claim=True, trouble={"key": "link.differs", "slots": {}})
QUESTIONS = ("game", "room", "rules", "opponent", "board", "clock", "white-clock", "starting", "result")
OVERLAPPING = """() => {
    const buttons = [...document.querySelectorAll("#asking button")];
    const boxes = buttons.map((button) => [button.textContent, button.getBoundingClientRect()]);
    const areBeside = (one, other) => one.left < other.right - 1 && other.left < one.right - 1;
    const areLevel = (one, other) => one.top < other.bottom - 1 && other.top < one.bottom - 1;
    const meet = ([, one], [, other]) => areBeside(one, other) && areLevel(one, other);
    const meeting = (one, at) => boxes.slice(at + 1).filter((other) => meet(one, other));
    return boxes.flatMap((one, at) => meeting(one, at).map(([name]) => [one[0], name]));
}"""
OFF_THE_WOOD = """() => {
    const wood = document.querySelector("#wood .rim").getBoundingClientRect();
    const isOn = ({ left, right, top, bottom }) =>
        wood.left <= left && right <= wood.right && wood.top <= top && bottom <= wood.bottom;
    const buttons = [...document.querySelectorAll("#asking button")];
    const off = buttons.filter((button) => !isOn(button.getBoundingClientRect()));
    return off.map(({ textContent }) => textContent);
}"""

OPTIONS = {"d5": "take-back", "c4": "white-won", "b6": "rules"}


def ask(board: FakeBoard, sure: str | None = None, **options: str) -> None:
    lit = {sure: options[sure]} if sure else options
    asking = {"question": "game", "options": lit, "sure": sure, "seconds": 9.5}
    cues = {point: ["sure" if sure else "ask"] for point in lit}
    board.say(status="asking", asking=asking, cues=cues, leds=dict.fromkeys(lit, "#ffffff"))


@pytest.mark.parametrize(
    ("question", "cue", "means"),
    [("phone-out", "wrong", "the number was wrong"), ("phone-in", "asked", "the phone may play")],
)
def test_light_that_answers_a_phone_is_named_so(
    board: FakeBoard, page: Page, question: str, cue: str, means: str
) -> None:
    asking = {"question": question, "options": {}, "sure": None, "seconds": 3}
    said = Message(f"workshop.{question}").as_dict()
    board.say(status="asking", asking=asking, said=said, cues={"d6": [cue]}, leds={"d6": "#ffffff"})
    expect(page.locator("#legend li")).to_have_text([means])


def test_each_option_is_named_beside_its_point(board: FakeBoard, page: Page) -> None:
    expect(page.locator("#asking")).to_be_hidden()
    ask(board, **OPTIONS)
    expect(page.locator("#asking button")).to_have_text(["Take back", "White has won", "New game"])
    for name in OPTIONS:
        button = page.locator(f"#asking [data-at={name}]").bounding_box()
        light = page.locator(f"#light [data-point={name}] circle").first.bounding_box()
        assert button is not None
        assert light is not None
        assert abs(button["x"] + button["width"] / 2 - light["x"] - light["width"] / 2) < 2
        assert light["y"] < button["y"] < light["y"] + light["height"]
    board.say(status="ready", asking=None, cues={}, leds={})
    expect(page.locator("#asking")).to_be_hidden()


def test_a_click_is_an_answer(board: FakeBoard, page: Page) -> None:
    ask(board, **OPTIONS)
    page.get_by_role("button", name="White has won").click()
    assert board.asked(1) == [{"do": "answer", "point": "c4"}]
    ask(board, sure="c4", **OPTIONS)
    expect(page.locator("#asking button")).to_have_text(["Again: White has won"])
    expect(page.locator("#asking button")).to_be_focused()
    page.keyboard.press("Enter")
    assert board.asked(2)[1] == {"do": "answer", "point": "c4"}


def test_the_menu_is_opened_from_the_page(board: FakeBoard, page: Page) -> None:
    board.say(can=["ask"])
    choose(page, "ask")
    assert board.asked(1) == [{"do": "ask"}]


def test_page_and_card_give_options_the_same_names(page: Page) -> None:
    values = [f"rules:{name}" for name in RULE_SETS] + [f"theme:{name}" for name in THEMES]
    options = [*VALUES["option"], *values, "engine:7", "brightness:60%", "meet:2", "say:your-turn"]
    options += ["clock:none", "clock:10", "clock:5+3", "clock:move:30"]
    script = "(all) => import('/asking.js').then(({ optionName }) => all.map(optionName))"
    assert page.evaluate(script, options) == [
        unbroken(translate(option_name(does), "en")) for does in options
    ]


@pytest.mark.parametrize("language", sampled(reversed(LANGUAGES), 2))
def test_names_of_options_leave_each_other_room(open_page: OpenPage, board: FakeBoard, language: str) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, locale=language)
    now = replace(
        everything(CardBoard(rule_set("standard"), SensorKind.POLARITY)),
        speaks=True,
        sound=Sound(speech="turns"),
    )
    points = places(MORRIS)
    for question in QUESTIONS:
        now = replace(now, room=ROOM if question == "room" else now.room)
        lit = {points[place].name: option.does for place, option in menu_options(question, now).items()}
        ask(board, **lit)
        expect(page.locator("#asking button")).to_have_count(len(lit))
        assert page.evaluate(OVERLAPPING) == [], question
    ask(board, **dict.fromkeys(MORRIS.by_name, "meet:4"))
    expect(page.locator("#asking button")).to_have_count(24)
    assert page.evaluate(OVERLAPPING) == [], "meet"


@pytest.mark.parametrize("language", sampled(reversed(LANGUAGES), 2))
def test_a_name_at_the_edge_stays_on_the_wood(open_page: OpenPage, board: FakeBoard, language: str) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, locale=language)
    for name in ("a7", "g7", "d1", "g1"):
        ask(board, sure=name, **{name: "phone-here"})
        expect(page.locator("#asking button")).to_have_attribute("data-at", name)
        assert page.evaluate(OFF_THE_WOOD) == [], name


def test_names_of_options_fit_again_when_the_window_gets_smaller(
    open_page: OpenPage, board: FakeBoard
) -> None:
    page = open_page(viewport={"width": 390, "height": 844}, locale="de")
    points = places(MORRIS)
    now = replace(
        everything(CardBoard(rule_set("standard"), SensorKind.POLARITY)),
        speaks=True,
        sound=Sound(speech="turns"),
    )
    lit = {points[place].name: option.does for place, option in menu_options("game", now).items()}
    ask(board, **lit)
    expect(page.locator("#asking button")).to_have_count(len(lit))
    page.set_viewport_size({"width": 375, "height": 548})
    fits = "every((one) => one.scrollWidth <= one.clientWidth)"
    until(page, f"() => [...document.querySelectorAll('#asking button')].{fits}")
    assert page.evaluate(OVERLAPPING) == []
