"""The wall in a browser: boards that fit, whose moves it shows, and the standings."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from firmware_host.club.wall import Wall
from firmware_host.club.wall_server import WallServer
from tests.club.rooms import Match, given_up, match, named, presence
from tests.support.web.browsing import OpenPage

SCREEN = {"width": 1280, "height": 720}


class ServedWall:
    """A wall that is served, and the boards that tests give it."""

    def __init__(self) -> None:
        self.wall = Wall()
        self.address = ""

    def tell(self, game: Match, *names: str) -> None:
        for seat, name in zip(game.seats, names, strict=False):
            for topic, message in presence(seat.board, name):
                self.wall.receive(topic, message, 0)
        for topic, message in game.messages():
            self.wall.receive(topic, message, 0)

    def picture(self) -> dict[str, Any]:
        return self.wall.picture(0)


@pytest.fixture
def shown() -> Iterator[ServedWall]:
    found = ServedWall()
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = WallServer(listening, lambda: found.picture())
        found.address = f"http://127.0.0.1:{listening.getsockname()[1]}/wall.html"
        thread = Thread(target=server.run)
        thread.start()
        yield found
        server.stop()
        thread.join()


@pytest.fixture
def looking(pages: OpenPage, shown: ServedWall) -> Iterator[Callable[..., Page]]:
    """Opens the wall in pages, which leave it before its server ends: they would complain otherwise."""
    opened: list[Page] = []

    def look(**context: Any) -> Page:
        opened.append(pages(viewport=SCREEN, **context))
        opened[-1].goto(shown.address)
        return opened[-1]

    yield look
    for page in opened:
        page.goto("about:blank")


@pytest.fixture
def page(looking: Callable[..., Page]) -> Page:
    return looking()


def game(number: int, turns: int, rules: str = "standard") -> Match:
    return match(number, (named(2 * number, 16), named(2 * number + 1, 16)), turns, rules)


def test_boards_appear_and_follow_their_games(page: Page, shown: ServedWall) -> None:
    expect(page.get_by_role("status")).to_have_text("Waiting for two boards to play.")
    shown.tell(game(1, 3), "Kitchen", "Attic")
    tile = page.locator("#tiles li")
    expect(tile).to_have_count(1)
    expect(tile.locator(".piece")).to_have_count(3)
    expect(tile.locator(".landed")).to_have_count(1)
    expect(tile).to_contain_text("Kitchen")
    expect(page.get_by_role("status")).to_have_text("")
    longer = game(1, 4)
    shown.tell(longer)
    expect(tile.locator(".piece")).to_have_count(4)
    expect(tile.locator(".last")).to_have_text(f"4. {longer.one.turns[-1]}")


def test_the_end_of_a_game_and_the_standings_are_told(page: Page, shown: ServedWall) -> None:
    shown.tell(given_up(game(1, 4)), "Kitchen", "Attic")
    expect(page.locator("#tiles li.over .won")).to_have_text("Attic")
    expect(page.locator("#tiles .last")).to_contain_text("gave up")
    rows = page.locator("#places tbody tr")
    expect(rows).to_have_text(["Attic11.0", "Kitchen10.0"])
    shown.tell(game(2, 1), "Harbour", "Mill Lane")
    expect(page.locator("#to-play li")).to_have_count(2)


@pytest.mark.parametrize("count", [1, 6, 64])
def test_all_boards_fit_on_the_screen(page: Page, shown: ServedWall, count: int) -> None:
    for number in range(count):
        shown.tell(game(number, 2, "mitsudomoe" if number == 1 else "standard"), f"P {number}", f"Q {number}")
    tiles = page.locator("#tiles li")
    expect(tiles).to_have_count(count)
    expect(tiles.last.locator("svg")).to_be_in_viewport(ratio=1)
    boxes = [one.bounding_box() for one in tiles.all()]
    for box in boxes:
        assert box is not None
        assert box["x"] >= 0
        assert box["y"] >= 0
        assert box["x"] + box["width"] <= SCREEN["width"] + 1
        assert box["y"] + box["height"] <= SCREEN["height"] + 1


def test_one_board_takes_the_height_of_the_screen(page: Page, shown: ServedWall) -> None:
    shown.tell(game(1, 3), "Kitchen", "Attic")
    tile = page.locator("#tiles li")
    expect(tile).to_contain_text("Kitchen")
    expect(tile.locator("p").last).to_be_in_viewport(ratio=1)
    box = tile.locator("svg").bounding_box()
    assert box is not None
    assert box["height"] >= 0.8 * SCREEN["height"]


def test_wall_speaks_the_language_of_its_browser(looking: Callable[..., Page], shown: ServedWall) -> None:
    shown.tell(given_up(game(1, 2)), "Küche", "Dach")
    page = looking(locale="de-DE")
    expect(page.locator("#places h2")).to_have_text("Tabelle")
    expect(page.locator("#tiles .last")).to_contain_text("gewonnen")
