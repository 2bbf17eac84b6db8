"""Queries of pages, which leave the board alone: the rules, past positions, and the stored games.

Queries are answered in a thread of their own, from values that never change and from the stored games, which
another thread reads. The analysis of a game is begun and ended here as well, but computed elsewhere.

Invariants: a query changes nothing; queries are answered one at a time, so that many pages cost no more than
one; only numbers and names from lists are taken from a page, never a path.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeAlias, TypeVar

from firmware_host.decoding import Must, decode, is_number, is_text
from firmware_host.engine.review import Review, finished_turns
from firmware_host.errors import IllegalStepError, NotationError, RequestError, StoreError
from firmware_host.games.drawn import drawn_layout, end_of, kinds_of, position_after
from firmware_host.games.game import Game, Player, Position
from firmware_host.games.options import choices, texts_of
from firmware_host.games.record_reader import iterate_records
from firmware_host.games.records import GameRecord, short_record
from firmware_host.games.rulesets import FAMILIES, RULE_SETS, parse_rules
from firmware_host.games.values import proved
from firmware_host.i18n import Message
from firmware_host.play.seats import is_names
from firmware_host.store.archive import Archive
from firmware_host.store.changes import GameChanges
from firmware_host.store.database import StoredGame
from firmware_host.store.exchange import analysis_text, json_of, records_of, stored_review
from firmware_host.store.saved_game import SavedGame, game_of
from firmware_host.views.analysis import NOT_BEGUN, GameAnalyst, Progress, analysis_result
from firmware_host.web.qr import qr_path

if TYPE_CHECKING:  # most boards open no tables
    from firmware_host.engine.solving.promise import Promise
    from firmware_host.engine.tables import Tables


# ---- what the board knows -------------------------------------------------------------------------------
# The knowledge of the board, for pages: as whom its highest level can't lose, and how positions end.
#
# Tables of solved positions are opened when somebody asks for the first time, which takes modules that most
# boards never need.


class Strength:
    """Answers the query `strength`; only one thread may use it."""

    def __init__(self) -> None:
        self._promise: Promise | None = None

    def result(self, game: Game, rules: str | None) -> dict[str, Any]:
        """Return the players who cannot lose `game` from here on, or a new game by `rules`.

        Raises NotationError if there are no such rules.
        """
        if self._promise is None:
            from firmware_host.engine.solving.promise import Promise

            self._promise = Promise()
        if rules is None:
            players = self._promise.players(game)
        else:
            players = list(Player) if self._promise.from_the_start(parse_rules(rules)) else []
        return {"cannot_lose": [str(player) for player in players]}


class PositionValues:
    """Answers the query `values`, from the shipped tables and a short search; only one thread may use it."""

    def __init__(self) -> None:
        self._tables: Tables | None = None

    def result(self, position: Position) -> dict[str, Any]:
        """Return how a position ends by best play, seen by the player to move, and so each step."""
        from firmware_host.engine.analysis import position_value, quick_values

        if self._tables is None:
            from firmware_host.engine.solving.folder import shipped_tables

            self._tables = shipped_tables()
        found = quick_values(position, self._tables)
        value, steps = position_value(found), dict[str, str]()
        for one in found:  # the best turn first
            steps.setdefault(position.rules.parse_turn(one.turn)[0].text, str(proved(one.value)))
        best = found[0].turn if found and value.exact else None
        return {"result": str(proved(value)), "distance": value.distance, "best": best, "steps": steps}


# ---- queries --------------------------------------------------------------------------------------------


_T = TypeVar("_T")
Result = dict[str, Any]

MAX_GAMES = 50
"""The number of games in one list."""
MAX_CODE = 400
"""The number of characters in one QR code."""
MAX_STEPS = 400
"""The number of steps in one side line."""
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
_MaybeText: TypeAlias = Annotated[str | None, Must("the record of a game, as text", is_text)]
_MaybeRules: TypeAlias = Annotated[str | None, Must("the rules of a game, as text", is_text)]
_Steps: TypeAlias = Annotated[
    Sequence[str],
    Must(
        "a list of at most 400 steps",
        lambda value: isinstance(value, list) and len(value) <= MAX_STEPS and all(map(is_text, value)),
    ),
]
_CodeText: TypeAlias = Annotated[
    str,
    Must("a text of 1 to 400 characters", lambda text: isinstance(text, str) and 0 < len(text) <= MAX_CODE),
]
_Names: TypeAlias = Annotated[Mapping[str, str] | None, Must("the names of players", is_names)]
_Switch: TypeAlias = Annotated[bool, Must("true or false", lambda value: isinstance(value, bool))]


class StoredGames(Protocol):
    """The stored games, and those that are about to be stored."""

    @property
    def path(self) -> Path:
        """The file that they are stored in."""

    def read(self, work: Callable[[Archive], _T]) -> Future[_T]:
        """Have `work` done with them between two writes, and return its result as a future."""

    def keep_analysis(self, one: StoredGame, analysis: str) -> Future[bool]:
        """Have the `analysis` of a game kept, unless its steps have changed in the meantime."""


class QueryService:
    """Answers the queries of pages; its methods may be called from any thread."""

    def __init__(
        self,
        game: Callable[[], Game],
        archive: StoredGames | None = None,
        analyst: GameAnalyst | None = None,
    ) -> None:
        """Answer from the accepted `game` on the board, and from the stored games of `archive`.

        `analyst` looks back on games; without one, nothing can be analysed.
        """
        self._game = game
        self._archive = archive
        self._changes = GameChanges(self.path)
        self._analyst = analyst
        self._replayed: tuple[SavedGame, Game] | None = None
        self._last_shared: tuple[str, GameRecord] | None = None
        self._strength = Strength()
        self._values_of = PositionValues()
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="queries")

    def submit(self, request: Mapping[str, Any]) -> Future[Result]:
        """Have `request` answered; the future ends with the result, or with a MillwrightError."""
        return self._thread.submit(self._analyse if "analyse" in request else self._answer, request)

    @property
    def path(self) -> Path | None:
        """The file that games are stored in; None if they are not stored."""
        return None if self._archive is None else self._archive.path

    @property
    def changes(self) -> GameChanges:
        """The service that adds, deletes and puts back stored games."""
        return self._changes

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
        """Answer and change nothing more."""
        self._changes.close()
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _answer(self, request: Mapping[str, Any]) -> Result:
        name = request.get("ask")
        query = _QUERIES.get(name) if isinstance(name, str) else None
        if query is None:
            raise RequestError(f"cannot ask for {name!r}; known are {', '.join(sorted(_QUERIES))}")
        members = {key: value for key, value in request.items() if key != "ask"}
        return query(self, **decode(query, members, str(name), RequestError))

    # ---- the queries ------------------------------------------------------------------------------------

    def _position(self, *, after: _Number, game: _MaybeNumber = None, record: _MaybeText = None) -> Result:
        return position_after(self._looked_at(game, record), after)

    def _looked_at(self, number: int | None, record: str | None) -> Game:
        """Return the game on the board, a stored one, or that of a record."""
        if record is not None:
            return self._shared(record).game
        return self._game() if number is None else self._replay(number)

    def _games(self, *, before: _MaybeNumber = None) -> Result:
        found = self._read(lambda archive: archive.summaries(before=before, most=MAX_GAMES + 1))
        return {"games": [one.as_dict() for one in found[:MAX_GAMES]], "more": len(found) > MAX_GAMES}

    def _whole(self, *, game: _MaybeNumber = None, record: _MaybeText = None) -> Result:
        if (game is None) is (record is None):
            raise RequestError('"game" needs the number of a saved game, or a "record"')
        whole = self._shared(record) if game is None else self._stored(game)
        played, rules = whole.game, whole.game.rules
        return {
            "rules": rules.describe(),
            "layout": drawn_layout(rules.layout),
            "kinds": kinds_of(rules.box),
            "turns": list(played.turn_texts()),
            "players": {player: whole.tags.get(player.capitalize(), "") for player in map(str, Player)},
            "outcome": played.outcome and played.outcome.as_dict(),
        }

    def _record(self, *, game: _MaybeNumber = None, names: _Names = None) -> Result:
        if game is not None:
            return {"record": short_record(self._stored(game))}
        tags = {player.capitalize(): name for player, name in (names or {}).items() if name}
        return {"record": short_record(GameRecord(self._game(), tags))}

    def _shared(self, text: str | None) -> GameRecord:
        """Return the game of a record that somebody has shared. Raise RequestError if it is damaged."""
        if self._last_shared is None or self._last_shared[0] != text:
            try:
                record = next(iterate_records(text or ""))
            except (NotationError, IllegalStepError, StopIteration) as error:
                raise RequestError(Message("refused.damaged")) from error
            if record.notes:  # such as a missing result: boards share records that leave no choice
                raise RequestError(Message("refused.damaged"))
            self._last_shared = text or "", record
        return self._last_shared[1]

    def _stored(self, number: int) -> GameRecord:
        return GameRecord(self._replay(number), self._kept(number).saved.tags)

    def _analysis(self, *, game: _MaybeNumber = None) -> Result:
        played, stored = self._analysed(game)
        progress = NOT_BEGUN if self._analyst is None else self._analyst.progress(played)
        if progress.review is None and not progress.is_running and stored is not None:
            review = stored_review(stored, played)
            progress = progress if review is None else Progress(len(review), is_running=False, review=review)
        return analysis_result(played, progress)

    # ---- the analysis of a game -------------------------------------------------------------------------

    def _analyse(self, request: Mapping[str, Any]) -> Result:
        return self._begin_or_end(**decode(QueryService._begin_or_end, request, "analyse", RequestError))

    def _begin_or_end(self, *, analyse: _Switch, game: _MaybeNumber = None) -> Result:
        if self._analyst is None:
            raise RequestError(Message("refused.no-analysis"))
        played, stored = self._analysed(game)
        if analyse and finished_turns(played):
            self._analyst.begin(played, partial(_keep, self._archive, stored))
        elif not analyse:
            self._analyst.end(played)
        return self._analysis(game=game)

    def _analysed(self, number: int | None) -> tuple[Game, StoredGame | None]:
        """Return a stored game, or the one on the board, which is stored as the last if it is stored."""
        if number is not None:
            kept = self._kept(number)
            return self._replayed_game(kept.saved), kept
        game = self._game()
        try:
            last = None if self._archive is None else self._read(lambda archive: archive.last())
        except StoreError:
            last = None  # the board plays on without its disk, and so can people look back
        return game, last if last is not None and _is_state(last.saved, game) else None

    # ---- the stored games -------------------------------------------------------------------------------

    def _replay(self, number: int) -> Game:
        return self._replayed_game(self._kept(number).saved)

    def _replayed_game(self, saved: SavedGame) -> Game:
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


def _keep(archive: StoredGames | None, stored: StoredGame | None, review: Review) -> None:
    """Have a review kept with its game, if that is stored."""
    if stored is not None and archive is not None:
        archive.keep_analysis(stored, analysis_text(review))


def _is_state(saved: SavedGame, game: Game) -> bool:
    """Return whether `saved` is what is saved of `game` as it is."""
    same = saved.rules == game.rules.describe() and saved.start == str(game.positions[0])
    return same and [step.text for step in saved.steps] == [step.text for step in game.steps]


def _side_line(game: Game, after: int, steps: Sequence[str]) -> Game:
    """Return a game after some of its turns and these `steps`, which nobody has played on the board."""
    line = game.back_to(end_of(game, after))
    for text in steps:
        try:
            line = line.play(line.position.legal_step(text))
        except (NotationError, IllegalStepError) as error:
            raise RequestError(Message("refused.not-legal", {"turn": text})) from error
    return line


def _over_before_the_last(archive: Archive) -> Result | None:
    last = archive.last()
    found = archive.summaries(before=None if last is None else last.row, most=1, over=True)
    return found[0].as_dict() if found else None


def _rules(_service: QueryService) -> Result:
    return {
        "switches": choices(*FAMILIES),
        "rule_sets": {name: texts_of(own) for name, own in RULE_SETS.items()},
    }


def _line(
    service: QueryService,
    *,
    after: _Number,
    steps: _Steps,
    game: _MaybeNumber = None,
    record: _MaybeText = None,
) -> Result:
    played = service._looked_at(game, record)
    line = _side_line(played, after, steps)
    turns = line.turn_texts()
    return {
        **(position_after(line, len(turns)) if steps else position_after(played, after)),
        "line": list(turns[after:]),
        "steps": [step.text for step in line.position.legal_steps()],
        "position": str(line.position),
        "outcome": line.outcome and line.outcome.as_dict(),
    }


def _values(
    service: QueryService,
    *,
    after: _Number,
    steps: _Steps,
    game: _MaybeNumber = None,
    record: _MaybeText = None,
) -> Result:
    return service._values_of.result(_side_line(service._looked_at(game, record), after, steps).position)


def _statistics(service: QueryService) -> Result:
    return {"rule_sets": [one.as_dict() for one in service._read(lambda archive: archive.statistics())]}


def _qr(_service: QueryService, *, text: _CodeText) -> Result:
    path, size = qr_path(text)
    return {"path": path, "size": size}


def _strength(service: QueryService, *, rules: _MaybeRules = None) -> Result:
    return service._strength.result(service._game(), rules)


_QUERIES: Mapping[str, Callable[..., Result]] = {
    "rules": _rules,
    "position": QueryService._position,
    "line": _line,
    "values": _values,
    "analysis": QueryService._analysis,
    "games": QueryService._games,
    "game": QueryService._whole,
    "record": QueryService._record,
    "statistics": _statistics,
    "strength": _strength,
    "qr": _qr,
}
