"""The page on a phone in the house: it watches, is asked for the code once, plays, and lets others play."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from firmware_host.i18n import Message
from firmware_host.web import access as door
from firmware_host.web import addresses as place
from firmware_host.web import server
from tests.support.web.browsing import begin, choose, point
from tests.support.web.fake_board import FakeBoard
from tests.support.web.keyboard import Keyboard
from tests.support.web.person import Person


class HouseWithPhone:
    """A board that others may look at, and a phone of theirs."""

    def __init__(self, browser: Browser, devices: Path, port: int = 0) -> None:
        self.board = FakeBoard(port, host=place.EVERYWHERE, others=devices, pairs=True)
        found = re.search(r"\d{4} \d{4}", self.board.server.invitation or "")
        assert found is not None
        self.code = found[0]
        self.phone: BrowserContext = browser.new_context(
            viewport={"width": 360, "height": 640},
            has_touch=True,
            is_mobile=True,
            locale="en",
            reduced_motion="reduce",
        )
        self.complaints: list[str] = []
        self.clock = SimpleNamespace()

    def page(self) -> Page:
        page = self.phone.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.board.server.address)
        expect(page.locator("#sentence")).to_have_text(self.board.state["sentence"])
        return page


@pytest.fixture
def house(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HouseWithPhone]:
    monkeypatch.setattr(door, "is_here", lambda _: False)
    clock = SimpleNamespace(now=7.0)  # to wait takes no time
    monkeypatch.setattr(server, "time", SimpleNamespace(monotonic=lambda: clock.now))
    house = HouseWithPhone(browser, tmp_path / "devices.json")
    house.clock = clock
    yield house
    house.phone.close()
    house.board.server.close()
    assert house.complaints == []


def test_a_phone_looks_enters_the_code_once_and_plays(house: HouseWithPhone) -> None:
    page = house.page()
    expect(page.locator("#code")).to_contain_text(
        "Press “I'm sitting at the board”, or enter the board's code."
    )
    expect(page.locator("#begin")).to_be_hidden()
    house.board.say(sentence="It goes on.")
    expect(page.locator("#sentence")).to_have_text("It goes on.")
    enter(page, "0000 0000")
    expect(page.locator("#note")).to_have_text("That isn't the code.")
    assert "Chrome" in page.locator("#device-name").input_value()
    person = Person(page, by_touch=True)
    person.write(page.locator("#device-name"), "Ada's phone")
    person.write(page.locator("#entered"), house.code)
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator("#code")).to_be_hidden()
    begin(page)
    assert house.board.asked(1)[-1]["do"] == "new-game"
    expect(page.locator("#banner")).to_be_hidden()
    again = house.page()
    expect(again.locator("#choose")).to_be_visible()
    expect(again.locator("#code")).to_be_hidden()
    let_another_play(again)
    house.clock.now = 700.0
    choose(again, "to-settings")
    again.locator("#devices summary").click()
    expect(again.locator("#devices ul")).to_be_hidden()
    choose(again, "to-settings")
    again.locator("#devices summary").click()
    expect(again.locator("#pairing")).to_be_empty()
    again.locator("#devices li button").click()
    expect(again.locator("#code")).to_be_visible()
    expect(again.locator("#devices")).to_be_hidden()
    Person(again, by_touch=True).write(again.locator("#entered"), house.code)
    again.get_by_role("button", name="Play", exact=True).click()
    expect(again.locator("#note")).to_have_text("No code is valid right now. Get a new one.")


def test_whoever_sits_at_the_board_plays_without_the_code(house: HouseWithPhone) -> None:
    page = house.page()
    house.board.is_touched = False
    sits = page.get_by_role("button", name="I'm sitting at the board")
    sits.click()
    phone, take = house.board.asked_until(lambda asked: len(asked) >= 2)[:2]
    assert (phone["do"], phone["first"], take) == ("phone", True, {"do": "take-phone"})
    expect(page.locator("#sentence")).to_have_text(
        f"Touch the same point {phone['times']} times, then wait for a moment."
    )
    expect(sits).to_be_disabled()
    expect(page.locator("#sentence")).to_be_in_viewport()
    expect(page.locator("#begin")).to_be_hidden()
    house.board.is_touched = True
    expect(page.locator("#code")).to_be_hidden()
    house.board.forget()
    begin(page)
    assert house.board.asked(1)[-1]["do"] == "new-game"


def test_another_number_of_touches_is_told_and_the_phone_can_ask_again(house: HouseWithPhone) -> None:
    page = house.page()
    house.board.is_touched = False
    sits = page.get_by_role("button", name="I'm sitting at the board")
    sits.click()
    expect(page.locator("#sentence")).to_contain_text("Touch the same point")
    house.board.waits = Message("workshop.phone-out")
    expect(page.locator("#note")).to_contain_text("isn't the number of touches")
    expect(page.locator("#sentence")).not_to_contain_text("Touch the same point")
    expect(sits).to_be_enabled()
    house.board.is_touched = True
    sits.click()
    expect(page.locator("#code")).to_be_hidden()


def enter(page: Page, code: str) -> None:
    """Write a code into its field, as whoever holds the phone does, and press Enter."""
    Person(page, by_touch=True).write(page.locator("#entered"), code)
    page.keyboard.press("Enter")


def let_another_play(page: Page) -> None:
    """List the devices on a page that may play, and get a code for another."""
    choose(page, "to-settings")
    page.locator("#devices summary").click()
    page.get_by_role("button", name="Stop accepting devices").click()
    page.get_by_role("button", name="Let another device play").click()
    expect(page.locator("#pairing output")).to_have_text(re.compile(r"^\d{4} \d{4}$"))
    expect(page.locator("#pairing")).to_contain_text("Valid for 10 min")
    expect(page.locator("#devices li")).to_contain_text(["Ada's phone"])
    expect(page.locator("#devices li")).to_contain_text(["This device"])


def test_pieces_stay_where_they_are_without_the_code(house: HouseWithPhone) -> None:
    house.board.submit({"put": "d6", "piece": "white"})
    page = house.page()
    Keyboard(page).go("d6")
    page.keyboard.press("Enter")
    expect(page.locator("#note")).to_have_text("enter the board's code to play from this device.")
    Person(page, by_touch=True).drag(point(page, "d6"), point(page, "a1"))
    expect(page.locator(".piece[data-from=d6]")).to_be_visible()
    choose(page, "saved-games")  # which asks for them, after what has come before
    assert [next(iter(request)) for request in house.board.asked(2)] == ["put", "ask"]


def test_who_guesses_too_often_is_told_how_long_to_wait(house: HouseWithPhone) -> None:
    page = house.page()
    for number in range(5):
        with page.expect_response("**/code"):
            enter(page, f"{number}")
    expect(page.locator("#note")).to_have_text("Too many wrong codes. Try again in 1 s.")


def test_watcher_is_told_so_and_shown_the_way_to_play(house: HouseWithPhone) -> None:
    page = house.page()
    person = Person(page, by_touch=True)
    expect(page.locator("#code")).to_contain_text("You're watching.")
    expect(page.locator("#break")).to_be_hidden()
    person.tap("d6")
    person.told("You're watching.", "Press “I'm sitting at the board”, or enter the board's code.")
    assert house.board.asked(0) == []
    person.press(page.locator("#to-code"))
    expect(page.locator("#sit")).to_be_focused()
    expect(page.locator("#sit")).to_be_in_viewport()


@pytest.mark.parametrize(("press", "path"), [("sit", "seat"), ("code button:not([type])", "code")])
def test_an_answer_that_is_not_the_boards_reads_as_none(house: HouseWithPhone, press: str, path: str) -> None:
    page = house.page()
    page.route(f"**/{path}", lambda route: route.fulfill(status=502, body="<h1>Bad gateway</h1>"))
    page.locator(f"#{press}").click()
    expect(page.locator("#note")).to_have_text("the board can't be reached.")


def test_refusal_of_a_seat_from_elsewhere_is_no_busy_board(
    house: HouseWithPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = house.page()
    monkeypatch.setattr(door.Access, "may_sit", lambda *_: False)
    Person(page, by_touch=True).press(page.locator("#sit"))
    expect(page.locator("#note")).to_contain_text("works only in the same network as the board")
