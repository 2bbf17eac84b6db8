"""The first minutes of a beginner, on a phone with a finger and on a laptop with the mouse.

Everything is done at places on the screen, on a board as `millwright sim` starts it. What else a beginner
needs, and the tests of it, is listed in tests/web/README.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, sin
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import FloatRect, expect

from tests.support.matrix import sampled
from tests.support.paths import PROJECT
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, Spot, box, leave, middle, pieces_at, point, written
from tests.support.web.looks import ANGLE, LEAST, colour, contrast
from tests.support.web.person import LAPTOP, PHONE, Person

GAME = ["a1", "b2", "d1", "b4", "g4", "c5", "d6", "e5", "g4-g1xb2", "b4-b6", "g1-g4", "c5-c4", "g4-g1xb6"]
"""A game with four pieces each: placing, moving, two mills and flying."""
LANGUAGES = {"de": "Deutsch", "es": "Español", "pt": "Português", "en": "English"}


@pytest.fixture(params=[LAPTOP, PHONE], ids=["mouse", "touch"])
def person(request: pytest.FixtureRequest, pages: OpenPage, tmp_path: Path) -> Iterator[Person]:
    """A beginner before a first game."""
    look: dict[str, Any] = request.param
    with simulated_board("--set", "pieces=4", "--store", str(tmp_path / "games.db"), plain=True) as address:
        page = pages(**look)
        page.goto(address)
        expect(pieces_at(page, "box")).to_have_count(8)
        yield Person(page, "has_touch" in look)
        leave(page)


def places(person: Person) -> list[FloatRect | None]:
    names = ("slot", "take-back", "look-back", "more", "stage", "say")
    return [person.page.locator(f"#{name}").bounding_box() for name in names]


def test_end_of_game_is_asked_for_or_undone(person: Person) -> None:
    page = person.page
    before = places(person)
    person.play(GAME[:2])
    person.choose("draw")
    person.press(page.get_by_role("button", name="Keep playing"))
    person.press(page.locator("#done"))
    person.choose("resign")
    person.press(page.get_by_role("button", name="Black gives up"))
    expect(page.locator("#slot > :visible")).to_have_text(["Play again", "Undo giving up"])
    person.press(page.locator("#undo"))
    expect(page.locator("#sentence")).to_contain_text("White to play")
    person.choose("clear")
    expect(page.locator("#undo")).to_have_text("Back to the last game")
    assert places(person) == before
    person.press(page.locator("#undo"))
    written(page, GAME[:2])
    expect(pieces_at(page, "b2")).to_have_attribute("data-piece", "black")
    person.play(GAME[2:3], after=GAME[:2])
    assert places(person) == before


def test_plug_is_pulled_and_put_back(person: Person) -> None:
    page = person.page
    person.play(GAME[:2])
    person.press(page.locator("#break"))
    person.press(page.get_by_role("button", name="The plug is pulled"))
    expect(page.locator("#sentence")).to_contain_text("The board has no power")
    expect(page.locator("#slot > :visible")).to_have_text(["Put the plug in"])
    person.press(page.locator("#plug-in"))
    expect(page.locator("#sentence")).to_contain_text("White to play")
    person.press(page.locator("#done"))
    person.play(GAME[2:3], after=GAME[:2])


def test_taken_piece_lies_with_its_captor_and_in_no_hand(person: Person) -> None:
    page = person.page
    person.carry("white", "a1")
    written(page, GAME[:1])
    person.touch(box(page, "black"))
    expect(pieces_at(page, "carried")).to_have_attribute("data-piece", "black")
    person.tap("b2")
    person.play(GAME[2:9], after=GAME[:2])
    expect(pieces_at(page, "carried")).to_have_count(0)
    expect(pieces_at(page, "hands")).to_have_count(0)
    captured = page.locator(".piece.captured[data-piece=black]")
    expect(captured).to_have_count(1)
    tray = page.locator("#wood [data-box=white]").bounding_box()
    assert tray is not None
    x, y = middle(captured.bounding_box())
    assert tray["x"] < x < tray["x"] + tray["width"]
    assert tray["y"] < y < tray["y"] + tray["height"]
    person.play(GAME[9:10], after=GAME[:9])


def test_second_turn_of_a_player_is_noticed(person: Person) -> None:
    page = person.page
    person.tap("a1")
    written(page, ["a1"])
    person.carry("white", "d1")
    person.told("White has moved already.", "Clear d1, then Black plays.")
    person.press(page.locator("#set-right"))
    expect(page.locator("#sentence")).to_contain_text("Black to play")
    person.choose("to-settings")
    expect(page.locator("#alphabet")).to_have_value("polarity")
    expect(page.locator("#sensing p")).to_contain_text("can't tell whose it is")
    person.press(page.locator("#done"))


def test_take_back_is_no_error_and_sets_the_pieces(person: Person) -> None:
    page = person.page
    person.play(GAME[:2])
    person.press(page.locator("#take-back"))
    expect(page.locator("#set-right")).to_be_visible()
    expect(page.locator("body.astray")).to_have_count(0)
    person.press(page.locator("#set-right"))
    expect(pieces_at(page, "b2")).to_have_count(0)
    expect(page.locator("#sentence")).to_contain_text("Black to play")


def test_pieces_to_take_stand_out_from_the_wood(person: Person) -> None:
    page = person.page
    unit = (point(page, "g1")[0] - point(page, "a1")[0]) / 6
    turns = GAME[:8]
    person.play(turns)
    spots: dict[str, Spot] = {}
    for name in ("b2", "b4"):
        x, y = point(page, name)
        spots[name] = x + 0.46 * unit * sin(ANGLE), y - 0.46 * unit * cos(ANGLE)
    bare = {name: colour(page, spot) for name, spot in spots.items()}
    for name in ("g4", "g1"):
        person.tap(name)
    expect(page.locator("[data-mark=b2].mark-pieces")).to_have_count(1)
    for name, spot in spots.items():
        assert contrast(colour(page, spot), bare[name]) >= LEAST, name
    person.tap("b2")
    written(page, [*turns, "g4-g1xb2"])


def test_flying_lights_rules_and_faults_explain_themselves(person: Person) -> None:
    page = person.page
    person.play(GAME[:9])
    expect(page.locator("#advice")).to_have_text("Black has three pieces left and may fly to any free point.")
    expect(page.locator("#legend li")).to_have_text(["can move", "last move"])
    person.press(page.locator("#break"))
    person.press(page.get_by_role("button", name="A sensor sticks"))
    expect(page.locator("#drawer .broken")).to_contain_text("is stuck")
    expect(page.locator("#slot > :visible")).to_have_text(["Repair everything"])
    person.press(page.locator("#repair"))
    expect(page.locator("#drawer .broken")).to_have_count(0)
    person.press(page.locator("#done"))
    person.choose("new")
    person.pick("#rule-set", "Lasker")
    expect(page.locator("#view-start")).to_contain_text("Ten pieces each, and you may move")
    person.pick("#rule-set", "Standard")
    person.press(page.locator("#begin"))
    expect(pieces_at(page, "box")).to_have_count(8)
    person.press(page.locator("#undo"))
    written(page, GAME[:9])


def test_looking_back_shows_that_position_and_back_ends_it(person: Person) -> None:
    page = person.page
    person.play(GAME[:4])
    person.press(page.get_by_role("button", name="b2", exact=True))
    expect(page.locator("#past p").first).to_have_text("After 1 … b2")
    expect(page.locator("#then .piece:not([data-from=box])")).to_have_count(2)
    expect(page.locator("#players .to-move")).to_contain_text("3 in hand")
    expect(page.locator("#tools")).to_be_hidden()
    expect(page.locator("#slot > :visible")).to_have_text(["Back to the game"])
    person.tap("g7")
    page.go_back()
    expect(page.locator("#past")).to_be_hidden()
    written(page, GAME[:4])
    expect(pieces_at(page, "g7")).to_have_count(0)


def test_finished_game_gives_its_reason_and_the_next(person: Person) -> None:
    page = person.page
    person.play(GAME)
    expect(page.locator("#sentence")).to_contain_text("White wins: Black has fewer than three pieces left.")
    expect(page.locator("#slot > :visible")).to_have_text(["Play again", "Share"])
    person.press(page.locator("#again"))
    expect(page.locator("#sentence")).to_contain_text("White to play")
    expect(pieces_at(page, "box")).to_have_count(8)


def test_page_is_arranged_as_one_likes(person: Person) -> None:
    page = person.page
    person.play(GAME[:1])
    before = point(page, "a1")
    person.choose("flip")
    person.press(page.locator("#done"))
    assert point(page, "g7") == pytest.approx(before, abs=1)
    person.choose("flip")
    person.press(page.locator("#done"))
    person.choose("to-settings")
    for scheme in ("Dark", "Light"):
        person.pick("#scheme", scheme)
        expect(page.locator("html")).to_have_css("color-scheme", scheme.lower())
    person.press(page.locator("#done"))
    for language, name in LANGUAGES.items():
        person.choose("to-settings")
        person.pick("#language", name)
        expect(page.locator("html")).to_have_attribute("lang", language)
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, language
        written(page, GAME[:1])
    person.choose("share")
    assert "#game=" in page.locator("#link").input_value()
    person.press(page.locator("#done"))


LESSON = {
    "put it on d7": "d7",
    "make a mill": "a7",
    "Close the mill": "g7xd2",
    "Be quicker": "d2",
    "on purpose": "g7-c4",
    "Put it right": "c4-g4",
    "Be Black": "e4-c3",
    "slide from g4": "g4-g7xc3",
}
"""A part of each text of the lesson, and the turn that a beginner plays then."""


@pytest.mark.parametrize("look", sampled([PHONE, LAPTOP]), ids=lambda look: str(look["viewport"]["width"]))
def test_lesson_is_done_at_its_own_pace(pages: OpenPage, look: dict[str, Any]) -> None:
    with simulated_board("--no-store", plain=True) as address:
        page = pages(**look)
        page.goto(address)
        person = Person(page, "has_touch" in look)
        if not page.locator("#learn").is_visible():
            person.press(page.locator("#choose"))
        person.press(page.locator("#learn"))
        for words, turn in LESSON.items():
            expect(page.locator("#lesson p").first).to_contain_text(words)
            step, *taken = turn.split("x")
            for name in step.split("-"):
                person.tap(name)
            for name in taken:
                expect(page.locator("#lesson p").first).to_contain_text("A mill!")
                person.tap(name)
        expect(page.locator("#lesson p").first).to_contain_text("White wins")
        person.press(page.get_by_role("button", name="Play a game"))
        expect(page.locator("#rules")).to_have_text("Standard")
        leave(page)


@pytest.mark.parametrize("name", ["turn", "break"])
def test_readme_shows_a_picture_that_moves(name: str) -> None:
    file = f"firmware_host/web/pictures/{name}.png"
    assert f"[{name}]: {file}\n" in Path(PROJECT, "README.md").read_text("utf-8")
    head = Path(PROJECT, file).read_bytes()[:200]
    at = head.index(b"acTL") + 4
    assert int.from_bytes(head[at : at + 4], "big") > 3, "frames"
