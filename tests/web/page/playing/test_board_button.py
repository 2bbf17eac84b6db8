"""The button of the simulated board on its page: down as long as a pointer or a key holds it."""

import json
from typing import Any

from playwright.sync_api import Page, WebSocket, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, leave
from tests.support.web.fake_board import FakeBoard


def test_click_of_a_screen_reader_opens_and_closes_menu(pages: OpenPage) -> None:
    """Click as a screen reader does, without a pointer or a key, so that nothing holds the button.

    The page then asks for a brief press, and the board decides how long that lasts. One by mouse lasts as
    long as this machine takes from press to release: on a busy one, long enough to pause the game.
    """
    page = pages()
    with simulated_board() as address:
        page.goto(address)
        button = page.get_by_role("button", name="The board's button")
        expect(button).to_be_visible()
        button.dispatch_event("click")
        expect(page.locator("#asking button").first).to_be_visible()
        button.dispatch_event("click")
        expect(page.locator("#asking")).to_be_hidden()
        leave(page)


def test_it_is_down_while_a_pointer_or_a_key_holds_it(pages: OpenPage) -> None:
    page = pages()
    sent: list[dict[str, Any]] = []

    def listen(connection: WebSocket) -> None:
        connection.on("framesent", lambda data: sent.append(json.loads(data)))

    page.on("websocket", listen)
    with simulated_board() as address:
        page.goto(address)
        button = page.locator("#board-button")
        expect(button).to_be_visible()
        button.click()
        page.keyboard.press("Enter")
        page.keyboard.press("Space")
        while len(presses := [one for one in sent if {"press", "release"} & one.keys()]) < 6:
            page.wait_for_timeout(50)
        assert [one.get("press", one.get("release")) for one in presses] == ["button"] * 6
        assert ["press" in one for one in presses] == [True, False] * 3
        leave(page)


def test_a_board_without_a_button_shows_none(board: FakeBoard, page: Page) -> None:
    expect(page.locator("#sentence")).to_contain_text("White to play")
    assert board.state["status"] == "ready"
    expect(page.locator("#board-button")).to_be_hidden()
