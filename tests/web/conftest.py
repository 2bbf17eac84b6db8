"""The browser of all tests of pages, and a page on a table without rules.

Rule kept here: where a browser is required, that there is none is a failure, else it is told why tests are
passed over. It ends with its module: as long as it runs, nothing else in the process may use asyncio.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from browsing import CHROMIUM, OpenPage, chromium
from fake_board import FakeBoard
from playwright.sync_api import Browser, Page, expect


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium without a window."""
    if CHROMIUM is None:
        if os.environ.get("MILLWRIGHT_BROWSER_REQUIRED"):
            pytest.fail("the page cannot be tested: no Chromium was found")
        pytest.skip("no Chromium was found to open the page in")
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def table() -> Iterator[FakeBoard]:
    board = FakeBoard()
    yield board
    board.server.close()


@pytest.fixture
def board(table: FakeBoard) -> FakeBoard:
    """The table, with nothing on it."""
    table.reset()
    return table


@pytest.fixture(scope="module")
def open_page(browser: Browser, table: FakeBoard) -> Iterator[OpenPage]:
    """Opens the table's page; what pages complain of in their consoles fails the last test."""
    complaints: list[str] = []
    pages: list[Page] = []

    def open_page(**context: Any) -> Page:
        page = browser.new_page(**{"viewport": {"width": 800, "height": 600}, **context})
        pages.append(page)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
        page.goto(table.server.address)
        expect(page.locator("#sentence")).to_have_text(table.state["sentence"])
        return page

    yield open_page
    for page in pages:
        page.context.close()
    assert complaints == []


@pytest.fixture(scope="module")
def one_page(open_page: OpenPage) -> Page:
    return open_page()


@pytest.fixture
def page(board: FakeBoard, one_page: Page) -> Page:
    """A page with nothing on the table; one for all tests, since it knows nothing but what it is told."""
    expect(one_page.locator(".piece[data-from=box]")).to_have_count(18)
    return one_page
