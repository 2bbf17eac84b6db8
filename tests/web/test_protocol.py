"""Whole games in the messages to pages, checked against the protocol's schema."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import sim.table.hands
from firmware_host.i18n import Message
from firmware_host.lights.cues import Cue
from firmware_host.play import requests
from firmware_host.runtime.safe_mode import TRY_AGAIN
from firmware_host.web.broadcast import Mailbox, PageBroadcast
from firmware_host.web.messages import PageMessage, apply_part, leds, reply
from sim.assembly import Blueprint
from sim.live.board import LiveBoard
from tests.support.matrix import CI, sampled
from tests.support.paths import PROJECT, SCENARIOS
from tests.support.web.protocol import (
    FROM_BOARD,
    FROM_PAGE,
    SCHEMA,
    check_from_board,
    check_from_page,
    merged,
)

README = PROJECT / "firmware_host" / "web" / "README.md"
FRAME = 5000


class CheckedPage:
    """A page that checks all its messages against the schema, and the messages that were published for it."""

    def __init__(self, feed: PageBroadcast, box: Mailbox) -> None:
        self._feed = feed
        self._box = box
        self.whole: dict[str, Any] | None = None
        self.published: PageMessage = {}
        self.types: set[str] = set()

    def publish(self, message: PageMessage) -> None:
        self._feed.publish(message)
        if message["type"] in ("leds", "table"):
            message = apply_part(self.published, message)
        self.published = message

    async def read(self) -> None:
        while True:
            for text in await self._box.take():
                message = json.loads(text)
                check_from_board(message)
                self.types.add(message["type"])
                self.whole = merged(self.whole, message)


GAMES = [
    "a-whole-game-of-six",
    "a-game-by-hands-in-disorder",
    "a-game-that-is-over-is-followed-by-the-next-when-the-board-is-cleared",
    "a-board-found-cleared-after-an-outage-begins-the-next-game",
]


@pytest.mark.parametrize("name", sampled(GAMES, others=CI))
def test_all_that_is_told_of_a_game_is_in_the_schema_and_a_page_knows_what_was_told(name: str) -> None:
    async def scenario() -> None:
        feed = PageBroadcast()
        with feed.mailbox() as box:
            told = CheckedPage(feed, box)
            reading = asyncio.create_task(told.read())
            for message in played(name):
                told.publish(message)
                await asyncio.sleep(0)
            for _ in range(3):
                await asyncio.sleep(0)
            reading.cancel()
            with suppress(asyncio.CancelledError):
                await reading
        assert told.whole == {
            **json.loads(json.dumps(told.published)),
            "seq": told.whole and told.whole["seq"],
        }
        assert told.types == {"snapshot", "change"}

    asyncio.run(scenario())


def played(name: str) -> Iterator[PageMessage]:
    """Yield the messages of a scenario played; its requests must fit the schema as well."""
    lines = (SCENARIOS / f"{name}.txt").read_text("utf-8").splitlines()
    call = next(line for line in lines if line.startswith("$")).split()
    options = dict(zip(call[4::2], call[5::2], strict=True))
    table = LiveBoard(Blueprint.of(rules=options.get("--rules"), seed=int(options.get("--seed", "0"))))
    published: list[PageMessage] = []
    for line in (line[2:] for line in lines if line.startswith("> ")):
        request = json.loads(line)
        frames = 1
        if "wait" in request:
            frames = round(request["wait"] * 1_000_000) // FRAME
        elif "show" not in request:
            check_from_page({"id": 1, **request})
            table.do(request)
            frames = round(request.get("seconds", 0) * 1_000_000) // FRAME
        for _ in range(frames):
            table.tick(0)
            table.publish_changes(published.append)
            yield from published
            published.clear()


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA)


def test_what_is_not_in_the_schema_is_named() -> None:
    whole = {"type": "change", "seq": 2, "after": 1, "state": {"moods": ["d6"]}}
    with pytest.raises(AssertionError, match=r"change: state: .*'moods' was unexpected.*README"):
        check_from_board(whole)
    with pytest.raises(AssertionError, match=r"'sing' was unexpected|is not valid"):
        check_from_page({"id": 1, "sing": True})
    with pytest.raises(AssertionError, match="news"):
        check_from_board({"type": "news"})


def test_each_kind_of_message_is_described() -> None:
    text = README.read_text("utf-8")
    assert [name for name in FROM_BOARD if f'"type": "{name}"' not in text] == []
    assert [name for name in FROM_PAGE if f'"{name}":' not in text and f"`{name}`" not in text] == []


def test_all_that_hands_and_buttons_can_do_is_in_the_schema() -> None:
    assert set(FROM_PAGE) >= sim.table.hands.VERBS
    buttons = SCHEMA["$defs"]["do"]["properties"]["do"]["enum"]
    assert set(buttons) == {*requests._REQUESTS, TRY_AGAIN}


def test_all_that_light_can_mean_is_in_the_schema() -> None:
    cues = SCHEMA["$defs"]["state-members"]["properties"]["cues"]["additionalProperties"]["items"]["enum"]
    assert set(cues) == set(map(str, Cue))


@pytest.mark.parametrize(
    "message",
    [
        reply(1),
        reply(None, "no"),
        reply(None, "no", message=Message("refused.real")),
        reply(1, result={"games": [], "more": False}),
        {**leds({}), "type": "change", "seq": 2, "after": 1},
    ],
)
def test_what_is_answered_and_lit_is_in_the_schema(message: PageMessage) -> None:
    check_from_board(message)
