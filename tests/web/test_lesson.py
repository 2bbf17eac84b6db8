"""The page that leads the lesson, as reported to pages and on two pages of a board."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.web.broadcast import Mailbox
from firmware_host.web.lesson import LessonLeader
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, drag, leave, middle, new_page, point
from tests.support.web.fake_board import FakeBoard
from tests.support.web.page_client import PageClient

# ---- messages to pages ---------------------------------------------------------------------------------


@pytest.fixture
def fresh_page() -> Iterator[Callable[..., PageClient]]:
    board = FakeBoard()
    pages: list[PageClient] = []

    def fresh_page(**headers: str) -> PageClient:
        pages.append(PageClient(board.server.address, **headers))
        assert pages[-1].until("snapshot")
        return pages[-1]

    yield fresh_page
    for page in pages:
        page.close()
    board.server.close()


def asked(page: PageClient, what: object) -> tuple[dict[str, Any], list[str | None]]:
    """Return the reply to a page's request to lead, and the leaders reported in the meantime."""
    page.send({"id": 1, "lead": what})
    leaders = []
    while (message := page.receive())["type"] != "reply":
        if message["type"] == "leader":
            leaders.append(message["by"])
    return message, leaders


def leader(page: PageClient) -> str | None:
    by: str | None = page.until("leader")["by"]
    return by


def test_one_page_leads_and_another_is_refused_until_it_leaves(fresh_page: Callable[..., PageClient]) -> None:
    first, second = fresh_page(), fresh_page()
    first.send({"id": 1, "lead": "begin"})
    assert leader(first) == "this"
    assert leader(second) == "another"
    refused, told = asked(second, "begin")
    assert refused["said"] == {"key": "refused.led", "slots": {}}
    assert refused["error"] == "another page is already leading the lesson"
    assert told == []
    first.send({"id": 2, "lead": "leave"})
    assert leader(first) is leader(second) is None
    second.send({"id": 3, "lead": "begin"})
    assert (leader(second), leader(first)) == ("this", "another")


def test_a_page_takes_over_and_all_are_told(fresh_page: Callable[..., PageClient]) -> None:
    first, second, third = (fresh_page() for _ in range(3))
    first.send({"id": 1, "lead": "begin"})
    assert [leader(page) for page in (first, second, third)] == ["this", "another", "another"]
    second.send({"id": 1, "lead": "take-over"})
    assert [leader(page) for page in (first, second, third)] == ["another", "this", "another"]


def test_a_page_that_is_gone_leads_no_more_and_one_that_comes_is_told_who_does(
    fresh_page: Callable[..., PageClient],
) -> None:
    first, second = fresh_page(), fresh_page()
    first.send({"id": 1, "lead": "begin"})
    assert leader(second) == "another"
    assert leader(fresh_page()) == "another"
    first.close()
    assert leader(second) is None


def test_who_leaves_without_leading_changes_nothing(fresh_page: Callable[..., PageClient]) -> None:
    first, second = fresh_page(), fresh_page()
    first.send({"id": 1, "lead": "begin"})
    assert leader(second) == "another"
    reply, told = asked(second, "leave")
    assert (reply["ok"], told) == (True, [])
    assert asked(second, "begin")[0]["said"]["key"] == "refused.led"


@pytest.mark.parametrize("what", [True, None, "sing", ["begin"], {"begin": True}])
def test_what_cannot_be_led_is_refused(what: object) -> None:
    with pytest.raises(RequestError, match='"begin", "take-over" or "leave"') as caught:
        LessonLeader().do(Mailbox(), {"lead": what})
    assert caught.value.message == Message("refused.not-understood")


def test_a_page_that_may_only_look_does_not_lead(fresh_page: Callable[..., PageClient]) -> None:
    first, looker = fresh_page(), fresh_page(Forwarded="for=192.0.2.7")
    assert not looker.may_play
    reply, told = asked(looker, "take-over")
    assert (reply["said"]["key"], told) == ("refused.only-looks", [])
    first.send({"id": 1, "lead": "begin"})
    assert leader(looker) == "another"


# ---- two pages -------------------------------------------------------------------------------------------


@pytest.fixture
def address() -> Iterator[str]:
    with simulated_board() as address:
        yield address


@pytest.fixture
def open_page(address: str, pages: OpenPage) -> Callable[[], Page]:
    """Opens pages of one board, on which nothing may go wrong."""

    def open_page() -> Page:
        page = pages()
        page.goto(address)
        expect(page.locator("#learn")).to_be_visible()
        return page

    return open_page


class Cable:
    """The connection of a page to the board: it may be slow, or unplugged for a while."""

    def __init__(self, page: Page) -> None:
        self._socket: WebSocketRoute | None = None
        self._in = True
        self._held: list[str | bytes] | None = None
        page.route_web_socket("**/ws", self._join)

    def _join(self, socket: WebSocketRoute) -> None:
        self._socket = socket
        if self._in:
            socket.connect_to_server().on_message(self._bring)
        else:
            socket.close()

    def _bring(self, message: str | bytes) -> None:
        assert self._socket is not None
        if self._held is None:
            self._socket.send(message)
        else:
            self._held.append(message)

    def hold(self) -> None:
        """Bring nothing from the board until it is let through."""
        self._held = []

    def let_through(self) -> None:
        """Bring what was held, and what comes from now on."""
        held, self._held = self._held or [], None
        for message in held:
            self._bring(message)

    def pull(self) -> None:
        assert self._socket is not None
        self._in = False
        self._socket.close()

    def put_in(self) -> None:
        self._in = True


@pytest.fixture
def slow(browser: Browser) -> Iterator[tuple[Page, Cable]]:
    """A page of its own, since a connection once routed stays so, with the cable of its connection."""
    page = new_page(browser)
    yield page, Cable(page)
    page.context.close()


def leads(page: Page, words: str) -> None:
    expect(page.locator("#lesson p").first).to_contain_text(words)
    expect(page.locator("#led")).to_be_hidden()


def watches(page: Page) -> None:
    expect(page.locator("#led")).to_be_visible()
    expect(page.locator("#lesson")).to_be_hidden()
    expect(page.locator("#learn")).to_be_hidden()


def put(page: Page, name: str) -> None:
    white = page.locator(".piece[data-piece=white][data-from=box]").last
    drag(page, middle(white.bounding_box()), point(page, name))


def test_of_two_pages_that_begin_at_once_one_leads_and_the_other_is_told_and_takes_over(
    address: str, open_page: Callable[[], Page], slow: tuple[Page, Cable]
) -> None:
    one = open_page()
    other, cable = slow
    other.goto(address)
    expect(other.locator("#learn")).to_be_visible()
    cable.hold()
    one.locator("#learn").click()
    leads(one, "put it on d7")
    other.locator("#learn").click()
    cable.let_through()
    leads(one, "put it on d7")
    watches(other)
    expect(other.locator("#note")).to_have_text("another page is already leading the lesson.")
    expect(one.locator(".piece[data-from=box]")).to_have_count(8)
    put(one, "d7")
    leads(one, "make a mill")
    other.get_by_role("button", name="Lead it from here").click()
    leads(other, "make a mill")
    watches(one)
    put(other, "a7")
    leads(other, "Close the mill")
    expect(one.locator("#turns button")).to_have_text(["d7", "d2", "a7", "f2"])
    expect(one.locator("#note")).to_be_hidden()
    one.get_by_role("button", name="Lead it from here").click()
    leads(one, "Close the mill")
    watches(other)


def test_whoever_watches_may_begin_anew_when_the_page_that_led_is_gone(
    open_page: Callable[[], Page],
) -> None:
    one, other = open_page(), open_page()
    one.locator("#learn").click()
    leads(one, "put it on d7")
    watches(other)
    leave(one)
    other.get_by_role("button", name="Learn to play").click()
    leads(other, "put it on d7")


def test_a_lesson_that_is_left_is_led_by_nobody(open_page: Callable[[], Page]) -> None:
    one, other = open_page(), open_page()
    one.locator("#learn").click()
    leads(one, "put it on d7")
    watches(other)
    one.get_by_role("button", name="Leave the lesson").click()
    for page in (one, other):
        expect(page.locator("#rules")).to_have_text("Standard")
        expect(page.locator("#led")).to_be_hidden()
        expect(page.locator("#learn")).to_be_visible()


@pytest.fixture
def cut_off(address: str, slow: tuple[Page, Cable]) -> tuple[Page, Cable]:
    """A page that has led and is cut off now."""
    page, cable = slow
    page.goto(address)
    page.get_by_role("button", name="Learn to play").click()
    leads(page, "put it on d7")
    cable.pull()
    expect(page.locator("#banner")).to_be_visible()
    return page, cable


def test_a_page_that_was_cut_off_leads_on(cut_off: tuple[Page, Cable], open_page: Callable[[], Page]) -> None:
    other = open_page()
    page, cable = cut_off
    cable.put_in()
    expect(page.locator("#banner")).to_be_hidden()
    watches(other)
    put(page, "d7")
    leads(page, "make a mill")


def test_a_page_that_was_cut_off_watches_where_another_leads_by_then(
    cut_off: tuple[Page, Cable], open_page: Callable[[], Page]
) -> None:
    other = open_page()
    other.locator("#learn").click()
    leads(other, "put it on d7")
    page, cable = cut_off
    cable.put_in()
    watches(page)
    expect(page.locator("#note")).to_have_text("another page is already leading the lesson.")
