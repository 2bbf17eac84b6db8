"""What set-up says and shows: one sentence, the light, what can be answered.

Rules kept here: a sentence asks for one thing; whatever is asked, there is an answer that goes on; what
is asked for shines alone, what is still to be taken off by name shines faintly, and nothing draws more than
150 mA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from firmware_host.ports import Colour as Light
from hardware.setup_found import Found
from hardware.setup_plan import Move, Plan
from hardware.setup_points import called
from hardware.setup_result import Result

Stage = Literal[
    "resume", "colour", "white", "dark", "clear", "learn", "find", "sure", "free", "review", "done", "left"
]

BRIGHT: Light = (110, 110, 110)
FAINT: Light = (6, 6, 6)
FELT: Light = (0, 60, 40)
_CHANNEL = 120

COLOURS = ("white", "black")

_NO_LIGHT = (
    "No light: is the strip on 5 V and on the Pi's ground, does the data wire go to DIN (not DOUT), "
    "is SPI switched on?"
)
_HINTS = {
    "put": "Nothing? Turn the piece over, or set it down in the middle of the point; else come back later.",
    "lift": "Nothing? Lift the piece well away from the board; if its sensor is silent, come back later.",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """Something that can be answered: its key (empty: Enter), and what it says."""

    key: str
    label: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """What to show and to say.

    `light` has the colours of the LEDs that shine, of a strip of `leds` that takes its colours in `order`;
    `point` is the point that is spoken of and `known` those that are found. `move` is what hands are asked to
    do at that point, or at the lit one, with a piece of `colour` where that matters.
    """

    stage: Stage
    sentence: str
    notes: tuple[str, ...] = ()
    point: str | None = None
    known: tuple[str, ...] = ()
    light: Mapping[int, Light] = field(default_factory=dict)
    order: str = "GRB"
    leds: int = 24
    answers: tuple[Answer, ...] = ()
    done: int = 0
    of: int = 0
    move: Move | None = None
    colour: str | None = None


_Said = tuple[str, list[Answer]]


@dataclass(frozen=True, slots=True)
class Situation:
    """What a prompt hangs on besides what was found.

    `felt` is what each wire feels, `excused` which of them must first be as they were, `restless` which come
    and go. `trouble` is what keeps the strip dark, `back` whether there is anything to go back to, `hints`
    whether to say what may help, and `result` what follows from all that was found.
    """

    stage: Stage
    felt: Sequence[int] = ()
    excused: Sequence[int] = ()
    restless: Sequence[int] = ()
    notes: Sequence[str] = ()
    trouble: str = ""
    hints: bool = False
    back: bool = False
    linear: bool = False
    result: Result | None = None


def prompt(plan: Plan, found: Found, now: Situation) -> Prompt:
    """What to show and to say of `found`."""
    stage = now.stage
    asks = stage == "find" and not now.excused
    move = plan.move(found, now.felt) if asks else None
    point = _point(plan, found, now)
    sentence, answers = _said(plan, found, now, move, point)
    if now.back and stage not in ("done", "left", "learn"):
        answers.append(Answer("b", "Back"))
    if stage not in ("done", "left"):
        answers.append(Answer("q", "Stop here"))
    done, of = plan.done(found)
    coloured = plan.coloured and move in ("put", "either", "exchange")
    return Prompt(
        stage=stage,
        sentence=sentence,
        notes=tuple(_notes(now, move)),
        point=point,
        known=tuple(seat.point for seat in found.seats if seat.point is not None),
        light=_light(found, now, plan.total(found)),
        order=plan.guess if stage in ("colour", "white") else found.order or plan.guess,
        leds=plan.total(found),
        answers=tuple(answers),
        done=done,
        of=of,
        move=move,
        colour=COLOURS[plan.colour(found)] if coloured else None,
    )


def _said(plan: Plan, found: Found, now: Situation, move: Move | None, point: str | None) -> _Said:
    if move is not None:
        return _asked(plan, found, move, point), list(_answers(plan, found, move))
    match now.stage:
        case "find":
            return _put_right(now), [Answer("", "It cannot be")]
        case "free":
            where = called(point, plan.layout) if point else "a point that is done"
            return f"Take the piece off {where}: it is needed elsewhere.", [Answer("", "None stands there")]
        case "review" | "done" if now.result is not None:
            return _told(now.stage, found, now.result)
    return _OTHERS[now.stage](found, now)


def _notes(now: Situation, move: Move | None) -> Iterator[str]:
    yield from now.notes
    if now.restless:
        count = len(now.restless)
        many = "A sensor comes and goes" if count == 1 else f"{count} sensors come and go"
        yield f"{many} without end: a loose wire, or a weak magnet just at its edge."
    if now.hints and move is not None:
        yield _HINTS["lift" if move == "lift" else "put"]
    if now.result is not None:
        yield from (*now.result.guesses, *now.result.notes)


def _point(plan: Plan, found: Found, now: Situation) -> str | None:
    """The point that is spoken of by name."""
    if now.stage == "free":
        return plan.to_free(found)
    if now.stage not in ("find", "sure") or now.excused:
        return None
    if found.half is not None:
        seat = found.seats[found.half]
        return None if seat.leds and found.lit else seat.point
    subject = plan.subject(found)
    return subject if isinstance(subject, str) else None


def _asked(plan: Plan, found: Found, move: Move, point: str | None) -> str:
    where = "the lit point" if point is None else called(point, plan.layout)
    comma = "" if point is None else ","
    kind = f"{COLOURS[plan.colour(found)]} " if plan.coloured else ""
    match move:
        case "put":
            return f"Put a {kind}piece on {where}."
        case "lift":
            return f"Take the piece off {where}."
        case "either":
            one = f"a {kind}one" if kind else "one"
            return f"Take the piece off {where}{comma} or put {one} there if none stands."
        case "exchange":
            other = COLOURS[1 - plan.colour(found)]
            return f"Exchange the {other} piece on {where}{comma} for a {kind}one."


def _answers(plan: Plan, found: Found, move: Move) -> Iterator[Answer]:
    kind = f"{COLOURS[plan.colour(found)]} " if plan.coloured else ""
    if move == "lift":
        yield Answer("", "None stands there")
    else:
        yield Answer("n", f"No {kind}piece is left")
    if found.side == "light" and found.half is None:
        if found.last is not None and found.seats[found.last].leds:
            yield Answer("s", "The same point as before")
        yield Answer("d", "I see no light")
    if move != "lift":
        yield Answer("l", "Nothing answers: later")


def _put_right(now: Situation) -> str:
    if all(now.felt[wire] for wire in now.excused):
        return "Take off what you set down last."
    if not any(now.felt[wire] for wire in now.excused):
        return "Set down again what you lifted last, where it stood."
    return "Put the pieces back as they stood before."


def _resume(found: Found, _now: Situation) -> _Said:
    known = sum(seat.point is not None for seat in found.seats)
    lights = sum(len(seat.leds) for seat in found.seats)
    sentence = f"An earlier set-up found {lights} lights and {known} points. Go on with it?"
    return sentence, [Answer("", "Go on"), Answer("n", "Begin anew")]


def _colour(_found: Found, _now: Situation) -> _Said:
    sentence = "Some lights shine, all in one colour: which do you see?"
    colours = [Answer("g", "Green"), Answer("r", "Red"), Answer("w", "White"), Answer("u", "Blue")]
    return sentence, [*colours, Answer("n", "No light at all")]


def _white(_found: Found, _now: Situation) -> _Said:
    sentence = "And which colour do you see now?"
    return sentence, [Answer("g", "Green"), Answer("r", "Red"), Answer("n", "No light at all")]


def _dark(_found: Found, now: Situation) -> _Said:
    sentence = f"There is no light: {now.trouble}." if now.trouble else _NO_LIGHT
    return sentence, [Answer("", "Try again"), Answer("w", "Go on without lights")]


def _clear(found: Found, now: Situation) -> _Said:
    known = found.expected() | {*found.stuck}
    strange = sum(bool(level) and wire not in known for wire, level in enumerate(now.felt))
    if now.linear and not now.felt:
        return "Take all pieces off the board, then go on.", [Answer("", "The board is empty")]
    sentence = "Take all pieces off the board."
    if found.seats:
        sentence = "Take off the pieces that were set down meanwhile."
    if not strange:
        return sentence, []
    label = "No piece stands there: it is stuck" if strange == 1 else "None stands there: they are stuck"
    return f"{sentence} {strange} {'is' if strange == 1 else 'are'} felt.", [Answer("", label)]


def _learn(_found: Found, _now: Situation) -> _Said:
    return "One moment: the sensors are read at rest.", []


def _sure(found: Found, _now: Situation) -> _Said:
    where = "the lit point" if found.side == "light" else found.points[0]
    sentence = f"You lifted the piece that you set down last: is that {where}, or do you take it back?"
    return sentence, [Answer("", f"It is {where}"), Answer("t", "I take it back")]


def _left(_found: Found, _now: Situation) -> _Said:
    return "What was found is kept: start set-up again to go on.", []


_OTHERS: Mapping[Stage, Callable[[Found, Situation], _Said]] = {
    "resume": _resume,
    "colour": _colour,
    "white": _white,
    "dark": _dark,
    "clear": _clear,
    "learn": _learn,
    "sure": _sure,
    "left": _left,
}


def _told(stage: Stage, found: Found, result: Result) -> _Said:
    if stage == "done":
        return "Set-up is done.", []
    if result.guesses:
        sentence = (
            "Not all could be found. Set down a piece to see its light; then try again, or save all the same."
        )
        return sentence, [Answer("a", "Try again"), Answer("", "Save all the same")]
    shows = "Set down pieces to see their lights, and save" if found.lit else "Save"
    return f"All points are found. {shows}.", [Answer("", "Save")]


def _light(found: Found, now: Situation, leds: int) -> dict[int, Light]:
    if not found.lit:
        return {}
    if now.stage == "colour":
        # The fourth byte of each twelve: of every fourth LED the first colour, or of every third its white.
        return dict.fromkeys(range(1, leds, 4), (0, _CHANNEL, 0))
    if now.stage == "white":
        return dict.fromkeys(range(0, leds, 4), (_CHANNEL, 0, 0))
    if now.stage in ("find", "sure") and not now.excused:
        if found.half is not None:
            return dict.fromkeys(found.seats[found.half].leds, BRIGHT)
        if found.side == "light":
            return {found.leds[0]: BRIGHT}
        waiting = [seat for seat in found.seats if seat.stands is not None and seat.point is None]
        return {led: FAINT for seat in waiting for led in seat.leds}
    if now.stage == "review" and now.felt:
        here = [seat for seat in found.seats if any(w is not None and now.felt[w] for w in seat.wires)]
        return {led: FELT for seat in here for led in seat.leds}
    return {}
