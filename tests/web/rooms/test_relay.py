"""The relay between pages and the link: who may say what to whom, and what is left when the link goes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.web.broadcast import Mailbox
from firmware_host.web.rooms import MAX_PARTS, RoomRelay
from tests.support.web.fake_board import FakeBoard
from tests.support.web.page_client import PageClient
from tests.support.web.protocol import check_from_board


class Relayed:
    """A relay with a link and a page."""

    def __init__(self) -> None:
        self.relay = RoomRelay()
        self.link, self.page = Mailbox(), Mailbox()
        self.relay.of_link(self.link, {"do": "serve"})

    def show(self, part: str, value: object) -> None:
        self.relay.of_link(self.link, {"do": "show", "part": part, "value": value})

    async def wish(self, **wish: object) -> tuple[asyncio.Task[None], dict[str, Any]]:
        """Make a wish, and return what comes of it and the message that the link gets."""
        made = asyncio.ensure_future(self.relay.of_page(self.page, wish))
        message = json.loads((await self.link.take())[-1])
        check_from_board(message)
        return made, message

    async def news(self) -> list[dict[str, Any]]:
        found = [json.loads(text) for text in await self.page.take()]
        for message in found:
            check_from_board(message)
        return found


@pytest.fixture
def relayed() -> Relayed:
    return Relayed()


def test_a_page_gets_all_parts_and_then_each_change(relayed: Relayed) -> None:
    async def run() -> None:
        relayed.show("chat", {"free": True})
        await relayed.relay.of_page(relayed.page, {"do": "follow"})
        relayed.show("room", {"title": "Sunday"})
        relayed.show("chat", None)
        first, second, third = await relayed.news()
        assert (first["all"], first["parts"]) == (True, {"chat": {"free": True}})
        assert (second["all"], second["parts"]) == (False, {"room": {"title": "Sunday"}})
        assert third["parts"] == {"chat": None}

    asyncio.run(run())


def test_a_wish_is_answered_by_the_link(relayed: Relayed) -> None:
    async def run() -> None:
        made, message = await relayed.wish(do="leave")
        assert message["wish"] == {"do": "leave"}
        relayed.relay.of_link(relayed.link, {"do": "answer", "number": message["number"], "refused": None})
        await made

    asyncio.run(run())


def test_a_refused_wish_says_why(relayed: Relayed) -> None:
    async def run() -> None:
        made, message = await relayed.wish(do="join", invitation="x")
        why = Message("link.invitation").as_dict()
        relayed.relay.of_link(relayed.link, {"do": "answer", "number": message["number"], "refused": why})
        with pytest.raises(RequestError) as refused:
            await made
        assert refused.value.message == Message("link.invitation")

    asyncio.run(run())


def test_a_link_that_goes_takes_its_parts_and_refuses_wishes(relayed: Relayed) -> None:
    async def run() -> None:
        relayed.show("room", {"invitation": "MW1:"})
        await relayed.relay.of_page(relayed.page, {"do": "follow"})
        with relayed.relay.page(relayed.link):
            made, _ = await relayed.wish(do="leave")
        with pytest.raises(RequestError):
            await made
        last = (await relayed.news())[-1]
        assert (last["all"], last["parts"]) == (True, {})
        with pytest.raises(RequestError):
            await relayed.relay.of_page(relayed.page, {"do": "leave"})

    asyncio.run(run())


@pytest.mark.parametrize(
    "request_",
    [None, "serve", {"do": "show", "part": 1, "value": 1}, {"do": "answer"}, {"do": "sing"}],
)
def test_a_malformed_request_of_a_link_is_refused(relayed: Relayed, request_: object) -> None:
    with pytest.raises(RequestError):
        relayed.relay.of_link(relayed.link, request_)


def test_only_the_link_that_serves_may_show(relayed: Relayed) -> None:
    with pytest.raises(RequestError):
        relayed.relay.of_link(relayed.page, {"do": "show", "part": "room", "value": {}})


def test_a_link_shows_a_limited_number_of_parts(relayed: Relayed) -> None:
    for number in range(MAX_PARTS):
        relayed.show(f"message:{number}", {})
    with pytest.raises(RequestError):
        relayed.show("one more", {})
    relayed.show("message:0", {"text": "another"})


def test_a_page_from_elsewhere_neither_follows_nor_links() -> None:
    board = FakeBoard()
    page = PageClient(board.server.address, Forwarded="for=192.0.2.7")
    try:
        for request in ({"id": 1, "rooms": {"do": "follow"}}, {"id": 2, "link": {"do": "serve"}}):
            assert page.ask(request)["said"]["key"] == "refused.only-looks"
    finally:
        page.close()
        board.server.close()
