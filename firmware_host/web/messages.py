"""The messages between the board and its pages, as JSON objects; protocol.schema.json describes them all.

Invariants: a page may send anything, and gets an error that says what is wrong with it; numbers that JSON
does not have (NaN, infinity) are rejected before anything else sees them; a change, applied to the message
that it builds on, gives the complete new message.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NoReturn

from firmware_host import __version__
from firmware_host.errors import NOT_UNDERSTOOD, RequestError
from firmware_host.games.drawn import drawn_layout
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message

PageMessage = Mapping[str, Any]
"""A message to pages, named by its `type`; it is never modified once it is made."""

COMPLETE_TYPES = ("snapshot", "setup")
"""The types of complete messages; later differences from them are sent as a `change`."""

WATCHED_TYPE = "sensors"
"""The type of messages for pages that asked to watch the sensors."""

_IN_PARTS = ("state", "table")
"""The members of which a change has only the members that differ."""


def welcome(*, may_play: bool, code: bool) -> PageMessage:
    """Return the first message to a page: whether it may play, and whether a code would let it."""
    return {"type": "welcome", "version": __version__, "may_play": may_play, "code": code}


def snapshot(
    layout: Layout,
    state: PageMessage,
    *,
    table: PageMessage | None,
    rule_sets: list[str],
    kinds: PageMessage,
    simulated: PageMessage | None = None,
) -> PageMessage:
    """Return the complete message: the board to draw, its state, and the positions of the pieces.

    `state` is the public form of a PageState, and `kinds` the `kinds_of` of the pieces. README.md describes
    `table`; it is None on a real board, where only the sensors know about the pieces. `rule_sets` are the
    names of the rule sets that a new game can have; `simulated` has the faults of a simulated board.
    """
    return {
        "type": "snapshot",
        "layout": drawn_layout(layout),
        "kinds": kinds,
        "state": state,
        "table": table,
        "rule_sets": rule_sets,
        "simulated": simulated,
    }


def setup_prompt(
    layout: Layout,
    texts: PageMessage,
    table: PageMessage | None = None,
    kinds: PageMessage | None = None,
    leds: Mapping[str, str] | None = None,
) -> PageMessage:
    """Return the complete message of a set-up: the board to draw, and the `texts` of its prompt (README.md).

    `table`, `kinds` and `leds` are the positions of the pieces, what they are like and the lit points, as a
    simulation knows them.
    """
    return {
        "type": "setup",
        "layout": drawn_layout(layout),
        "kinds": kinds or {},
        **texts,
        "table": table,
        "leds": leds or {},
    }


def leds(colours: Mapping[str, str]) -> PageMessage:
    """Return the message that only the light has changed: the colours of the lit points, as `#rrggbb`."""
    return {"type": "leds", "leds": colours}


def table_moved(table: PageMessage) -> PageMessage:
    """Return the message that only pieces have moved; `table` is that of a snapshot."""
    return {"type": "table", "table": table}


def sensor_readings(
    *,
    raw: Mapping[str, int],
    stable: Mapping[str, int],
    shown: Mapping[str, list[str]],
    masked: list[str],
    glitches: Mapping[str, int],
    levels: Mapping[str, int],
    leds: Mapping[str, str],
) -> PageMessage:
    """Return the readings of the sensors, by points, without those that have nothing to report.

    `raw` are the readings of the last frame, and `stable` the debounced ones; `shown` has the pieces of
    readings that identify them, the lowest first. `masked` are the points whose sensor is ignored. `glitches`
    counts the glitches, `levels` are the values of linear sensors, and `leds` the colours that were sent.
    """
    return {
        "type": WATCHED_TYPE,
        "raw": raw,
        "believed": stable,
        "shown": shown,
        "masked": masked,
        "flickers": glitches,
        "levels": levels,
        "leds": leds,
    }


def lesson_leader(by: str | None) -> PageMessage:
    """Return which page leads through the lesson, for one page: `this`, `another` or None."""
    return {"type": "leader", "by": by}


def room_parts(parts: Mapping[str, Any], *, is_all: bool) -> PageMessage:
    """Return parts that the link shows, for the pages that follow it; None is a part that has gone.

    With `is_all` there are no others.
    """
    return {"type": "parts", "all": is_all, "parts": dict(parts)}


def room_wish(number: int, wish: Mapping[str, Any]) -> PageMessage:
    """Return what a page wants of the link, which answers by this number."""
    return {"type": "wished", "number": number, "wish": dict(wish)}


def apply_part(whole: PageMessage, part: PageMessage) -> PageMessage:
    """Return the complete message `whole` with the light or the table of `part`."""
    if part["type"] == "table":
        return {**whole, "table": part["table"]}
    if "state" in whole:
        return {**whole, "state": {**whole["state"], "leds": part["leds"]}}
    return {**whole, "leds": part["leds"]}


def difference(old: PageMessage, new: PageMessage) -> dict[str, Any] | None:
    """Return the members in which `new` differs from `old`, both complete messages.

    None if they don't have the same members, which a difference can't express.
    """
    if not _alike(old, new):
        return None
    differ: dict[str, Any] = {}
    for key, value in new.items():
        before = old[key]
        if value == before:
            continue
        in_parts = key in _IN_PARTS and _alike(before, value)
        differ[key] = {part: v for part, v in value.items() if before[part] != v} if in_parts else value
    return differ


def _alike(old: Any, new: Any) -> bool:
    return isinstance(old, Mapping) and isinstance(new, Mapping) and old.keys() == new.keys()


def change(seq: int, differ: PageMessage) -> PageMessage:
    """Return the change number `seq`, which builds on the message before it."""
    return {"type": "change", "seq": seq, "after": seq - 1, **differ}


def reply(
    request_id: int | None,
    error: str | None = None,
    *,
    message: Message | None = None,
    result: object = None,
) -> PageMessage:
    """Return the answer to one request: its `result`, if it has one, or its `error`.

    `message` is the error as a message that can be translated; without it the request itself was malformed.
    """
    if error is None:
        answer: dict[str, Any] = {"ok": True} if result is None else {"ok": True, "result": result}
    else:
        answer = {"error": error, "said": (message or NOT_UNDERSTOOD).as_dict()}
    return {"type": "reply", "id": request_id, **answer}


def as_text(message: PageMessage) -> str:
    """Return the message as it is sent."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False)


def parse_request(text: str) -> dict[str, Any]:
    """Return the object that a page sent; raise RequestError if it is not one."""
    try:
        request = json.loads(text, parse_constant=_reject_constant, parse_float=_finite)
        json.dumps(request, ensure_ascii=False).encode()  # an escape may stand for half a character
    except (ValueError, RecursionError) as error:
        raise RequestError(f"this is not valid JSON: {error}") from error
    if not isinstance(request, dict):
        raise RequestError('a request must be an object, such as {"id": 1, "lift": "d6"}')
    return request


def take_id(request: dict[str, Any]) -> int:
    """Remove the request's number and return it; raise RequestError if it has none."""
    request_id = request.pop("id", None)
    if not isinstance(request_id, int) or isinstance(request_id, bool):
        raise RequestError('a request must have a whole number as its "id", which the reply repeats')
    return request_id


def _reject_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is too great")
    return number
