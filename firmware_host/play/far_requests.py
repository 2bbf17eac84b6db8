"""Requests about another board: what a link reports of it, and what players here want of the link.

Invariants: as for all requests.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from firmware_host.decoding import Must, is_object, is_text
from firmware_host.errors import RequestError
from firmware_host.games.game import Outcome, declared_end
from firmware_host.play.controller import Controller
from firmware_host.play.other_board import QUESTIONS, STAGES, STATUSES, TOUCHES, FarStatus, RoomReport
from firmware_host.settings import LEAVE, MEET, PHRASES, SAY_PHRASE, WISHES

_ALL_WISHES = (*WISHES, MEET, SAY_PHRASE, LEAVE)

_Status: TypeAlias = Annotated[
    FarStatus | None,
    Must(f"one of {', '.join(STATUSES)}", lambda name: name in (None, *STATUSES), STATUSES.get),
]
_Texts: TypeAlias = Annotated[
    list[str] | None, Must("a list of texts", lambda texts: texts is None or _are_texts(texts))
]
_End: TypeAlias = Annotated[
    Outcome | None,
    Must(
        'an end that players declare, such as {"reason": "resigned", "winner": "white"}',
        lambda end: end is None or declared_end(end) is not None,
        declared_end,
    ),
]
_Stage: TypeAlias = Annotated[
    str | None, Must(f"one of {', '.join(STAGES)}, or null", lambda name: name in (None, *STAGES))
]
_Question: TypeAlias = Annotated[
    str | None, Must(f"one of {', '.join(QUESTIONS)}, or null", lambda name: name in (None, *QUESTIONS))
]
_Number: TypeAlias = Annotated[int, Must("a whole number", lambda n: _is_count(n))]
_Mark: TypeAlias = Annotated[
    int | None,
    Must("a whole number above 0", lambda n: n is None or (_is_count(n) and n > 0)),
]
_Words: TypeAlias = Annotated[
    Mapping[str, Any] | None,
    Must("a message with key and slots", lambda value: value is None or _is_message(value)),
]
_Message: TypeAlias = Annotated[
    tuple[int, str] | None,
    Must(
        'a phrase with its number, such as {"number": 1, "phrase": "thanks"}',
        lambda value: value is None or _is_phrase(value),
        lambda value: None if value is None else (value["number"], value["phrase"]),
    ),
]
_OnOff: TypeAlias = Annotated[bool, Must("true or false", lambda value: isinstance(value, bool))]
_Wish: TypeAlias = Annotated[str, Must(f"one of {', '.join(_ALL_WISHES)}", lambda name: name in _ALL_WISHES)]
_Phrase: TypeAlias = Annotated[
    str | None, Must(f"one of {', '.join(PHRASES)}", lambda name: name in (None, *PHRASES))
]


def report(
    controller: Controller,
    *,
    status: _Status = None,
    points: _Texts = None,
    turns: _Texts = None,
    undo: _OnOff = False,
    end: _End = None,
    led: _Mark = None,
) -> None:
    """Take over what a link reports of the other board, and the game on which both agree.

    With `undo` an end that players here declared is undone for the `turns`. The state that shows the mark
    `led` also shows all that was asked for before. Raises RequestError for the first of these that isn't
    possible now.
    """
    far = controller.controls.far
    if (status, turns, end, led) == (None, None, None, None):
        raise RequestError(
            '"far" needs a status, turns, an end or a mark, as {"do": "far", "status": "sent"}'
        )
    if turns is not None and points:
        raise RequestError('"far" takes either "turns" or "points"')
    if turns is not None:
        far.lead_to(turns, undoes_end=undo)
    if end is not None:
        far.end(end)
    if status is not None:
        far.report(status, points or ())
    if led is not None:
        far.led = led


def report_room(
    controller: Controller,
    *,
    stage: _Stage,
    question: _Question = None,
    may_claim: _OnOff = False,
    done: _Number = 0,
    refused: _Words = None,
    trouble: _Words = None,
    message: _Message = None,
) -> None:
    """Take over what a link reports of its room; without a stage, it has none any more."""
    found = None if stage is None else RoomReport(stage, question, may_claim, done, refused, trouble, message)
    controller.controls.far.room.report = found


def wish(controller: Controller, *, wish: _Wish, points: _Texts = None, phrase: _Phrase = None) -> None:
    """Pass a wish on to the link; raise RequestError without one, or if it isn't whole."""
    known = controller.session.game.rules.layout.by_name
    if wish == MEET and not (points and len(points) == TOUCHES and all(name in known for name in points)):
        raise RequestError(f'"meet" needs the {TOUCHES} "points" that were touched')
    if (wish == SAY_PHRASE) is (phrase is None) or (points and wish != MEET):
        raise RequestError('"phrase" is for "say" and "points" are for "meet"')
    controller.controls.far.room.wish(wish, points=points or (), phrase=phrase or "")


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(map(is_text, value))


def _is_phrase(value: Any) -> bool:
    is_named = is_object(value) and value.keys() == {"number", "phrase"} and value["phrase"] in PHRASES
    return is_named and isinstance(value["number"], int)


def _is_message(value: Any) -> bool:
    is_named = is_object(value) and value.keys() == {"key", "slots"} and is_text(value["key"])
    return is_named and is_object(value["slots"])
