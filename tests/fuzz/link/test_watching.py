"""The measured times, by pages that show the states of a turn one after another."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from tests.fuzz.link import watching
from tests.fuzz.link.games import dwell_s
from tests.fuzz.link.watching import LinkWatch

REST_S = 0.3


class ShownMachine(SimpleNamespace):
    """A machine whose page shows what a test says, and whose link has logged what it says."""

    state: dict[str, Any]

    def __init__(self, far: str) -> None:
        super().__init__(far=far, acted_at=0.0, log="", on_change=list, state={})

    @property
    def turns(self) -> tuple[str, ...]:
        return tuple(self.state.get("turns", ()))

    @property
    def log_size(self) -> int:
        return len(self.log)

    def has_logged(self, text: str, since: int) -> bool:
        return text in self.log[since:]

    def is_others_turn(self, state: dict[str, Any]) -> bool:
        return bool(state.get("to_move") == self.far)

    def show(self, turns: list[str], status: str = "stands", *, moves: bool = False) -> None:
        to_move = ("white", "black")[len(turns) % 2]
        self.state = {"turns": turns, "to_move": to_move, "moves": moves, "far": {"status": status}}
        self.on_change()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    now = SimpleNamespace(s=0.0)
    monkeypatch.setattr(watching, "time", SimpleNamespace(monotonic=lambda: now.s))
    return now


def test_hand_to_light_leaves_out_dwell_and_rest_alone(clock: SimpleNamespace) -> None:
    white, black = ShownMachine("black"), ShownMachine("white")
    watch = LinkWatch([white, black], REST_S)  # type: ignore[list-item]
    for machine in (white, black):
        machine.show([])
    watch.plays(white, 0.24)  # type: ignore[arg-type]
    white.acted_at, clock.s = 10.0, 10.26
    white.show(["d6"])
    clock.s = 10.5
    black.show([], "arrived")
    clock.s = 10.59
    black.show([], "arrived", moves=True)
    clock.s = 10.7
    black.show([], "arrived", moves=True)
    assert watch.times.hand_to_light == pytest.approx([0.05])
    assert watch.times.counted == pytest.approx([0.02])
    assert watch.times.lit == pytest.approx([0.03])


def test_agreement_counts_from_the_last_of_all_returns(clock: SimpleNamespace) -> None:
    white, black = ShownMachine("black"), ShownMachine("white")
    white.log = black.log = "connected to the broker"
    watch = LinkWatch([white, black], REST_S)  # type: ignore[list-item]
    white.show(["d6"], "away")
    black.show([], "away")
    watch.breaks("broker", None)
    watch.plays(white, 0.24)  # type: ignore[arg-type]
    clock.s = 5.0
    white.log += "connected to the broker"
    watch.look_for_returns()
    clock.s = 7.0
    black.log += "connected to the broker"
    watch.look_for_returns()
    clock.s = 8.0
    for machine in (white, black):
        machine.show([*machine.turns], "arrived")
    assert watch.times.agreed_again == []  # one has a turn that the other doesn't show
    clock.s = 8.5
    black.show([], "arrived", moves=True)
    assert watch.times.agreed_again == pytest.approx([1.5])
    assert watch.times.hand_to_light == []


def test_a_turn_rests_as_long_as_its_last_action_has_to() -> None:
    rules = rule_set("six")
    game = Game.begin(rules, rules.start(Player.WHITE))
    assert dwell_s(game.position, (game.position.legal_steps()[0],)) == 0.24
    for text in ("a7", "a1", "d7", "d1", "g7"):
        game = game.play(game.position.legal_step(text))
    assert dwell_s(game.position, (game.position.legal_steps()[0],)) == 0.3
