"""Requests of a button or a page to a game, as the objects of the headless board: `{"do": "take-back"}`.

Invariants: a request is done completely or not at all; an error says what is wrong with it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeAlias

from firmware_host.decoding import Members, Must, decode, is_object, is_text
from firmware_host.errors import NotationError, RequestError
from firmware_host.games.game import Outcome, Player, Rules, declared_end
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.play.asking.options import NETWORK, PHONE, SET_UP, TOUCH_QUESTIONS, WORKSHOPS
from firmware_host.play.controller import Controller
from firmware_host.play.hint_light import kind_now
from firmware_host.play.other_board import QUESTIONS as ROOM_QUESTIONS
from firmware_host.play.other_board import STAGES, STATUSES, TOUCHES, FarStatus, RoomReport
from firmware_host.play.seats import PlayerNames, SeatHolder, is_names
from firmware_host.play.session import next_rules
from firmware_host.play.speech import QUESTIONS
from firmware_host.settings import (
    EXTERNAL,
    FAR,
    LEAVE,
    MAX_PLAYER_NAME,
    MEET,
    PHRASES,
    PREFERENCES,
    SAY_PHRASE,
    SEAT_NAMES,
    WISHES,
)

Request = Mapping[str, Any]

_PLAYERS = {str(player): player for player in Player}

_RuleSet: TypeAlias = Annotated[str | None, Must("the name of a rule set", is_text)]
_Switches: TypeAlias = Annotated[
    Mapping[str, Any] | None, Must('an object of switches, such as {"captures": "one"}', is_object)
]
_Player: TypeAlias = Annotated[
    Player | None,
    Must('"white" or "black"', lambda name: name in (None, *_PLAYERS), _PLAYERS.get, quotes=True),
]
_Seat: TypeAlias = Annotated[
    SeatHolder | None,
    Must(
        f'"here", "{SEAT_NAMES[1]}" to "{SEAT_NAMES[-2]}", "{EXTERNAL}" or "{FAR}"',
        lambda name: name is None or name in (*SEAT_NAMES, FAR),
        lambda name: None if name is None else SeatHolder.named(name),
        quotes=True,
    ),
]
_Names: TypeAlias = Annotated[
    Mapping[str, str] | None,
    Must(
        f'an object of names, such as {{"white": "Anna"}}, of {MAX_PLAYER_NAME} characters at most',
        lambda names: names is None or is_names(names),
    ),
]
_Choice: TypeAlias = Annotated[
    str | None, Must('the text of a turn, such as "d6-d5xa1"', lambda turn: turn is None or is_text(turn))
]
_Turn: TypeAlias = Annotated[str, Must('the text of a turn, such as "d6-d5"', is_text)]
_Clock: TypeAlias = Annotated[str | None, Must('a time control, such as "5+3"', is_text)]
_Position: TypeAlias = Annotated[
    str | None, Must("the text of a position", lambda text: text is None or is_text(text))
]
_OnOff: TypeAlias = Annotated[bool, Must("true or false", lambda value: isinstance(value, bool))]
_MAX_TIMES = 9
_Times: TypeAlias = Annotated[
    int,
    Must(f"a number from 2 to {_MAX_TIMES}", lambda n: type(n) is int and 2 <= n <= _MAX_TIMES),
]
_Why: TypeAlias = Annotated[str | None, Must("a text", lambda text: text is None or is_text(text))]
_MaybePoint: TypeAlias = Annotated[
    str | None,
    Must('the name of a point, such as "d6", or null', lambda name: name is None or is_text(name)),
]
_MAX_CLIENT = 40
_Client: TypeAlias = Annotated[
    str | None,
    Must(
        f"the name of a client, of at most {_MAX_CLIENT} characters, or null",
        lambda name: name is None or (is_text(name) and len(name) <= _MAX_CLIENT),
    ),
]
_Question: TypeAlias = Annotated[str, Must(f"one of {', '.join(QUESTIONS)}", lambda what: what in QUESTIONS)]
_BY_HAND = (*WORKSHOPS, NETWORK)
_ByHand: TypeAlias = Annotated[
    str, Must(f"one of {', '.join(_BY_HAND)}", lambda kind: kind in _BY_HAND, quotes=True)
]
_Point: TypeAlias = Annotated[str, Must('the name of a point, such as "d6"', is_text)]


def perform(controller: Controller, request: Request) -> None:
    """Do what `request` asks for, so that the next frame's light answers it.

    An open ask closes, unless the request is about it or changes only settings. Raises RequestError (or
    NotationError, of a rule set) if it is not possible.
    """
    carry_out(controller, request)
    if request.get("do") not in _WITHIN_ASK:
        controller.asks.close()


def carry_out(controller: Controller, request: Request) -> None:
    """Do what `request` asks for, as `perform` does, and leave an ask open in which it was chosen."""
    name = request.get("do")
    action = _REQUESTS.get(name) if isinstance(name, str) else None
    if action is None:
        raise RequestError(f"cannot do {name!r}; known are {', '.join(sorted(_REQUESTS))}")
    members = {key: value for key, value in request.items() if key != "do"}
    if name not in _OF_SWITCHING_OFF:
        controller.off.stay()
    action(controller, **decode(action, members, str(name), RequestError))
    if name not in _OF_COMPANIONS:
        controller.rest.on_use(controller.now)
    controller.refresh()


def _new_game(
    controller: Controller,
    *,
    rules: _RuleSet = None,
    set_: _Switches = None,
    white: _Seat = None,
    black: _Seat = None,
    names: _Names = None,
    clock: _Clock = None,
) -> None:
    preferences = None if clock is None else controller.preferences.with_set({"clock": clock})
    wanted = _rules_of(controller, rules, set_)
    controller.controls.new_game(wanted, _taken(white, black), _called(controller, names))
    if preferences is not None:
        controller.prefer(preferences)


def _set_up(
    controller: Controller,
    *,
    position: _Position = None,
    rules: _RuleSet = None,
    set_: _Switches = None,
) -> None:
    """Begin in a position, or without one have hands set it up."""
    wanted = _rules_of(controller, rules, set_)
    if position is None:
        controller.asks.require_light()
        controller.controls.new_game(wanted)
        controller.asks.set_up(controller.now)
        return
    try:
        start = wanted.position(position)
    except NotationError as error:
        raise RequestError(str(error), Message("refused.position", {"text": str(error)})) from error
    controller.controls.new_game(wanted, at=start)
    controller.asks.close()


def _rules_of(controller: Controller, name: str | None, switches: Mapping[str, Any] | None) -> Rules:
    """Return the rules that a request names; those of the next game if it names none."""
    own = next_rules(controller.session)
    if name is None and not switches:
        return own
    settings = [f"{switch}={_switch_text(value)}" for switch, value in (switches or {}).items()]
    return rule_set(own.name if name is None else name, settings)


def _seats(controller: Controller, *, white: _Seat = None, black: _Seat = None) -> None:
    if white is None and black is None:
        raise RequestError('"seats" needs a side, such as {"do": "seats", "black": "engine:4"}')
    controller.controls.take_seats(_taken(white, black))


def _name_players(controller: Controller, *, names: _Names) -> None:
    called = _called(controller, names)
    if called is None:
        raise RequestError('"names" needs a name, such as {"do": "names", "names": {"white": "Anna"}}')
    controller.session.sides.call(called)


def _called(controller: Controller, names: Mapping[str, str] | None) -> PlayerNames | None:
    """Return the present names with those that a request changes; None if it changes none."""
    return replace(controller.session.sides.names, **names) if names else None


def _taken(white: SeatHolder | None, black: SeatHolder | None) -> dict[Player, SeatHolder]:
    """Return the seats that a request names, by their sides."""
    sides = {Player.WHITE: white, Player.BLACK: black}
    return {player: seat for player, seat in sides.items() if seat is not None}


def _switch_text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _resign(controller: Controller, *, player: _Player = None) -> None:
    controller.controls.resign(player)


def _choose(controller: Controller, *, turn: _Choice = None) -> None:
    controller.controls.choose(turn)


def _confirm(controller: Controller, *, turn: _Turn) -> None:
    controller.controls.confirm(turn)


def _mask(controller: Controller, *, point: _Point) -> None:
    controller.controls.mask(point)


def _unmask(controller: Controller, *, point: _Point) -> None:
    controller.controls.unmask(point)


def _ask(controller: Controller) -> None:
    controller.asks.open(controller.now)


def _answer(controller: Controller, *, point: _Point) -> None:
    for request in controller.asks.touch(point, controller.now):
        carry_out(controller, request)


def _off(controller: Controller) -> None:
    controller.asks.close()
    controller.off.begin_countdown(controller.now)


def _stay(controller: Controller, *, why: _Why = None) -> None:
    reason = None if why is None else Message("fault.care.refused", {"why": why})
    controller.off.stay(reason)


def _wifi(controller: Controller, *, on: _OnOff = True) -> None:
    """Take the companion's report; one that it is open wakes the board, to show it."""
    controller.wifi.report(is_open=on)
    if on:
        controller.rest.on_use(controller.now)


def _result(controller: Controller, *, winner: _Player = None) -> None:
    controller.controls.name_result(winner)


def _take_touch(controller: Controller, purpose: str) -> None:
    asking = controller.asks.asking
    is_asking = asking is not None and asking.question in TOUCH_QUESTIONS
    controller.asks.touch_search.take(purpose, is_asking=is_asking)


def _phone(controller: Controller, *, times: _Times = 2, first: _OnOff = False) -> None:
    """Look for whoever sits at the board with a phone, which shows the number of touches.

    It is the `first` if no device is paired yet.
    """
    controller.asks.find_somebody(controller.now, times=times, is_first=first)


def _workshop(controller: Controller, *, kind: _ByHand = SET_UP) -> None:
    controller.asks.find_somebody(controller.now, kind)


def _hint(controller: Controller, *, on: _OnOff = True) -> None:
    if on:
        # After an answer by touch, the ask has only just closed.
        controller.hints.kind = kind_now(controller.session, controller.preferences.effective)
        controller.hints.ask()
    else:
        controller.hints.dismiss()


def _tell(controller: Controller, *, what: _Question, point: _MaybePoint = None, to: _Client = None) -> None:
    controller.speech.ask(what, controller.session.game.rules.layout, point, to)


def _speaker(controller: Controller, *, on: _OnOff = True) -> None:
    controller.sounds.lend_speaker(controller.now, is_there=on)


def _set(controller: Controller, **values: Annotated[object, Members(PREFERENCES)]) -> None:
    if not values:
        raise RequestError(f'"set" needs something to set, of {", ".join(PREFERENCES)}')
    controller.prefer(controller.preferences.with_set(values))


# ---- another board --------------------------------------------------------------------------------------
# Requests about another board: what a link reports of it, and what players here want of the link.

_ALL_WISHES = (*WISHES, MEET, SAY_PHRASE, LEAVE)

_FarStatus: TypeAlias = Annotated[
    FarStatus | None,
    Must(f"one of {', '.join(STATUSES)}", lambda name: name in (None, *STATUSES), STATUSES.get),
]
_Texts: TypeAlias = Annotated[
    list[str] | None, Must("a list of texts", lambda texts: texts is None or _are_texts(texts))
]
_FarEnd: TypeAlias = Annotated[
    Outcome | None,
    Must(
        'an end that players declare, such as {"reason": "resigned", "winner": "white"}',
        lambda end: end is None or declared_end(end) is not None,
        declared_end,
    ),
]
_RoomStage: TypeAlias = Annotated[
    str | None, Must(f"one of {', '.join(STAGES)}, or null", lambda name: name in (None, *STAGES))
]
_RoomQuestion: TypeAlias = Annotated[
    str | None,
    Must(f"one of {', '.join(ROOM_QUESTIONS)}, or null", lambda name: name in (None, *ROOM_QUESTIONS)),
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
_NumberedPhrase: TypeAlias = Annotated[
    tuple[int, str] | None,
    Must(
        'a phrase with its number, such as {"number": 1, "phrase": "thanks"}',
        lambda value: value is None or _is_phrase(value),
        lambda value: None if value is None else (value["number"], value["phrase"]),
    ),
]
_Wish: TypeAlias = Annotated[str, Must(f"one of {', '.join(_ALL_WISHES)}", lambda name: name in _ALL_WISHES)]
_Phrase: TypeAlias = Annotated[
    str | None, Must(f"one of {', '.join(PHRASES)}", lambda name: name in (None, *PHRASES))
]


def _far(
    controller: Controller,
    *,
    status: _FarStatus = None,
    points: _Texts = None,
    turns: _Texts = None,
    undo: _OnOff = False,
    end: _FarEnd = None,
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


def _room(
    controller: Controller,
    *,
    stage: _RoomStage,
    question: _RoomQuestion = None,
    may_claim: _OnOff = False,
    done: _Number = 0,
    refused: _Words = None,
    trouble: _Words = None,
    message: _NumberedPhrase = None,
) -> None:
    """Take over what a link reports of its room; without a stage, it has none any more."""
    found = None if stage is None else RoomReport(stage, question, may_claim, done, refused, trouble, message)
    controller.controls.far.room.report = found


def _wish(controller: Controller, *, wish: _Wish, points: _Texts = None, phrase: _Phrase = None) -> None:
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


# ---- all requests ---------------------------------------------------------------------------------------

_REQUESTS: Mapping[str, Callable[..., None]] = {
    "new-game": _new_game,
    "set-up": _set_up,
    "take-back": lambda controller: controller.controls.take_back(),
    "redo": lambda controller: controller.controls.redo(),
    "undo": lambda controller: controller.controls.undo_end(),
    "decline": lambda controller: controller.controls.decline(),
    "resign": _resign,
    "seats": _seats,
    "names": _name_players,
    "far": _far,
    "room": _room,
    "wish": _wish,
    "draw": lambda controller: controller.controls.agree_draw(),
    "pause": lambda controller: controller.controls.pause(),
    "resume": lambda controller: controller.controls.resume(),
    "choose": _choose,
    "hint": _hint,
    "mask": _mask,
    "unmask": _unmask,
    "confirm": _confirm,
    "set": _set,
    "ask": _ask,
    "answer": _answer,
    "result": _result,
    "off": _off,
    "stay": _stay,
    "wifi": _wifi,
    "lesson": lambda controller: controller.lesson.begin_lesson(),
    "puzzle": lambda controller: controller.puzzles.begin_next(),
    "phone": _phone,
    "take-phone": lambda controller: _take_touch(controller, PHONE),
    "take-network": lambda controller: _take_touch(controller, NETWORK),
    "workshop": _workshop,
    "speaker": _speaker,
    "tell": _tell,
}
_OF_COMPANIONS = ("speaker", "room", "wifi", "take-phone", "take-network")
"""The requests that nobody at the board makes, which wake and stop nothing."""
_OF_SWITCHING_OFF = ("off", "stay", "phone", *_OF_COMPANIONS)
"""The requests that leave a countdown alone, or stop it themselves."""
_WITHIN_ASK = (
    *(
        "ask",
        "answer",
        "result",
        "choose",
        "set",
        "set-up",
        "phone",
        "workshop",
        "far",
        "wish",
        "tell",
    ),
    *_OF_COMPANIONS,
)
"""The requests that leave an ask open, or see to it themselves."""
