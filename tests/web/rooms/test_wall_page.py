"""The wall's page in a browser: each result is there whole, in every language, however many boards play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from firmware_host.club.wall import Wall
from firmware_host.commands.wall import _Evening
from firmware_host.store.database import GamesFile
from tests.club.rooms import given_up, match, named
from tests.support.matrix import sampled
from tests.support.paths import PROJECT
from tests.support.web.browsing import OpenPage
from tests.support.web.fake_board import FakeBoard

LANGUAGES = ["en", "de", "es", "pt"]
WORDS = PROJECT / "firmware_host/web/static/words"
WON = ["few-pieces", "blocked", "start-covered", "goal", "resigned", "time"]
DRAWN = ["repetition", "quiet", "full-board", "agreed", "abandoned"]
OUTCOMES = [(reason, winner) for reason in WON for winner in ("white", "black")] + [
    (reason, None) for reason in DRAWN
]
CUT = """() => [...document.querySelectorAll("#tiles p")]
    .filter((p) => p.scrollWidth > p.clientWidth + 1 || p.scrollHeight > p.clientHeight + 1)
    .map((p) => p.textContent)"""


def picture_of(boards: int) -> dict[str, Any]:
    """Return the wall's picture of games that were given up."""
    wall = Wall()
    for number in range(boards):
        game = given_up(match(number, (named(2 * number, 16), named(2 * number + 1, 16)), 2))
        for topic, message in game.messages():
            wall.receive(topic, message, number)
    return wall.picture(boards)


@pytest.mark.parametrize("boards", [1, 6], ids=["one", "six"])
@pytest.mark.parametrize("language", sampled(LANGUAGES))
def test_wall_shows_each_result_whole(pages: OpenPage, board: FakeBoard, language: str, boards: int) -> None:
    picture, shown = picture_of(boards), 0

    def answer(route: Route) -> None:
        route.fulfill(
            body=json.dumps(picture), headers={"etag": f'"{shown}"'}, content_type="application/json"
        )

    page = pages(viewport={"width": 1280, "height": 800})
    page.clock.install()
    page.route("**/wall.json", answer)
    page.goto(f"{board.server.address}wall.html?lang={language}")
    cut = {}
    for shown, (reason, winner) in enumerate(OUTCOMES, start=1):
        for tile in picture["boards"]:
            tile["outcome"] = {"reason": reason, "winner": winner}
            tile["players"]["white"]["name"] = f"Kitchen {shown}"
            tile["players"]["black"]["name"] = "Attic"
        page.clock.run_for(1_000)
        expect(page.locator("#tiles p.white", has_text=f"Kitchen {shown}")).to_have_count(boards)
        cut[reason, winner] = page.evaluate(CUT)
    assert {outcome: texts for outcome, texts in cut.items() if texts} == {}


@pytest.mark.parametrize("language", sampled(LANGUAGES))
def test_wall_says_that_earlier_results_are_missing(
    pages: OpenPage, board: FakeBoard, language: str, tmp_path: Path
) -> None:
    store = tmp_path / "evening.db"
    GamesFile(store).close()
    whole = store.read_bytes()
    store.write_bytes(whole[:100] + b"\xaa" * (len(whole) - 100))
    wall = Wall()
    _Evening(wall, store).begin()
    page = pages(viewport={"width": 1280, "height": 800})
    page.route("**/wall.json", lambda route: route.fulfill(json=wall.picture(0), headers={"etag": '"1"'}))
    page.goto(f"{board.server.address}wall.html?lang={language}")
    words = json.loads((WORDS / f"wall.{language}.json").read_text("utf-8"))
    expect(page.locator("#wall-status")).to_have_text(f"{words['wall.waiting']} {words['wall.unread']}")
