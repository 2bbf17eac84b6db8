"""The page of a set-up in a real browser: on what a real board tells, and on a simulated board."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from concurrent.futures import Future
from typing import Any

import pytest
from browsing import MILLWRIGHT, drag, middle
from playwright.sync_api import Browser, Page, expect

from firmware_host.errors import RequestError
from firmware_host.games.layout import MORRIS
from firmware_host.setting_up import answer_of
from firmware_host.web.messages import set_up
from firmware_host.web.server import WebServer

pytestmark = pytest.mark.xdist_group("browser")

START = {
    "sentence": "Take the piece off a7.",
    "notes": ["A sensor comes and goes."],
    "answers": [{"key": "", "label": "None stands there"}, {"key": "q", "label": "Stop here"}],
    "point": "a7",
    "known": ["d7", "g7"],
    "done": 20,
    "of": 48,
    "over": False,
}


class FakeSetup:
    """What a set-up says on a real board, where nobody knows where pieces lie."""

    def __init__(self) -> None:
        self.answers: list[str] = []
        self.server = WebServer(self.submit, port=0)
        self.server.start()
        self.say()

    def say(self, **changes: Any) -> None:
        self.server.publish(set_up(MORRIS, {**START, **changes}, table=None, leds={}))

    def submit(self, request: dict[str, Any]) -> Future[None]:
        future: Future[None] = Future()
        try:
            self.answers.append(answer_of(request))
        except RequestError as error:
            future.set_exception(error)
        else:
            future.set_result(None)
        return future


@pytest.fixture
def setup() -> Iterator[FakeSetup]:
    setup = FakeSetup()
    yield setup
    setup.server.close()


def opened(browser: Browser, address: str, **context: Any) -> tuple[Page, list[str]]:
    page = browser.new_page(**{"viewport": {"width": 900, "height": 640}, **context})
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(address)
    return page, complaints


def test_it_shows_the_sentence_the_point_and_what_is_known(browser, setup):
    page, complaints = opened(browser, f"{setup.server.address}setup.html")
    expect(page.locator("#sentence")).to_have_text("Take the piece off a7.")
    expect(page.locator("[data-asked]")).to_have_attribute("data-asked", "a7")
    expect(page.locator("[data-known]")).to_have_count(2)
    expect(page.locator("#progress span")).to_have_text("20 of 48")
    expect(page.locator("#notes li")).to_have_text(["A sensor comes and goes."])
    setup.say(point=None, notes=[], known=["d7", "g7", "a7"])
    expect(page.locator("[data-asked]")).to_have_count(0)
    expect(page.locator("#notes")).to_be_hidden()
    expect(page.locator("[data-known]")).to_have_count(3)
    assert complaints == []
    page.close()


def test_buttons_and_keys_answer(browser, setup):
    page, complaints = opened(browser, f"{setup.server.address}setup.html")
    page.click("#answers >> text=None stands there")
    page.locator("h1").click()
    page.locator("body").press("q")
    page.locator("body").press("z")
    page.locator("body").press("Enter")
    page.wait_for_timeout(200)
    assert setup.answers == ["", "q", ""]
    assert complaints == []
    page.close()


def test_the_page_of_play_leads_to_it(browser, setup):
    page, _ = opened(browser, setup.server.address)
    expect(page).to_have_url(f"{setup.server.address}setup.html")
    page.close()


def test_all_of_it_is_seen_on_a_phone(browser, setup):
    page, _ = opened(browser, f"{setup.server.address}setup.html", viewport={"width": 360, "height": 740})
    expect(page.locator("#answers button").last).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.close()


def test_the_end_is_no_lost_connection(browser, setup):
    page, _ = opened(browser, f"{setup.server.address}setup.html")
    setup.say(sentence="Set-up is done.", answers=[], over=True)
    expect(page.locator("#sentence")).to_have_text("Set-up is done.")
    setup.server.close()
    page.wait_for_timeout(500)
    expect(page.locator("#banner")).to_be_hidden()
    page.close()


def test_a_simulated_board_is_set_up_by_the_pointer(browser):
    command = [MILLWRIGHT, "sim", "--setup", "--no-browser", "--port", "0", "--seed", "3"]
    with subprocess.Popen(  # noqa: S603
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
    ) as board:
        try:
            line = board.stdout.readline() if board.stdout else ""
            found = re.search(r"http://\S+", line)
            assert found is not None, line
            page, complaints = opened(browser, found[0])
            answer_what_shines(page)
            for number in range(1, 4):
                expect(page.locator("#sentence")).to_have_text("Put a piece on the lit point.")
                lit = page.locator('#light [data-led]:not([data-led=""])')
                expect(lit).to_have_count(1)
                seat = middle(lit.locator("circle").first.bounding_box())
                drag(page, middle(page.locator(".piece[data-from=box]").last.bounding_box()), seat)
                expect(page.locator("#progress span")).to_have_text(re.compile(f"^{number} of"))
            assert complaints == []
            page.close()
        finally:
            board.terminate()


def answer_what_shines(page: Page) -> None:
    lit = page.locator('#light [data-led]:not([data-led=""])').first
    expect(lit).to_be_attached()
    colour = lit.get_attribute("data-led")
    page.locator("body").press("g" if colour == "#007800" else "r")
