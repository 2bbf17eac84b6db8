"""Statistics of saved games: each finished one counts once, on disk or not, and no other does."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.games.game import Game
from firmware_host.store.summaries import RuleSetStatistics
from tests.support.scripted_board import after
from tests.support.store import NOON_MS, OpenStore, work

WON = "d6 f4 d7 a1 d5xa1"


def ended(turns: str, request: str, *rules: str) -> Game:
    board = after(turns, *rules)
    board.ask(request)
    return board.session.game


def games() -> list[Game]:
    """Four that were finished, one that was abandoned, and one that goes on."""
    left = after("d6 f4")
    left.ask("new_game", left.session.game.rules)
    abandoned = next(one for one in left.session.timeline.take_states() if one.outcome is not None)
    return [
        after(WON, "standard", "pieces=3").session.game,
        ended("d6 f4 d7", "resign"),
        ended("d6", "agree_draw"),
        ended("d6 f4", "agree_draw", "lasker"),
        abandoned,
        after("d6").session.game,
    ]


COUNTED = [RuleSetStatistics("standard", 2, 0, 1, 9, 5), RuleSetStatistics("lasker", 0, 0, 1, 2, 2)]
"""Black, who was to move, gave the second game up; rules with options count as their rule set."""


@pytest.mark.parametrize("written", [0, 1, 2, 5, 6])
def test_each_finished_game_counts_once_on_disk_or_not(
    tmp_path: Path, open_store: OpenStore, written: int
) -> None:
    store = open_store(tmp_path / "games.db", wall_ms=lambda: NOON_MS)
    for number, game in enumerate(games(), start=1):
        store.keep(game)
        if number <= written:
            assert work(store)
    assert store.read(lambda archive: archive.statistics()) == COUNTED


def test_a_game_whose_end_is_undone_counts_no_more(tmp_path: Path, open_store: OpenStore) -> None:
    store = open_store(tmp_path / "games.db", wall_ms=lambda: NOON_MS)
    board = after("d6 f4")
    board.ask("resign")
    for game in board.session.timeline.take_states():
        store.keep(game)
    assert work(store)
    assert len(store.read(lambda archive: archive.statistics())) == 1
    board.ask("undo_end")
    store.keep(board.session.game)
    assert store.read(lambda archive: archive.statistics()) == []
    assert work(store)
    assert store.read(lambda archive: archive.statistics()) == []


def test_statistics_of_no_games_are_empty(tmp_path: Path, open_store: OpenStore) -> None:
    assert open_store(tmp_path / "games.db").read(lambda archive: archive.statistics()) == []
