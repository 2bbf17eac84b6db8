"""The dock and the choice of a game, as hands find them: at the same place in every state."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import FloatRect, Page, expect

from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import (
    Fingers,
    OpenPage,
    choose_rules,
    draw,
    leave,
    middle,
    pieces_at,
    play,
    point,
)
from tests.support.web.fake_board import START, FakeBoard

PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
STATES: dict[str, dict[str, Any]] = {
    "placing": {
        "turns": ["d6"],
        "can": ["take-back", "pause", "draw", "resign"],
        "sentence": "Black to play.",
    },
    "a sensor that may be broken": {
        "status": "mismatch",
        "missing": ["d6"],
        "suspects": ["d6"],
        "sentence": "The board doesn't match the game, and this is a long sentence: put a white piece on d6 "
        "and on d7, take the pieces off a1, a4 and a7, and change the colour of those on g1, g4 and g7.",
    },
    "a removal that can be declined": {"status": "remove", "missing": [], "suspects": [], "can": ["decline"]},
    "a fault": {"status": "fault", "faults": ["Sensors: none answers", "Disk: it is full"], "can": []},
    "a paused game": {"status": "paused", "faults": [], "can": ["resume"], "sentence": "Paused."},
    "a game that is over": {"status": "over", "can": [], "outcome": {"winner": "white", "reason": "blocked"}},
}
FIXED = ("slot", "take-back", "redo", "look-back", "more", "stage", "say")


def places(page: Page) -> dict[str, FloatRect | None]:
    """The places of what never moves; once a game is over, its analysis is where a turn was redone."""
    tools = {"redo": "#redo:visible, #analyse-over:visible"}
    return {name: page.locator(tools.get(name, f"#{name}")).bounding_box() for name in FIXED}


@pytest.mark.parametrize("look", sampled([PHONE, LAPTOP]), ids=lambda look: str(look["viewport"]["width"]))
def test_nothing_shifts_whatever_the_board_says(
    board: FakeBoard, open_page: OpenPage, look: dict[str, Any]
) -> None:
    page = open_page(**look)
    before = places(page)
    assert None not in before.values()
    for name, state in STATES.items():
        board.say(**{"sentence": f"This is {name}.", **state})
        expect(page.locator("#sentence")).to_have_text(board.state["sentence"])
        assert places(page) == before, name
    page.locator("#more").click()
    assert places(page) == before


def test_hint_stays_in_its_place_when_a_game_ends(board: FakeBoard, open_page: OpenPage) -> None:
    page = open_page(**PHONE)
    board.say(hint={"white": "on-request", "black": "off", "now": None})
    expect(page.locator("#hint")).to_be_visible()
    before = page.locator("#hint").bounding_box()
    board.say(**{**STATES["placing"], **STATES["a game that is over"]})
    expect(page.locator("#analyse-over")).to_be_visible()
    assert page.locator("#hint").bounding_box() == before


def test_no_single_press_beside_more_ends_a_game(board: FakeBoard, open_page: OpenPage) -> None:
    page = open_page(**LAPTOP)
    board.say(turns=["d6"], can=["take-back", "pause", "draw", "resign"])
    expect(page.locator("#take-back")).to_be_enabled()
    for name in ("draw", "resign", "new", "clear"):
        expect(page.locator(f"#{name}")).to_be_hidden()
    expect(page.locator("#slot > button:visible")).to_have_count(0)


def test_a_chosen_game_is_not_offered_again_when_it_begins(board: FakeBoard, open_page: OpenPage) -> None:
    board.say(turns=["d6"], **STATES["a game that is over"])
    page = open_page(**LAPTOP)
    page.locator("#more").click()
    page.locator("#new").click()
    page.locator("#begin").click()  # the answer comes while the board still shows the game that is over
    expect(page.locator("#view-start")).to_be_hidden()
    board.say(**START)
    expect(page.locator("#turns li")).to_have_count(0)
    expect(page.locator("#view-start")).to_be_hidden()


@pytest.mark.parametrize("look", [PHONE, LAPTOP], ids=lambda look: str(look["viewport"]["width"]))
def test_a_board_without_sensors_offers_a_command_and_no_game(
    board: FakeBoard, open_page: OpenPage, look: dict[str, Any]
) -> None:
    page = open_page(**look)
    said = {"key": "cannot-feel", "slots": {"text": "lgpio is missing"}}
    board.say(status="fault", sentence="It has stopped.", said=said, can=[])
    expect(page.locator("#sentence")).to_have_text("This board has no sensors yet")
    expect(page.locator("#advice")).to_contain_text("lgpio is missing")
    for name in ("view-start", "begin", "choose", "phases", "no-turns"):
        expect(page.locator(f"#{name}")).to_be_hidden()
    expect(page.locator("#players .to-move")).to_have_count(0)
    expect(page.locator("#command")).to_have_value("millwright sim")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.evaluate("document.execCommand = () => false")
    page.get_by_role("button", name="Copy the command").click()
    expect(page.locator("#no-sensors [role=status]")).to_have_text("Selected: now copy it.")
    assert page.evaluate("document.activeElement.id") == "command"
    for name in ("pause", "draw", "resign", "new"):
        expect(page.locator(f"#{name}")).to_have_attribute("aria-disabled", "true")
    page.locator("#more").click()
    page.locator("#to-settings").click()
    expect(page.locator("#language")).to_be_visible()
    page.locator("#done").click()
    board.say(**START)
    expect(page.locator("#no-sensors")).to_be_hidden()


def test_back_closes_what_was_opened_and_gives_the_focus_back(board: FakeBoard, open_page: OpenPage) -> None:
    page = open_page(**LAPTOP)
    page.locator("#more").click()
    page.locator("#to-settings").click()
    expect(page.locator("#view-settings")).to_be_visible()
    page.go_back()
    expect(page.locator("#view-settings")).to_be_hidden()
    expect(page.locator("#more")).to_be_focused()
    expect(page.locator("#sentence")).to_have_text(board.state["sentence"])


def test_board_carries_out_its_own_turn_on_a_phone(pages: OpenPage) -> None:
    with simulated_board("--seed", "1") as address:
        page = pages(**PHONE)
        page.goto(address)
        page.get_by_role("button", name="Choose a game").tap()
        page.get_by_text("Against the board").tap()
        expect(page.locator("#against").get_by_label("The board moves its own pieces")).to_be_checked()
        page.locator("#level").fill("1")
        expect(page.locator("#strength")).to_have_text("Very easy (1 of 8)")
        page.get_by_role("button", name="Start the game").tap()
        expect(page.locator("#players")).to_contain_text("Board (1)")
        white = page.locator(".piece[data-piece=white][data-from=box]").last
        Fingers(page).drag(middle(white.bounding_box()), point(page, "d6"))
        expect(page.locator("#sentence")).to_contain_text("The board plays")
        expect(page.locator("#sentence")).not_to_contain_text("for it")
        expect(page.get_by_role("button", name="Do it for me")).to_be_hidden()
        expect(page.locator("#turns button")).to_have_count(2)
        expect(page.locator("#sentence")).to_contain_text("Your turn")
        leave(page)


def test_pieces_that_stand_wrong_are_put_right_by_one_press(pages: OpenPage) -> None:
    with simulated_board() as address:
        page = pages(**LAPTOP)
        page.goto(address)
        play(page, "d6", "white")
        expect(page.locator("#turns button")).to_have_count(1)
        page.locator("#take-back").click()
        page.get_by_role("button", name="Put it right for me").click()
        expect(pieces_at(page, "d6")).to_have_count(0)
        expect(page.locator("#sentence")).to_contain_text("White to play")
        leave(page)


def test_choices_of_the_board_are_in_words_and_hold_for_the_next_game(pages: OpenPage) -> None:
    with simulated_board("--set", "pieces=4", "--set", "flying=never") as address:
        page = pages(**LAPTOP, locale="de-DE")
        page.goto(address)
        chosen = "Steine je Farbe: 4 · Springen mit drei Steinen: nie"
        expect(page.locator("#rules")).to_have_text(f"Standard · {chosen}")
        expect(page.locator("#rule-changes")).to_have_text(f"Geändert – {chosen}")
        page.locator("#switches summary").click()
        expect(page.locator("#switches [name=pieces]")).to_have_value("4")
        page.locator("#switches [name=flying]").select_option("own")
        expect(page.locator("#rule-changes")).to_have_text("Geändert – Steine je Farbe: 4")
        page.locator("#begin").click()
        expect(page.locator("#rules")).to_have_text("Standard · Steine je Farbe: 4")
        expect(pieces_at(page, "box")).to_have_count(8)
        leave(page)


def test_another_rule_set_is_begun_without_the_choices(pages: OpenPage) -> None:
    with simulated_board("--set", "pieces=4") as address:
        page = pages(**LAPTOP)
        page.goto(address)
        page.locator("#rule-set").select_option("lasker")
        expect(page.locator("#rule-changes")).to_be_hidden()
        page.locator("#begin").click()
        expect(page.locator("#rules")).to_have_text("Lasker")
        choose_rules(page, "standard")
        expect(page.locator("#rule-changes")).to_have_text("Changed – Pieces per player: 4")
        leave(page)


def test_many_choices_are_one_word_on_a_phone(pages: OpenPage) -> None:
    with simulated_board("--set", "pieces=4", "--set", "flying=never", "--set", "removal=may") as address:
        page = pages(**PHONE, locale="es-ES")
        page.goto(address)
        expect(page.locator("#rules")).to_contain_text("Fichas por bando: 4")
        expect(page.locator("#rules-changes")).to_be_hidden()
        expect(page.locator("#rules")).to_have_attribute("data-changed", " · con cambios")
        rules, say = page.locator("#rules").bounding_box(), page.locator("#say").bounding_box()
        assert rules is not None
        assert say is not None
        assert rules["y"] >= 0
        assert rules["y"] + rules["height"] <= say["y"]
        leave(page)


def test_form_has_the_room_that_the_legend_leaves(board: FakeBoard, open_page: OpenPage) -> None:
    page = open_page(viewport={"width": 1366, "height": 768})
    board.say(**{**START, "cues": {"d6": ["destination"]}})
    expect(page.locator("#begin")).to_be_visible()
    expect(page.locator("#legend li")).to_have_count(1)
    draw(page)
    panel, legend, dock = (page.locator(part).bounding_box() for part in ("#panel", "#legend", "#dock"))
    assert panel is not None
    assert legend is not None
    assert dock is not None
    assert legend["height"] < 60
    assert panel["y"] + panel["height"] > dock["y"] - 70
