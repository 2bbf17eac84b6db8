"""A disk that takes half a second, or five, delays the light that accepts, and nothing else.

First in virtual time, beside a board that waits for no disk; then with the store's own thread, on a file
whose writing does not end until the test lets it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.config.loader import Config
from firmware_host.games.game import Game, Player, legal_turns
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.lights.cues import Cue
from firmware_host.play.controller import Controller
from firmware_host.play.durability import GameStore
from firmware_host.ports import NOTHING, SOMETHING, SensorKind
from firmware_host.runtime.factory import build_controller
from firmware_host.store.store import SqliteStore
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from tests.support.real_board import FRAME, StoredBoard
from tests.support.store import Card, CardFile, until

SECOND = 1_000_000

ACCEPTS = {Cue.LAST_MOVE, Cue.MILL, Cue.WINNER}
"""Cues that are lit only once the step is saved; all others show possible actions, or differences."""


@dataclass
class BatchDisk:
    """A store that writes one batch after the other, each for a while."""

    lasts: int
    now: int = 0
    kept: int = 0
    troubles: dict[str, Message] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    asked: int = 0
    _upto: int = 0
    _done_at: int = 0

    def keep(self, _game: Game) -> int:
        self.asked += 1
        return self.asked

    def put(self, name: str, value: Any) -> int:
        self.settings = {**self.settings, name: value}
        return self.keep(None)  # type: ignore[arg-type]

    def pass_to(self, now: int) -> None:
        self.now = now
        while self._upto > self.kept and self._done_at <= now:
            self.kept = self._upto
        if self._upto == self.kept and self.asked > self.kept:
            self._upto, self._done_at = self.asked, now + self.lasts


def controller(rules: str, store: GameStore | None) -> Controller:
    return build_controller(
        rule_set(rules, ["pieces=4"]),
        SensorKind.PRESENCE,
        Config.default(),
        draw_lot=lambda: Player.WHITE,
        store=store,
    )


def lit(controller: Controller) -> dict[str, set[Cue]]:
    """Return the lights except those that accept."""
    cues = {point.name: set(those) - ACCEPTS for point, those in controller.scene.cues.items()}
    return {name: those for name, those in cues.items() if those}


def accepting(controller: Controller) -> set[tuple[str, Cue]]:
    return {(p.name, cue) for p, those in controller.scene.cues.items() for cue in those & ACCEPTS}


@pytest.mark.ci("games")
@settings(max_examples=8, deadline=None)
@given(
    luck=st.randoms(use_true_random=False),
    lasts=st.sampled_from([SECOND // 2, 5 * SECOND]),
    rules=st.sampled_from(["standard", "lasker", "the-mill"]),
)
def test_all_but_what_accepts_is_lit_in_the_same_frame_as_without_a_disk(
    luck: Random, lasts: int, rules: str
) -> None:
    disk = BatchDisk(lasts)
    slow, quick = controller(rules, disk), controller(rules, None)
    stands: set[str] = set()
    now, committed = 0, list[int]()
    slow.step((NOTHING,) * len(MORRIS), now)
    quick.step((NOTHING,) * len(MORRIS), now)
    for _ in range(9):
        game = quick.session.game
        if game.outcome is not None:
            break
        for step in luck.choice(legal_turns(game.position)).steps:
            stands -= {str(step.origin)} if step.origin else set()
            stands |= {str(step.target)} if step.target else set()
            readings = tuple(SOMETHING if p.name in stands else NOTHING for p in MORRIS.points)
            for _ in range(luck.choice([62, 80, 130])):
                now += FRAME
                disk.pass_to(now)
                slow.step(readings, now)
                quick.step(readings, now)
                assert lit(slow) == lit(quick)
                assert slow.session.game.steps == quick.session.game.steps
                committed += [now] * (quick.session.game.ply - len(committed))
                assert slow.accepted.ply <= sum(at + lasts <= now for at in committed)
                if slow.accepted.ply == quick.session.game.ply:
                    assert accepting(slow) == accepting(quick)
                else:
                    assert (str(quick.session.game.steps[-1].target), Cue.LAST_MOVE) not in accepting(slow)
    assert committed
    for _ in range((2 * lasts + SECOND) // FRAME):
        now += FRAME
        disk.pass_to(now)
        slow.step(readings, now)
        quick.step(readings, now)
    assert slow.accepted.steps == quick.session.game.steps, "in the end all is accepted"
    assert accepting(slow) == accepting(quick)


class Stuck(Card):
    """A card that says when a write has begun."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = Event()

    def open(self, path: Path) -> CardFile:
        return StuckFile(self, path)


class StuckFile(CardFile):
    def write(self, *given: Any) -> None:
        assert isinstance(self.card, Stuck)
        self.card.begun.set()
        super().write(*given)


class StickingDiskBoard(StoredBoard):
    """With the store's thread on a card that sticks."""

    def __init__(self, path: Path) -> None:
        self.card = Stuck()
        electronics = SimulatedBoard(MORRIS, SensorKind.PRESENCE, VirtualClock())
        super().__init__(
            electronics, SqliteStore(path, wall_ms=lambda: 1, open_file=self.card.open, named=False)
        )
        self.told: list[str] = []

    @property
    def controller(self) -> Controller:
        return self.play.board.controller

    def frames(self, lasts: int) -> None:
        """Pass `lasts` frames; a loop that waited for the card would wait until that gives up."""
        for _ in range(lasts // FRAME):
            self.told += self.frame()

    def until_told(self, name: str) -> None:
        def told() -> bool:
            self.frames(FRAME)
            return name in self.told

        until(told)


@pytest.fixture
def real(tmp_path: Path) -> Iterator[StickingDiskBoard]:
    real = StickingDiskBoard(tmp_path / "games.db")
    real.until_told("game")
    yield real
    real.card.answers.set()
    real.close()


@pytest.mark.parametrize("lasts", [SECOND // 2, 5 * SECOND])
def test_while_the_thread_writes_the_board_goes_on_and_accepts_when_it_has_written(
    real: StickingDiskBoard, lasts: int
) -> None:
    real.told.clear()
    real.card.begun.clear()
    real.card.answers.clear()
    real.put("d6", "white")
    real.frames(SECOND * 3 // 10)
    assert real.card.begun.wait(60), "what was played is given to the disk at once"
    assert lit(real.controller)["f4"] == {Cue.DESTINATION}, "Black's hints"
    assert real.controller.session.game.ply == 1
    real.frames(lasts - SECOND * 3 // 10)
    real.put("f4", "black")
    real.frames(SECOND * 3 // 10)
    assert real.controller.session.game.ply == 2
    assert lit(real.controller)["a1"] == {Cue.DESTINATION}, "White's hints"
    assert real.told == []
    assert accepting(real.controller) == set()
    assert real.play.status(0)["game"]["turns"] == 2
    assert real.play.condition().progress.store == real.writer.rounds
    real.card.answers.set()
    real.until_told("turn")
    until(lambda: real.frames(FRAME) or real.told.count("turn") == 2)
    assert accepting(real.controller) == {("f4", Cue.LAST_MOVE)}


def test_a_look_at_the_games_waits_behind_the_write_and_the_board_does_not(real: StickingDiskBoard) -> None:
    real.card.begun.clear()
    real.card.answers.clear()
    real.put("d6", "white")
    real.frames(SECOND)
    assert real.card.begun.wait(60)
    look = real.writer.read(lambda file: file.last())
    real.frames(SECOND)
    assert not look.done()
    assert real.controller.session.game.ply == 1
    real.card.answers.set()
    last = look.result(60)
    assert last is not None
    assert [step.text for step in last.saved.steps] == ["d6"]
