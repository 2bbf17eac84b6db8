"""What pages may look at without touching the board: the rules, past positions, and the games that are kept.

Rules kept here: a look changes nothing; it is answered in a thread of its own, from values that never change
and from the games that are kept, which another thread reads; looks are answered one at a time, so that many
pages cost no more than one. Only numbers and names from lists are taken from a page, never a path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any, Protocol, TypeVar

from firmware_host.errors import RequestError, StoreError
from firmware_host.games.game import Game
from firmware_host.games.options import choices, texts_of
from firmware_host.games.rulesets import FAMILIES, RULE_SETS
from firmware_host.i18n import Message
from firmware_host.store.archive import Shelf
from firmware_host.store.database import KeptGame
from firmware_host.store.exchange import json_of, records_of
from firmware_host.store.saved_game import Sheet, game_of
from firmware_host.views.snapshot import beneath
from firmware_host.web.messages import alike, drawn

_T = TypeVar("_T")
Result = dict[str, Any]

MOST_GAMES = 50
"""So many games are listed at once."""
_PATIENCE_S = 8.0
_QUICKLY_S = 2.0
_MOST = 10**9
"""No number that a page may name is greater."""


class Archive(Protocol):
    """What has the games that are kept, and those that are yet to be."""

    @property
    def path(self) -> Path:
        """The file that they are kept in."""

    def read(self, work: Callable[[Shelf], _T]) -> Future[_T]:
        """Have `work` done with them, between two writes."""


class Looking:
    """Answers what pages ask, from any thread."""

    def __init__(self, game: Callable[[], Game], archive: Archive | None = None) -> None:
        """`game` is the one on the board, as far as it is accepted; `archive` has those that are kept."""
        self._game = game
        self._archive = archive
        self._replayed: tuple[Sheet, Game] | None = None
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="looking")

    def submit(self, request: Mapping[str, Any]) -> Future[Result]:
        """Have `request` answered; the future ends with the result or a MillwrightError."""
        return self._thread.submit(self._answer, request)

    @property
    def path(self) -> Path | None:
        """The file that games are kept in; None where none are."""
        return None if self._archive is None else self._archive.path

    def listed(self, before: int | None) -> Future[Result]:
        """The newest games, of those with smaller numbers than `before`, as a page that asks is told them."""
        return self._thread.submit(self._games, {} if before is None else {"before": before})

    def record(self, number: int, kind: str) -> Future[str]:
        """A kept game as a text to take away, of the kind `txt` or `json`."""
        return self._thread.submit(self._written, number, kind)

    def last_over(self) -> Result | None:
        """The game that was over last before the one on the board, at a glance; None where there is none.

        To be asked from any thread, which waits; raises MillwrightError where it cannot be read.
        """
        return self._read(_over_before_the_last, _QUICKLY_S)

    def close(self) -> None:
        """Answer nothing more."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _answer(self, request: Mapping[str, Any]) -> Result:
        name = request.get("ask")
        known = _LOOKS.get(name) if isinstance(name, str) else None
        if known is None:
            raise RequestError(f"cannot ask for {name!r}; known are {', '.join(sorted(_LOOKS))}")
        keys, look = known
        for key in request:
            if key not in ("ask", *keys):
                raise RequestError(f"{name!r} takes no {key!r}; it takes {', '.join(keys) or 'nothing else'}")
        return look(self, {key: _number(request, key) for key in keys if key in request})

    # ---- what can be asked for -------------------------------------------------------------------------

    def _rules(self, _numbers: Mapping[str, int]) -> Result:
        return {
            "switches": choices(*FAMILIES),
            "rule_sets": {name: texts_of(own) for name, own in RULE_SETS.items()},
        }

    def _position(self, numbers: Mapping[str, int]) -> Result:
        if "after" not in numbers:
            raise RequestError('"position" needs "after": after how many turns')
        game = self._replay(numbers["game"]) if "game" in numbers else self._game()
        return position_after(game, numbers["after"])

    def _games(self, numbers: Mapping[str, int]) -> Result:
        before = numbers.get("before")
        found = self._read(lambda shelf: shelf.summaries(before=before, most=MOST_GAMES + 1))
        return {"games": [one.as_dict() for one in found[:MOST_GAMES]], "more": len(found) > MOST_GAMES}

    def _stored(self, numbers: Mapping[str, int]) -> Result:
        if "game" not in numbers:
            raise RequestError('"game" needs "game": its number')
        game = self._replay(numbers["game"])
        rules = game.rules
        return {
            "rules": rules.describe(),
            "layout": drawn(rules.layout),
            "kinds": alike(rules.box),
            "turns": list(game.turn_texts()),
        }

    # ---- the games that are kept -----------------------------------------------------------------------

    def _replay(self, number: int) -> Game:
        sheet = self._kept(number).sheet
        if self._replayed is None or self._replayed[0] != sheet:
            self._replayed = sheet, game_of(sheet)
        return self._replayed[1]

    def _written(self, number: int, kind: str) -> str:
        kept = self._kept(number)
        return json_of([kept]) if kind == "json" else records_of([kept])

    def _kept(self, number: int) -> KeptGame:
        return self._read(lambda shelf: shelf.game(number))

    def _read(self, work: Callable[[Shelf], _T], patience_s: float = _PATIENCE_S) -> _T:
        if self._archive is None:
            raise RequestError(Message("refused.nothing-kept"))
        try:
            return self._archive.read(work).result(patience_s)
        except TimeoutError as error:
            raise StoreError(Message("refused.disk-silent")) from error


def position_after(game: Game, turns: int) -> Result:
    """How `game` stood after so many of its turns; raises RequestError where it has fewer."""
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


def _over_before_the_last(shelf: Shelf) -> Result | None:
    last = shelf.last()
    found = shelf.summaries(before=None if last is None else last.row, most=1, over=True)
    return found[0].as_dict() if found else None


def _number(request: Mapping[str, Any], key: str) -> int:
    number = request[key]
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < _MOST:
        raise RequestError(f'"{key}" must be a whole number, not {number!r}')
    return number


_LOOKS: dict[str, tuple[tuple[str, ...], Callable[[Looking, Mapping[str, int]], Result]]] = {
    "rules": ((), Looking._rules),
    "position": (("after", "game"), Looking._position),
    "games": (("before",), Looking._games),
    "game": (("game",), Looking._stored),
}
