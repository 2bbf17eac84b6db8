"""A browser that gets no page of the board gets a sentence in its language, and the way to the board."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import MillwrightError, NoGameError, StoreError
from firmware_host.i18n import Message
from firmware_host.web.error_pages import language_of
from firmware_host.web.server import WebServer
from tests.support.web.page_client import get
from tests.support.web.spoken import HTTP_CATALOGUES, LANGUAGES

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
BROKEN = Message("fault.store.full", {"path": "games.db", "why": "no room"})


class Answered(HTMLParser):
    """A page that was answered: its language, its sentence and where its link leads."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.language = self.link = None
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        own = dict(attrs)
        self.language = own.get("lang", self.language)
        self.link = own.get("href", self.link)

    def handle_data(self, data: str) -> None:
        self.texts += [data.strip()] if data.strip() else []


class Broken:
    """Games of which none can be read."""

    path = Path("games.db")
    changes = None

    def record(self, number: int, _kind: str) -> Future[str]:
        why: MillwrightError | TimeoutError = StoreError(BROKEN)
        if number == 7:
            why = NoGameError(Message("refused.no-game", {"count": 7}))
        if number == 8:
            why = TimeoutError()
        return failed(why)

    def listed(self, _before: int | None) -> Future[dict[str, Any]]:
        return failed(StoreError(BROKEN))


def failed(why: Exception) -> Future[Any]:
    future: Future[Any] = Future()
    future.set_exception(why)
    return future


def no_status() -> dict[str, Any]:
    raise TimeoutError


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = WebServer(lambda _: Future(), port=0, tell_status=no_status, games=Broken())
    server.start()
    yield server.address
    server.close()


ANSWERS = [
    ("/", {"Host": "elsewhere.example:PORT"}, 400, "http.host"),
    ("/", {"Host": "millwright.local:1"}, 400, "http.port"),
    ("/", {"Origin": "http://elsewhere.example"}, 403, "http.origin"),
    ("/nothing", {}, 404, "http.no-page"),
    ("/code", {}, 404, "http.no-page"),
    ("/status", {}, 503, "http.silent"),
    ("/games.json", {}, 503, "http.games"),
    ("/games.json?before=all", {}, 404, "http.game-where"),
    ("/games/all.txt", {}, 404, "http.game-where"),
    ("/games/7.txt", {}, 404, "http.game"),
    ("/games/8.json", {}, 503, "http.game"),
    ("/games/9.txt", {}, 503, "http.game"),
]


def with_port(headers: dict[str, str], address: str) -> dict[str, str]:
    """Return the headers with the port of `address` where they say PORT."""
    return {name: text.replace("PORT", str(urlsplit(address).port)) for name, text in headers.items()}


@pytest.mark.parametrize("host", ["localhost:9", "127.0.0.1:9", "board.example"])
def test_page_through_a_tunnel_names_no_address_of_this_machine(address: str, host: str) -> None:
    _, _, body = get(address, **HTML, Host=host)
    page = Answered(body)
    assert page.link == "/"
    assert not any("http://" in text for text in page.texts)
    assert any(str(urlsplit(address).port) in text for text in page.texts)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("path", "headers", "status", "key"), ANSWERS)
def test_a_browser_gets_a_sentence_in_its_language_and_a_link_to_the_board(
    address: str, path: str, headers: dict[str, str], status: int, key: str, language: str
) -> None:
    headers = with_port(headers, address)
    asked = {**HTML, **headers, "Accept_Language": f"{language}-XX,{language};q=0.9,fr;q=0.8"}
    answered, told, body = get(address, path, **asked)
    page = Answered(body)
    assert answered == status
    assert told["content-type"] == "text/html; charset=utf-8"
    assert (page.language, told["content-language"]) == (language, language)
    begins = HTTP_CATALOGUES[language][key].partition("{")[0]
    assert any(text.startswith(begins) for text in page.texts)
    assert page.texts[-1] == HTTP_CATALOGUES[language]["http.to-board"]
    assert not {"script", "style", "link", "img"} & set(page.tags), "nothing more is asked for"


@pytest.mark.parametrize(
    "headers", [{"Host": "elsewhere.example:PORT"}, {"Origin": "http://elsewhere.example"}]
)
def test_who_came_by_a_wrong_name_is_told_an_address_that_works(
    address: str, headers: dict[str, str]
) -> None:
    page = Answered(get(address, **HTML, **with_port(headers, address))[2])
    assert page.link == address
    assert get(page.link, Host=urlsplit(page.link).netloc)[0] == 200


def test_what_was_asked_for_is_no_part_of_the_answer(address: str) -> None:
    bad = "%3Cb%3Eb.example"
    for headers in ({"Host": "<b>b.example"}, {"Origin": "http://<b>b.example"}):
        assert "b.example" not in get(address, f"/{bad}", **HTML, **headers)[2]
    assert "b.example" not in get(address, f"/{bad}", **HTML)[2]


def test_what_stumbles_is_told_in_a_sentence_too() -> None:
    def stumble() -> dict[str, Any]:
        raise ZeroDivisionError("nobody thought of this")

    server = WebServer(lambda _: Future(), port=0, tell_status=stumble)
    server.start()
    status, _, body = get(server.address, "/status", **HTML, Accept_Language="de")
    server.close()
    assert status == 500
    assert "Auf dem Brett ist etwas schiefgegangen." in body


def test_what_can_only_be_looked_at_says_so(address: str) -> None:
    status, told, body = get(address, "/", "POST", Accept_Language="pt")
    assert (status, told["allow"], body) == (405, "GET, HEAD", "Esta página é só para leitura.\n")


def test_a_program_gets_the_sentence_alone(address: str) -> None:
    _, told, body = get(address, "/games/9.txt", Accept_Language="es")
    assert told["content-type"].startswith("text/plain")
    assert body == "No se puede descargar esta partida: games.db: el disco está lleno (no room).\n"


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("de", "de"),
        ("pt-BR,pt;q=0.9,en;q=0.8", "pt"),
        ("fr-FR, fr;q=0.9, es;q=0.5, de;q=0.7", "de"),
        ("de;q=0, es;q=0.1", "es"),
        ("fr", "en"),
        ("*", "en"),
        ("DE-ch", "de"),
    ],
)
def test_the_language_that_is_wished_for_most_is_taken(accepted: str, language: str) -> None:
    assert language_of(accepted) == language


@given(st.text() | st.from_regex(r"([a-z]{2}(-[A-Z]{2})?(;q=[01](\.[0-9]{1,3})?)?,? ?)*"))
def test_whatever_is_wished_for_there_is_a_language(accepted: str) -> None:
    assert language_of(accepted) in LANGUAGES
