"""Queries of pages, which leave the board alone: the rules, past positions, and the stored games.

Queries are answered in a thread of their own, from values that never change and from the stored games, which
another thread reads.

Invariants: a query changes nothing; queries are answered one at a time, so that many pages cost no more than
one; only numbers and names from lists are taken from a page, never a path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Annotated, Any, Protocol, TypeAlias, TypeVar

from firmware_host.decoding import Must, decode, is_number
from firmware_host.errors import RequestError, StoreError
from firmware_host.games.game import Game
from firmware_host.games.options import choices, texts_of
from firmware_host.games.rulesets import FAMILIES, RULE_SETS
from firmware_host.i18n import Message
from firmware_host.store.archive import Archive
from firmware_host.store.database import StoredGame
from firmware_host.store.exchange import json_of, records_of
from firmware_host.store.saved_game import SavedGame, game_of
from firmware_host.views.snapshot import beneath
from firmware_host.web.messages import drawn_layout, kinds_of

_T = TypeVar("_T")
Result = dict[str, Any]

MAX_GAMES = 50
"""The number of games in one list."""
_READ_TIMEOUT_S = 8.0
_STATUS_TIMEOUT_S = 2.0
_NUMBER_LIMIT = 10**9
"""The limit that a number of a request stays below."""

_A_NUMBER = Must(
    "a whole number",
    lambda value: is_number(value) and isinstance(value, int) and 0 <= value < _NUMBER_LIMIT,
    quotes=True,
)
_Number: TypeAlias = Annotated[int, _A_NUMBER]
_MaybeNumber: TypeAlias = Annotated[int | None, _A_NUMBER]


class StoredGames(Protocol):
    """The stored games, and those that are about to be stored."""

    @property
    def path(self) -> Path:
        """The file that they are stored in."""

    def read(self, work: Callable[[Archive], _T]) -> Future[_T]:
        """Have `work` done with them between two writes, and return its result as a future."""


class QueryService:
    """Answers the queries of pages; its methods may be called from any thread."""

    def __init__(self, game: Callable[[], Game], archive: StoredGames | None = None) -> None:
        """Answer from the accepted `game` on the board, and from the stored games of `archive`."""
        self._game = game
        self._archive = archive
        self._replayed: tuple[SavedGame, Game] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="queries")

    def submit(self, request: Mapping[str, Any]) -> Future[Result]:
        """Have `request` answered; the future ends with the result, or with a MillwrightError."""
        return self._thread.submit(self._answer, request)

    @property
    def path(self) -> Path | None:
        """The file that games are stored in; None if they are not stored."""
        return None if self._archive is None else self._archive.path

    def listed(self, before: int | None) -> Future[Result]:
        """List the newest games, or those with numbers below `before`, as the query `games` does."""
        return self._thread.submit(lambda: self._games(before=before))

    def record(self, number: int, kind: str) -> Future[str]:
        """Return a stored game as a text to download, of the kind `txt` or `json`."""
        return self._thread.submit(self._written, number, kind)

    def last_over(self) -> Result | None:
        """Return a summary of the last finished game before the one on the board; None if there is none.

        Blocks the calling thread; raises MillwrightError if the game cannot be read.
        """
        return self._read(_over_before_the_last, _STATUS_TIMEOUT_S)

    def close(self) -> None:
        """Answer nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _answer(self, request: Mapping[str, Any]) -> Result:
        name = request.get("ask")
        query = _QUERIES.get(name) if isinstance(name, str) else None
        if query is None:
            raise RequestError(f"cannot ask for {name!r}; known are {', '.join(sorted(_QUERIES))}")
        members = {key: value for key, value in request.items() if key != "ask"}
        return query(self, **decode(query, members, str(name), RequestError))

    # ---- the queries ------------------------------------------------------------------------------------

    def _rules(self) -> Result:
        return {
            "switches": choices(*FAMILIES),
            "rule_sets": {name: texts_of(own) for name, own in RULE_SETS.items()},
        }

    def _position(self, *, after: _Number, game: _MaybeNumber = None) -> Result:
        return position_after(self._game() if game is None else self._replay(game), after)

    def _games(self, *, before: _MaybeNumber = None) -> Result:
        found = self._read(lambda archive: archive.summaries(before=before, most=MAX_GAMES + 1))
        return {"games": [one.as_dict() for one in found[:MAX_GAMES]], "more": len(found) > MAX_GAMES}

    def _stored(self, *, game: _Number) -> Result:
        played = self._replay(game)
        rules = played.rules
        return {
            "rules": rules.describe(),
            "layout": drawn_layout(rules.layout),
            "kinds": kinds_of(rules.box),
            "turns": list(played.turn_texts()),
        }

    # ---- the stored games -------------------------------------------------------------------------------

    def _replay(self, number: int) -> Game:
        saved = self._kept(number).saved
        if self._replayed is None or self._replayed[0] != saved:
            self._replayed = saved, game_of(saved)
        return self._replayed[1]

    def _written(self, number: int, kind: str) -> str:
        kept = self._kept(number)
        return json_of([kept]) if kind == "json" else records_of([kept])

    def _kept(self, number: int) -> StoredGame:
        return self._read(lambda archive: archive.game(number))

    def _read(self, work: Callable[[Archive], _T], timeout_s: float = _READ_TIMEOUT_S) -> _T:
        if self._archive is None:
            raise RequestError(Message("refused.nothing-kept"))
        try:
            return self._archive.read(work).result(timeout_s)
        except TimeoutError as error:
            raise StoreError(Message("refused.disk-silent")) from error


def position_after(game: Game, turns: int) -> Result:
    """Return the position of `game` after this number of turns; raise RequestError if it has fewer."""
    ends = (*game.turn_starts, *((game.ply,) if game.mid_turn else ()))
    if turns >= len(ends):
        raise RequestError(Message("refused.no-such-turn", {"count": turns}))
    began = ends[turns - 1] if turns else 0
    position = game.positions[ends[turns]]
    standing = zip(game.rules.layout.points, position.standing, strict=True)
    steps = game.steps[began : ends[turns]]
    return {
        "after": turns,
        "of": len(ends) - 1,
        "turn": game.turn_texts()[turns - 1] if turns else None,
        "by": str(game.positions[began].to_move) if turns else None,
        "standing": {point.name: str(piece) for point, piece in standing if piece is not None},
        "beneath": beneath(position, game.rules.layout),
        "landed": sorted({str(step.target) for step in steps if step.target is not None}),
        "in_hand": {str(piece): count for piece, count in position.supply.items()},
    }


def _over_before_the_last(archive: Archive) -> Result | None:
    last = archive.last()
    found = archive.summaries(before=None if last is None else last.row, most=1, over=True)
    return found[0].as_dict() if found else None


_QUERIES: Mapping[str, Callable[..., Result]] = {
    "rules": QueryService._rules,
    "position": QueryService._position,
    "games": QueryService._games,
    "game": QueryService._stored,
}
