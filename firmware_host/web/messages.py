"""What the board and its page say to each other, as JSON objects; protocol.schema.json has every one.

Rules kept here: what the page sends may be anything, and is answered with what is wrong with it; numbers
that JSON cannot have (NaN, infinity) are refused before anything else sees them; a change and what it
changes give all that was to be told.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, NoReturn

from firmware_host import __version__
from firmware_host.errors import NOT_UNDERSTOOD, RequestError
from firmware_host.games.game import Piece
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message

MESSAGE_BYTES = 4096
"""What one request may have at most."""

PageMessage = Mapping[str, Any]
"""Something to be sent to pages: `type` says what it is. Whoever made it does not change it any more."""

WHOLE = ("snapshot", "setup")
"""The types of messages that say everything; what changes of them later is told as a `change`."""

WATCHED = "sensors"
"""The type of messages that only pages get which asked to watch."""

_IN_PARTS = ("state", "table")
"""Members whose own members are told one by one where they change."""


def welcome(*, may_play: bool, code: bool) -> PageMessage:
    """What one page is told before all else: whether it may play, and whether a code would let it."""
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
    """All that a page shows: the board that is drawn, its state, and where pieces lie.

    `state` is the headless board's state object with `sentence`, `said`, `in_hand` (kind: count), `turns`,
    `faults` (texts) and `faults_said` added; `kinds` is what the pieces of each kind are like, and `table`
    what README.md describes, or None where nobody but the sensors knows where pieces are. `rule_sets` are the
    names a new game can be asked for; `simulated` is what can be broken, and is, if the board is simulated.
    """
    return {
        "type": "snapshot",
        "layout": drawn(layout),
        "kinds": kinds,
        "state": state,
        "table": table,
        "rule_sets": rule_sets,
        "simulated": simulated,
    }


def set_up(
    layout: Layout,
    said: PageMessage,
    *,
    table: PageMessage | None,
    kinds: PageMessage,
    leds: Mapping[str, str],
) -> PageMessage:
    """All that a page shows of a set-up: the board that is drawn, and what is `said`, as README.md has it.

    `table` and `leds` are where pieces are and what shines, and `kinds` what the pieces are like, as the
    simulation knows.
    """
    return {"type": "setup", "layout": drawn(layout), "kinds": kinds, **said, "table": table, "leds": leds}


def leds(colours: Mapping[str, str]) -> PageMessage:
    """Only the light has changed: the lit points with their colours, `#rrggbb`."""
    return {"type": "leds", "leds": colours}


def lying(table: PageMessage) -> PageMessage:
    """Only pieces have moved: `table` as in a snapshot."""
    return {"type": "table", "table": table}


def felt(
    *,
    raw: Mapping[str, int],
    believed: Mapping[str, int],
    shown: Mapping[str, list[str]],
    masked: list[str],
    flickers: Mapping[str, int],
    levels: Mapping[str, int],
    leds: Mapping[str, str],
) -> PageMessage:
    """What the sensors say, for pages that watch; by points, and only those that have anything to tell.

    `raw` are the readings of the last frame, `believed` those that lasted; `shown` has the pieces of readings
    that tell them, the lowest first. `masked` are the points that are not believed at all. `flickers` counts
    readings that did not last, `levels` are those of linear sensors, and `leds` the colours that were sent.
    """
    return {
        "type": WATCHED,
        "raw": raw,
        "believed": believed,
        "shown": shown,
        "masked": masked,
        "flickers": flickers,
        "levels": levels,
        "leds": leds,
    }


def leader(by: str | None) -> PageMessage:
    """Which page leads through the lesson, to one page: `this`, `another` or, None, none."""
    return {"type": "leader", "by": by}


def amended(whole: PageMessage, part: PageMessage) -> PageMessage:
    """`whole` with what `part` tells: other light, or where pieces lie."""
    if part["type"] == "table":
        return {**whole, "table": part["table"]}
    if "state" in whole:
        return {**whole, "state": {**whole["state"], "leds": part["leds"]}}
    return {**whole, "leds": part["leds"]}


def difference(old: PageMessage, new: PageMessage) -> dict[str, Any] | None:
    """The members of `new` that differ from those of `old`, two whole messages.

    None where they have not the same members, so that a difference cannot tell it.
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
    """The change number `seq`, which builds on the message before it."""
    return {"type": "change", "seq": seq, "after": seq - 1, **differ}


def reply(
    request_id: int | None,
    error: str | None = None,
    *,
    said: Message | None = None,
    result: object = None,
) -> PageMessage:
    """The answer to one request: done, with the `result` that was asked for, or what was wrong with it.

    `said` is the error in no language; without it, it is one in what was written, not in what was asked for.
    """
    if error is None:
        told: dict[str, Any] = {"ok": True} if result is None else {"ok": True, "result": result}
    else:
        told = {"error": error, "said": (said or NOT_UNDERSTOOD).as_dict()}
    return {"type": "reply", "id": request_id, **told}


def as_text(message: PageMessage) -> str:
    """The message as it is sent."""
    return json.dumps(message, separators=(",", ":"), allow_nan=False)


def parse_request(text: str) -> dict[str, Any]:
    """The object that a page sent; raises RequestError if it is none."""
    try:
        request = json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise RequestError(f"this is not JSON that can be read: {error}") from error
    if not isinstance(request, dict):
        raise RequestError('a request must be an object, such as {"id": 1, "lift": "d6"}')
    return request


def take_id(request: dict[str, Any]) -> int:
    """Take the request's number out of it; raises RequestError if it has none."""
    request_id = request.pop("id", None)
    if not isinstance(request_id, int) or isinstance(request_id, bool):
        raise RequestError('a request must have a whole number as its "id", which the reply repeats')
    return request_id


def drawn(layout: Layout) -> PageMessage:
    """The board that a page draws: its name, where its points lie, and which lines join them."""
    return {
        "name": layout.name,
        "points": {point.name: [point.x, point.y] for point in layout.points},
        "lines": [[point.name for point in line] for line in layout.lines],
    }


def alike(pieces: Iterable[Piece]) -> PageMessage:
    """What pieces of each kind are like: whose they are, their form, and whether others may stand on them."""
    return {
        str(piece): {"player": str(piece.owner), "form": piece.kind or "disc", "flat": piece.flat}
        for piece in pieces
    }


def _no_number(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


def _finite(text: str) -> float:
    number = float(text)
    if number in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is too great")
    return number
