"""Hints in words: what is lit, or why there is none; and the state of a hint."""

from __future__ import annotations

import pytest

from firmware_host.games.game import Game
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result, TurnResults
from firmware_host.i18n import Message, to_english
from firmware_host.play import requests
from firmware_host.play.controller import Controller
from firmware_host.play.events import ENGINE
from firmware_host.play.hint_light import HINT_TIMEOUT
from firmware_host.views.hints import can_hint, hint_advice, hint_dict, hint_state
from firmware_host.views.instructions import advice
from tests.support.scripted_board import ScriptedBoard, controller_of

WIN, DRAW, LOSS, UNKNOWN = Result.WIN, Result.DRAW, Result.LOSS, Result.UNKNOWN
ENDGAME = "*@@***O*/O*****O*/*****O*@ w m s 4 0 3 0 0 0 0 0 0 0 0 0 14"
STANDS = "+a1 +b4 +c4 +d6 @e5 @e4 @a7"


class HintsBench:
    """A controller whose White is given hints, and its board."""

    def __init__(self, kind: str = "on-request", board: ScriptedBoard | None = None) -> None:
        rules = rule_set()
        endgame = Game.begin(rules, rules.position(ENDGAME))
        self.board = board or ScriptedBoard(game=endgame, stands=STANDS)
        self.controller: Controller = controller_of(self.board)
        requests.perform(self.controller, {"do": "set", "hint_white": kind})
        self.passes()

    def passes(self, after_us: int = 0) -> None:
        self.board.now += after_us
        self.controller.step(self.board.frame, self.board.now)

    def hint(self, results: TurnResults | None = None) -> None:
        """Ask for a hint, and answer with `results`."""
        requests.perform(self.controller, {"do": "hint"})
        self.passes()
        if results is not None:
            wanted = self.controller.hints.wanted
            assert wanted is not None
            assert self.controller.hints.show_results(wanted, results, self.board.now)
            self.controller.refresh()
            self.passes()

    @property
    def said(self) -> str:
        found = hint_advice(self.controller)
        assert found is not None
        assert advice(self.controller) == found
        return to_english(found)


@pytest.mark.parametrize(
    ("results", "said"),
    [
        (
            (("a1-a4xe5", WIN), ("d6-d7", DRAW), ("b4-b2", LOSS), ("c4-c3", LOSS)),
            "a1 wins; d6 draws; b4 and c4 lose.",
        ),
        ((("a1-a4xe5", WIN), ("d6-d7", WIN)), "a1 and d6 win. The others aren't certain."),
        ((("a1-a4xe5", WIN), ("d6-d7", UNKNOWN)), "a1 wins. The others aren't certain."),
        ((("a1-a4xe5", UNKNOWN),), "Suggestion: a1. It isn't certain yet how these moves end."),
        ((), "No hint: it isn't certain yet how these moves end."),
    ],
)
def test_the_hint_names_what_is_lit_the_best_first(results: TurnResults, said: str) -> None:
    bench = HintsBench()
    bench.hint(results)
    assert bench.said == said


def test_the_hint_names_four_points_and_counts_more() -> None:
    four = HintsBench()
    four.hint(tuple((f"{origin}-g1", WIN) for origin in ("a1", "b4", "c4", "d6")))
    assert four.said == "a1, b4, c4 and d6 win."
    five = HintsBench(board=ScriptedBoard())
    five.hint(tuple((point, DRAW) for point in ("a1", "b4", "c4", "d6", "g7")))
    assert five.said == "5 lit points draw. The others aren't certain."


def test_a_lifted_piece_has_a_sentence_of_its_own() -> None:
    bench = HintsBench()
    bench.hint((("a1-a4xe5", WIN), ("d6-d7", DRAW), ("d6-d5", LOSS)))
    bench.board.hands("-d6 500")
    bench.passes()
    assert bench.said == "d7 draws; d5 loses."


def test_a_suggestion_gives_way_to_what_a_lifted_piece_proves() -> None:
    bench = HintsBench()
    bench.hint((("c4-c3", UNKNOWN), ("d6-d5", LOSS), ("d6-f6", UNKNOWN)))
    assert bench.said == "Suggestion: c4. It isn't certain yet how these moves end."
    bench.board.hands("-d6 500")
    bench.passes()
    assert bench.said == "d5 loses."


def test_the_state_tells_how_far_the_hint_is() -> None:
    bench = HintsBench()
    assert hint_state(bench.controller) is None
    assert can_hint(bench.controller)
    bench.hint()
    assert hint_state(bench.controller) == "wanted"
    assert hint_advice(bench.controller) is None
    bench.passes(HINT_TIMEOUT)
    assert hint_state(bench.controller) == "late"
    assert bench.said == "No hint: working it out took too long. You can ask again."
    bench.hint((("d6-d7", WIN),))
    assert hint_dict(bench.controller) == {"white": "on-request", "black": "off", "now": "shown"}


def test_a_hint_without_an_engine_says_so() -> None:
    bench = HintsBench("always")
    bench.controller.fault(ENGINE, Message("fault.engine.missing"))
    bench.passes()
    assert hint_state(bench.controller) == "missing"
    assert bench.said == "No hint: the engine has failed. You can play on without it."


def test_an_error_is_explained_before_a_hint() -> None:
    bench = HintsBench()
    bench.hint((("d6-d7", WIN),))
    bench.board.hands("-e4 -e5 3000")
    bench.passes()
    assert hint_advice(bench.controller) is None


def test_hints_that_always_come_are_not_asked_for() -> None:
    bench = HintsBench("always")
    assert hint_state(bench.controller) == "wanted"
    assert not can_hint(bench.controller)


def test_a_late_hint_that_comes_by_itself_can_be_asked_for() -> None:
    bench = HintsBench("always")
    bench.passes(HINT_TIMEOUT)
    assert bench.said.endswith("You can ask again.")
    assert can_hint(bench.controller)
    bench.hint((("d6-d7", WIN),))
    assert bench.said.startswith("d6 wins.")
    assert not can_hint(bench.controller)


def test_a_hint_leaves_the_advice_to_take_a_piece() -> None:
    bench = HintsBench("always", board=ScriptedBoard())
    bench.board.hands("+a7 500 @a1 500 +d7 500 @d1 500 +g7 500")
    bench.passes()
    assert hint_advice(bench.controller) is None
    bench.passes(HINT_TIMEOUT)
    late = "No hint: working it out took too long. You can ask again."
    assert to_english(advice(bench.controller) or Message("")) == f"Take a1 or d1. {late}"
