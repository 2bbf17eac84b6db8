"""A link to a game: made on one page, opened on that of another board, and refused in words if damaged."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.support.scripted_board import after
from tests.support.store import kept
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, choose, leave, play_all

AFTER_NONE = "#game=MS4gZDYgZjQgKg&after="
"""A link to a game of two turns, and to no position in it."""
INSECURE = "Object.defineProperty(navigator, 'clipboard', { value: undefined })"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A board with one game that was won."""
    path = tmp_path_factory.mktemp("kept") / "games.db"
    kept(path, after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3").session.game)
    with simulated_board("--store", str(path), "--rules", "six") as address:
        yield address


@pytest.fixture(scope="module")
def other() -> Iterator[str]:
    """Another board, with another game on a board of its own."""
    with simulated_board("--game", "mitsudomoe") as address:
        yield address


def link(page: Page) -> str:
    field = page.locator("#link")
    expect(field).to_be_focused()
    return field.input_value()


def fragment(link: str) -> str:
    return link[link.index("#") :]


def test_a_running_game_is_opened_from_a_link_on_another_board(
    pages: OpenPage, address: str, other: str
) -> None:
    page = pages()
    page.goto(address)
    play_all(page, ["d6", "f4", "d7"])
    choose(page, "share")
    shared = fragment(link(page))
    page.locator("#done").click()
    expect(page.locator("#more")).to_be_focused()
    guest = pages()
    guest.goto(f"{other}{shared}")
    expect(guest.locator("#past p").first).to_have_text("A shared game: After 2. d7")
    expect(guest.locator("#past p").last).to_have_text("Black to move.")
    expect(guest.locator("#then .piece[data-piece=white]:not([data-from=box])")).to_have_count(2)
    expect(guest.locator("#tools")).to_be_hidden()
    guest.keyboard.press("Home")
    expect(guest.locator("#past p").first).to_have_text("A shared game: The start")
    guest.locator("#now").click()
    expect(guest.locator("#past")).to_be_hidden()
    expect(guest.locator("#sentence")).to_contain_text("White to play")
    leave(page)


LOOKS: list[dict[str, Any]] = [
    {"viewport": {"width": 390, "height": 844}, "has_touch": True},
    {"viewport": {"width": 844, "height": 390}, "has_touch": True},
    {"viewport": {"width": 1280, "height": 800}},
]


@pytest.mark.parametrize("look", LOOKS, ids=lambda look: str(look["viewport"]["width"]))
def test_position_is_shared_while_looking_back(pages: OpenPage, other: str, look: dict[str, Any]) -> None:
    with simulated_board() as address:
        page = pages(**look)
        page.goto(address)
        play_all(page, ["d6", "f4", "d7"])
        page.get_by_role("button", name="f4", exact=True).click()
        page.get_by_role("button", name="Share this position").click()
        shared = fragment(link(page))
        expect(page.locator("#opened h2")).to_have_text("Share this position: After 1 … f4")
        page.locator("#done").click()
        expect(page.locator("#share-then")).to_be_focused()
        expect(page.locator("#past p").first).to_have_text("After 1 … f4")
        page.locator("#now").click()
        expect(page.locator("#past")).to_be_hidden()
        leave(page)
    guest = pages(**look)
    guest.goto(f"{other}{shared}")
    expect(guest.locator("#past p").first).to_have_text("A shared game: After 1 … f4")
    guest.get_by_role("button", name="One turn forward").click()
    expect(guest.locator("#past p").first).to_have_text("A shared game: After 2. d7")
    guest.locator("#share-then").click()
    assert fragment(link(guest)) == shared.replace("after=2", "after=3")
    guest.go_back()
    expect(guest.locator("#past p").first).to_be_visible()
    guest.go_back()
    expect(guest.locator("#past")).to_be_hidden()


def test_a_finished_game_is_shared_from_the_list_with_its_end(
    pages: OpenPage, address: str, other: str
) -> None:
    page = pages()
    page.goto(address)
    choose(page, "saved-games")
    page.get_by_role("button", name="Link to game 1").click()
    guest = pages()
    guest.goto(f"{other}?lang=de{fragment(link(page))}")
    expect(guest.locator("#past p").last).to_contain_text("Weiß hat gewonnen")
    guest.go_back()
    leave(page)


@pytest.mark.parametrize(
    "shared",
    [
        *("#game=", "#game=A", "#game=%%%", "#game=MS4gZDYgZjQ", "#game=MS4gZDYgZDYgKg"),
        *(f"#game={'A' * 6000}", AFTER_NONE),
    ],
)
def test_a_damaged_link_is_refused_in_words(pages: OpenPage, address: str, shared: str) -> None:
    page = pages()
    page.goto(f"{address}{shared}")
    expect(page.locator("#note")).to_have_text(
        "this link to a game is damaged or incomplete: ask for it again."
    )
    expect(page.locator("#past")).to_be_hidden()
    leave(page)


def test_a_link_that_cannot_be_copied_is_selected(pages: OpenPage, address: str) -> None:
    page = pages()
    page.goto(address)
    page.evaluate(INSECURE)
    choose(page, "saved-games")
    page.get_by_role("button", name="Link to game 1").click()
    whole = link(page)
    page.evaluate("document.execCommand = () => false")
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_text("Selected: now copy it.")).to_be_visible()
    selected = "(field) => field.value.slice(field.selectionStart, field.selectionEnd)"
    assert page.locator("#link").evaluate(selected) == whole
    leave(page)


def test_names_are_shown_saved_and_shared(pages: OpenPage, tmp_path: Path) -> None:
    with simulated_board("--store", str(tmp_path / "games.db")) as address:
        page = pages()
        page.goto(address)
        page.locator("#names summary").click()
        page.locator("#name-white").fill("Anna")
        page.locator("#name-black").fill("Ben")
        page.locator("#begin").click()
        expect(page.locator("#players [data-player=white] dt")).to_have_text("Anna")
        play_all(page, ["d6", "f4"])
        choose(page, "to-settings")
        page.locator("#called-black").fill("Benno")
        page.keyboard.press("Enter")
        expect(page.locator("#players [data-player=black] dt")).to_have_text("Benno")
        choose(page, "saved-games")
        expect(page.locator("#game-list")).to_contain_text("Anna – Benno")
        with page.expect_download() as started:
            page.get_by_role("link", name=re.compile("Download game [0-9]+ as PGN")).click()
        assert '[White "Anna"]\n[Black "Benno"]' in Path(started.value.path()).read_text("utf-8")
        choose(page, "share")
        shared = link(page)
        page.goto("about:blank")
        page.goto(shared)
        expect(page.locator("#past p").first).to_contain_text("A shared game")
        expect(page.locator("#players [data-player=black] dt")).to_have_text("Benno")
        leave(page)


def test_finished_games_are_counted_in_the_list(pages: OpenPage, address: str) -> None:
    page = pages()
    page.goto(address)
    choose(page, "saved-games")
    page.locator("#counted summary").click()
    expect(page.locator("#statistics li")).to_have_count(1)
    expect(page.locator("#statistics b")).to_have_text("Standard")
    lines = ["White 1, Black 0, draws 0", "5 turns on average, 5 in the longest game"]
    expect(page.locator("#statistics p")).to_have_text(lines)
    leave(page)
