"""Parts of the page that are fetched after the board is drawn, and are missing at first."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import choose, new_page

NOT_REACHED = "Das Brett ist nicht erreichbar."
SCRIPT = re.compile(r"/later\.js(\?.*)?$")
WORDS = re.compile(r"/words/drawer\.de\.json$")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with simulated_board() as address:
        yield address


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = new_page(browser, locale="de")
    yield page
    page.context.close()


def withhold(page: Page, file: re.Pattern[str]) -> None:
    page.route(file, lambda asked: asked.abort())


def open_drawer(page: Page) -> None:
    page.locator("#break").click()


def test_what_was_fetched_ahead_opens_without_the_board(page: Page, address: str) -> None:
    with page.expect_request_finished(lambda asked: SCRIPT.search(asked.url) is not None):
        page.goto(address)
    withhold(page, SCRIPT)
    open_drawer(page)
    expect(page.locator("#drawer")).to_be_visible()
    expect(page.locator("#note")).to_be_hidden()


@pytest.mark.ci
@pytest.mark.parametrize("missing", [SCRIPT, WORDS], ids=["script", "words"])
def test_a_part_that_cannot_be_fetched_is_reported_and_opens_once_it_can(
    page: Page, address: str, missing: re.Pattern[str]
) -> None:
    withhold(page, missing)
    page.goto(address)
    open_drawer(page)
    expect(page.locator("#note")).to_have_text(NOT_REACHED)
    expect(page.locator("#drawer")).to_be_hidden()
    page.unroute_all()
    open_drawer(page)
    expect(page.locator("#drawer")).to_be_visible()
    expect(page.locator("#drawer")).not_to_contain_text("drawer.")


def test_each_attempt_after_a_failure_has_an_address_of_its_own(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    withhold(page, SCRIPT)
    page.goto(address)
    open_drawer(page)
    expect(page.locator("#note")).to_have_text(NOT_REACHED)
    choose(page, "saved-games")
    expect(page.locator("#note")).to_have_text(NOT_REACHED)
    scripts = [one for one in asked if SCRIPT.search(one)]
    assert len(scripts) > 1
    assert len(scripts) == len(set(scripts))


def test_what_could_not_be_fetched_ahead_is_fetched_when_the_board_is_found_again(
    page: Page, address: str
) -> None:
    connections: list[WebSocketRoute] = []

    def connect(socket: WebSocketRoute) -> None:
        socket.connect_to_server()
        connections.append(socket)

    page.route_web_socket("**/ws", connect)
    withhold(page, SCRIPT)
    with page.expect_event("requestfailed", lambda asked: SCRIPT.search(asked.url) is not None):
        page.goto(address)
    page.unroute_all()
    with page.expect_request_finished(lambda asked: SCRIPT.search(asked.url) is not None):
        connections[0].close()
    assert len(connections) == 2
