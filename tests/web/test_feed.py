import asyncio
import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.web.feed import Feed, Mailbox


async def read(box: Mailbox) -> list[tuple[str, int]]:
    async with asyncio.timeout(5):
        return [(m["type"], m["n"]) for m in map(json.loads, await box.take())]


def snapshot(n: int) -> dict[str, Any]:
    return {"type": "snapshot", "n": n}


def leds(n: int) -> dict[str, Any]:
    return {"type": "leds", "n": n}


def test_a_page_that_comes_late_gets_the_newest_snapshot_and_the_light_since() -> None:
    async def scenario() -> None:
        feed = Feed()
        for message in (snapshot(1), leds(2), snapshot(3), leds(4), leds(5)):
            feed.publish(message)
        with feed.mailbox() as box:
            assert await read(box) == [("snapshot", 3), ("leds", 5)]

    asyncio.run(scenario())


def test_a_slow_page_skips_to_the_newest() -> None:
    async def scenario() -> None:
        feed = Feed()
        with feed.mailbox() as box:
            for n in range(100):
                feed.publish(snapshot(n))
                await asyncio.sleep(0)
            assert await read(box) == [("snapshot", 99)]
            feed.publish(leds(100))
            assert await read(box) == [("leds", 100)]

    asyncio.run(scenario())


def test_what_is_published_from_another_thread_wakes_the_page() -> None:
    async def scenario() -> None:
        feed = Feed()
        with feed.mailbox() as box:
            waiting = asyncio.create_task(read(box))
            await asyncio.to_thread(feed.publish, snapshot(7))
            assert await waiting == [("snapshot", 7)]

    asyncio.run(scenario())


def test_a_page_that_has_left_is_told_nothing_and_forgotten() -> None:
    async def scenario() -> None:
        feed = Feed()
        with feed.mailbox(), feed.mailbox():
            assert feed.pages == 2
        assert feed.pages == 0
        feed.publish(snapshot(1))

    asyncio.run(scenario())


@given(st.lists(st.tuples(st.sampled_from(["snapshot", "leds"]), st.booleans()), max_size=30))
def test_however_often_it_reads_a_page_ends_with_the_newest_in_rising_order(
    script: list[tuple[str, bool]],
) -> None:
    async def scenario() -> None:
        feed, got = Feed(), []
        with feed.mailbox() as box:
            for n, (kind, reads) in enumerate(script):
                feed.publish({"type": kind, "n": n})
                if reads:
                    got += await read(box)
            if script and not script[-1][1]:
                got += await read(box)
        numbers = [n for _, n in got]
        assert numbers == sorted(set(numbers))
        newest = {kind: n for n, (kind, _) in enumerate(script)}
        if "snapshot" in newest:
            assert max(n for kind, n in got if kind == "snapshot") == newest["snapshot"]
        if newest.get("leds", -1) > newest.get("snapshot", -1):
            assert got[-1] == ("leds", newest["leds"])

    asyncio.run(scenario())
