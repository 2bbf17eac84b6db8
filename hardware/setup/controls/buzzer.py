"""The stage that asks for a buzzer, on the line that the configuration or the guide has for it.

Invariants: the buzzer beeps only while it is asked for. Set-up can't hear: only an answer says that it does.
"""

from __future__ import annotations

from dataclasses import replace

from firmware_host.i18n import Message
from firmware_host.settings import NO_LINE, Microseconds
from hardware.setup.agenda import ask_controls
from hardware.setup.prompts import Answer
from hardware.setup.stage import Stage, StageQuestion
from hardware.setup.state import SetupState

BEEPS = "y"
"""The answer that it is heard."""
_BEEP: Microseconds = 200_000
_BEAT: Microseconds = 500_000


class BuzzerStage(Stage):
    """The search for a buzzer: it beeps, and the maker says whether that is heard."""

    name = "buzzer"

    def question(self, _state: SetupState) -> StageQuestion:
        """Ask what is heard."""
        answers = [Answer(BEEPS, Message("setup.buzzer.beeps")), Answer("", Message("setup.buzzer.none"))]
        return StageQuestion(Message("setup.buzzer", {"number": self.plan.buzzer}), answers)

    def answer(self, state: SetupState, key: str) -> SetupState:
        """Go on with a buzzer that is heard, or without one."""
        line = self.plan.buzzer if key == BEEPS else NO_LINE
        state = state.remember()
        return ask_controls(self.context, replace(state, found=replace(state.found, buzzer=line), notes=()))


def is_beep(now: Microseconds) -> bool:
    """Return True while the buzzer is to sound: twice a second."""
    return now % _BEAT < _BEEP
