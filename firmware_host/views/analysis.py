"""The analysis of a game as pages see it: how far it is, and what it has found.

Invariants: only finished turns are analysed. An analysis belongs to the steps that it was made of, and is
never shown for others. Nothing here computes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from firmware_host.engine.review import Decision, Review, decision, finished_turns, known_from
from firmware_host.engine.review_notes import review_objects
from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.i18n import Message


@frozen
class Progress:
    """The state of one analysis."""

    done: int
    """The turns that are analysed."""
    is_running: bool
    has_failed: bool = False
    review: Review | None = None
    """The result, once it is complete."""


NOT_BEGUN = Progress(0, is_running=False)

Keep = Callable[[Review], object]
"""Called with a complete analysis, in a thread of its own."""


class GameAnalyst(Protocol):
    """Analyses one game at a time, in a process that `runtime` keeps.

    Its methods may be called from any thread, and return at once.
    """

    def begin(self, game: Game, keep: Keep) -> None:
        """Analyse `game` in place of any other, unless that is being done or was done last."""

    def end(self, game: Game) -> None:
        """Give the analysis of `game` up, if it is running."""

    def progress(self, game: Game) -> Progress:
        """Return how far the analysis of `game` is."""


def analysis_result(game: Game, progress: Progress) -> dict[str, Any]:
    """Return the result of a query for the analysis of `game`."""
    review = progress.review
    found = {
        "of": len(finished_turns(game)),
        "done": len(review) if review is not None else progress.done,
        "running": progress.is_running,
        "failed": progress.has_failed,
        "turns": None,
        "known_from": None,
        "lost": None,
    }
    return found if review is None else found | _result(game, review)


def _result(game: Game, review: Review) -> dict[str, Any]:
    """Return what a complete review has found."""
    from firmware_host.engine.remarks import outcome_remark, remarks

    words = remarks(game, review)
    ending = outcome_remark(game, review, lambda index: _numbered(index, review[index].turn))
    turns = zip(review_objects(review), words, strict=True)
    return {
        "turns": [one | {"remarks": [remark.as_dict() for remark in messages]} for one, messages in turns],
        "known_from": known_from(review),
        "lost": ending and _lost(ending, decision(game, review)),
    }


def _lost(ending: Message, decided: Decision | None) -> dict[str, Any]:
    return {"turn": None if decided is None else decided.index, "said": ending.as_dict()}


def _numbered(index: int, turn: str) -> str:
    """Return a turn with its number, as pages list it."""
    return f"{index // 2 + 1}{' …' if index % 2 else '.'} {turn}"
