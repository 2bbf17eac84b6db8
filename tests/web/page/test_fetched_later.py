"""Parts of the page that are fetched when they are opened, and are missing at first."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

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


@pytest.mark.smoke
def test_a_part_is_fetched_when_it_is_opened_first(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    page.goto(address)
    expect(page.locator("#sentence")).not_to_be_empty()
    page.wait_for_load_state("networkidle")
    assert not any(map(SCRIPT.search, asked))
    open_drawer(page)
    expect(page.locator("#drawer")).to_be_visible()
    assert sum(map(bool, map(SCRIPT.search, asked))) == 1


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


@pytest.mark.smoke
def test_each_attempt_after_a_failure_has_an_address_of_its_own(page: Page, address: str) -> None:
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url))
    withhold(page, SCRIPT)
    page.goto(address)
    open_drawer(page)
    expect(page.locator("#note")).to_have_text(NOT_REACHED)
    with page.expect_request(SCRIPT):
        choose(page, "saved-games")
    scripts = [one for one in asked if SCRIPT.search(one)]
    assert len(scripts) > 1
    assert len(scripts) == len(set(scripts))
