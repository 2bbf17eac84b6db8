"""Games brought to a board by its page, deleted, brought back and exported, on a phone and a laptop."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from firmware_host.web.saved_games import MAX_BYTES
from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, leave
from tests.support.web.looks import cut
from tests.support.web.person import LAPTOP, PHONE, Person

# The board itself has game 1, which has no step yet.
GOOD = '[Event "Club evening"]\n[White "Ada"]\n[Black "Ben"]\n\n1. d6 f4 2. d2 1-0\n'
BAD = '\n[Event "Bad"]\n\n1. d6 d6 *\n'
WAYS: dict[str, dict[str, Any]] = {
    "finger": {"look": PHONE, "by_touch": True},
    "mouse": {"look": LAPTOP, "by_touch": False},
}


@pytest.fixture
def address(tmp_path: Path) -> Iterator[str]:
    with simulated_board("--store", str(tmp_path / "games.db")) as address:
        yield address


@pytest.fixture(params=sampled(WAYS))
def person(request: pytest.FixtureRequest, pages: OpenPage, address: str) -> Iterator[Person]:
    way = WAYS[request.param]
    page = pages(**way["look"])
    page.goto(address)
    expect(page.locator("#sentence")).to_contain_text("White to play")
    person = Person(page, by_touch=way["by_touch"])
    person.choose("saved-games")
    person.press(page.locator("#importing summary"))
    yield person
    leave(page)


def paste(person: Person, text: str) -> None:
    person.press(person.page.locator("#import-text"))
    person.page.keyboard.insert_text(text)
    person.press(person.page.get_by_role("button", name="Add these games"))


def test_pasted_games_are_listed_once_and_can_be_opened(person: Person) -> None:
    page = person.page
    paste(person, GOOD)
    expect(page.locator("#import-says")).to_have_text("Added: 1. Here already: 0.")
    assert cut(page) == []
    expect(page.locator("#game-list li")).to_contain_text("Ada – Ben")
    paste(person, GOOD)
    expect(page.locator("#import-says")).to_have_text("Added: 0. Here already: 1.")
    expect(page.locator("#game-list li")).to_have_count(1)
    expect(page.locator("#game-list li button").first).to_have_text("Game 2, no date")
    person.press(page.locator("#game-list li button").first)
    expect(page.locator("#past p").first).to_contain_text("Game 2: After 2. d2")
    expect(page.locator("#no-turns")).to_be_hidden()


def test_file_with_a_bad_game_adds_the_others_when_wished(person: Person, tmp_path: Path) -> None:
    page = person.page
    file = tmp_path / "evening.pgn"
    file.write_text(GOOD + BAD)
    page.locator("#import-file").set_input_files(file)
    expect(page.locator("#import-says")).to_have_text("Nothing was added: 1 can't be read.")
    expect(page.locator("#import-errors li")).to_have_text("line 9, column 7: d6: d6 is occupied")
    expect(page.locator("#game-list li")).to_have_count(0)
    person.press(page.get_by_role("button", name="Add what can be read (1)"))
    expect(page.locator("#import-says")).to_have_text("Added: 1. Here already: 0.")
    expect(page.locator("#game-list li")).to_have_count(1)


def test_deleted_game_is_brought_back_under_its_number(person: Person) -> None:
    page, item = person.page, person.page.locator("#game-list li")
    paste(person, GOOD)
    expect(item).to_have_count(1)
    person.press(page.get_by_role("button", name="Delete game 2"))
    expect(item).to_contain_text("Deleted: Game 2, no date")
    assert summaries(page.url) == []
    person.press(page.get_by_role("button", name="Undo"))
    expect(item).to_contain_text("Ada – Ben")
    assert [one["game"] for one in summaries(page.url)] == [2]


def test_game_is_exported_as_pgn_with_its_media_type(person: Person) -> None:
    paste(person, GOOD)
    link = person.page.get_by_role("link", name="Download game 2 as PGN")
    with person.page.expect_download() as started:
        person.press(link)
    assert started.value.suggested_filename == "millwright-game-2.pgn"
    assert '[White "Ada"]' in started.value.path().read_text()
    status, headers, _ = ask(person.page.url, "GET", "/games/2.pgn")
    assert (status, headers["content-type"]) == (200, "application/vnd.chess-pgn")


def ask(url: str, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, Any, bytes]:
    at = urlsplit(url)
    connection = http.client.HTTPConnection(at.hostname or "", at.port, timeout=30)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def summaries(url: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(ask(url, "GET", "/games.json")[2])["games"]
    return found


def test_games_are_changed_only_by_those_who_may_play(address: str) -> None:
    elsewhere = {"X-Forwarded-For": "192.0.2.1"}
    assert ask(address, "POST", "/games", GOOD.encode(), **elsewhere)[0] == 403
    assert ask(address, "POST", "/games", GOOD.encode(), Origin="http://example.org")[0] == 403
    assert ask(address, "POST", "/games", GOOD.encode())[0] == 200
    assert ask(address, "DELETE", "/games/2", b"", **elsewhere)[0] == 403
    assert ask(address, "PUT", "/games/2", b"", **elsewhere)[0] == 403
    assert [one["game"] for one in summaries(address)] == [2]


def test_text_that_is_too_large_is_refused_whole(address: str) -> None:
    status, _, body = ask(address, "POST", "/games", GOOD.encode() * (MAX_BYTES // len(GOOD) + 1))
    assert (status, json.loads(body)["said"]["key"]) == (413, "study.too-large")
    assert summaries(address) == []


def test_game_that_goes_on_is_not_deleted(person: Person) -> None:
    url = person.page.url
    person.press(person.page.locator("#done"))
    person.play(["d6"])
    status, _, body = ask(url, "DELETE", "/games/1")
    assert (status, json.loads(body)["said"]["key"]) == (409, "study.goes-on")
    assert [one["game"] for one in summaries(url)] == [1]
