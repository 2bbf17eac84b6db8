"""Reviews written and read: as objects for files and pages, and as notes, which are comments of a record.

**Invariants:** what is read back equals what was written. A review that doesn't fit its game is refused as a
whole: it has all turns, and each better turn can be played and is better, or may be.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from firmware_host.engine.review import (
    MAX_ESTIMATE,
    WORTH,
    BetterTurn,
    FinishedTurn,
    LikelyTurn,
    Review,
    ReviewedTurn,
    finished_turns,
)
from firmware_host.errors import MillwrightError, NotationError
from firmware_host.games.game import Game
from firmware_host.games.values import UNKNOWN, Result, Value

MAX_DISTANCE = 9_999
_NOTE = re.compile(
    r"before=(?P<before>\S+) after=(?P<after>\S+) estimate=(?P<estimate>-?[0-9]{1,4})"
    r"(?: better=(?P<turn>[^\s:]+):(?P<value>\S+))?"
    r"(?: likely=(?P<likely>[^\s:]+):(?P<guess>-?[0-9]{1,4}))?"
    r"(?P<only> only)?"
)
_VALUE = re.compile(r"(?P<result>win|draw|loss|unknown)(?::(?P<distance>[0-9]{1,4}))?")
_COMMENT = re.compile(r"\[%millwright ([^\]]*)\]")


def value_object(value: Value) -> dict[str, Any]:
    """Return a value as an object."""
    return {"result": str(value.result), "distance": value.distance}


def review_objects(review: Review) -> list[dict[str, Any]]:
    """Return the public form of a review, which `review_of_objects` reads."""
    return [_object(one) for one in review]


def _object(one: ReviewedTurn) -> dict[str, Any]:
    better, likely = one.better, one.likely
    return {
        "turn": one.turn,
        "player": str(one.player),
        "before": value_object(one.before),
        "after": value_object(one.after),
        "estimate": one.estimate,
        "better": None if better is None else {"turn": better.turn, **value_object(better.value)},
        "likely": None if likely is None else {"turn": likely.turn, "estimate": likely.estimate},
        "only": one.is_only,
    }


def review_of_objects(game: Game, described: Any) -> Review:
    """Return the review of `game` in its public form. Raise NotationError if it isn't one of this game."""
    turns = finished_turns(game)
    if not isinstance(described, list) or len(described) != len(turns):
        raise NotationError(f"an analysis of this game is a list of {len(turns)} turns")
    try:
        return tuple(_of_object(game, at, one) for at, one in zip(turns, described, strict=True))
    except NotationError:
        raise
    except (LookupError, TypeError, ValueError) as error:
        raise NotationError(f"the analysis of a turn cannot be read: {error!r}") from error


def _of_object(game: Game, at: FinishedTurn, one: Mapping[str, Any]) -> ReviewedTurn:
    better, likely = one["better"], one.get("likely")  # which older versions don't know
    if one["turn"] != at[1]:
        raise ValueError(f"the turn is {at[1]}")
    return _checked(
        game,
        at,
        before=_value_of(one["before"]),
        after=_value_of(one["after"]),
        estimate=_estimate_of(one),
        better=None if better is None else BetterTurn(str(better["turn"]), _value_of(better)),
        likely=None if likely is None else LikelyTurn(str(likely["turn"]), _estimate_of(likely)),
        is_only=one.get("only", False) is True,
    )


def _estimate_of(described: Mapping[str, Any]) -> int:
    estimate = described["estimate"]
    if not _is_number(estimate) or abs(estimate) > MAX_ESTIMATE:
        raise ValueError(f"{estimate!r} is not an estimate")
    return int(estimate)


def _value_of(described: Mapping[str, Any]) -> Value:
    result, distance = Result(described["result"]), described["distance"]
    if distance is not None and not (_is_number(distance) and 0 <= distance <= MAX_DISTANCE):
        raise ValueError(f"{distance!r} is not a number of turns")
    return _proved(result, distance)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _proved(result: Result, distance: int | None) -> Value:
    return UNKNOWN if result is Result.UNKNOWN else Value(result, distance, exact=True)


def _checked(
    game: Game,
    at: FinishedTurn,
    *,
    before: Value,
    after: Value,
    estimate: int,
    better: BetterTurn | None,
    likely: LikelyTurn | None,
    is_only: bool,
) -> ReviewedTurn:
    """Return the turn `at` its place; raise NotationError if its values contradict each other or the game."""
    ply, turn = at
    mover = game.positions[ply].to_move
    one = ReviewedTurn(ply, mover, turn, before, after, estimate, better, likely, is_only)
    if better is not None:
        if not one.after.exact or WORTH.get(better.value.result, 0) <= WORTH[one.after.result]:
            raise NotationError(f"{better.turn[:40]!r} is not better than {one.turn}")
        _check_playable(game, one.ply, better.turn)
    if likely is not None:
        if better is not None or one.after.result in (Result.WIN, Result.DRAW):
            raise NotationError(f"{likely.turn[:40]!r} is not needed beside what is proved of {one.turn}")
        _check_playable(game, one.ply, likely.turn)
    if one.is_only and (better is not None or likely is not None or not one.after.exact):
        raise NotationError(f"{one.turn} is not the only good turn")
    return one


def _check_playable(game: Game, ply: int, turn: str) -> None:
    position = game.positions[ply]
    try:
        for step in game.rules.parse_turn(turn):
            position = position.play(position.legal_step(step.text))
    except MillwrightError as error:
        raise NotationError(f"{turn[:40]!r} could not be played: {error}") from error


# ---- notes and comments --------------------------------------------------------------------------------


def note_of(one: ReviewedTurn) -> str:
    """Return the values of a turn as one line of words, which `reviewed_turn` reads."""
    words = f"before={_text(one.before)} after={_text(one.after)} estimate={one.estimate}"
    if one.better is not None:
        words += f" better={one.better.turn.replace(' ', '_')}:{_text(one.better.value)}"
    if one.likely is not None:
        words += f" likely={one.likely.turn.replace(' ', '_')}:{one.likely.estimate}"
    return f"{words} only" if one.is_only else words


def _text(value: Value) -> str:
    return str(value.result) if value.distance is None else f"{value.result}:{value.distance}"


def reviewed_turn(game: Game, at: FinishedTurn, note: str) -> ReviewedTurn:
    """Return the turn of `game` at `at`, one of its `finished_turns`, with the values of a `note`.

    Raises NotationError if the note doesn't fit.
    """
    found = _NOTE.fullmatch(" ".join(note.split()))
    if found is None:
        raise NotationError(f"{note[:80]!r} is not the analysis of a turn")
    better, likely = found["turn"], found["likely"]
    return _checked(
        game,
        at,
        before=_parsed(found["before"]),
        after=_parsed(found["after"]),
        estimate=int(found["estimate"]),
        better=None if better is None else BetterTurn(better.replace("_", " "), _parsed(found["value"])),
        likely=None if likely is None else LikelyTurn(likely.replace("_", " "), int(found["guess"])),
        is_only=found["only"] is not None,
    )


def _parsed(text: str) -> Value:
    found = _VALUE.fullmatch(text)
    if found is None:
        raise NotationError(f"{text[:40]!r} is not a value")
    distance = found["distance"]
    return _proved(Result(found["result"]), None if distance is None else int(distance))


def comments_of(review: Review) -> dict[int, str]:
    """Return a comment for each turn of a record, by its index.

    It has the values, and in words what the turn gave away.
    """
    return {index: _comment(one) for index, one in enumerate(review)}


def _comment(one: ReviewedTurn) -> str:
    note = f"[%millwright {note_of(one)}]"
    if one.better is None:
        return note
    what = "win" if one.better.value.result is Result.WIN else "draw"
    return f"{note} Gave a {what} away: {one.better.turn}."


def review_of_comments(game: Game, comments: Mapping[int, str]) -> Review | None:
    """Return the review in the comments of a record; None unless each turn has one that fits."""
    turns = finished_turns(game)
    found = [_COMMENT.search(comments.get(index, "")) for index in range(len(turns))]
    notes = [one[1] for one in found if one is not None]
    if not notes or len(notes) < len(found):
        return None
    try:
        return tuple(reviewed_turn(game, at, note) for at, note in zip(turns, notes, strict=True))
    except NotationError:
        return None  # somebody has changed the comments, and the game is good without them
