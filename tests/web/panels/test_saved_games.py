"""The stored games on the page: listed, looked through, and taken away."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from firmware_host.store.exchange import games_of
from tests.support.scripted_board import after
from tests.support.store import kept
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, choose, leave, pace, play, play_all
from tests.support.web.page_client import PageClient


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    path = tmp_path_factory.mktemp("kept") / "games.db"
    given_up = after("d6 f4", "twelve")
    given_up.ask("resign")
    won, begun = after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3"), after("", "six")
    kept(path, *(board.session.game for board in (won, given_up, begun)))
    with simulated_board("--store", str(path), "--rules", "six") as address:
        yield address


@pytest.fixture
def page(pages: OpenPage, address: str) -> Page:
    page = pages(timezone_id="UTC", locale="en-GB")
    page.goto(address)
    choose(page, "saved-games")
    expect(page.locator("#game-list li")).to_have_count(2)
    return page


def lines(page: Page) -> int:
    """The number of lines of the board that is shown."""
    return (page.locator("#then .lines .inlay").get_attribute("d") or "").count("M")


def test_games_are_listed_with_date_rules_turns_and_how_they_ended(page: Page) -> None:
    newest, oldest = page.locator("#game-list li").all()
    expect(newest).to_contain_text("Twelve pieces · 2 turns")
    expect(newest).to_contain_text("Black won: White gave up.")
    expect(oldest).to_contain_text("1 Jan 2000, 12:00")
    expect(oldest).to_contain_text("Standard · Pieces per player: 3 · 5 turns")
    expect(oldest).to_contain_text("White won: Black has fewer than three pieces left.")


def test_a_stored_game_is_looked_through_and_the_board_goes_on(page: Page) -> None:
    page.get_by_role("button", name="View game 1").click()
    expect(page.locator("#past p").first).to_have_text("Game 1: After 3. d5xa1")
    expect(page.locator("#then .piece[data-piece=white]")).to_have_count(3)
    assert lines(page) == 16
    page.keyboard.press("Home")
    expect(page.locator("#past p").first).to_have_text("Game 1: The start")
    pace(page, "past", pace=3_600_000)
    page.get_by_role("button", name="Play through").click()
    page.get_by_role("button", name="Stop").click()
    expect(page.get_by_role("button", name="Play through")).to_be_visible()
    page.get_by_role("button", name="View game 2").click()
    expect(page.locator("#past p").first).to_have_text("Game 2: After 1 … f4")
    assert lines(page) == 20, "it has its own board"
    expect(page.locator("#turns button")).to_have_text(["d6", "f4"])
    expect(page.locator("#turns [aria-current]")).to_have_text("f4")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator("#turns button")).to_have_count(0)
    expect(page.locator("#hands")).to_be_visible()
    expect(page.locator("#game-list")).to_be_visible()


def test_a_game_is_taken_away_and_can_be_read_again(page: Page, tmp_path: Path) -> None:
    for kind, words in (("pgn", "PGN"), ("json", "JSON")):
        with page.expect_download() as started:
            page.get_by_role("link", name=f"Download game 1 as {words}").click()
        assert started.value.suggested_filename == f"millwright-game-1.{kind}"
        file = tmp_path / kind
        started.value.save_as(file)
        (saved,) = (one.saved for one in games_of(file.read_text("utf-8")))
        assert [step.text for step in saved.steps] == ["d6", "f4", "d7", "a1", "d5", "xa1"], kind
    assert json.loads(file.read_text("utf-8"))


def test_the_game_that_is_played_is_in_the_list_and_not_over(page: Page) -> None:
    play_all(page, ["d6", "f4"])
    choose(page, "saved-games")
    expect(page.locator("#game-list li").first).to_contain_text("Six pieces · 2 turns")
    expect(page.locator("#game-list li").first).to_contain_text("Not finished yet.")


def test_a_game_that_a_full_disk_has_not_taken_is_in_the_list_and_says_so(
    pages: OpenPage, tmp_path: Path
) -> None:
    with simulated_board("--store", str(tmp_path / "games.db"), "--rules", "six") as address:
        page = pages()
        page.goto(address)
        play_all(page, ["d6"])
        client = PageClient(address)
        assert "ok" in client.ask({"id": 1, "fault": {"disk": "full"}})
        play(page, "f4", "black")
        expect(page.locator("#faults li")).to_have_count(1)
        choose(page, "saved-games")
        expect(page.locator("#game-list li")).to_contain_text("Six pieces · 2 turns")
        expect(page.locator("#game-list li")).to_contain_text("Not completely saved yet.")
        assert "ok" in client.ask({"id": 2, "repair": {"disk": "full"}})
        expect(page.locator("#faults li")).to_have_count(0)
        choose(page, "saved-games")
        expect(page.locator("#game-list li")).not_to_contain_text("on the disk")
        client.close()
        leave(page)


def test_the_board_is_named_in_the_language_of_the_page(pages: OpenPage, tmp_path: Path) -> None:
    with simulated_board("--store", str(tmp_path / "games.db"), "--black", "engine:3") as address:
        page = pages()
        page.goto(f"{address}?lang=de")
        play(page, "d6", "white")
        expect(page.locator("#turns button").first).to_have_text("d6")
        choose(page, "saved-games")
        expect(page.locator("#game-list li")).to_contain_text("Weiß – Brett (3)")
        page.locator("#game-list button").first.click()
        expect(page.locator("#past")).to_be_visible()
        expect(page.locator("#players [data-player=black] dt")).to_have_text("Brett (3)")
        leave(page)


def test_an_empty_list_and_a_board_that_keeps_nothing_say_so(pages: OpenPage, tmp_path: Path) -> None:
    page = pages()
    for options, said in [
        (("--store", str(tmp_path / "games.db")), "No games saved yet."),
        ((), "this board doesn't save games."),
    ]:
        with simulated_board(*options) as address:
            page.goto(address)
            choose(page, "saved-games")
            expect(page.locator("#no-games")).to_have_text(said)
            expect(page.locator("#game-list li")).to_have_count(0)
            leave(page)
