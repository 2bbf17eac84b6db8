"""The page with the network cut: it comes from the board alone, whole, and asks for nothing elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect

from tests.support.web.boards import simulated_board
from tests.support.web.browsing import choose, play_all

NOWHERE = "http://127.0.0.1:9"
"""An address without a listener."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    games = tmp_path_factory.mktemp("kept") / "games.db"
    with simulated_board("--set", "pieces=3", "--store", str(games)) as address:
        yield address


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser from which nothing but this machine can be reached, by name or by number."""
    context = browser.new_context(
        proxy={"server": NOWHERE, "bypass": "127.0.0.1"}, locale="de", reduced_motion="reduce"
    )
    yield context
    context.close()


def asked_hosts(page: Page) -> set[str]:
    """The hosts that the page asks for anything from now on, by HTTP or by WebSocket."""
    hosts: set[str] = set()
    page.on("request", lambda request: hosts.add(urlsplit(request.url).netloc))
    page.on("websocket", lambda opened: hosts.add(urlsplit(opened.url).netloc))
    return hosts


@pytest.mark.parametrize("elsewhere", ["http://millwright.example/", "http://192.0.2.1/"])
def test_nothing_elsewhere_is_reached_from_here(context: BrowserContext, elsewhere: str) -> None:
    with pytest.raises(Error, match="ERR_PROXY_CONNECTION_FAILED"):
        context.new_page().goto(elsewhere)


def test_a_game_is_played_and_all_of_the_page_opened_without_a_request_elsewhere(
    context: BrowserContext, address: str
) -> None:
    page = context.new_page()
    hosts, complaints = asked_hosts(page), list[str]()
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.goto(address)
    choose(page, "to-settings")
    page.locator("#language").select_option("en")
    play_all(page, ["d6", "f4", "d7", "a1", "d5xa1"])
    page.get_by_role("button", name="Break it").click()
    expect(page.locator("#drawer")).to_be_visible()
    choose(page, "saved-games")
    expect(page.locator("#game-list li")).to_have_count(1)
    assert hosts == {urlsplit(address).netloc}
    assert complaints == []


def test_the_browser_itself_refuses_what_the_page_would_ask_for_elsewhere(
    context: BrowserContext, address: str
) -> None:
    page = context.new_page()
    page.goto(address)
    refused = page.evaluate(
        """async () => {
            const refused = [];
            const note = ({ effectiveDirective }) => refused.push(effectiveDirective);
            document.addEventListener("securitypolicyviolation", note);
            await fetch("http://millwright.example/").catch(() => {});
            const image = Object.assign(new Image(), { src: "http://192.0.2.1/seen.png" });
            await new Promise((resolve) => (image.onerror = resolve));
            await new Promise((resolve) => setTimeout(resolve));
            return refused;
        }"""
    )
    assert sorted(refused) == ["connect-src", "img-src"]
