"""The stages before the first place is looked for: an earlier set-up, the strip's colours, an empty board.

Invariants: a board without light can be set up; a sensor that is on while the board is empty can be left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from firmware_host.i18n import Message
from hardware.setup.agenda import begin
from hardware.setup.level_watch import Change
from hardware.setup.progress import SetupFindings
from hardware.setup.prompts import TRY_AGAIN, Answer, Light, StageName
from hardware.setup.stage import Stage, StageQuestion
from hardware.setup.state import SetupState

_CHANNEL = 120
"""The brightness of one colour of an LED whose order of colours is looked for."""

_WHITE_LOOK: Mapping[str, str] = {"r": "GRBW", "g": "RGBW"}
"""The order of colours by the colour that is seen on LEDs that showed white at the first look."""

_FIRST_LOOK: Mapping[str, Mapping[str, str]] = {
    "GRB": {"g": "GRB", "r": "RGB"},
    "GRBW": {"g": "GRBW", "r": "RGBW"},
}
"""The order of colours by the colour that is seen, for each order in which green was sent."""

_GREEN, _RED = Answer("g", Message("setup.green")), Answer("r", Message("setup.red"))
_WHITE, _BLUE = Answer("w", Message("setup.white")), Answer("u", Message("setup.blue"))
_NO_LIGHT = Answer("n", Message("setup.no-light"))


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
    """The first look at the strip: the colour that is seen reveals the order of its colours."""

    name: ClassVar[StageName] = "colour"

    def question(self, _state: SetupState) -> StageQuestion:
        """Ask for the colour."""
        return StageQuestion(Message("setup.which-colour"), [_GREEN, _RED, _WHITE, _BLUE, _NO_LIGHT])

    def light(self, state: SetupState) -> dict[int, Light]:
        """Light every fourth LED in the colour that is sent second.

        On a strip that takes four bytes an LED, twelve bytes are three LEDs: one of them shines white.
        """
        return dict.fromkeys(range(1, self.plan.total(state.found), 4), (0, _CHANNEL, 0))

    def order(self, _found: SetupFindings) -> str:
        """Return the order that is tried."""
        return self.plan.guess

    def answer(self, state: SetupState, key: str) -> SetupState:
        """Conclude from the colour on the order, or look a second time after white."""
        if key == "w":
            return state.remember().enter("white")
        return self._conclude(state, key, _FIRST_LOOK[self.plan.guess])

    def _conclude(self, state: SetupState, key: str, orders: Mapping[str, str]) -> SetupState:
        state = state.remember()
        if key == "n":
            return state.enter("dark")
        found = replace(state.found, order=orders.get(key, self.plan.guess))
        return state.enter("clear", found, [Message("setup.no-order")] if key == "u" else ())


class WhiteStage(ColourStage):
    """The second look, at a strip whose LEDs have a white channel of their own."""

    name = "white"

    def question(self, _state: SetupState) -> StageQuestion:
        """Ask for the colour that is seen now."""
        return StageQuestion(Message("setup.colour-now"), [_GREEN, _RED, _NO_LIGHT])

    def light(self, state: SetupState) -> dict[int, Light]:
        """Light every fourth LED in the colour that is sent first."""
        return dict.fromkeys(range(0, self.plan.total(state.found), 4), (_CHANNEL, 0, 0))

    def answer(self, state: SetupState, key: str) -> SetupState:
        """Conclude from the colour on the order."""
        return self._conclude(state, key, _WHITE_LOOK)


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
            return state.enter("colour" if state.found.order is None else "clear")
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
