"""The stage that asks for a push button, on the line that the configuration or the guide has for it.

Invariants: a press counts only after the line was up, so that a wire which touches ground is no button.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.i18n import Message
from firmware_host.settings import NO_LINE, Gpio
from hardware.setup.agenda import ask_controls
from hardware.setup.prompts import Answer
from hardware.setup.stage import Stage, StageQuestion
from hardware.setup.state import SetupState

HELD = -1
"""The count of readings of a line that has been low since the button was asked for."""
PRESS_READINGS = 4
"""The readings in a row for which the line has to be low for a press: longer than a spark."""


class ButtonStage(Stage):
    """The search for a push button: it is pressed, or there is none."""

    name = "button"

    def question(self, state: SetupState) -> StageQuestion:
        """Ask for a press; where the line is low already, for the button to be released first."""
        args = {"number": self.plan.button}
        held = state.low_readings == HELD
        sentence = Message("setup.button.held", args) if held else Message("setup.button", args)
        return StageQuestion(sentence, [Answer("", Message("setup.button.none"))])

    def read_button(self, state: SetupState, *, is_down: bool) -> SetupState:
        """Go on after a press."""
        before = state.low_readings
        if before in (None, HELD) and is_down:
            return state if before == HELD else replace(state, low_readings=HELD)
        if not is_down:
            return state if before == 0 else replace(state, low_readings=0)
        count = (before or 0) + 1
        if count < PRESS_READINGS:
            return replace(state, low_readings=count)
        return self._go_on(state, self.plan.button)

    def answer(self, state: SetupState, _key: str) -> SetupState:
        """Go on without a button."""
        return self._go_on(state, NO_LINE)

    def _go_on(self, state: SetupState, line: Gpio) -> SetupState:
        state = state.remember()
        return ask_controls(self.context, replace(state, found=replace(state.found, button=line), notes=()))
