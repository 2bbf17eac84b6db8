"""Broken sensors on the page: those that may be ignored, turns to confirm, and a chip that explains it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, leave, play_all
from tests.support.web.page_client import PageClient
from tests.support.web.person import PHONE, Person

LAPTOP: dict[str, Any] = {"viewport": {"width": 1366, "height": 768}}


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


@pytest.mark.parametrize("look", [LAPTOP, PHONE], ids=["mouse", "touch"])
def test_dead_chip_is_named_as_what_explains_three_points(
    pages: OpenPage, look: dict[str, Any], tmp_path: Path
) -> None:
    """A chip that has come loose while the board was off takes its pieces with it."""
    with simulated_board("--store", str(tmp_path / "games.db")) as address:
        page = pages(**look)
        page.goto(address)
        person = Person(page, "has_touch" in look)
        play_all(page, ["d6", "d5", "f4", "e4", "b4", "c4"])
        hands = PageClient(address)
        hands.send({"id": 1, "power": "off"})
        hands.send({"id": 2, "fault": {"mux": 0, "kind": "dead"}})
        hands.send({"id": 3, "power": "on"})
        expect(page.locator("#sentence")).to_contain_text("put black pieces back on c4, d5 and e4")
        expect(page.locator("#advice")).to_contain_text("Then mux 0 may have failed: check its supply")
        hands.send({"id": 4, "repair": True})
        expect(page.locator("#sentence")).to_contain_text("White to play")
        person.tap("d2")
        expect(page.locator("#turns button")).to_have_count(7)
        hands.close()
        leave(page)
