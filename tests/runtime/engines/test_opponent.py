"""The opponent: what is wanted reaches an engine, and its answers reach the game, if they are legal."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import partial
from typing import Any

import pytest

from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result
from firmware_host.i18n import Message
from firmware_host.play import requests
from firmware_host.play.controller import Controller
from firmware_host.play.engine_turns import ANSWER_AFTER, WantedTurn
from firmware_host.play.events import ENGINE
from firmware_host.play.seats import SeatHolder, Seats
from firmware_host.runtime.engines import opponent
from firmware_host.runtime.engines.opponent import (
    AbsentEngine,
    Answer,
    Countdown,
    InlineEngine,
    Opponent,
    ReserveEngine,
    Wanted,
    chosen_turn,
    hint_results,
)
from firmware_host.settings import Microseconds
from tests.support.scripted_board import ScriptedBoard, after, controller_of

ENDGAME = "*@@***O*/O*****O*/*****O*@ w m s 4 0 3 0 0 0 0 0 0 0 0 0 14"
STANDS = "+a1 +b4 +c4 +d6 @e5 @e4 @a7"
RESULTS = (("a1-a4xe5", Result.WIN), ("d6-d7", Result.UNKNOWN))


class ScriptedEngine:
    """An engine that answers what a test says, and notes what it is asked."""

    def __init__(self, *answers: Answer | None) -> None:
        self.answers = list(answers)
        self.asked: list[Any] = []
        self.done: list[str] = []
        self.trouble: Message | None = None

    def warm_up(self) -> None:
        self.done.append("warmed up")

    def ask(self, wanted: Wanted) -> None:
        self.asked.append(wanted)

    def give_up(self) -> None:
        self.done.append("given up")

    def prepare(self) -> None:
        pass

    def answer(self, now: Microseconds) -> Answer | None:
        return self.answers.pop(0) if self.answers else None

    def reject(self, text: str) -> None:
        self.done.append(f"rejected {text}")

    def close(self) -> None:
        self.done.append("closed")


class OpponentBench:
    """A controller whose Black is played by an engine, after White's first turn."""

    def __init__(self, engine: Any) -> None:
        self.board = after("d6", seats=Seats(black=SeatHolder(4)))
        self.controller: Controller = controller_of(self.board)
        self.opponent = Opponent(self.controller, engine, partial(requests.perform, self.controller))
        self.now = self.board.now

    def passes(self, after_us: Microseconds = 0) -> bool:
        """Do a pass `after_us` later, and return whether a turn was chosen."""
        self.now += after_us
        self.controller.step(self.board.frame, self.now)
        return self.opponent.serve(self.now)


def test_an_answer_is_chosen_once_it_is_due() -> None:
    engine = ScriptedEngine("f4")
    bench = OpponentBench(engine)
    assert not bench.passes()
    assert [wanted.level for wanted in engine.asked] == [4]
    assert not bench.passes(ANSWER_AFTER - 1)
    assert bench.passes(1)
    assert [step.text for step in bench.board.session.chosen or ()] == ["f4"]
    engine.done.clear()
    bench.passes()
    assert engine.done == ["warmed up", "given up"]


@pytest.mark.parametrize(
    ("seat", "warms_up"),
    [(SeatHolder(4), True), (SeatHolder(external=True), True), (SeatHolder(), False)],
    ids=["engine", "program", "here"],
)
def test_an_engine_at_a_seat_is_started_before_its_turn(seat: SeatHolder, warms_up: bool) -> None:
    engine = ScriptedEngine()
    bench = OpponentBench(engine)
    bench.board.session.take_seats(Seats(black=seat))
    engine.done.clear()
    bench.passes()
    assert ("warmed up" in engine.done) is warms_up


def test_an_engine_may_take_its_time() -> None:
    bench = OpponentBench(ScriptedEngine(None, None, "f4"))
    bench.passes()
    assert [bench.passes(ANSWER_AFTER), bench.passes(1), bench.passes(1)] == [False, False, True]


@pytest.mark.parametrize(
    ("request_", "asked"),
    [
        ({"do": "take-back"}, 1),
        ({"do": "pause"}, 1),
        ({"do": "resign"}, 1),
        ({"do": "new-game"}, 1),
        ({"do": "seats", "black": "here"}, 1),
        ({"do": "seats", "black": "engine:5"}, 2),
        ({"do": "choose", "turn": "f4"}, 1),
    ],
    ids=lambda value: " ".join(map(str, value.values())) if isinstance(value, dict) else None,
)
def test_thinking_is_given_up_when_the_game_changes(request_: dict[str, str], asked: int) -> None:
    engine = ScriptedEngine("f2")
    bench = OpponentBench(engine)
    bench.passes()
    requests.perform(bench.controller, request_)
    chosen = bench.board.session.chosen
    bench.passes(ANSWER_AFTER)
    assert len(engine.asked) == asked
    assert bench.board.session.chosen == chosen


def test_an_illegal_answer_is_rejected_and_changes_nothing() -> None:
    engine = ScriptedEngine("d6", "f4")
    bench = OpponentBench(engine)
    bench.passes()
    assert not bench.passes(ANSWER_AFTER)
    assert "rejected d6" in engine.done
    assert bench.board.session.chosen is None
    assert bench.passes(1)


def test_the_trouble_of_an_engine_is_a_fault_until_it_ends() -> None:
    engine = ScriptedEngine()
    bench = OpponentBench(engine)
    engine.trouble = Message("fault.engine.missing")
    bench.passes()
    assert bench.controller.faults == {ENGINE: engine.trouble}
    engine.trouble = None
    bench.passes()
    assert not bench.controller.faults


def test_an_inline_engine_plays_the_same_turn_for_the_same_seed() -> None:
    chosen = []
    for _ in range(2):
        bench = OpponentBench(InlineEngine(7))
        bench.passes()
        assert bench.passes(ANSWER_AFTER)
        chosen.append(bench.board.session.chosen)
    assert chosen[0] == chosen[1]
    with pytest.raises(ValueError, match="not a legal turn"):
        InlineEngine(7).reject("d6")


@pytest.mark.parametrize("order", [("d6", "f4"), ("f4", "d6")])
def test_a_reserve_engine_answers_its_last_wish_only(
    monkeypatch: pytest.MonkeyPatch, order: tuple[str, str]
) -> None:
    gates = {"d6": threading.Event(), "f4": threading.Event()}

    def chosen(game: Game, *_: Any, **__: Any) -> str:
        turn = "f4" if game.ply else "d6"
        gates[turn].wait()
        return turn

    monkeypatch.setattr(opponent, "chosen_turn", chosen)
    engine = ReserveEngine(1)
    threads = []
    for game in (ScriptedBoard().session.game, after("d6").session.game):
        before = {*threading.enumerate()}
        engine.begin(WantedTurn(game, 3, 0))
        threads += [one for one in threading.enumerate() if one not in before]
    for turn in order:
        gates[turn].set()
        threads[turn == "f4"].join()
    assert engine.answer(0) == "f4"


def test_an_absent_engine_leaves_the_choice_to_requests() -> None:
    bench = OpponentBench(AbsentEngine())
    bench.passes()
    assert not bench.passes(10 * ANSWER_AFTER)
    assert bench.controller.engine_turns.is_thinking
    requests.perform(bench.controller, {"do": "seats", "black": "here"})
    bench.passes()
    assert not bench.controller.engine_turns.is_thinking


def test_a_level_is_at_most_the_highest_of_its_game() -> None:
    rules = rule_set("mitsudomoe")
    game = Game.begin(rules, rules.start(Player.WHITE))
    assert chosen_turn(game, 8, 1, Countdown(0)) == chosen_turn(game, 3, 1, Countdown(0))


def test_a_countdown_stops_after_its_checks() -> None:
    stop = Countdown(2)
    assert [stop(), stop(), stop()] == [False, False, True]


# ---- hints -------------------------------------------------------------------------------------------


class HintBench:
    """A controller in an endgame, whose White is given hints."""

    def __init__(self, engine: Any, kind: str = "always") -> None:
        rules = rule_set()
        self.board = ScriptedBoard(game=Game.begin(rules, rules.position(ENDGAME)), stands=STANDS)
        self.controller: Controller = controller_of(self.board)
        self.opponent = Opponent(self.controller, engine, partial(requests.perform, self.controller))
        requests.perform(self.controller, {"do": "set", "hint_white": kind})

    def passes(self, after_us: Microseconds = 0) -> bool:
        """Do a pass `after_us` later, and return whether the opponent changed the board."""
        self.board.now += after_us
        self.controller.step(self.board.frame, self.board.now)
        return self.opponent.serve(self.board.now)

    @property
    def lit(self) -> dict[str, set[str]]:
        return {p.name: set(map(str, cues)) for p, cues in self.controller.scene.cues.items()}


def test_a_hint_is_lit_in_the_pass_after_its_answer() -> None:
    bench = HintBench(ScriptedEngine(None, RESULTS))
    assert not bench.passes()
    assert bench.passes(5000)
    bench.passes(5000)
    assert bench.lit == {"a1": {"hint-wins"}}


def test_an_engine_is_ready_before_a_hint_is_asked_for() -> None:
    engine = ScriptedEngine()
    bench = HintBench(engine, "on-request")
    bench.passes()
    assert engine.done == ["warmed up"]
    assert engine.asked == []
    requests.perform(bench.controller, {"do": "hint"})
    bench.passes()
    assert [wanted.game for wanted in engine.asked] == [bench.board.session.game]


def test_an_engine_is_left_alone_where_there_are_no_hints() -> None:
    engine = ScriptedEngine()
    bench = HintBench(engine, "off")
    bench.passes()
    assert engine.done == []


def test_a_hint_for_a_turn_that_was_played_is_dropped() -> None:
    engine = ScriptedEngine(None, RESULTS)
    bench = HintBench(engine)
    bench.passes()
    bench.board.hands("-d6 +d7 1500")
    assert not bench.passes()
    assert bench.controller.hints.wanted is None
    assert engine.done[-1] == "given up"
    assert not any("hint" in cue for cues in bench.lit.values() for cue in cues)


def test_an_inline_engine_knows_the_shipped_tables() -> None:
    bench = HintBench(InlineEngine(7, chooses=False))
    assert bench.passes()
    bench.passes()
    assert bench.lit == {
        "a1": {"hint-wins"},
        "b4": {"hint-draws"},
        "c4": {"hint-loses"},
        "d6": {"hint-draws"},
    }


def test_an_inline_engine_that_does_not_choose_leaves_turns_to_requests() -> None:
    bench = OpponentBench(InlineEngine(7, chooses=False))
    bench.passes()
    assert not bench.passes(10 * ANSWER_AFTER)
    assert bench.controller.engine_turns.is_thinking


def test_a_hint_without_a_clock_has_every_turn_of_mitsudomoe() -> None:
    rules = rule_set("mitsudomoe")
    game = Game.begin(rules, rules.start(Player.WHITE))
    assert {result for _, result in hint_results(game)} == {Result.UNKNOWN}


def test_a_board_starts_without_the_search() -> None:
    code = "import sys, sim.headless, sim.live.run; sys.exit('firmware_host.engine.searching' in sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)  # noqa: S603
