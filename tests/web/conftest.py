"""The browser of all tests of pages, and a page on a table without rules.

Invariants: if a browser is required and missing, that is a failure, otherwise the tests are skipped with the
reason. Each worker has one browser, and the tests of a module, which share boards and pages, stay with one
worker. It begins with the first test that needs it and ends with the last: as long as it runs, nothing else
in the process may use asyncio. Everything a test waits for comes within moments; timeouts are for a busy
machine.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.paths import PROJECT
from tests.support.web.browsing import CHROMIUM, Lender, OpenPage, chromium, draw
from tests.support.web.fake_board import START, FakeBoard

HERE = Path(__file__).parent
AXE = PROJECT / "tests" / "web" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE_MS = 60_000
WINDOW = {"width": 800, "height": 600}

expect.set_options(timeout=PATIENCE_MS)
_open = ExitStack()
_lenders: list[Lender] = []
_modules: set[Path] = set()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Know which modules need the browser, whose tests wait for CI unless they are marked `smoke`."""
    if "lender" in getattr(item, "fixturenames", ()):
        _modules.add(item.path)
        if item.get_closest_marker("smoke") is None:
            item.add_marker(pytest.mark.ci("browser"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the browser, and then with what else goes to workers in whole modules."""
    items.sort(key=lambda item: (item.path not in _modules, HERE not in item.path.parents))


@pytest.fixture(scope="module")
def lender() -> Lender:
    """The lender of the browser's pages."""
    if CHROMIUM is None:
        if os.environ.get("MILLWRIGHT_BROWSER_REQUIRED"):
            pytest.fail("the page cannot be tested: no Chromium was found")
        pytest.skip("no Chromium was found to open the page in")
    if not _lenders:
        _lenders.append(Lender(_open.enter_context(chromium())))
    return _lenders[0]


@pytest.fixture(scope="module")
def browser(lender: Lender) -> Browser:
    """A Chromium without a window, the same for all tests behind each other that need one."""
    return lender.browser


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.exists():
        if os.environ.get("MILLWRIGHT_AXE_REQUIRED"):
            pytest.fail("the page cannot be looked at: axe-core is missing (npm ci --prefix tests/web)")
        pytest.skip("there is no axe-core to look at the page with (npm ci --prefix tests/web)")
    return AXE.read_text("utf-8")


@pytest.fixture
def pages(lender: Lender) -> Iterator[OpenPage]:
    """Lends pages for as long as the test lasts; where they complain of an error, it fails."""
    with lender.lending() as lend:
        yield lend


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> None:
    """End the browser before the first module that needs none."""
    if nextitem is None or nextitem.path not in _modules:
        _lenders.clear()
        _open.close()


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


def opened(page: Page, board: FakeBoard) -> Page:
    """The page with its table."""
    page.goto(board.server.address)
    expect(page.locator("#sentence")).to_have_text(board.state["sentence"])
    return page


@pytest.fixture
def open_page(pages: OpenPage, board: FakeBoard) -> OpenPage:
    """Opens the table's page."""
    return lambda **look: opened(pages(**{"viewport": WINDOW, **look}), board)


@pytest.fixture(scope="module")
def one_page(lender: Lender, table: FakeBoard) -> Iterator[Page]:
    with lender.lending() as lend:
        yield opened(lend(viewport=WINDOW), table)


@pytest.fixture
def page(board: FakeBoard, one_page: Page) -> Page:
    """A page with nothing on the table; one for all tests, since it knows only the board's messages."""
    for sentence in ("The table is cleared.", START["sentence"]):  # the previous messages may be the same
        board.say(sentence=sentence)
        expect(one_page.locator("#sentence")).to_have_text(sentence)
    draw(one_page)
    expect(one_page.locator(".piece[data-from=box]")).to_have_count(18)
    return one_page
