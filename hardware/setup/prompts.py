"""What set-up says and shows: one sentence, the light, what can be answered; as values, in no language.

Rules kept here: a sentence asks for one thing; whatever is asked, there is an answer that goes on; what
is asked for shines alone, what is still to be taken off by name shines faintly, and nothing draws more than
150 mA.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from firmware_host.i18n import Message
from firmware_host.ports import Colour as Light
from hardware.setup.calibration import left_to_measure
from hardware.setup.plan import Move, Plan
from hardware.setup.point_names import called
from hardware.setup.progress import Found
from hardware.setup.result import Result

Stage = Literal[
    "resume",
    "colour",
    "white",
    "dark",
    "clear",
    "learn",
    "find",
    "sure",
    "free",
    "measure",
    "review",
    "done",
    "left",
]

BRIGHT: Light = (110, 110, 110)
FAINT: Light = (6, 6, 6)
FELT: Light = (0, 60, 40)
_CHANNEL = 120

COLOURS = ("white", "black")


@dataclass(frozen=True, slots=True)
class Answer:
    """Something that can be answered: its key (empty: Enter), and what it says."""

    key: str
    label: Message


STOP = Answer("q", Message("setup.stop"))
TRY_AGAIN = Message("page.try-again")
LEFT = Message("setup.left")
"""What there is to be said once a maker has stopped."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """What to show and to say.

    `light` has the colours of the LEDs that shine, of a strip of `leds` that takes its colours in `order`;
    `point` is the point that is spoken of and `known` those that are found. `move` is what hands are asked to
    do at that point, or at the lit one, with a piece of `colour` where that matters.
    """

    stage: Stage
    sentence: Message
    notes: tuple[Message, ...] = ()
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


_Asked = tuple[Message, list[Answer]]


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
    notes: Sequence[Message] = ()
    trouble: Message | str = ""
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
        answers.append(Answer("b", Message("setup.back")))
    if stage not in ("done", "left"):
        answers.append(STOP)
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


def _said(plan: Plan, found: Found, now: Situation, move: Move | None, point: str | None) -> _Asked:
    if move is not None:
        return _asked(plan, found, move, point), list(_answers(plan, found, move))
    match now.stage:
        case "find":
            return _put_right(now), [Answer("", Message("setup.cannot-be"))]
        case "free":
            place = called(point, plan.layout) if point else Message("setup.place.done")
            return Message("setup.free", {"place": place}), [Answer("", Message("setup.none-stands"))]
        case "measure":
            return _measured(plan, found, point)
        case "review" | "done" if now.result is not None:
            return _told(now.stage, found, now.result)
    return _OTHERS[now.stage](found, now)


def _notes(now: Situation, move: Move | None) -> Iterator[Message]:
    yield from now.notes
    if now.restless:
        count = len(now.restless)
        yield (
            Message("setup.restless.one") if count == 1 else Message("setup.restless.many", {"count": count})
        )
    if now.hints and move is not None:
        yield Message("setup.hint.lift") if move == "lift" else Message("setup.hint.put")
    if now.result is not None:
        yield from (*now.result.guesses, *now.result.notes)


def _point(plan: Plan, found: Found, now: Situation) -> str | None:
    """The point that is spoken of by name."""
    if now.stage == "free":
        return plan.to_free(found)
    if now.stage == "measure" and found.scale is not None:
        return found.seats[found.scale].point
    if now.stage not in ("find", "sure") or now.excused:
        return None
    if found.half is not None:
        seat = found.seats[found.half]
        return None if seat.leds and found.lit else seat.point
    subject = plan.subject(found)
    return subject if isinstance(subject, str) else None


def _asked(plan: Plan, found: Found, move: Move, point: str | None) -> Message:
    piece, colour = _piece(plan, found), COLOURS[plan.colour(found)]
    lifted = piece if plan.kinds else "any"
    if point is None:
        match move:
            case "put":
                return Message(f"setup.put.{piece}.lit")
            case "lift":
                return Message(f"setup.lift.{lifted}.lit")
            case "either":
                return Message(f"setup.either.{piece}.lit")
            case "exchange":
                return Message(f"setup.exchange.{colour}.lit")
    slots = {"place": called(point, plan.layout)}
    match move:
        case "put":
            return Message(f"setup.put.{piece}.at", slots)
        case "lift":
            return Message(f"setup.lift.{lifted}.at", slots)
        case "either":
            return Message(f"setup.either.{piece}.at", slots)
        case "exchange":
            return Message(f"setup.exchange.{colour}.at", slots)


def _measured(plan: Plan, found: Found, point: str | None) -> _Asked:
    """Ask for the next kind of piece at the place where they are measured; at the end, for an empty place."""
    place = called(point, plan.layout) if point else Message("setup.place.done")
    asked = left_to_measure(found, plan.kinds)
    if asked is None:
        return Message("setup.lift.any.at", {"place": place}), [Answer("", Message("setup.none-stands"))]
    return Message(f"setup.measure.{asked}", {"place": place}), [Answer("l", Message("setup.measure.skip"))]


def _piece(plan: Plan, found: Found) -> str:
    """Which piece is asked for, as keys have it."""
    if plan.kinds:
        return plan.kinds[0].rpartition("-")[2]
    return COLOURS[plan.colour(found)] if plan.coloured else "any"


def _answers(plan: Plan, found: Found, move: Move) -> Iterator[Answer]:
    piece = _piece(plan, found)
    if move == "lift":
        yield Answer("", Message("setup.none-stands"))
    else:
        yield Answer("n", Message(f"setup.none-left.{piece}"))
    if found.side == "light" and found.half is None:
        if found.last is not None and found.seats[found.last].leds:
            yield Answer("s", Message("setup.same-point"))
        yield Answer("d", Message("setup.no-light-seen"))
    if move != "lift":
        yield Answer("l", Message("setup.later"))


def _put_right(now: Situation) -> Message:
    if all(now.felt[wire] for wire in now.excused):
        return Message("setup.undo.set-down")
    if not any(now.felt[wire] for wire in now.excused):
        return Message("setup.undo.lifted")
    return Message("setup.undo.both")


def _resume(found: Found, _now: Situation) -> _Asked:
    known = sum(seat.point is not None for seat in found.seats)
    lights = sum(len(seat.leds) for seat in found.seats)
    sentence = Message("setup.resume", {"lights": lights, "count": known})
    return sentence, [Answer("", Message("setup.go-on")), Answer("n", Message("setup.anew"))]


_GREEN, _RED = Answer("g", Message("setup.green")), Answer("r", Message("setup.red"))
_WHITE, _BLUE = Answer("w", Message("setup.white")), Answer("u", Message("setup.blue"))
_NO_LIGHT = Answer("n", Message("setup.no-light"))


def _colour(_found: Found, _now: Situation) -> _Asked:
    return Message("setup.which-colour"), [_GREEN, _RED, _WHITE, _BLUE, _NO_LIGHT]


def _white(_found: Found, _now: Situation) -> _Asked:
    return Message("setup.colour-now"), [_GREEN, _RED, _NO_LIGHT]


def _dark(_found: Found, now: Situation) -> _Asked:
    sentence = Message("setup.dark.why", {"text": now.trouble}) if now.trouble else Message("setup.dark")
    return sentence, [Answer("", TRY_AGAIN), Answer("w", Message("setup.without-lights"))]


def _clear(found: Found, now: Situation) -> _Asked:
    known = found.expected() | {*found.stuck}
    strange = sum(bool(level) and wire not in known for wire, level in enumerate(now.felt))
    if now.linear and not now.felt:
        return Message("setup.clear.first"), [Answer("", Message("setup.board-empty"))]
    if not strange:
        return Message("setup.clear.meanwhile") if found.seats else Message("setup.clear"), []
    if strange == 1:
        sentence = Message("setup.clear.meanwhile.one") if found.seats else Message("setup.clear.one")
        return sentence, [Answer("", Message("setup.stuck.one"))]
    slots = {"count": strange}
    sentence = (
        Message("setup.clear.meanwhile.many", slots) if found.seats else Message("setup.clear.many", slots)
    )
    return sentence, [Answer("", Message("setup.stuck.many"))]


def _learn(_found: Found, _now: Situation) -> _Asked:
    return Message("setup.learn"), []


def _sure(found: Found, _now: Situation) -> _Asked:
    back = Answer("t", Message("setup.take-back"))
    if found.side == "light":
        return Message("setup.sure.lit"), [Answer("", Message("setup.it-is.lit")), back]
    slots = {"points": (found.points[0],)}
    return Message("setup.sure.at", slots), [Answer("", Message("setup.it-is.at", slots)), back]


def _left(_found: Found, _now: Situation) -> _Asked:
    return LEFT, []


_OTHERS: Mapping[Stage, Callable[[Found, Situation], _Asked]] = {
    "resume": _resume,
    "colour": _colour,
    "white": _white,
    "dark": _dark,
    "clear": _clear,
    "learn": _learn,
    "sure": _sure,
    "left": _left,
}


def _told(stage: Stage, found: Found, result: Result) -> _Asked:
    if stage == "done":
        return Message("setup.done"), []
    if result.guesses:
        return Message("setup.review.guesses"), [
            Answer("a", TRY_AGAIN),
            Answer("", Message("setup.save-all-the-same")),
        ]
    sentence = Message("setup.review.lit") if found.lit else Message("setup.review")
    return sentence, [Answer("", Message("setup.save"))]


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
    if now.stage == "measure" and found.scale is not None:
        return dict.fromkeys(found.seats[found.scale].leds, BRIGHT)
    if now.stage == "review" and now.felt:
        here = [seat for seat in found.seats if any(w is not None and now.felt[w] for w in seat.wires)]
        return {led: FELT for seat in here for led in seat.leds}
    return {}
