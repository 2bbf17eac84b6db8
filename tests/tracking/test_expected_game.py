"""The turns that a frame may begin, of the current turn, of the replies to it, and of a chosen one."""

from __future__ import annotations

from firmware_host.ports import SensorKind
from firmware_host.tracking.expected_game import ExpectedGame
from firmware_host.tracking.moves import Permission
from firmware_host.tracking.sensor_model import SensorModel
from tests.support.observed_script import frame_with, game_of


def expected_after(turns: str) -> ExpectedGame:
    return ExpectedGame(game_of(turns), SensorModel(SensorKind.PRESENCE), found=False)


def test_the_replies_to_a_turn_that_does_not_count_yet_fit_a_frame() -> None:
    expected = expected_after("d6 f4")
    position = expected.game.position
    after = position.play(position.legal_step("d7"))
    replied = expected.sensor_model.expected(game_of("d6 f4 d7 g1").position)
    assert expected.fits(replied) == ()
    assert [fit.turn.steps[0].text for fit in expected.replies(after, replied)] == ["g1"]
    assert expected.replies(after, frame_with()) == ()


def test_a_choice_narrows_what_a_frame_fits() -> None:
    expected = expected_after("d6 f4")
    chosen, other = (expected.sensor_model.expected(game_of(f"d6 f4 {to}").position) for to in ("d7", "g1"))
    assert expected.fits(chosen) != ()
    assert expected.fits(other) != ()
    expected.permit(Permission(line=expected.game.steps, turn=(expected.game.position.legal_step("d7"),)))
    assert expected.fits(chosen) != ()
    assert expected.fits(other) == ()


def test_choice_outlasts_a_take_back_and_no_other_turn() -> None:
    expected = expected_after("d6 f4")
    turn = (expected.game.position.legal_step("d7"),)
    expected.permit(Permission(line=expected.game.steps, turn=turn))
    for turns, left in (("d6", None), ("d6 f4", turn), ("d6 a1", None), ("d6 f4", None)):
        expected.rebase(game_of(turns))
        assert expected.chosen == left
