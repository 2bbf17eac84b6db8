"""Whatever is asked of a board and cannot be done, a page says why in its own language."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.sync_api import Page, expect

from firmware_host.errors import NOT_UNDERSTOOD, MillwrightError, RequestError, StoreError
from firmware_host.i18n import Message
from firmware_host.views.queries import QueryService
from firmware_host.web import app
from firmware_host.web.messages import reply
from sim.assembly import Blueprint
from sim.live.board import LiveBoard
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import Lender, OpenPage, leave
from tests.support.web.fake_board import FakeBoard
from tests.support.web.protocol import check_from_board
from tests.support.web.spoken import CATALOGUES, said_in

MALFORMED = [
    "no JSON",
    "[1, 2]",
    '{"lift": "d6"}',
    '{"id": 1}',
    '{"id": 1, "sing": true}',
    '{"id": 1, "lift": true}',
    '{"id": 1, "lift": "d6", "put": "d6"}',
    '{"id": 1, "lift": "d6", "gently": true}',
    '{"id": 1, "put": "d6", "piece": []}',
    '{"id": 1, "slide": ["d6"]}',
    '{"id": 1, "slide": ["d6", "d6"]}',
    '{"id": 1, "push": "d6"}',
    '{"id": 1, "flick": "d6", "speed": [90000, 0]}',
    '{"id": 1, "knock": {}}',
    '{"id": 1, "box": false}',
    '{"id": 1, "repair": 1}',
    '{"id": 1, "fault": "all"}',
    '{"id": 1, "power": "perhaps"}',
    '{"id": 1, "script": 1}',
    '{"id": 1, "watch": "always"}',
    '{"id": 1, "do": "sing"}',
    '{"id": 1, "do": "draw", "again": true}',
    '{"id": 1, "do": "resign", "player": "red"}',
    '{"id": 1, "do": "choose", "turn": 7}',
    '{"id": 1, "do": "confirm"}',
    '{"id": 1, "do": "mask"}',
    '{"id": 1, "do": "set"}',
    '{"id": 1, "do": "set", "theme": "plaid"}',
    '{"id": 1, "do": "set", "brightness": 7}',
    '{"id": 1, "do": "new-game", "rules": "chess"}',
    '{"id": 1, "do": "new-game", "rules": 7}',
    '{"id": 1, "do": "new-game", "set": []}',
    '{"id": 1, "do": "new-game", "set": {"wings": "yes"}}',
    '{"id": 1, "do": "new-game", "set": {"flying": "perhaps"}}',
    '{"id": 1, "ask": "why"}',
    '{"id": 1, "ask": "position"}',
    '{"id": 1, "ask": "position", "after": -1}',
    '{"id": 1, "ask": "game"}',
    '{"id": 1, "ask": "rules", "of": "chess"}',
]
"""Requests that no page of this version sends."""

IMPOSSIBLE = [
    ("hands.none-there", '{"id": 1, "lift": "d6"}'),
    ("hands.gone", '{"id": 1, "lift": 3}'),
    ("hands.gone", '{"id": 1, "lift": 99}'),
    ("hands.gone", '{"id": 1, "lift": [10, 10]}'),
    ("hands.empty", '{"id": 1, "put": "d6"}'),
    ("hands.none-left", '{"id": 1, "put": "d6", "piece": "red"}'),
    ("hands.off-board", '{"id": 1, "put": [900, 900], "piece": "white"}'),
    ("hands.off-board", '{"id": 1, "slide": ["d6", [900, 900]]}'),
    ("refused.no-point", '{"id": 1, "lift": "z9"}'),
    ("refused.no-point", '{"id": 1, "fault": {"point": "z9", "kind": "weak"}}'),
    ("refused.no-fault", '{"id": 1, "fault": {"point": "d6", "kind": "tired"}}'),
    ("refused.no-fault", '{"id": 1, "fault": {"mux": 9, "kind": "dead"}}'),
    ("refused.no-fault", '{"id": 1, "fault": {"select": [0, 0], "kind": "swapped"}}'),
    ("refused.no-fault", '{"id": 1, "fault": {"magnets": "field", "millitesla": -1}}'),
    ("refused.no-fault", '{"id": 1, "fault": {"leds": "broken"}}'),
    ("refused.no-fault", '{"id": 1, "fault": {"roof": "leaks"}}'),
    ("refused.no-fault", '{"id": 1, "fault": {"disk": "slow", "seconds": 0}}'),
    ("refused.no-fault", '{"id": 1, "fault": {"disk": "lost"}}'),
    ("refused.nothing-kept", '{"id": 1, "fault": {"disk": "full"}}'),
    ("refused.not-broken", '{"id": 1, "repair": {"disk": "full"}}'),
    ("refused.not-broken", '{"id": 1, "repair": {"point": "d6", "kind": "weak"}}'),
    ("refused.power.on", '{"id": 1, "power": "on"}'),
    ("refused.too-many-pieces", '{"id": 1, "do": "new-game", "set": {"pieces": 12, "points": "outer"}}'),
    ("refused.stacks", '{"id": 1, "do": "new-game", "rules": "mitsudomoe"}'),
    ("refused.not-legal", '{"id": 1, "do": "choose", "turn": "d6-d5"}'),
    ("refused.not-confirmable", '{"id": 1, "do": "confirm", "turn": "d6-d5"}'),
    ("refused.no-turn", '{"id": 1, "do": "take-back"}'),
    ("refused.no-redo", '{"id": 1, "do": "redo"}'),
    ("refused.no-removal", '{"id": 1, "do": "decline"}'),
    ("refused.not-paused", '{"id": 1, "do": "resume"}'),
    ("refused.not-masked", '{"id": 1, "do": "unmask", "point": "d6"}'),
    ("refused.no-such-turn", '{"id": 1, "ask": "position", "after": 9}'),
    ("refused.nothing-kept", '{"id": 1, "ask": "games"}'),
]
"""Requests that are impossible on an empty simulated board without saved games, and their errors."""

ENGLISH = re.compile(
    r"\b(the|this|that|there|is|are|of|has|have|must|cannot|be|and|or|not|with|takes|board|piece)\b", re.I
)
"""Words of nearly every English sentence, and of no German one."""

ASK = """async (texts) => {
    const { tell } = await import("/words.js");
    const socket = new WebSocket(new URL("/ws", location.href.replace("http", "ws")));
    const told = [];
    await new Promise((opened) => socket.addEventListener("open", opened));
    const answers = new Promise((all) => socket.addEventListener("message", ({ data }) => {
        const message = JSON.parse(data);
        if (message.type === "reply") {
            told.push({ ...message, words: tell(message.said) });
        }
        if (told.length === texts.length) {
            all();
        }
    }));
    texts.forEach((text) => socket.send(text));
    await answers;
    socket.close();
    return told;
}"""


@pytest.fixture(scope="module")
def german(lender: Lender) -> Iterator[Page]:
    """A German page of a simulated board that keeps no games."""
    with simulated_board() as address, lender.lending() as lend:
        page = lend(locale="de-DE")
        page.goto(address)
        expect(page.locator("#players .to-move")).to_be_visible()
        yield page


def answered(page: Page, texts: list[str]) -> list[dict[str, Any]]:
    """The replies to what is sent, each with what the page makes of it as `words`."""
    replies: list[dict[str, Any]] = page.evaluate(ASK, texts)
    return replies


def test_what_is_written_wrongly_is_not_understood_in_german(german: Page) -> None:
    for text, told in zip(MALFORMED, answered(german, MALFORMED), strict=True):
        assert told["said"] == NOT_UNDERSTOOD.as_dict(), text
        assert told["words"] == CATALOGUES["de"]["refused.not-understood"]
        assert told["error"] not in {told["words"], CATALOGUES["en"]["refused.not-understood"]}


def test_what_cannot_be_done_is_said_in_german(german: Page) -> None:
    replies = answered(german, [text for _, text in IMPOSSIBLE])
    assert [told["said"]["key"] for told in replies] == [key for key, _ in IMPOSSIBLE]
    for told in replies:
        assert "{" not in told["words"]
        assert not ENGLISH.search(told["words"]), told["words"]
        assert ENGLISH.search(told["error"]), told["error"]


@pytest.mark.smoke
def test_german_has_none_of_the_words_that_tell_english(german: Page) -> None:
    """Else a German sentence could be taken for an English one, and the other way round."""
    told = [text for key, text in CATALOGUES["de"].items() if not key.startswith("rules.")]
    named = re.compile(r"\{[a-z]+\}|millwright|The Mill")
    assert [text for text in told if ENGLISH.search(named.sub("", text))] == []


def test_a_board_that_does_not_answer_is_told_in_german(
    pages: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "_REPLY_TIMEOUT_S", 0.05)
    board = FakeBoard()
    page = pages(locale="de-DE")
    page.goto(board.server.address)
    expect(page.locator("#begin")).to_have_text("Spiel beginnen")
    board.answers = False
    page.locator("#begin").click()
    expect(page.locator("#note")).to_have_text(f"{CATALOGUES['de']['refused.no-answer']}.")
    expect(page.locator("#note")).to_have_attribute("lang", "de")
    leave(page)
    board.server.close()


def test_switches_that_do_not_fit_each_other_are_told_in_german(german: Page) -> None:
    german.locator("#switches summary").click()
    german.locator("#switches [name=pieces]").select_option("12")
    german.locator("#switches [name=points]").select_option("outer")
    german.locator("#begin").click()
    expect(german.locator("#note")).to_have_text(
        "12 Steine je Farbe sind zu viele für dieses Brett: Höchstens 8 haben Platz."
    )


@pytest.mark.parametrize("wrong", ["damaged", "missing"])
def test_what_is_wrong_with_the_games_is_said_in_a_sentence_of_the_page(wrong: str, tmp_path: Path) -> None:
    table = LiveBoard(Blueprint.of(store=tmp_path / "games.db"))
    looking = QueryService(lambda: table.game, Now(table, broken=wrong == "damaged"))
    with pytest.raises(MillwrightError) as raised:
        looking.submit({"ask": "game", "game": 7}).result(60)
    told = {"damaged": "fault.store.check", "missing": "refused.no-game"}[wrong]
    assert raised.value.message is not None
    assert raised.value.message.key == told
    looking.close()
    table.close()


class Now:
    """Reads the file of games at once, or finds that it cannot be read."""

    path = None

    def __init__(self, table: LiveBoard, *, broken: bool) -> None:
        self._table = table
        self._broken = broken

    def read(self, work: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(self._table.read(self._fail if self._broken else work))
        except MillwrightError as error:
            future.set_exception(error)
        return future

    def _fail(self, _file: object) -> None:
        raise StoreError(Message("fault.store.check", {"text": "its pages are torn"}))


SCALARS = st.none() | st.booleans() | st.integers(-5, 30) | st.floats(allow_nan=False) | st.text(max_size=5)
WORDS = st.sampled_from(("d6", "a1", "white", "stuck-on", "swapped", "mirrored", "on", "full", "12"))
VERBS = (
    "put",
    "lift",
    "slide",
    "push",
    "flick",
    "knock",
    "press",
    "release",
    "fault",
    "repair",
    "power",
    "do",
)
NOUNS = (
    "set",
    "piece",
    "to",
    "point",
    "kind",
    "mux",
    "select",
    "signal",
    "wiring",
    "magnets",
    "leds",
    "disk",
)
KEYS = st.sampled_from((*VERBS, *NOUNS, "seconds", "rules"))
VALUES = st.recursive(
    SCALARS | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | WORDS, inner, max_size=3),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def table() -> Iterator[LiveBoard]:
    table = LiveBoard(Blueprint.of())
    yield table
    table.close()


@pytest.mark.ci("examples")
@given(request=st.dictionaries(KEYS, VALUES, min_size=1, max_size=3))
def test_whatever_is_asked_what_is_wrong_is_in_the_catalogue_with_all_its_gaps(
    table: LiveBoard, request: dict[str, Any]
) -> None:
    try:
        table.do(request)
    except MillwrightError as error:
        told = reply(1, str(error), message=error.message)
        check_from_board(json.loads(json.dumps(told)))
        assert frozenset(told["said"]["slots"]) == said_in()[told["said"]["key"]]


def test_an_error_of_a_request_says_that_it_is_not_understood_unless_it_says_more() -> None:
    assert RequestError("no").message == NOT_UNDERSTOOD
    assert MillwrightError("no").message is None
