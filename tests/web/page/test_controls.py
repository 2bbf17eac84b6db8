"""The buttons of a game in a browser, on the simulated board: paused, taken back, drawn and given up."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.config.loader import Config
from firmware_host.errors import MillwrightError, SensorError
from firmware_host.i18n import Message
from firmware_host.ports import Frame
from firmware_host.runtime.real_board import RealBoard
from firmware_host.runtime.safe_mode import SafeBoard, SafeModeReason
from firmware_host.web.server import WebServer
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, begin, choose, leave, pieces_at, play_all
from tests.support.web.keyboard import Keyboard
from tests.support.web.spoken import CATALOGUES


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with simulated_board() as address:
        yield address


@pytest.fixture
def page(pages: OpenPage, address: str) -> Iterator[Page]:
    """A page on which two turns were played."""
    page = pages()
    page.goto(address)
    play_all(page, ["d6", "f4"])
    yield page
    begin(page)
    expect(page.locator("#turns button")).to_have_count(0)


def said(page: Page, text: str) -> None:
    expect(page.locator("#say")).to_contain_text(text)


def test_a_paused_game_waits_on_every_page_until_it_goes_on(
    page: Page, pages: OpenPage, address: str
) -> None:
    other = pages()
    other.goto(address)
    choose(page, "pause")
    said(other, "The game is paused.")
    # One light tells a paused board from one without power: where the last move ended.
    expect(page.locator("#light [data-led^='#']")).to_have_count(1)
    expect(page.locator("#view-menu")).to_be_hidden()
    other.get_by_role("button", name="Resume").click()
    said(page, "White to play")
    expect(page.locator("#light [data-led^='#']")).not_to_have_count(0)


def test_a_turn_is_taken_back_and_light_leads_the_piece(page: Page) -> None:
    page.get_by_role("button", name="Take back").click()
    said(page, "clear f4")
    expect(page.locator("#turns button")).to_have_text(["d6"])


def test_a_turn_taken_back_is_redone_by_the_keyboard(page: Page, pages: OpenPage, address: str) -> None:
    other = pages()
    other.goto(address)
    redo = page.get_by_role("button", name="Redo")
    expect(redo).to_be_disabled()
    take_back = page.get_by_role("button", name="Take back")
    take_back.click()
    take_back.click()
    said(page, "clear d6 and f4")
    Keyboard(page).use("#redo")
    said(page, "clear f4")
    expect(other.locator("#turns button")).to_have_text(["d6"])
    other.get_by_role("button", name="Redo").click()
    said(page, "White to play")
    expect(page.locator("#turns button")).to_have_text(["d6", "f4"])
    expect(redo).to_be_disabled()


def test_both_agree_to_a_draw(page: Page) -> None:
    choose(page, "draw")
    page.get_by_role("button", name="Yes, a draw").click()
    said(page, "Nobody wins: both players agreed.")
    page.locator("#more").click()
    for name in ("Take back", "Pause", "Agree to a draw", "Give up"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
    page.keyboard.press("Escape")


def test_black_gives_up(page: Page) -> None:
    choose(page, "resign")
    page.get_by_role("button", name="Black gives up").click()
    said(page, "White wins: Black gave up.")
    expect(page.locator("#players .to-move")).to_have_text("Whitewins")


def test_a_board_that_does_not_play_is_asked_to_try_again(pages: OpenPage) -> None:
    said = Message("safe.settings", {"text": "[play] rules: there is no rule set 'chess'"})
    why = SafeModeReason(said, (("settings", "there is no rule set 'chess'"),))
    safe = SafeBoard(why, Config.default(), strip=_NoStrip())
    tried = threading.Event()

    def do(request: dict[str, Any]) -> None:
        safe.do(request)
        if safe.is_over:
            tried.set()

    server = WebServer(lambda request: _at_once(lambda: do(request)), port=0)
    safe.tick(0)
    safe.publish_changes(server.publish)
    server.start()
    page = pages(locale="de-DE")
    page.goto(server.address)
    expect(page.locator("#sentence")).to_contain_text("Das Brett ist außer Betrieb, weil seine Einstellungen")
    expect(page.locator("#faults li")).to_have_text("Einstellungen: there is no rule set 'chess'")
    expect(page.locator("#feeling")).to_be_hidden()
    expect(page.locator("#slot > :visible")).to_have_text(["Noch einmal versuchen"])
    page.get_by_role("button", name="Noch einmal versuchen").click()
    assert tried.wait(60)
    leave(page)
    server.close()
    safe.close()


def test_a_board_without_sensors_offers_no_game(pages: OpenPage) -> None:
    board = RealBoard(Config.default(), sensors=_NoSensors(), strip=_NoStrip())
    server = WebServer(lambda request: _at_once(lambda: board.do(request)), port=0)
    board.publish_changes(server.publish, board.tick(0), 0)
    server.start()
    page = pages()
    page.goto(server.address)
    said(page, "this isn't a Raspberry Pi; `millwright sim` plays without one")
    for part in ("#choose", "#view-start"):
        expect(page.locator(part)).to_be_hidden()
    page.locator("#more").click()
    for name in ("Pause", "Agree to a draw", "Give up", "New game"):
        expect(page.get_by_role("button", name=name, exact=True)).to_be_disabled()
    expect(page.get_by_role("button", name="Settings")).to_be_enabled()
    leave(page)
    server.close()
    board.close()


class _NoSensors:
    """Sensors on a machine that isn't a Raspberry Pi."""

    levels: Mapping[int, int] = {}

    def read(self) -> Frame:
        """Fail, as there is nothing to read."""
        raise SensorError(Message("fault.pi.none", {"device": "/dev/gpiochip0"}))

    def close(self) -> None:
        """Release nothing."""


class _NoStrip:
    """A strip that takes everything."""

    def show(self, _frame: object) -> None:
        """Take a frame."""

    def close(self) -> None:
        """Go dark."""


def _at_once(work: Callable[[], None]) -> Future[None]:
    future: Future[None] = Future()
    try:
        future.set_result(work())
    except MillwrightError as error:
        future.set_exception(error)
    return future


@pytest.fixture
def silent_board() -> Iterator[str]:
    """The address of a board that publishes nothing."""
    server = WebServer(lambda _request: Future(), port=0)
    server.start()
    yield server.address
    server.close()


def test_new_game_before_the_first_snapshot_is_refused(pages: OpenPage, silent_board: str) -> None:
    page = pages()
    page.goto(silent_board)
    begin(page)
    expect(page.locator("#note")).to_have_text(f"{CATALOGUES['en']['page.not-reached']}.", timeout=5000)
    leave(page)


UNDOES = {
    "resign": "Undo giving up",
    "draw": "Undo the draw",
    "clear": "Back to the last game",
    "new": "Back to the last game",
}
"""The name of the button, by what has ended the game."""


@pytest.mark.parametrize("end", UNDOES)
def test_whatever_ended_a_game_is_undone_with_one_press(page: Page, end: str) -> None:
    choose(page, end)
    if end == "new":
        page.locator("#begin").click()
    elif end != "clear":
        page.locator("#question button").first.click()
    page.get_by_role("button", name=UNDOES[end]).click()
    said(page, "White to play")
    expect(page.locator("#turns button")).to_have_text(["d6", "f4"])
    for name, player in (("d6", "white"), ("f4", "black")):
        expect(pieces_at(page, name)).to_have_attribute("data-piece", player)
