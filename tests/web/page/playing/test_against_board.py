"""A game against the board on the page: chosen, played with the mouse, the board's turns led by light."""

from __future__ import annotations

import random

from playwright.sync_api import Page, expect

from firmware_host.engine.choosing import choose
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import parse_rules
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, begin, choose_rules, leave, play
from tests.support.web.browsing import choose as press

MAX_TURNS = 24
"""The turns after which White gives up, since the board's turns are drawn by lot."""
TURN_IS_OVER = "#players .to-move[data-player=white], #again:not([hidden])"


def after_turn(game: Game, text: str) -> Game:
    for step in game.rules.parse_turn(text):
        game = game.play(game.position.legal_step(step.text))
    return game


def board_turn(page: Page, game: Game) -> Game:
    """Wait until the board has carried out its turn, and return the game after it."""
    expect(page.locator("#turns span")).to_have_count(len(game.turn_starts))
    expect(page.locator(TURN_IS_OVER)).not_to_have_count(0)  # a turn that has begun is listed as well
    return after_turn(game, page.locator("#turns span").last.inner_text())


def test_a_game_against_the_board_is_played_on_the_page(pages: OpenPage) -> None:
    rules = parse_rules("standard pieces=3")
    game, rng = Game.begin(rules, rules.start(Player.WHITE)), random.Random(1)
    with simulated_board("--set", "pieces=3") as address:
        page = pages(viewport={"width": 1280, "height": 800})
        page.goto(address)
        choose_rules(page, "standard")
        page.locator("#who input[value=board]").check()
        page.locator("#level").fill("1")
        begin(page)
        expect(page.locator("#players")).to_contain_text("Board (1)")
        while game.outcome is None and len(game.turn_starts) <= MAX_TURNS:
            if game.position.to_move is Player.BLACK:
                game = board_turn(page, game)
                continue
            turn = choose(game, 7, rng=rng)
            play(page, turn, "white")
            game = after_turn(game, turn)
            expect(page.locator("#turns span")).to_have_text(game.turn_texts())
        if game.outcome is None:
            press(page, "resign")
            page.locator("#question button").first.click()
        expect(page.locator("#sentence")).to_contain_text("You win")
        leave(page)


def test_board_leaves_its_pieces_to_people_who_practise(pages: OpenPage) -> None:
    with simulated_board("--black", "engine:1") as address:
        page = pages(viewport={"width": 1366, "height": 768})
        page.goto(address)
        press(page, "to-settings")
        page.get_by_label("The board moves its own pieces").locator("visible=true").click()
        page.locator("#done").click()
        play(page, "d6", "white")
        expect(page.locator("#sentence")).to_contain_text("Put a black piece there for it.")
        page.get_by_role("button", name="Do it for me").click()
        expect(page.locator("#turns span")).to_have_count(2)
        leave(page)
