"""The engine of a simulated board: broken it gives no hints and plays weakly, repaired it does both."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.errors import HandsError
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result
from firmware_host.i18n import Message
from firmware_host.play.engine_turns import WantedTurn
from firmware_host.play.hint_light import WantedHint
from firmware_host.runtime.engines.opponent import Answer, Wanted
from firmware_host.runtime.engines.supervised import ANSWER_TIMEOUT, MISSING
from firmware_host.settings import Microseconds
from sim.engine import BreakableEngine, is_of_engine

DEAD = {"engine": "dead"}
KINDS = ["dead", "hangs", "lies", "floods"]
RULES = rule_set()
GAME = Game.begin(RULES, RULES.start(Player.WHITE))
RESULTS = (("d6", Result.WIN),)


class SoundEngine:
    """An engine that answers at once, and notes what it was asked."""

    trouble: Message | None = None

    def __init__(self) -> None:
        self.asked: list[Wanted] = []
        self.now: Wanted | None = None
        self.done: list[str] = []

    def warm_up(self) -> None:
        self.done.append("warmed up")

    def ask(self, wanted: Wanted) -> None:
        self.asked.append(wanted)
        self.now = wanted

    def give_up(self) -> None:
        self.now = None

    def prepare(self) -> None:
        self.done.append("prepared")

    def answer(self, now: Microseconds) -> Answer | None:
        if self.now is None:
            return None
        return RESULTS if isinstance(self.now, WantedHint) else "d6"

    def reject(self, text: str) -> None:
        self.done.append(f"rejected {text}")

    def close(self) -> None:
        self.done.append("closed")


def test_a_sound_engine_is_asked_and_answers() -> None:
    sound = SoundEngine()
    engine = BreakableEngine(sound)
    engine.warm_up()
    engine.ask(WantedHint(GAME, 0))
    engine.prepare()
    assert engine.answer(0) == RESULTS
    engine.give_up()
    assert engine.answer(0) is None
    engine.reject("d6")
    engine.close()
    assert sound.done == ["warmed up", "prepared", "rejected d6", "closed"]
    assert engine.trouble is None
    assert engine.faults == ()


def played(engine: BreakableEngine, frames: range = range(0, 100_000, 5_000)) -> tuple[str, Microseconds]:
    """Return the turn that a game goes on with, and when; answers that are no turns are rejected."""
    for now in frames:
        engine.prepare()
        answer = engine.answer(now)
        if answer == "a1-a1":
            engine.reject(answer)
        elif isinstance(answer, str):
            return answer, now
    raise AssertionError("the engine has chosen nothing")


@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_engine_gives_no_hint_until_repaired(kind: str) -> None:
    engine = BreakableEngine(SoundEngine())
    engine.ask(WantedHint(GAME, 0))
    engine.inject({"engine": kind})
    for now in range(0, 7_000_000, 5_000):
        engine.prepare()
        assert engine.answer(now) is None
    assert engine.trouble == MISSING
    assert engine.faults == ({"engine": kind},)
    engine.repair({"engine": kind})
    assert engine.answer(0) == RESULTS
    assert engine.trouble is None
    assert engine.faults == ()


@pytest.mark.parametrize("kind", KINDS)
def test_a_broken_engine_plays_on_weakly(kind: str) -> None:
    sound = SoundEngine()
    engine = BreakableEngine(sound)
    engine.inject({"engine": kind})
    engine.ask(WantedTurn(GAME, 8, 0))
    turn, now = played(engine, range(0, 10_000_000, 5_000))
    assert (turn, engine.trouble) == ("d6", MISSING)
    assert now // 1_000_000 == (6 if kind == "hangs" else 0)
    engine.repair()
    assert [wanted.level for wanted in sound.asked if isinstance(wanted, WantedTurn)] == [3, 8]


def test_a_dead_engine_is_reported_before_it_is_asked() -> None:
    engine = BreakableEngine(SoundEngine())
    engine.inject({"engine": "lies"})
    assert engine.trouble is None
    engine.inject(DEAD)
    assert engine.trouble == MISSING


def test_a_broken_engine_says_when_it_is_due() -> None:
    engine = BreakableEngine(SoundEngine())
    assert engine.deadline is None
    engine.inject({"engine": "hangs"})
    assert engine.deadline is None
    engine.ask(WantedTurn(GAME, 8, 0))
    assert engine.deadline == 700_000
    assert engine.answer(700_000) is None
    assert engine.deadline == 700_000 + ANSWER_TIMEOUT + 1
    engine.give_up()
    assert engine.deadline is None


@pytest.mark.parametrize("described", [{"engine": "slow"}, {"engine": ["dead"]}, {**DEAD, "seconds": 1}])
def test_other_faults_of_an_engine_are_refused(described: dict[str, Any]) -> None:
    assert is_of_engine(described)
    with pytest.raises(HandsError, match="not a fault of the engine"):
        BreakableEngine(SoundEngine()).inject(described)


def test_an_engine_that_works_is_not_repaired() -> None:
    engine = BreakableEngine(SoundEngine())
    with pytest.raises(HandsError, match="not broken"):
        engine.repair(DEAD)
    engine.inject({"engine": "hangs"})
    with pytest.raises(HandsError, match="not broken"):
        engine.repair(DEAD)
