"""The choice of the game that continues when a board is started again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.runtime.factory import game_to_continue
from firmware_host.store.store import SqliteStore


class RestartedBoard:
    """A board's store, as often as it is started."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def start(self, rules: str, *, asked_for: bool = False) -> str | None:
        """The rules and steps of the game that goes on where `rules` are wanted."""
        self.store = SqliteStore(self._path, wall_ms=lambda: 0)
        with closing(self.store):
            game = game_to_continue(self.store, rule_set(rules), asked_for=asked_for)
        if game is None:
            self.play(rules)
            return None
        return " ".join([game.rules.name, *map(str, game.steps)])

    def play(self, rules: str, *texts: str) -> None:
        """Begin a game by `rules`, play these steps, and end the program."""
        chosen = rule_set(rules)
        game = Game.begin(chosen, chosen.start(Player.WHITE))
        self.store.keep(game)
        for text in texts:
            game = game.play(game.position.legal_step(text))
            self.store.keep(game)
        self.store.finish(self.store.begin())
        self.store.close()


def test_a_game_in_which_something_was_played_goes_on_by_whatever_rules(tmp_path: Path) -> None:
    board = RestartedBoard(tmp_path / "games.db")
    assert board.start("standard") is None
    board.play("six", "a1")
    assert board.start("standard") == "six a1"
    assert board.start("lasker") == "six a1"


def test_one_that_players_have_only_begun_goes_on_by_the_rules_they_chose(tmp_path: Path) -> None:
    board = RestartedBoard(tmp_path / "games.db")
    assert board.start("standard") is None
    board.play("six")
    assert board.start("standard") == "six"
    board.store.finish(board.store.begin())
    board.store.close()
    assert board.start("standard") == "six"


def test_but_not_where_other_rules_are_wanted_than_before(tmp_path: Path) -> None:
    board = RestartedBoard(tmp_path / "games.db")
    assert board.start("standard") is None
    board.play("six")
    assert board.start("lasker") is None
    assert board.start("lasker") == "lasker"


def test_nor_where_somebody_asks_for_a_game_by_other_rules(tmp_path: Path) -> None:
    board = RestartedBoard(tmp_path / "games.db")
    assert board.start("standard") is None
    board.play("six", "a1")
    assert board.start("six", asked_for=True) == "six a1"
    assert board.start("lasker", asked_for=True) is None


def test_a_lesson_does_not_go_on(tmp_path: Path) -> None:
    board = RestartedBoard(tmp_path / "games.db")
    assert board.start("standard") is None
    board.play("lesson")
    assert board.start("standard") is None


def test_a_game_of_a_board_with_other_points_does_not_go_on(tmp_path: Path) -> None:
    board = RestartedBoard(tmp_path / "games.db")
    assert board.start("mitsudomoe") is None
    board.play("mitsudomoe", "+b2")
    assert board.start("standard") is None
    board.play("standard", "a1")
    assert board.start("mitsudomoe") is None
