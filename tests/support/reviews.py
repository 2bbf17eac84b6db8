"""The analysis of a short game in which Black gives a draw away, or is likely to have erred."""

from __future__ import annotations

from pathlib import Path

from firmware_host.engine.review import BetterTurn, LikelyTurn, Review, ReviewedTurn, finished_turns
from firmware_host.games.game import Game
from firmware_host.games.values import UNKNOWN, Result, Value
from firmware_host.store.database import GamesFile
from firmware_host.store.exchange import analysis_text
from tests.support.scripted_board import after

WIN, DRAW, LOSS = (Value(result, None, exact=True) for result in (Result.WIN, Result.DRAW, Result.LOSS))


def turned_game() -> Game:
    """Return a game of five turns."""
    return after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3").session.game


def guessed_game() -> Game:
    """Return another game of five turns."""
    return after("d6 f4 d7 a1 d5xf4", "standard", "pieces=3").session.game


def review_of(game: Game) -> Review:
    """Return a review of that game: Black's second turn gives a draw away, and White wins from then on."""
    values = [(UNKNOWN, UNKNOWN), (UNKNOWN, DRAW), (DRAW, DRAW), (DRAW, LOSS), (WIN, WIN)]
    return tuple(
        ReviewedTurn(
            ply, game.positions[ply].to_move, turn, *both, 30, BetterTurn("d5", DRAW) if index == 3 else None
        )
        for index, ((ply, turn), both) in enumerate(zip(finished_turns(game), values, strict=True))
    )


def guessed_review(game: Game) -> Review:
    """Return a review of such a game that proves nothing: Black's first turn is likely to have lost it."""
    return tuple(
        ReviewedTurn(
            *(ply, game.positions[ply].to_move, turn, UNKNOWN, UNKNOWN, 30 * (-1) ** index, None),
            LikelyTurn("d7", 60) if index == 1 else None,
        )
        for index, (ply, turn) in enumerate(finished_turns(game))
    )


def keep_review(path: Path, row: int, review: Review) -> None:
    """Keep a review with its game in a file."""
    file = GamesFile(path)
    assert file.keep_analysis(file.game(row), analysis_text(review))
    file.close()
