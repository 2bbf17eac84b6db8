"""The declared end of a game is undone by request, until the next game has its first step."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.store.store import SqliteStore
from tests.support.scripted_board import ScriptedBoard, after

CLEARED = "-d6 -f4 3100"


def can_undo(board: ScriptedBoard) -> bool:
    return board.controls.unavailable_reason("undo") is None


@pytest.mark.parametrize("request_", ["resign", "agree_draw"])
def test_a_declared_end_is_undone_and_the_game_goes_on(request_: str) -> None:
    board = after("d6 f4")
    board.ask(request_)
    assert board.session.game.outcome is not None
    assert board.ask("undo_end") == ["end-undone standard 2"]
    assert board.session.game.outcome is None
    board.turns("d7")
    assert board.texts == "d6 f4 d7"


def test_what_could_be_redone_can_be_redone_after_an_undo() -> None:
    board = after("d6 f4 d7")
    board.ask("take_back")
    board.hands("-d7 1000")
    board.ask("resign")
    board.ask("undo_end")
    assert board.session.timeline.undone_turns == ("d7",)


def test_a_cleared_game_is_undone_and_waits_for_its_pieces() -> None:
    board = after("d6 f4")
    board.hands(CLEARED)
    assert board.texts == ""
    assert "end-undone standard 2" in board.ask("undo_end")
    board.hands("10000")
    assert board.texts == "d6 f4"
    board.hands("+d6 @f4 1500")
    board.turns("d7")
    assert board.texts == "d6 f4 d7"
    board.hands("-d6 -f4 -d7 3100")
    assert board.texts == ""


def test_a_game_that_was_left_for_other_rules_is_undone() -> None:
    board = after("d6 f4")
    board.ask("new_game", rule_set("lasker"))
    assert board.session.game.rules.name == "lasker"
    board.ask("undo_end")
    assert board.session.game.rules.name == "standard"
    assert board.texts == "d6 f4"


@pytest.mark.parametrize("starts", ["rules", "turns", "lot"])
def test_a_game_is_undone_although_two_were_begun_after_it(starts: str) -> None:
    """Whoever chose the wrong rules, or pressed twice, has lost nothing yet."""
    board = after("d6 f4")
    board.session.sides.starts = starts
    lots = iter([Player.BLACK, Player.WHITE, Player.WHITE, Player.BLACK, Player.WHITE, Player.WHITE])
    board.session.draw_lot = lambda: next(lots)
    board.ask("new_game", rule_set("lasker"))
    board.ask("new_game", rule_set("twelve"))
    board.hands(CLEARED)
    board.ask("new_game", rule_set("six"))
    board.ask("undo_end")
    assert (board.session.game.rules.name, board.texts) == ("standard", "d6 f4")
    assert not board.session.sides.turned


def test_the_first_step_of_the_next_game_makes_an_end_final() -> None:
    board = after("d6 f4")
    board.hands(CLEARED)
    assert can_undo(board)
    board.turns("a1")
    with pytest.raises(RequestError, match="no end of a game to undo"):
        board.ask("undo_end")


def test_clearing_a_game_that_is_over_makes_its_end_final() -> None:
    board = after("d6 f4")
    board.ask("resign")
    board.hands(CLEARED)
    assert not can_undo(board)


def test_an_undone_game_is_saved_as_the_same_game_and_last(tmp_path: Path) -> None:
    board = after("d6 f4")
    path = tmp_path / "games.db"
    store = SqliteStore(path, wall_ms=lambda: 1)

    def write(*games: Game) -> None:
        for game in games:
            store.keep(game)
        assert store.finish(store.begin())

    begun = board.session.game
    write(begun)
    board.ask("new_game", rule_set("lasker"))
    write(*board.session.timeline.take_states()[-2:])
    board.ask("undo_end")
    write(*board.session.timeline.take_states())
    store.close()
    again = SqliteStore(path, wall_ms=lambda: 2)
    last = again.last()
    assert last is not None
    assert (last.rules.name, last.outcome, last.turn_texts()) == ("standard", None, ("d6", "f4"))
    assert len(again.read(lambda archive: archive.summaries(before=None, most=9))) == 1
    again.close()


def test_the_winner_of_an_undone_game_is_nobody() -> None:
    board = after("d6 f4")
    board.ask("resign", Player.BLACK)
    board.ask("undo_end")
    assert not can_undo(board)
