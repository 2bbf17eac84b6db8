"""Looking back in a browser: at the game on the simulated board, without touching it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import Lender, OpenPage, choose, leave, pace, play, play_all, point
from tests.support.web.fake_board import FakeBoard
from tests.support.web.page_client import PageClient

SAID = "white piece at d6 and d7. black piece at f4. white piece: 7 in hand. black piece: 8 in hand."
PHONES: list[ViewportSize] = [
    {"width": 390, "height": 844},
    {"width": 360, "height": 740},
    {"width": 412, "height": 915},
]
NOTE_TEXTS = """() => {
    window.texts = [];
    const past = document.querySelector("#past");
    const note = () => window.texts.push(past.textContent);
    new MutationObserver(note).observe(past, { childList: true, subtree: true, characterData: true });
}"""
TURNS = ["d6", "f4", "d7", "g4", "d5xf4", "e4"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with simulated_board() as address:
        yield address


@pytest.fixture(scope="module")
def played(lender: Lender, address: str) -> Iterator[Page]:
    """A page on which some turns were played."""
    with lender.lending() as lend:
        page = lend()
        page.goto(address)
        play_all(page, TURNS)
        yield page


@pytest.fixture
def page(played: Page) -> Iterator[Page]:
    yield played
    played.keyboard.press("Escape")
    expect(played.locator("#past")).to_be_hidden()


def look_at(page: Page, turn: str) -> None:
    page.get_by_role("button", name=turn, exact=True).click()
    expect(page.locator("#past p").first).to_contain_text(turn)


def standing(page: Page) -> Locator:
    return page.locator("#then .piece:not([data-from=box])")


def in_hand(page: Page, player: str) -> Locator:
    return page.locator(f"#then .piece[data-from=box][data-piece={player}]:not(.captured)")


def test_a_mill_was_closed_and_a_piece_taken_on_the_simulated_board(page: Page) -> None:
    expect(page.locator("#turns span")).to_have_text(TURNS)
    expect(page.locator("#players .to-move")).to_have_text("White6 in hand")
    expect(page.locator("#light [data-point=d1]")).not_to_have_attribute("data-led", "")


def test_a_turn_is_looked_back_at_in_place_of_the_board(page: Page) -> None:
    look_at(page, "d7")
    expect(page.locator("#past p").first).to_have_text("After 2. d7")
    expect(page.locator("#past p").last).to_contain_text("Black to move")
    expect(page.locator("#slot > :visible")).to_have_text(["Back to the game"])
    expect(page.locator("#take-back")).to_be_hidden()
    names = ["Start", "Back", "Play", "Forward", "Last", "Share"]
    expect(page.locator("#steps button > span:visible")).to_have_text(names)
    expect(page.get_by_role("img", name=SAID)).to_be_visible()
    expect(standing(page)).to_have_count(3)
    expect(in_hand(page, "white")).to_have_count(7)
    expect(in_hand(page, "black")).to_have_count(8)
    expect(page.locator("#then .landed")).to_have_count(1)
    expect(page.locator("#turns [aria-current]")).to_have_text("d7")
    expect(page.locator("#hands")).not_to_be_visible()
    expect(page.locator("#players .to-move")).to_contain_text("8 in hand")
    page.get_by_role("button", name="Back to the game").click()
    expect(page.locator("#players .to-move")).to_contain_text("6 in hand")
    expect(page.locator("#then")).to_be_hidden()
    expect(page.locator("#hands")).to_be_visible()


def test_arrows_walk_from_the_start_to_the_last_turn(page: Page) -> None:
    look_at(page, "f4")
    for key, caption in [
        ("ArrowRight", "After 2. d7"),
        ("ArrowLeft", "After 1 … f4"),
        ("Home", "The start"),
        ("ArrowLeft", "The start"),
        ("End", "After 3 … e4"),
        ("ArrowRight", "After 3 … e4"),
    ]:
        page.keyboard.press(key)
        expect(page.locator("#past p").first).to_have_text(caption)
    expect(standing(page)).to_have_count(5)
    page.keyboard.press("Escape")
    expect(page.locator("#past")).to_be_hidden()


def test_the_game_is_played_through_and_stops_at_its_end(page: Page) -> None:
    look_at(page, "d5xf4")
    pace(page, "past", pace=100)
    page.get_by_role("button", name="Play through").click()
    expect(page.locator("#past p").first).to_have_text("After 3 … e4")
    expect(page.get_by_role("button", name="Play through")).to_be_visible()


def test_hands_cannot_reach_the_board_meanwhile(page: Page, address: str) -> None:
    told = PageClient(address)
    before = told.until("snapshot")["table"]
    look_at(page, "d6")
    page.mouse.move(*point(page, "d7"))
    page.mouse.down()
    page.mouse.move(*point(page, "a1"), steps=3)
    page.mouse.up()
    look_at(page, "f4")  # the board has done by now what hands have asked for
    told.close()
    told = PageClient(address)
    assert told.until("snapshot")["table"] == before
    told.close()


def test_another_page_looks_back_by_itself_and_a_new_turn_brings_both_to_now(
    page: Page, pages: OpenPage, address: str
) -> None:
    other = pages()
    other.goto(address)
    look_at(page, "d6")
    expect(other.locator("#turns button")).to_have_count(6)
    expect(other.locator("#past")).to_be_hidden()
    play(other, "a1", "white")
    expect(page.locator("#turns button")).to_have_count(7)
    expect(page.locator("#past")).to_be_hidden()
    other.locator("#take-back").click()
    expect(page.locator("#turns button")).to_have_count(6)
    expect(page.locator("#say")).to_contain_text("clear a1")


def test_it_fits_a_phone(pages: OpenPage, address: str) -> None:
    page = pages(viewport={"width": 360, "height": 640})
    page.goto(address)
    page.locator("#turns button").first.click()
    expect(page.locator("#then")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    expect(page.locator("#past")).to_be_in_viewport()
    expect(page.locator("#then")).to_be_in_viewport(ratio=0.9)


@pytest.mark.parametrize("size", sampled(PHONES), ids=lambda size: str(size["width"]))
def test_the_dock_cuts_through_no_line_below_the_turns(
    pages: OpenPage, address: str, size: ViewportSize
) -> None:
    page = pages(viewport=size)
    page.goto(address)
    page.locator("#turns button").first.click()
    expect(page.locator("#turned h2")).to_be_attached()
    heading, dock = (page.locator(part).bounding_box() for part in ("#turned h2", "#dock"))
    assert heading is not None
    assert dock is not None
    above, below = heading["y"] + heading["height"] <= dock["y"], heading["y"] >= dock["y"]
    assert above or below


def test_a_game_that_is_over_does_not_go_on(pages: OpenPage) -> None:
    with simulated_board() as address:
        page = pages()
        page.goto(address)
        play_all(page, TURNS[:2])
        look_at(page, "d6")
        expect(page.locator("#past p").last).to_contain_text("The game itself goes on where it was.")
        page.keyboard.press("Escape")
        choose(page, "resign")
        page.get_by_role("button", name="Black gives up").click()
        expect(page.locator("#undo")).to_be_visible()
        page.evaluate(NOTE_TEXTS)  # its value may follow at once
        page.locator("#turns button").first.click()
        expect(page.locator("#past p").last).to_contain_text("Black to move.")
        assert not any("goes on" in text for text in page.evaluate("texts"))
        leave(page)


def test_last_turn_stays_in_sight_when_its_list_shrinks(board: FakeBoard, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1280, "height": 800})
    board.say(turns=["d6", "f4"] * 20)
    last = page.locator("#turns button").last
    expect(last).to_be_in_viewport(ratio=0.9)
    board.say(status="over", outcome={"winner": "white", "reason": "resigned"})
    expect(page.locator("#turned")).to_be_visible()
    expect(last).to_be_in_viewport(ratio=0.9)
    choose(page, "to-settings")
    expect(last).to_be_hidden()
    page.locator("#done").click()
    expect(last).to_be_in_viewport(ratio=0.9)
    for size in (PHONES[0], ViewportSize(width=844, height=390)):
        page.set_viewport_size(size)
        expect(last).to_be_in_viewport(ratio=0.9)
