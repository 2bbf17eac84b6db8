"""Mitsudomoe by a finger and by the mouse: each tap means a step, and a whole game against the board."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from firmware_host.engine.choosing import choose
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, leave, pace, pieces_at, steps_of, written
from tests.support.web.person import LAPTOP, PHONE, Person

WAYS: dict[str, dict[str, Any]] = {
    "finger": {"look": PHONE, "by_touch": True},
    "mouse": {"look": LAPTOP, "by_touch": False},
}
MAX_TURNS = 60
"""The turns after which White gives up."""


@pytest.fixture(params=sampled(WAYS))
def person(request: pytest.FixtureRequest, pages: OpenPage) -> Iterator[Person]:
    way = WAYS[request.param]
    page = pages(**way["look"])
    with simulated_board("--game", "mitsudomoe") as address:
        page.goto(address)
        expect(pieces_at(page, "a1")).to_have_count(2)
        yield Person(page, by_touch=way["by_touch"])
        leave(page)


def tap_turn(person: Person, turn: str) -> None:
    """Do a turn by taps: a ring is laid by one, whatever lies there, and moved as a ball is by two."""
    for origin, target in steps_of(turn):
        there = pieces_at(person.page, target)
        before = there.count()
        if origin:
            person.tap(origin)
            expect(pieces_at(person.page, "carried")).to_have_count(1)
        person.tap(target)
        expect(there).to_have_count(before + 1)


def test_tap_on_a_lit_ring_lays_one_on_it(person: Person) -> None:
    turns = ["+b2 a1-b2", "+c5 e5^c5", "+e5 b2-a1"]  # e5 holds an open black ring
    for number, turn in enumerate(turns, start=1):
        tap_turn(person, turn)
        written(person.page, turns[:number])
    expect(pieces_at(person.page, "e5")).to_have_count(2)


def test_tap_off_the_lights_says_what_is_due(person: Person) -> None:
    person.tap("e1")
    person.told("A ring can't go on e1 now.", "Choose a lit point.")
    person.tap("a1")  # a ball, while a ring is due
    person.told("A ring can't go on a1 now.", "Choose a lit point.")
    expect(pieces_at(person.page, "carried")).to_have_count(0)
    person.tap("b2")
    expect(person.page.locator("#sentence")).to_contain_text("now move a ball")
    pace(person.page, "hands", tapsAgainAfter=0)  # no tap of a trembling finger
    person.tap("b2")  # the ring, while a ball is due
    person.told("No ball can move from b2 now.", "Tap the piece first, then the point it goes to.")
    tap_turn(person, "a1-b2")
    written(person.page, ["+b2 a1-b2"])


def board_turn(person: Person, game: Game) -> Game:
    """Have the board's turn carried out, and return the game after it."""
    turns = person.page.locator("#turns span")
    move_for = person.page.locator("#move-for")
    over = person.page.locator("#players .to-move[data-player=white], #again:not([hidden])")
    expect(move_for.or_(over).filter(visible=True).first).to_be_visible()
    if move_for.is_visible():
        person.press(move_for)
    expect(turns).to_have_count(len(game.turn_starts))
    expect(over).not_to_have_count(0)
    return after_turn(game, turns.last.inner_text())


def after_turn(game: Game, text: str) -> Game:
    for step in game.rules.parse_turn(re.sub(r"\s+", " ", text)):
        game = game.play(game.position.legal_step(step.text))
    return game


def test_whole_game_against_the_board_by_touch(pages: OpenPage) -> None:
    rules = rule_set("mitsudomoe")
    game, rng = Game.begin(rules, rules.start(Player.WHITE)), random.Random(1)
    with simulated_board("--game", "mitsudomoe", "--black", "engine:1", "--seed", "3") as address:
        page = pages(**PHONE)
        page.goto(address)
        person = Person(page, by_touch=True)
        expect(pieces_at(page, "a1")).to_have_count(2)
        while game.outcome is None and len(game.turn_starts) <= MAX_TURNS:
            if game.position.to_move is Player.BLACK:
                game = board_turn(person, game)
                continue
            turn = choose(game, 3, rng=rng)
            tap_turn(person, turn)
            game = after_turn(game, turn)
            expect(page.locator("#turns span")).to_have_text(game.turn_texts())
        assert game.outcome is not None
        end = "You win" if game.outcome.winner is Player.WHITE else "The board wins"
        expect(page.locator("#sentence")).to_contain_text(end)
        leave(page)


LESSON = [
    ("The aim: bring your three balls to the goal", "b2"),
    ("After the ring, a ball moves", "a1 b2"),
    ("A ring is open while nothing lies on it", "a1 c3"),
    ("And the ball after it", "b2 c3"),
    ("Rings may lie on any open ring", "e5"),
    ("Now vault: the ball on c3 jumps", "c3 e5"),
    ("A player who vaults also moves the other player's ball", "d4 e4"),
]
"""The sentences of the lesson, each with the taps that follow it."""


def test_lesson_teaches_open_vault_and_vaulted_ball(person: Person) -> None:
    page = person.page
    pace(page, "lesson", thinks=50)
    choose, learn = page.locator("#choose"), page.locator("#learn")
    expect(choose.or_(learn).filter(visible=True)).to_have_count(1)
    if choose.is_visible():
        person.press(choose)
    person.press(learn)
    for words, taps in LESSON:
        expect(page.locator("#lesson p").first).to_contain_text(words)
        for name in taps.split():
            person.tap(name)
    expect(page.locator("#lesson p").first).to_contain_text("Now you know Mitsudomoe!")
    person.press(page.locator("#leave"))
    expect(page.locator("#rules-name")).to_have_text("Mitsudomoe")
    expect(page.locator("#sentence")).to_contain_text("White to play: lay a ring")
    expect(pieces_at(page, "a1")).to_have_count(2)
    expect(page.locator("#turns span")).to_have_count(0)


def test_rules_of_mitsudomoe_fit_one_page(person: Person) -> None:
    page = person.page
    if not page.locator("#view-start").is_visible():
        person.choose("new")
    person.press(page.locator("#whole-rules summary"))
    rules = page.locator("#whole-rules dl")
    expect(rules).to_contain_text("Whoever vaults then moves each of the other player's vaulted balls")
    expect(rules.locator("dt")).to_have_count(8)
