"""Saved games as text that leaves the board, and back: PGN-like records, and JSON with all times.

Invariants: an imported game is replayed by its rules before it is accepted. A record has no times of steps;
they are taken to be the start of the game. An unknown time is 0, and `Date` is the local day. The times of
clocks are a tag here, and comments of the turns in a record; so are other comments. An analysis leaves as
comments or as a list, and is read back only if it fits the game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from firmware_host.engine.review import Review
from firmware_host.engine.review_notes import (
    comments_of,
    review_objects,
    review_of_comments,
    review_of_objects,
)
from firmware_host.errors import IllegalStepError, NotationError, StoreError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.games.record_reader import RecordError, read_records, shortened
from firmware_host.games.records import (
    CLOCK_TIMES_TAG,
    COMMENTS_TAG,
    GameRecord,
    Note,
    clean_tags,
    clock_comments,
    clock_times_of_comments,
    comments_of_text,
    comments_text,
    record_text,
    without_clock_time,
)
from firmware_host.ports import date_of
from firmware_host.store.database import StoredGame
from firmware_host.store.saved_game import SavedGame, SavedStep, UnixMs, game_of, saved_game_of

FORMAT = "millwright games"
_VERSION = 1
_MAX_PLIES = 1 << 31
_OWN_TAGS = ("Date", "UTCDate", "UTCTime")
_DAY = "%Y.%m.%d"
_RESULT_TAG = "[Result "
_FIRST_MS = round(datetime(1800, 1, 1, tzinfo=UTC).timestamp() * 1000)
_LAST_MS = round(datetime(3000, 1, 1, tzinfo=UTC).timestamp() * 1000)


# ---- records ---------------------------------------------------------------------------------------------


def records_of(games: Iterable[StoredGame]) -> str:
    """Return the games as records. Raise StoreError for one that cannot be replayed."""
    return "\n".join(map(_record_text, games))


def _record_text(one: StoredGame) -> str:
    game = game_of(one.saved)
    review = stored_review(one, game)
    tags = dict(_tags(one.saved))
    parts = (
        clock_comments(tags.pop(CLOCK_TIMES_TAG, "")),
        comments_of(review or ()),
        comments_of_text(tags.pop(COMMENTS_TAG, "")),
    )
    comments = {
        turn: " ".join(part[turn] for part in parts if turn in part)
        for turn in sorted(set().union(*parts))
        if turn < len(game.turn_starts)
    }
    return record_text(GameRecord(game, tags, comments))


def stored_review(one: StoredGame, game: Game) -> Review | None:
    """Return the analysis that is kept with a `game`; None if there is none that can be read."""
    try:
        return None if one.analysis is None else review_of_objects(game, json.loads(one.analysis))
    except (ValueError, RecursionError):
        return None  # another version has written it, or a program by somebody else


def analysis_text(review: Review) -> str:
    """Return an analysis as it is kept with a game."""
    return json.dumps(review_objects(review), separators=(",", ":"))


def _tags(saved: SavedGame) -> Mapping[str, str]:
    if not date_of(saved.began_ms):
        return saved.tags
    began = _moment(saved.began_ms)
    return {
        "Date": _local_day(began),
        **saved.tags,
        "UTCDate": began.strftime(_DAY),
        "UTCTime": began.strftime("%H:%M:%S"),
    }


def _local_day(moment: datetime) -> str:
    """Return the day here, as the tag `Date` has it."""
    try:
        return moment.astimezone().strftime(_DAY)
    except (OverflowError, OSError, ValueError):  # at the ends of the calendar
        return moment.strftime(_DAY)


def _games_of_records(text: str, numbering: str | None, notes: list[Note]) -> Iterator[ReadGame]:
    """Yield the games in a text of records, and an error, with its line, in the place of a bad one."""
    for number, record in enumerate(read_records(text, numbering), 1):
        if not isinstance(record, GameRecord):
            yield record
            continue
        review = review_of_comments(record.game, record.comments)
        analysis = None if review is None else analysis_text(review)
        try:
            saved = _saved_of_record(number, record, comments_of(review or ()))
        except NotationError as error:
            yield error
            continue
        notes.extend(record.notes)
        yield StoredGame(number, saved, analysis=analysis)


def _saved_of_record(number: int, record: GameRecord, analysis: Mapping[int, str]) -> SavedGame:
    try:
        began_ms = _time(record.tags)
        tags = {name: value for name, value in clean_tags(record.tags).items() if value.strip("?.")}
    except ValueError as error:
        raise NotationError(f"record {number}: {error}") from error
    if began_ms:  # another day than here is of the place where the game was played
        own = _OWN_TAGS if tags.get("Date") == _local_day(_moment(began_ms)) else _OWN_TAGS[1:]
        tags = {name: value for name, value in tags.items() if name not in own}
    if times := clock_times_of_comments(record.comments, len(record.game.turn_texts())):
        tags[CLOCK_TIMES_TAG] = times
    if comments := _other_comments(record, analysis):
        tags[COMMENTS_TAG] = clean_tags({COMMENTS_TAG: comments})[COMMENTS_TAG]
    return saved_game_of(
        record.game, _steps(record.game, began_ms), began_ms=began_ms, changed_ms=began_ms, tags=tags
    )


def _other_comments(record: GameRecord, analysis: Mapping[int, str]) -> str:
    """Return the comments that are neither times of clocks nor the analysis, as the value of a tag."""
    found = {turn: text.replace(analysis.get(turn, ""), "") for turn, text in record.comments.items()}
    return comments_text({turn: " ".join(without_clock_time(text).split()) for turn, text in found.items()})


def _steps(game: Game, at_ms: UnixMs) -> tuple[SavedStep, ...]:
    return tuple(
        SavedStep(step.text, position.to_move, at_ms)
        for step, position in zip(game.steps, game.positions, strict=False)
    )


def _time(tags: Mapping[str, str]) -> UnixMs:
    """Return the time in the tags, 0 if they have none. Raise ValueError for one that is out of range."""
    try:
        began = datetime.strptime(f"{tags['UTCDate']} {tags['UTCTime']} +0000", "%Y.%m.%d %H:%M:%S %z")
    except (KeyError, ValueError):
        return 0
    return _in_range(began)


def _in_range(moment: datetime) -> UnixMs:
    """Return a time as Unix time. Raise ValueError if no clock and no calendar here would write it."""
    try:
        at_ms = round(moment.timestamp() * 1000)
    except OverflowError as error:  # at the ends of the calendar, with an offset beyond them
        raise ValueError(f"{moment} is not a time from 1800 to 2999") from error
    if not _FIRST_MS <= at_ms < _LAST_MS:
        raise ValueError(f"{moment} is not a time from 1800 to 2999")
    return at_ms


# ---- JSON --------------------------------------------------------------------------------------------------


def json_of(games: Iterable[StoredGame]) -> str:
    """Return the games as JSON, with everything that is stored of them."""
    return json.dumps(
        {"format": FORMAT, "version": _VERSION, "games": [_object(one) for one in games]},
        indent=1,
        ensure_ascii=False,
    )


def _object(kept: StoredGame) -> dict[str, Any]:
    """Return one game as an object; `on_disk` is present only if it is false, `analysis` if there is one."""
    saved = kept.saved
    outcome = saved.outcome
    return {
        "game": kept.row,
        "rules": saved.rules,
        "start": saved.start,
        "first": str(saved.first),
        "began": iso(saved.began_ms),
        "ended": iso(saved.changed_ms) if outcome else None,
        "outcome": outcome and outcome.as_dict(),
        "tags": dict(saved.tags),
        "steps": [_step_object(step) for step in saved.steps],
        "taken_back": [{"ply": ply, **_step_object(step)} for ply, step in kept.taken_back],
        **({} if kept.on_disk else {"on_disk": False}),
        **_analysis_object(kept),
    }


def _analysis_object(kept: StoredGame) -> dict[str, Any]:
    if kept.analysis is None:
        return {}
    try:
        return {"analysis": json.loads(kept.analysis)}
    except (ValueError, RecursionError):
        return {}


def _step_object(step: SavedStep) -> dict[str, Any]:
    return {"text": step.text, "by": str(step.by), "at": iso(step.at_ms)}


def iso(at_ms: UnixMs) -> str | None:
    """Return a time as ISO 8601 in UTC with milliseconds, or None if it is unknown.

    Raises NotationError for one that no calendar here has.
    """
    if not date_of(at_ms):
        return None
    return f"{_moment(at_ms - at_ms % 1000):%Y-%m-%dT%H:%M:%S}.{at_ms % 1000:03d}Z"


def _moment(at_ms: UnixMs) -> datetime:
    try:
        return datetime.fromtimestamp(at_ms / 1000, UTC)
    except (OverflowError, OSError, ValueError) as error:
        raise NotationError(f"{at_ms} ms since 1970 is not a time that can be written") from error


def stored_games_of_json(document: Any) -> list[StoredGame]:
    """Return the games in a JSON document of `json_of`, numbered from 1, without replaying them.

    A board's own games need no check. Raises NotationError, with the number of the game.
    """
    return [_kept_of_object(one, number) for number, one in enumerate(_game_objects(document), start=1)]


def _game_objects(document: Any) -> list[Any]:
    """Return the objects of the games in a JSON document. Raise NotationError if it has another form."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise NotationError(f'this is JSON, but no list of games: its "format" must be "{FORMAT}"')
    if document.get("version") != _VERSION:
        raise NotationError(
            f"games of version {document.get('version')!r} cannot be read, only of {_VERSION}"
        )
    games = document.get("games")
    if not isinstance(games, list):
        raise NotationError('"games" must be a list')
    return games


def _kept_of_object(one: Any, number: int) -> StoredGame:
    try:
        began_ms = _ms(one["began"])
        steps = tuple(map(_step_of_object, one["steps"]))
        taken_back = tuple(
            (_ply(undone["ply"]), _step_of_object(undone)) for undone in one.get("taken_back", ())
        )
        saved = SavedGame(
            rules=str(one["rules"]),
            start=str(one["start"]),
            first=Player(one["first"]),
            began_ms=began_ms,
            changed_ms=_ms(one["ended"]) or (steps[-1].at_ms if steps else began_ms),
            steps=steps,
            outcome=_outcome(one["outcome"]),
            tags={name: _tag_value(value) for name, value in one.get("tags", {}).items()},
        )
        analysis = one.get("analysis")
        return StoredGame(
            number,
            saved,
            taken_back,
            on_disk=one.get("on_disk") is not False,
            analysis=None if analysis is None else json.dumps(analysis),
        )
    except KeyError as error:
        raise NotationError(f'game {number} of the list has no "{error.args[0]}"') from error
    except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
        why = error if isinstance(error, ValueError) else "it has another form than exported games"
        raise NotationError(f"game {number} of the list cannot be read: {why}") from error


def _checked(kept: StoredGame) -> StoredGame:
    """Return the game. Raise NotationError if its rules do not allow it."""
    try:
        game = game_of(kept.saved)
        saved = replace(kept.saved, tags=clean_tags(kept.saved.tags))
    except (StoreError, NotationError) as error:
        raise NotationError(f"game {kept.row} of the list: {error}") from error
    for ply, (step, position) in enumerate(zip(kept.saved.steps, game.positions, strict=False)):
        if step.by is not position.to_move:
            raise NotationError(f"game {kept.row} of the list: step {ply} ({step.text}) is not {step.by}'s")
    review = stored_review(kept, game)
    return replace(kept, saved=saved, analysis=None if review is None else analysis_text(review))


def _step_of_object(described: Any) -> SavedStep:
    text = described["text"]
    if not isinstance(text, str) or not text.isprintable() or not text or " " in text:
        raise ValueError(f"{text!r} is not a step")
    return SavedStep(text, Player(described["by"]), _ms(described["at"]))


def _tag_value(text: Any) -> str:
    if not isinstance(text, str):
        raise ValueError(f"{text!r} is not the text of a tag")
    return text


def _ply(number: Any) -> int:
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number <= _MAX_PLIES:
        raise ValueError(f"{number!r} is not a number of steps")
    return number


def _outcome(described: Any) -> Outcome | None:
    if described is None:
        return None
    winner = described["winner"]
    return Outcome(Reason(described["reason"]), None if winner is None else Player(winner))


def _ms(text: Any) -> UnixMs:
    if text is None:
        return 0
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(f"{text} does not say of which time zone it is; write Z at its end for UTC")
    return _in_range(moment)


ReadGame = StoredGame | RecordError
"""A game that was read, or the error in the place of one that cannot be read or played."""


@frozen(slots=False)
class GamesText:
    """The games in a text, numbered from 1, each replayed when it is taken from `games`."""

    expected: int
    """About the number of games."""
    games: Iterator[ReadGame]
    notes: list[Note]
    """The choices made in reading the games that were taken so far."""


def parse_games(text: str, numbering: str | None = None) -> GamesText:
    """Return the games in a text of either format.

    `numbering` names the way in which records number points, if they do; None finds it out. Only JSON has the
    steps that were taken back; they are not replayed, since the steps that led to them may be gone. Raises
    NotationError for JSON that is not a list of games.
    """
    notes: list[Note] = []
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        if _JSON_OBJECT.match(text):
            at = f"line {error.lineno}: " if isinstance(error, json.JSONDecodeError) else ""
            raise NotationError(f"{at}this begins as JSON, but is damaged or cut off") from error
        return GamesText(text.count(_RESULT_TAG), _games_of_records(text, numbering, notes), notes)
    objects = _game_objects(document)
    return GamesText(len(objects), map(_read_object, objects, range(1, len(objects) + 1)), notes)


_JSON_OBJECT = re.compile(r'\s*\{\s*"\w+"\s*:')


def _read_object(one: Any, number: int) -> ReadGame:
    try:
        return _checked(_kept_of_object(one, number))
    except (NotationError, IllegalStepError) as error:
        return shortened(error)


def games_of(text: str) -> Sequence[StoredGame]:
    """Return the games in a text of either format. Raise the first error, and what `parse_games` raises."""
    found: list[StoredGame] = []
    for one in parse_games(text).games:
        if not isinstance(one, StoredGame):
            raise one
        found.append(one)
    return found
