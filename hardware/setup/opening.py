"""The stages before the first place is looked for: an earlier set-up, the strip's colours, an empty board.

Invariants: a board without light can be set up; a sensor that is on while the board is empty can be left out.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.i18n import Message
from hardware.colour_order import (
    BLUE,
    GREEN,
    NOTHING,
    OTHER,
    RED,
    WHITE,
    ColourLook,
    looks_by,
    next_look,
    possible_orders,
)
from hardware.setup.agenda import begin
from hardware.setup.level_watch import Change
from hardware.setup.progress import SetupFindings
from hardware.setup.prompts import TRY_AGAIN, Answer, Light, StageName
from hardware.setup.stage import Stage, StageQuestion
from hardware.setup.state import SetupState

_LEVEL = 120
"""The brightness of one colour of an LED whose order of colours is looked for."""

_BLOCK = 12
"""The bytes that are lit in a row: after them, LEDs of three and of four colours begin together."""

_MAX_BLOCKS = 4
"""The most blocks that are lit, spread over the strip, so that a long one stays within the current."""

_SEEN = {
    "r": (RED, Message("setup.red")),
    "g": (GREEN, Message("setup.green")),
    "u": (BLUE, Message("setup.blue")),
    "w": (WHITE, Message("setup.white")),
    "s": (OTHER, Message("setup.something-else")),
    "n": (NOTHING, Message("setup.no-light")),
}
"""The answers to a look at the strip, by their keys."""


def _after_light(found: SetupFindings) -> StageName:
    """Return the stage that follows once light is known to work, or is done without."""
    return "colour" if found.order is None and found.lit else "clear"


class ResumeStage(Stage):
    """The choice between going on with an earlier set-up and starting again."""

    name = "resume"

    def question(self, state: SetupState) -> StageQuestion:
        """Ask with how much is known already."""
        seats = state.found.seats
        known = sum(seat.point is not None for seat in seats)
        lights = sum(len(seat.leds) for seat in seats)
        sentence = Message("setup.resume", {"lights": lights, "count": known})
        return StageQuestion(
            sentence, [Answer("", Message("setup.go-on")), Answer("n", Message("setup.anew"))]
        )

    def answer(self, state: SetupState, key: str) -> SetupState:
        """Go on, or forget the earlier findings on "n"."""
        found = self.context.fresh if key == "n" else state.found
        if key != "n" and self.sensing.linear and found.rests is not None:
            self.sensing.watch_linear(found.rests)
        return state.enter(_after_light(found), found)


class ColourStage(Stage):
    """The looks at the strip: the colours that are seen reveal the order in which LEDs take theirs."""

    name = "colour"

    def question(self, state: SetupState) -> StageQuestion:
        """Ask for the colour."""
        again = Message("setup.colour-now") if state.looks else Message("setup.which-colour")
        return StageQuestion(again, [Answer(key, label) for key, (_, label) in _SEEN.items()])

    def light(self, state: SetupState) -> dict[int, Light]:
        """Light blocks of LEDs in the colour of the next look."""
        look, total = self._next(state), self.plan.total(state.found)
        block = _BLOCK // len(look.order)
        period = block * max(3, -(-total // (block * _MAX_BLOCKS)))
        return {led: look.light(_LEVEL) for led in range(total) if led % period < block}

    def order(self, state: SetupState) -> str:
        """Return the order of the next look."""
        return self._next(state).order

    def answer(self, state: SetupState, key: str) -> SetupState:
        """Look again until only one order is left, or none."""
        seen, _ = _SEEN[key]
        state = replace(state.remember(), looks=(*state.looks, (self._next(state), seen)))
        if seen == NOTHING:
            return state.enter("dark")
        if next_look(state.looks, self._looks) is not None:
            return state.enter("colour")
        known = possible_orders(state.looks)
        order = known[0] if len(known) == 1 else self.plan.strip.order
        notes = () if len(known) == 1 else [Message("setup.no-order")]
        return state.enter("clear", replace(state.found, order=order), notes)

    def reenter(self, state: SetupState) -> SetupState:
        """Forget the answer that led on from here."""
        return replace(state, looks=state.looks[:-1])

    def _next(self, state: SetupState) -> ColourLook:
        return next_look(state.looks, self._looks) or self._looks[0]

    @property
    def _looks(self) -> tuple[ColourLook, ...]:
        return looks_by(self.plan.guess, any_size=self.plan.any_colours)


class DarkStage(Stage):
    """A strip that does not shine: it is tried again or done without."""

    name = "dark"

    def question(self, state: SetupState) -> StageQuestion:
        """Say why, where that is known."""
        why = Message("setup.dark.why", {"text": state.trouble}) if state.trouble else Message("setup.dark")
        return StageQuestion(why, [Answer("", TRY_AGAIN), Answer("w", Message("setup.without-lights"))])

    def answer(self, state: SetupState, key: str) -> SetupState:
        """Try again, or go on without light on "w"."""
        state = replace(state, trouble="")
        if key != "w":
            return replace(state, looks=()).enter("colour" if state.found.order is None else "clear")
        return state.remember().enter("clear", replace(state.found, lit=False, leds=()))


class ClearStage(Stage):
    """An empty board is waited for; after an interruption, one with no other pieces than the known ones."""

    name = "clear"

    def question(self, state: SetupState) -> StageQuestion:
        """Ask to take off whatever is sensed and not known."""
        if self.sensing.watch is None:
            return StageQuestion(Message("setup.clear.first"), [Answer("", Message("setup.board-empty"))])
        known = bool(state.found.seats)
        args = {"count": len(self.sensing.unexpected(state.found))}
        match args["count"]:
            case 0:
                return StageQuestion(Message("setup.clear.meanwhile") if known else Message("setup.clear"))
            case 1:
                one = Message("setup.clear.meanwhile.one") if known else Message("setup.clear.one")
                return StageQuestion(one, [Answer("", Message("setup.stuck.one"))])
        many = Message("setup.clear.meanwhile.many", args) if known else Message("setup.clear.many", args)
        return StageQuestion(many, [Answer("", Message("setup.stuck.many"))])

    def answer(self, state: SetupState, _key: str) -> SetupState:
        """Learn what linear sensors read on the empty board; leave out sensors that are on although it is."""
        if self.sensing.watch is None:
            self.sensing.watch_linear()
            return state.enter("learn", notes=state.notes)
        found = state.found
        stuck = (*found.stuck, *self.sensing.unexpected(found))
        return begin(self.context, replace(state, found=replace(found, stuck=stuck)))

    def update(self, state: SetupState, _change: Change | None) -> SetupState:
        """Begin as soon as the board is empty."""
        watch = self.sensing.watch
        if watch is None or not watch.at_rest or self.sensing.unexpected(state.found):
            return state
        return begin(self.context, state)


class LearnStage(Stage):
    """The half second in which linear sensors are read on the empty board."""

    name = "learn"
    goes_back = False

    def question(self, _state: SetupState) -> StageQuestion:
        """Ask for patience."""
        return StageQuestion(Message("setup.learn"))

    def update(self, state: SetupState, _change: Change | None) -> SetupState:
        """Begin once the readings at rest are known."""
        watch = self.sensing.watch
        if watch is None or watch.rests is None:
            return state
        return begin(self.context, replace(state, found=replace(state.found, rests=watch.rests)))
