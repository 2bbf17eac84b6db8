"""The stages after the last place was looked for: kinds of pieces, the review, the end.

Invariants: findings are saved only after a maker has reviewed them; stopping keeps them.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.i18n import Message
from hardware.setup.agenda import ask_controls, begin, measure_or_review, scale_changes
from hardware.setup.calibration import fits_kind, next_kind
from hardware.setup.level_watch import Change
from hardware.setup.point_names import describe_point
from hardware.setup.prompts import BRIGHT, LEFT, SENSED, TRY_AGAIN, Answer, Light
from hardware.setup.result import SetupResult
from hardware.setup.stage import Stage, StageQuestion
from hardware.setup.state import SetupState


class MeasureStage(Stage):
    """The measuring of each kind of piece at one point, and at the end of the empty point."""

    name = "measure"

    def question(self, state: SetupState) -> StageQuestion:
        """Ask for the next kind; once all are measured, for an empty point."""
        found = state.found
        point = None if found.scale is None else found.seats[found.scale].point
        place = describe_point(point, self.plan.layout) if point else Message("setup.place.done")
        asked = next_kind(found, self.plan.kinds)
        if asked is None:
            none_stands = Answer("", Message("setup.none-stands"))
            return StageQuestion(Message("setup.lift.any.at", {"place": place}), [none_stands], point)
        skip = Answer("l", Message("setup.measure.skip"))
        return StageQuestion(Message(f"setup.measure.{asked}", {"place": place}), [skip], point)

    def light(self, state: SetupState) -> dict[int, Light]:
        """Light the point."""
        scale = state.found.scale
        return {} if scale is None else dict.fromkeys(state.found.seats[scale].leds, BRIGHT)

    def answer(self, state: SetupState, key: str) -> SetupState:
        """Leave a kind out on "l"; otherwise nothing stands there, and all is measured."""
        state = state.remember()
        if key != "l":
            return ask_controls(self.context, replace(state, notes=()))
        found = replace(state.found, kinds=(*state.found.kinds, None))
        return measure_or_review(self.context, replace(state, found=found))

    def update(self, state: SetupState, _change: Change | None) -> SetupState:
        """Take in the piece that stands on the point, once per piece and only at rest."""
        found, watch = state.found, self.sensing.watch
        wire = None if found.scale is None else found.seats[found.scale].wires[0]
        if watch is None or found.scale is None or wire is None or not watch.at_rest:
            return state
        if next_kind(found, self.plan.kinds) is None:
            if watch.stable[wire]:
                return state
            lifted = found.with_seat(found.scale, stands=None)
            return ask_controls(self.context, replace(state, found=lifted, notes=()))
        if not watch.stable[wire] or self.sensing.changes(wire) == state.seen_changes:
            return state
        state = replace(state, seen_changes=self.sensing.changes(wire))
        level = self.sensing.level(wire)
        if not fits_kind(found, level):
            return replace(state, notes=(Message("setup.measure.unlike"),))
        return state.remember().enter("measure", replace(found, kinds=(*found.kinds, level)))

    def reenter(self, state: SetupState) -> SetupState:
        """Wait for the piece to be set down again."""
        return replace(state, seen_changes=scale_changes(self.context, state))


class ReviewStage(Stage):
    """The review of the settings; places whose pieces are sensed shine."""

    name = "review"

    def question(self, state: SetupState) -> StageQuestion:
        """Ask whether to save, and say what is guessed."""
        result = self.context.result(state.found)
        if result.guesses:
            save = Answer("", Message("setup.save-all-the-same"))
            answers = [Answer("a", TRY_AGAIN), save]
            return StageQuestion(Message("setup.review.guesses"), answers, remarks=_remarks(result))
        sentence = Message("setup.review.lit") if state.found.lit else Message("setup.review")
        return StageQuestion(sentence, [Answer("", Message("setup.save"))], remarks=_remarks(result))

    def light(self, state: SetupState) -> dict[int, Light]:
        """Light every place whose piece is sensed."""
        stable = self.sensing.stable
        if not stable:
            return {}
        seats = [seat for seat in state.found.seats if any(w is not None and stable[w] for w in seat.wires)]
        return {led: SENSED for seat in seats for led in seat.leds}

    def answer(self, state: SetupState, key: str) -> SetupState:
        """Look again for what was not found on "a", or finish."""
        state = state.remember()
        if key == "a":
            return begin(self.context, replace(state, found=replace(state.found, later=())))
        return state.enter("done")


class DoneStage(Stage):
    """The end of a set-up whose settings are to be saved."""

    name = "done"
    goes_back = stops = False

    def question(self, state: SetupState) -> StageQuestion:
        """Say so, and repeat what is guessed."""
        return StageQuestion(Message("setup.done"), remarks=_remarks(self.context.result(state.found)))


class LeftStage(Stage):
    """The end of a set-up that the maker stopped."""

    name = "left"
    goes_back = stops = False

    def question(self, _state: SetupState) -> StageQuestion:
        """Say how to go on another time."""
        return StageQuestion(LEFT)


def _remarks(result: SetupResult) -> tuple[Message, ...]:
    return (*result.guesses, *result.notes)
