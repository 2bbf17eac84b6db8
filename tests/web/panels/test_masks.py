"""Broken sensors on the page: those that may be ignored are offered, and undetected turns are confirmed."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, leave, play_all
from tests.support.web.page_client import PageClient


@pytest.mark.ci
def test_play_goes_on_without_a_sensor_that_broke_and_with_it_when_it_is_mended(pages: OpenPage) -> None:
    with simulated_board() as address:
        page = pages()
        page.goto(address)
        play_all(page, ["d6", "f4"])
        expect(page.locator("#suspects")).to_be_hidden()
        hands = PageClient(address)
        hands.send({"id": 1, "fault": {"point": "d6", "kind": "stuck-off"}})
        expect(page.locator("#sentence")).to_contain_text(
            "doesn't match the game: put a white piece back on d6"
        )
        expect(page.locator("#advice")).to_contain_text("its sensor may be broken: see More")
        page.locator("#more").click()
        page.get_by_text("Is a sensor broken?").click()
        page.get_by_role("button", name="Play on without the sensor at d6").click()
        expect(page.locator("#suspects")).to_be_hidden()
        page.keyboard.press("Escape")
        expect(page.locator("#sentence")).to_contain_text("White to play")
        hands.send({"id": 2, "do": "mask", "point": "b2"})
        hands.send({"id": 3, "put": "b2", "piece": "white"})
        expect(page.locator("#sentence")).to_contain_text("can't see moves at b2")
        page.locator("#confirm").click()
        page.get_by_role("button", name="b2 was played").last.click()
        expect(page.locator("#turns span")).to_have_count(3)
        hands.send({"id": 4, "repair": True})
        page.locator("#more").click()
        for point in ("b2", "d6"):
            page.get_by_role("button", name=f"The sensor at {point} works again").click()
        expect(page.locator("#masked")).to_be_hidden()
        expect(page.locator("#sentence")).to_contain_text("Black to play")
        hands.close()
        leave(page)
