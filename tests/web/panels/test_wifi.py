"""The page of the board's own Wi-Fi in a browser: the form, and what it says, in four languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from firmware_host.i18n import Message, translate
from tests.support.matrix import sampled
from tests.support.web.browsing import OpenPage, new_page
from tests.support.web.fake_board import FakeBoard
from tests.support.web.looks import LOOK

LANGUAGES = ["en", "de", "es", "pt"]
PHONE = {"width": 390, "height": 844}
ADDRESS = "http://millwright-in-the-kitchen.local:8765/"
NETWORKS = [
    {"name": "Home", "strength": 90, "locked": True},
    {"name": "A-very-long-name-without-a-blank", "strength": 50, "locked": True},
    {"name": "<b>Guests</b>", "strength": 10, "locked": False},
]
OWN: dict[str, Any] = {"stage": "own", "networks": NETWORKS, "chosen": None, "trouble": None, "home": ADDRESS}
STATES: dict[str, dict[str, Any]] = {
    "form": OWN,
    "trouble": {**OWN, "trouble": {"key": "wifi.trouble.password", "slots": {}}},
    "nothing": {**OWN, "networks": []},
    "touching": {**OWN, "stage": "touching", "chosen": "Home"},
    "joining": {**OWN, "stage": "joining", "chosen": NETWORKS[1]["name"]},
}


class OwnWifiPage:
    """The page in a browser, with a board that answers what the test wants."""

    def __init__(self, page: Page, board: FakeBoard, language: str = "en") -> None:
        self.page, self.state = page, OWN
        self.chosen: list[Any] = []
        self.refusal: str | None = None
        page.clock.install()
        page.route("**/wifi.json", lambda route: route.fulfill(json=self.state))
        page.route("**/wifi", self._answer)
        page.goto(f"{board.server.address}wifi.html?lang={language}")

    def _answer(self, route: Route) -> None:
        self.chosen.append(json.loads(route.request.post_data or "null"))
        said = {"error": "", "said": {"key": self.refusal, "slots": {}}}
        route.fulfill(json=said if self.refusal else {}, status=409 if self.refusal else 202)

    def show(self, state: dict[str, Any]) -> None:
        """Have the page learn that this is the state."""
        expect(self.page.locator("#sentence")).to_be_visible()
        self.page.wait_for_load_state(
            "networkidle"
        )  # or an answer that is under way would be taken for this one
        self.state = state
        with self.page.expect_response("**/wifi.json"):
            self.page.clock.run_for(2_000)


@pytest.fixture
def english(pages: OpenPage, board: FakeBoard) -> OwnWifiPage:
    return OwnWifiPage(pages(viewport=PHONE), board)


@pytest.fixture
def refused(browser: Browser, board: FakeBoard) -> Iterator[OwnWifiPage]:
    """A page of which requests may fail, which browsers report as errors."""
    page = new_page(browser, viewport=PHONE)
    yield OwnWifiPage(page, board)
    page.context.close()


@pytest.mark.parametrize("language", sampled(LANGUAGES))
def test_page_is_whole_and_usable_in_each_state(
    pages: OpenPage, board: FakeBoard, axe: str, language: str
) -> None:
    page = pages(viewport=PHONE)
    own = OwnWifiPage(page, board, language)
    page.evaluate(axe)
    for name, state in STATES.items():
        own.show(state)
        if state["stage"] == "own" and state["networks"]:
            page.get_by_text("Home", exact=True).click()
            expect(page.locator("#wifi-password")).to_be_visible()
        assert page.evaluate(LOOK)["violations"] == [], name
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
    expect(page.locator("#wifi-more")).to_have_text(
        translate(Message("wifi.then", {"address": ADDRESS}), language)
    )


@pytest.mark.smoke
def test_a_network_with_a_password_asks_for_it(english: OwnWifiPage) -> None:
    page = english.page
    page.get_by_text("Home", exact=True).click()
    page.locator("#wifi-password").fill("correct horse")
    page.locator("#wifi-join").click()
    expect(page.locator("#wifi-password")).to_have_value("")
    assert english.chosen == [{"name": "Home", "password": "correct horse"}]


@pytest.mark.smoke
def test_an_open_network_asks_for_none_and_its_name_is_text(english: OwnWifiPage) -> None:
    page = english.page
    page.get_by_text("<b>Guests</b>").click()
    expect(page.locator("#wifi-password")).to_be_hidden()
    with page.expect_response("**/wifi"):
        page.locator("#wifi-join").click()
    assert english.chosen == [{"name": "<b>Guests</b>", "password": ""}]


@pytest.mark.smoke
def test_a_password_is_shown_only_on_request(english: OwnWifiPage) -> None:
    page = english.page
    page.get_by_text("Home", exact=True).click()
    expect(page.locator("#wifi-password")).to_have_attribute("type", "password")
    page.locator("#wifi-show").click()
    expect(page.locator("#wifi-password")).to_have_attribute("type", "text")


@pytest.mark.smoke
def test_a_refusal_and_a_failure_are_explained(refused: OwnWifiPage) -> None:
    page, trouble = refused.page, refused.page.locator("#wifi-trouble")
    refused.refusal = "wifi.refused.password"
    page.get_by_text("Home", exact=True).click()
    page.locator("#wifi-password").fill("short")
    page.locator("#wifi-join").click()
    expect(trouble).to_contain_text("8 to 63")
    refused.show(STATES["trouble"])
    expect(trouble).to_contain_text("password was wrong")


@pytest.mark.smoke
def test_whoever_touches_knows_for_which_network(english: OwnWifiPage) -> None:
    english.show(STATES["touching"])
    expect(english.page.locator("#sentence")).to_contain_text("into Home")


@pytest.mark.smoke
def test_what_was_typed_stays_while_the_list_is_the_same(english: OwnWifiPage) -> None:
    page = english.page
    page.get_by_text("Home", exact=True).click()
    page.locator("#wifi-password").fill("half a pass")
    english.show(OWN)
    expect(page.locator("#wifi-password")).to_have_value("half a pass")
    expect(page.get_by_role("radio", name="Home")).to_be_checked()
    english.show({**OWN, "networks": NETWORKS[1:] + NETWORKS[:1]})
    expect(page.get_by_role("radio", name="Home")).to_be_checked()


@pytest.mark.smoke
def test_the_page_stays_as_it_is_when_the_wifi_ends(refused: OwnWifiPage) -> None:
    page = refused.page
    refused.show(STATES["joining"])
    expect(page.locator("#sentence")).to_contain_text("The board is joining")
    page.route("**/wifi.json", lambda route: route.abort())
    page.clock.run_for(10_000)
    expect(page.locator("#sentence")).to_contain_text("The board is joining")
