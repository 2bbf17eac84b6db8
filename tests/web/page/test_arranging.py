"""The page arranged as people like it, and the choices of their device: with a finger and with the mouse.

Everything is done at places on the screen or by keys, on boards as `millwright sim` starts them. Where
browsers let only secure pages do something, the page is opened on this machine and by a name in the house.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import product
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from firmware_host.web.addresses import mdns_name
from tests.support.matrix import sampled
from tests.support.scripted_board import after
from tests.support.store import kept
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, new_page, point, written
from tests.support.web.person import LAPTOP, PHONE, Person
from tests.web.page.appearance.ear import EAR, PLACED, SHAKER, heard

ON_ITS_SIDE: dict[str, Any] = {**PHONE, "viewport": {"width": 844, "height": 390}}
LOOKS = pytest.mark.parametrize("look", [LAPTOP, PHONE], ids=["mouse", "touch"])
TURNS = ["d6", "f4"]
SIZES = """(icons) => Promise.all(icons.map(async (src) => {
  const icon = Object.assign(new Image(), { src });
  await icon.decode();
  return icon.naturalWidth;
}))"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A board with one game that was won, whose page others in the house would see."""
    path = tmp_path_factory.mktemp("kept") / "games.db"
    kept(path, after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3").session.game)
    with simulated_board("--store", str(path), "--listen", plain=True) as address:
        yield address


@pytest.fixture(scope="module")
def house(address: str) -> str:
    """The address of its page for the house, by a name and without a secure connection."""
    return f"http://{mdns_name()}:{urlsplit(address).port}/"


def at_page(page: Page, address: str, look: dict[str, Any]) -> Person:
    """A person at a page that shows its board."""
    page.goto(address)
    expect(page.locator("#players .to-move")).to_be_visible()
    return Person(page, "has_touch" in look)


@pytest.fixture(params=[LAPTOP, PHONE], ids=["mouse", "touch"])
def person(request: pytest.FixtureRequest, pages: OpenPage, address: str) -> Person:
    """A person at the page of that board, at the beginning of a game."""
    person = at_page(pages(**request.param), address, request.param)
    choose_game(person)
    begin(person)
    expect(person.page.locator("#turns li")).to_have_count(0)
    return person


def begin(person: Person) -> None:
    """Press "Begin", and wait until nothing covers the board, whose place may change with it."""
    button = person.page.locator("#begin")
    person.press(button)
    expect(button).to_be_hidden()


def choose_game(person: Person) -> None:
    """Open the choice of a game, unless it lies open beside the board."""
    if not person.page.locator("#view-start").is_visible():
        person.choose("new")


@pytest.mark.parametrize("look", [LAPTOP, PHONE, ON_ITS_SIDE], ids=["mouse", "touch", "touch on its side"])
def test_full_screen_is_filled_and_left(pages: OpenPage, address: str, look: dict[str, Any]) -> None:
    person = at_page(pages(**look), address, look)
    page = person.page
    button = page.get_by_role("button", name="Full screen")
    if not button.is_visible():
        person.press(page.locator("#more"))
    for fills in (True, False):
        person.press(button)
        expect(page.locator("html:fullscreen")).to_have_count(int(fills))
        expect(button).to_have_attribute("aria-pressed", str(fills).lower())


def test_board_is_turned_by_quarters_and_stays_so(person: Person) -> None:
    page = person.page
    lower_left = point(page, "a1")
    person.choose("to-settings")
    person.pick("#quarters", "A quarter to the right")
    person.press(page.locator("#done"))
    assert point(page, "g1") == pytest.approx(lower_left, abs=1)
    person.play(TURNS)
    page.reload()
    written(page, TURNS)
    assert point(page, "g1") == pytest.approx(lower_left, abs=1)
    person.choose("flip")
    person.press(page.locator("#done"))
    assert point(page, "a7") == pytest.approx(lower_left, abs=1)


def test_nothing_shows_beside_the_title_of_a_sheet(person: Person) -> None:
    person.choose("to-settings")
    covers = person.page.locator("#opened").evaluate(
        """title => {
            const { left, right, bottom } = title.getBoundingClientRect();
            return [left + 1, right - 2].map(x => title.contains(document.elementFromPoint(x, bottom - 2)));
        }"""
    )
    assert covers == [True, True]


def test_boxes_to_tick_stand_at_the_end_of_their_labels(person: Person) -> None:
    page = person.page
    page.goto(f"{page.url}?lang=es")
    person.choose("to-settings")
    edges = page.locator("#view-settings label:has([type=checkbox]):visible").evaluate_all(
        "labels => labels.map(l => l.getBoundingClientRect().right - l.control.getBoundingClientRect().right)"
    )
    assert len(edges) > 3
    assert edges == pytest.approx([0] * len(edges), abs=1)


def test_ground_is_drawn_below_all_of_a_long_page(person: Person) -> None:
    page = person.page
    person.play(TURNS)
    person.press(page.locator("#look-back"))
    expect(page.locator("#study")).to_be_visible()
    heights = "() => [document.body.getBoundingClientRect().height, document.documentElement.scrollHeight]"
    drawn, whole = page.evaluate(heights)
    assert drawn == pytest.approx(whole, abs=1)


def test_players_are_named_before_and_during_a_game(person: Person) -> None:
    page = person.page
    white, black = (page.locator(f"#players [data-player={player}] dt") for player in ("white", "black"))
    choose_game(person)
    person.press(page.locator("#names summary"))
    person.write(page.locator("#name-white"), "Anna")
    person.write(page.locator("#name-black"), "Ben")
    begin(person)
    expect(white).to_have_text("Anna")
    expect(black).to_have_text("Ben")
    person.play(TURNS)
    person.choose("to-settings")
    person.write(page.locator("#called-black"), "Benno")
    page.keyboard.press("Enter")
    expect(black).to_have_text("Benno")
    person.press(page.locator("#done"))
    person.choose("saved-games")
    expect(page.locator("#game-list li").first).to_contain_text("Anna – Benno")


def test_signs_of_both_sides_are_whole_beside_their_names(person: Person) -> None:
    room = person.page.locator("#players dt").evaluate_all(
        """names => names.map(name => {
            const { top, height } = getComputedStyle(name, "::before");
            const below = name.getBoundingClientRect().height - parseFloat(top) - parseFloat(height);
            return Math.min(parseFloat(top), below);
        })"""
    )
    assert min(room) >= 1.5, "the width of the rim"


def test_finished_games_are_counted(person: Person) -> None:
    page = person.page
    person.choose("saved-games")
    person.press(page.locator("#counted summary"))
    lines = ["White 1, Black 0, draws 0", "5 turns on average, 5 in the longest game"]
    expect(page.locator("#statistics p")).to_have_text(lines)
    expect(page.locator("#statistics p").first).to_be_in_viewport(ratio=1)


SMALL: list[dict[str, Any]] = [
    {**PHONE, "viewport": {"width": 320, "height": 568}},
    {"viewport": {"width": 640, "height": 400}},
]
"""A small phone, and a laptop of 1280 by 800 whose page is twice as large as usual."""


@pytest.mark.parametrize(("language", "look"), sampled(product(["de", "es"], SMALL), 2))
def test_turns_are_played_in_small_windows(
    pages: OpenPage, address: str, language: str, look: dict[str, Any]
) -> None:
    person = at_page(pages(**look), f"{address}?lang={language}", look)
    page = person.page
    choose_game(person)
    begin(person)
    person.play(TURNS)
    for name in ("g7", "a1"):
        expect(page.locator(f"#hands [data-point={name}]")).to_be_in_viewport(ratio=0.9)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@LOOKS
def test_turns_are_heard_and_on_a_phone_felt(browser: Browser, look: dict[str, Any]) -> None:
    page = new_page(browser, **look)
    page.add_init_script(EAR)
    page.add_init_script(SHAKER)
    with simulated_board("--no-store", "--no-buzzer", plain=True) as address:
        person = at_page(page, address, look)
        if not page.locator("#sounds-first").is_visible():
            person.press(page.locator("#choose"))
        person.press(page.locator("#sounds-first"))
        assert heard(page) == PLACED
        begin(person)
        person.tap("d6")
        written(page, ["d6"])
        assert heard(page) == PLACED
        assert page.evaluate("window.shaken ?? []") == (["20"] if person.by_touch else [])
    page.context.close()


def copy_link(person: Person) -> str:
    """Copy the link to the game, and return it as it is pasted where a position can be written."""
    page = person.page
    person.choose("share")
    person.press(page.get_by_role("button", name="Copy the link"))
    expect(page.locator("#view-share [role=status]")).to_have_text("Copied.")
    person.press(page.locator("#done"))
    person.choose("new-position")
    person.press(page.locator("#position"))
    for key in ("Control+A", "Control+V"):
        page.keyboard.press(key)
    expect(page.locator("#position")).to_have_value(re.compile("^http"))
    return page.locator("#position").input_value()


def test_link_is_copied_and_opens_the_game(person: Person, pages: OpenPage, house: str) -> None:
    """Copy in a page of this machine, where browsers allow it, and open that link on a page of the house."""
    person.play(TURNS)
    link = urlsplit(copy_link(person))
    assert link.netloc == urlsplit(person.page.url).netloc
    look = PHONE if person.by_touch else LAPTOP
    guest = at_page(pages(**look), f"{house}#{link.fragment}", look)
    expect(guest.page.locator("#past p").first).to_have_text("A shared game: After 1 … f4")
    expect(guest.page.locator("#then .piece:not([data-from=box])")).to_have_count(2)
    guest.press(guest.page.locator("#now"))
    assert not guest.page.evaluate("isSecureContext")
    assert copy_link(guest).startswith(house), "copied by the way that is left in the house"


def test_page_has_what_an_installed_one_needs(pages: OpenPage, address: str, house: str) -> None:
    """Chromium installs a secure page with this manifest; others make a shortcut with the page's icon."""
    page = pages()
    browser = page.context.new_cdp_session(page)
    for where in (address, house):
        page.goto(where)
        found = browser.send("Page.getAppManifest")
        assert found["errors"] == []
        manifest = json.loads(found["data"])
        assert (manifest["name"], manifest["display"]) == ("Millwright", "standalone")
        icons = [icon["src"] for icon in manifest["icons"]]
        assert page.locator("link[rel=apple-touch-icon]").get_attribute("href") in icons
        sizes = page.evaluate(SIZES, icons)
        assert [f"{size}x{size}" for size in sizes[1:]] == [icon["sizes"] for icon in manifest["icons"][1:]]
        assert sizes[0] > 0, "drawn at any size"
