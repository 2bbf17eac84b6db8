"""The broadcast: the complete state once, then changes that build on each other."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.web.broadcast import MAX_QUEUED_MESSAGES, LagError, Mailbox, PageBroadcast
from tests.support.web.protocol import merged


class Reader:
    """A page that takes what its mailbox has."""

    def __init__(self, box: Mailbox) -> None:
        self._box = box
        self.told: list[dict[str, Any]] = []
        self.knows: dict[str, Any] | None = None

    async def read(self) -> list[dict[str, Any]]:
        """Take what there is now."""
        async with asyncio.timeout(5):
            new = [json.loads(text) for text in await self._box.take()]
        for message in new:
            self.knows = merged(self.knows, message)
        self.told += new
        return new


def snapshot(n: int, leds: int = 0, table: Any = None) -> dict[str, Any]:
    return {"type": "snapshot", "layout": "mill", "state": {"turns": n, "leds": leds}, "table": table}


def setup(n: int) -> dict[str, Any]:
    return {"type": "setup", "layout": "mill", "done": n, "table": None, "leds": 0}


def leds(n: int) -> dict[str, Any]:
    return {"type": "leds", "leds": n}


def lying(n: int) -> dict[str, Any]:
    return {"type": "table", "table": {"held": n, "box": 1}}


def test_a_page_that_comes_late_is_told_everything_in_one() -> None:
    async def scenario() -> None:
        feed = PageBroadcast()
        for message in (leds(1), snapshot(1), leds(2), snapshot(3), leds(4), leds(5)):
            feed.publish(message)
        with feed.mailbox() as box:
            assert await Reader(box).read() == [{**snapshot(3, leds=5), "seq": 2}]

    asyncio.run(scenario())


def test_only_what_differs_is_told_as_a_change_of_what_was_told_before() -> None:
    async def scenario() -> None:
        feed = PageBroadcast()
        feed.publish(snapshot(1))
        with feed.mailbox() as box:
            reader = Reader(box)
            ((first),) = await reader.read()
            seq = first["seq"]
            for message, differ in (
                (leds(7), {"state": {"leds": 7}}),
                (snapshot(2, leds=7), {"state": {"turns": 2}}),
                (snapshot(2, leds=7, table={"held": 1, "box": 1}), {"table": {"held": 1, "box": 1}}),
                (snapshot(2, leds=7, table={"held": 2, "box": 1}), {"table": {"held": 2}}),
                (lying(5), {"table": {"held": 5}}),
                (snapshot(3, leds=8, table=None), {"state": {"turns": 3, "leds": 8}, "table": None}),
            ):
                feed.publish(message)
                assert await reader.read() == [{"type": "change", "seq": seq + 1, "after": seq, **differ}]
                seq += 1

    asyncio.run(scenario())


def test_where_members_come_or_go_everything_is_told() -> None:
    async def scenario() -> None:
        feed = PageBroadcast()
        feed.publish(snapshot(1))
        with feed.mailbox() as box:
            reader = Reader(box)
            await reader.read()
            for message in ({**snapshot(1), "more": 1}, snapshot(1), setup(1)):
                feed.publish(message)
                (told,) = await reader.read()
                assert told == {**message, "seq": told["seq"]}
            feed.publish(leds(3))
            assert (await reader.read())[0]["leds"] == 3

    asyncio.run(scenario())


def test_what_changes_nothing_is_not_told() -> None:
    async def scenario() -> None:
        feed = PageBroadcast()
        feed.publish(snapshot(1))
        with feed.mailbox() as box:
            reader = Reader(box)
            await reader.read()
            feed.publish(snapshot(1))
            await asyncio.sleep(0)
            feed.publish(snapshot(2))
            assert [message["state"] for message in await reader.read()] == [{"turns": 2}]

    asyncio.run(scenario())


def test_a_page_can_have_everything_told_anew() -> None:
    async def scenario() -> None:
        feed = PageBroadcast()
        feed.publish(snapshot(1))
        with feed.mailbox() as box, feed.mailbox() as other:
            reader = Reader(box)
            await reader.read()
            await other.take()
            feed.tell_all(box)
            feed.publish(snapshot(2))
            assert [m["type"] for m in await reader.read()] == ["snapshot"]
            assert [m["type"] for m in await reader.read()] == ["change"]
            assert len(await other.take()) == 1

    asyncio.run(scenario())


def test_a_page_that_lags_too_far_behind_is_given_up_and_no_other() -> None:
    async def scenario() -> None:
        feed = PageBroadcast()
        feed.publish(snapshot(0))
        with feed.mailbox() as slow, feed.mailbox() as quick:
            reader = Reader(quick)
            for n in range(1, MAX_QUEUED_MESSAGES + 2):
                feed.publish(snapshot(n))
                await reader.read()
            with pytest.raises(LagError):
                await slow.take()
            assert reader.knows is not None
            assert reader.knows["state"]["turns"] == MAX_QUEUED_MESSAGES + 1

    asyncio.run(scenario())


def test_what_is_published_from_another_thread_wakes_the_page() -> None:
    async def scenario() -> None:
        feed = PageBroadcast()
        with feed.mailbox() as box:
            waiting = asyncio.create_task(Reader(box).read())
            await asyncio.to_thread(feed.publish, snapshot(7))
            assert [message["state"]["turns"] for message in await waiting] == [7]

    asyncio.run(scenario())


def test_a_page_that_has_left_is_told_nothing_and_forgotten() -> None:
    async def scenario() -> None:
        feed = PageBroadcast()
        with feed.mailbox(), feed.mailbox():
            assert feed.pages == 2
        assert feed.pages == 0
        feed.publish(snapshot(1))

    asyncio.run(scenario())


MESSAGES = st.one_of(
    st.builds(
        snapshot, st.integers(0, 2), st.integers(0, 2), st.sampled_from([None, {"box": 1}, {"box": 2}])
    ),
    st.builds(setup, st.integers(0, 2)),
    st.builds(leds, st.integers(0, 2)),
    st.builds(lying, st.integers(0, 2)),
)


@given(st.lists(st.tuples(MESSAGES, st.booleans(), st.booleans()), max_size=30))
def test_however_often_it_reads_a_page_knows_what_was_published_in_the_end(
    script: list[tuple[dict[str, Any], bool, bool]],
) -> None:
    async def scenario() -> None:
        feed, meant = PageBroadcast(), None
        with feed.mailbox() as box:
            reader = Reader(box)
            reading = asyncio.create_task(read_on(reader))
            for message, waits, resyncs in script:
                feed.publish(message)
                meant = after(meant, message)
                if resyncs:
                    feed.tell_all(box)
                if waits:
                    await asyncio.sleep(0)
            for _ in range(4):
                await asyncio.sleep(0)
            reading.cancel()
        assert {**(reader.knows or {}), "seq": 0} == {**(meant or {}), "seq": 0}
        numbers = [message["seq"] for message in reader.told]
        assert numbers == sorted(numbers)

    asyncio.run(scenario())


async def read_on(reader: Reader) -> None:
    while True:
        await reader.read()


def after(known: dict[str, Any] | None, message: dict[str, Any]) -> dict[str, Any] | None:
    """Return a page's knowledge after `message`."""
    if message["type"] in ("snapshot", "setup"):
        return message
    if known is None:
        return None
    if message["type"] == "table":
        return {**known, "table": message["table"]}
    if known["type"] == "setup":
        return {**known, "leds": message["leds"]}
    return {**known, "state": {**known["state"], "leds": message["leds"]}}
