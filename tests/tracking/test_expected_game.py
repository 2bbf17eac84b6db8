"""The turns that are enumerated in idle frames, before a frame needs them."""

from __future__ import annotations

from firmware_host.ports import SensorKind
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.moves import Permission
from firmware_host.tracking.sensor_model import SensorModel
from tests.support.watched import game_of


def prepared(turns: str) -> ExpectedGame:
    """The expected game after `turns`, with everything prepared."""
    game = game_of(turns)
    expected = ExpectedGame(game, SensorModel(SensorKind.PRESENCE), found=False)
    calls = 0
    while expected.prepare():
        calls += 1
        assert calls < 100
    return expected


def test_the_current_turn_and_its_revision_are_prepared() -> None:
    expected = prepared("d6 f4 d7")
    assert not expected.base(3).prepare(1)
    assert not expected.base(2).prepare(1)


def test_the_replies_to_a_turn_that_does_not_count_yet_are_prepared() -> None:
    expected = prepared("d6 f4")
    position = expected.game.position
    replies = expected.reply_base(position.play(position.legal_step("d7")))
    assert expected.prepare(), "there is more to do again"
    while expected.prepare():
        pass
    assert not replies.prepare(1)


def test_preparation_begins_again_after_a_turn() -> None:
    expected = prepared("d6 f4")
    assert not expected.prepare()
    expected.rebase(game_of("d6 f4 d7"))
    assert expected.prepare()


def test_preparation_begins_again_with_a_choice() -> None:
    expected = prepared("d6 f4")
    expected.permit(Permission(ply=2, turn=(expected.game.position.legal_step("d7"),)))
    expected.prepare()
    chosen, other = (expected.sensor_model.expected(game_of(f"d6 f4 {to}").position) for to in ("d7", "g1"))
    assert expected.base(2).fits(chosen) != ()
    assert expected.base(2).fits(other) == ()
