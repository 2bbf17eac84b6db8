"""Looking back with knowledge on the page: the bar, the classes of turns, and where a game turned."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.reviews import guessed_game, guessed_review, keep_review, review_of, turned_game
from tests.support.scripted_board import after
from tests.support.store import kept
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, choose, leave, play_all
from tests.support.web.fake_board import FakeBoard
from tests.support.web.keyboard import reach

TOP = "part => document.querySelector(part).getBoundingClientRect().top"
BOTTOM = "part => document.querySelector(part).getBoundingClientRect().bottom"


def stored_games(folder: Path) -> Path:
    """Return a file with two games that are analysed, and one that has not begun."""
    path = folder / "games.db"
    turned, guessed = turned_game(), guessed_game()
    kept(path, turned, guessed, after("", "standard").session.game)
    keep_review(path, 1, review_of(turned))
    keep_review(path, 2, guessed_review(guessed))
    return path


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with simulated_board("--store", str(stored_games(tmp_path_factory.mktemp("analysed")))) as address:
        yield address


@pytest.fixture
def page(pages: OpenPage, address: str) -> Page:
    page = pages()
    page.goto(address)
    return page


@pytest.fixture
def stored(page: Page) -> Page:
    """A page that looks back on the stored game."""
    look_back(page, 1)
    expect(page.locator("#past p").first).to_have_text("Game 1: After 3. d5xa1")
    return page


def look_back(page: Page, number: int) -> None:
    choose(page, "saved-games")
    page.get_by_role("button", name=f"View game {number}").click()


def test_stored_game_shows_where_it_turned(stored: Page) -> None:
    turned = stored.get_by_role("region", name="Turning points")
    expect(turned.get_by_role("img", name="The course of the game over 5 turns")).to_be_visible()
    expect(turned.locator("#course .known")).to_have_count(4)
    expect(turned.locator("#course rect[fill]")).to_have_count(1)
    expect(turned.locator("#course .turning")).to_have_count(1)
    expect(turned.locator("#turned-here")).to_have_text("3. d5xa1: wins")
    expect(turned.locator("#given-away li")).to_have_text(
        "? 2 … a1 gave the draw away.✓ 2 … d5 would have held it."
    )
    expect(stored.locator("#analyse")).to_be_hidden()


def test_turning_point_and_bar_lead_to_their_turns(stored: Page) -> None:
    reach(stored, stored.locator("#given-away button"))
    stored.keyboard.press("Enter")
    expect(stored.locator("#past p").first).to_have_text("Game 1: After 2 … a1")
    expect(stored.locator("#turned-here")).to_have_text(
        "2 … a1: loses. The opponent can close a mill at d5. d5 would have stopped it."
    )
    expect(stored.locator("#given-away button")).to_be_focused()
    width = stored.locator("#course").evaluate("course => course.clientWidth")
    stored.locator("#course").click(position={"x": 0.3 * width, "y": 20})
    expect(stored.locator("#past p").first).to_have_text("Game 1: After 1 … f4")


def test_lost_game_without_proofs_says_where_it_probably_was_lost(page: Page) -> None:
    look_back(page, 2)
    expect(page.locator("#course .turning.likely")).to_have_count(1)
    lost = page.locator("#given-away button")
    expect(lost).to_have_text("? The game was probably lost by 1 … f4. d7 looks better.")
    lost.click()
    expect(page.locator("#past p").first).to_have_text("Game 2: After 1 … f4")
    expect(page.locator("#turned-here")).to_have_text("1 … f4: not known. Probably better: d7.")
    beside = page.locator("#past .remark")
    expect(beside).to_have_text("Probably better: d7.")
    expect(beside).to_be_in_viewport(ratio=0.9)
    page.locator("#steps [data-step=ArrowLeft]").click()
    expect(beside).to_have_count(0)


def test_last_turn_stays_in_sight_when_turns_are_marked(board: FakeBoard, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 390, "height": 844})
    board.say(turns=["d6", "f4"] * 10)
    last = page.locator("#turns button").last
    expect(last).to_be_in_viewport(ratio=0.9)
    board.say(status="over", outcome={"winner": "white", "reason": "resigned"})
    expect(last).to_have_attribute("data-result", "unknown")
    expect(last).to_be_in_viewport(ratio=0.9)


def test_current_game_is_analysed_on_request_and_marks_its_turns(page: Page) -> None:
    play_all(page, ["d5", "d2"])
    page.get_by_role("button", name="d2", exact=True).click()
    analyse = page.get_by_role("button", name="Analyse the game")
    analyse.click()
    expect(page.locator("#turned-here")).to_be_visible(timeout=60_000)
    expect(page.locator("#course rect:not([height='1.2'])")).to_have_count(2)
    expect(analyse).to_be_hidden()
    expect(page.get_by_role("button", name="d2", exact=True)).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator("#turned")).to_be_hidden()


def test_on_a_phone_the_analysis_and_then_the_board_come_into_sight(pages: OpenPage) -> None:
    with simulated_board() as address:
        page = pages(viewport={"width": 390, "height": 844}, has_touch=True)
        page.goto(address)
        play_all(page, ["d6", "f4", "d2", "b4"])
        choose(page, "resign")
        page.locator("dialog button").first.click()
        page.locator("#analyse-over").click()
        expect(page.locator("#turned-here")).to_be_visible(timeout=60_000)
        assert page.evaluate(BOTTOM, "#turned") <= page.evaluate(TOP, "#dock")
        page.locator("#course").click()
        expect(page.locator("#past")).to_be_visible()
        assert page.evaluate(TOP, "#stage") >= 0
        leave(page)


def test_an_analysis_that_is_wanted_before_its_part_has_come_begins_then(pages: OpenPage) -> None:
    with simulated_board() as address:
        page, held = pages(viewport={"width": 390, "height": 844}, has_touch=True), list[Route]()

        def hold(route: Route) -> None:
            held.append(route)

        page.route("**/later.js", hold)
        page.goto(address)
        play_all(page, ["d6", "f4", "d2", "b4"])
        choose(page, "resign")
        page.locator("dialog button").first.click()
        page.locator("#analyse-over").click()
        held[0].continue_()
        expect(page.locator("#turned-here")).to_be_visible(timeout=60_000)
        leave(page)
