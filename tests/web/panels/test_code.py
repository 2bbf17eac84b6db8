"""The page on a phone elsewhere in the house: it looks, is asked for the code once, and then plays."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from firmware_host.web import access as door
from firmware_host.web import addresses as place
from firmware_host.web import server
from tests.support.web.fake_board import FakeBoard


class House:
    """A board that others may look at, and a phone of theirs."""

    def __init__(self, browser: Browser, key: Path, port: int = 0) -> None:
        self.board = FakeBoard(port, host=place.EVERYWHERE, others=key)
        self.code = door.stored_code(key).text
        self.phone: BrowserContext = browser.new_context(
            viewport={"width": 360, "height": 640}, locale="en", reduced_motion="reduce"
        )
        self.complaints: list[str] = []

    def page(self) -> Page:
        page = self.phone.new_page()
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.goto(self.board.server.address)
        expect(page.locator("#sentence")).to_have_text(self.board.state["sentence"])
        return page


@pytest.fixture
def house(browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[House]:
    monkeypatch.setattr(door, "is_here", lambda _: False)
    monkeypatch.setattr(server, "time", SimpleNamespace(monotonic=lambda: 7.0))  # to wait takes no time
    house = House(browser, tmp_path / "page.key")
    yield house
    house.phone.close()
    house.board.server.close()
    assert house.complaints == []


def test_a_phone_looks_enters_the_code_once_and_plays(house: House) -> None:
    page = house.page()
    expect(page.locator("#code")).to_contain_text("Enter the board's code to play from this device.")
    expect(page.locator("#begin")).to_be_hidden()
    house.board.say(sentence="It goes on.")
    expect(page.locator("#sentence")).to_have_text("It goes on.")
    page.locator("#entered").fill("0000 0000")
    page.locator("#entered").press("Enter")
    expect(page.locator("#note")).to_have_text("That isn't the code.")
    page.locator("#entered").fill(house.code)
    page.locator("#code button").click()
    expect(page.locator("#code")).to_be_hidden()
    page.locator("#begin").click()
    assert house.board.asked(1)[-1]["do"] == "new-game"
    expect(page.locator("#banner")).to_be_hidden()
    again = house.page()
    expect(again.locator("#begin")).to_be_visible()
    expect(again.locator("#code")).to_be_hidden()


def test_pieces_stay_where_they_are_without_the_code(house: House) -> None:
    house.board.submit({"put": "d6", "piece": "white"})
    page = house.page()
    page.locator("#hands [data-point=d6]").press("Enter")
    expect(page.locator("#note")).to_have_text("enter the board's code to play from this device")
    box = page.locator("#hands [data-point=d6]").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(5, 300, steps=3)
    page.mouse.up()
    expect(page.locator(".piece[data-from=d6]")).to_be_visible()
    page.locator("#switches").evaluate("switches => (switches.open = true)")  # which asks for the rules
    assert [next(iter(request)) for request in house.board.asked(2)] == ["put", "ask"]


def test_who_guesses_too_often_is_told_how_long_to_wait(house: House) -> None:
    page = house.page()
    for number in range(5):
        with page.expect_response("**/code"):
            page.locator("#entered").fill(f"{number}")
            page.locator("#entered").press("Enter")
    expect(page.locator("#note")).to_have_text("Too many wrong codes. Try again in 1 s.")
