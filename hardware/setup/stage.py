"""A stage of a set-up: a class that owns its question, the keys that answer it and its light.

Invariants: whatever a stage asks, it offers a key that goes on, or goes on by itself; a stage keeps no state,
all of it is in the `SetupState` that is handed in and returned.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar

from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from hardware.setup.level_watch import Change
from hardware.setup.plan import Move
from hardware.setup.prompts import Answer, Light, StageName
from hardware.setup.state import SetupContext, SetupState


@frozen
class StageQuestion:
    """The sentence of a stage and the answers it offers, without those that every stage offers.

    `move` is what hands are asked to do at `point`, or at the lit one. `remarks` follow the state's notes.
    """

    sentence: Message
    answers: Sequence[Answer] = ()
    point: str | None = None
    move: Move | None = None
    remarks: tuple[Message, ...] = ()


class Stage(ABC):
    """A stage of a set-up."""

    name: ClassVar[StageName]

    goes_back: ClassVar[bool] = True
    """True where the maker may go back."""

    stops: ClassVar[bool] = True
    """True where the maker may stop."""

    def __init__(self, context: SetupContext) -> None:
        self.plan = context.plan
        self.sensing = context.sensing
        self.context = context

    @abstractmethod
    def question(self, state: SetupState) -> StageQuestion:
        """Return what is asked now."""

    def light(self, _state: SetupState) -> dict[int, Light]:
        """Return the colours of the LEDs that shine; asked only of a board that has light."""
        return {}

    def order(self, state: SetupState) -> str:
        """Return the order in which LEDs take their colours, as far as it is known."""
        return state.found.order or self.plan.guess

    def answer(self, state: SetupState, _key: str) -> SetupState:
        """Return the state after the answer `key`, which is one of those that the question offers."""
        return state

    def update(self, state: SetupState, _change: Change | None) -> SetupState:
        """Return the state after a reading; `change` is what hands did, once the board is at rest again."""
        return state

    def read_button(self, state: SetupState, *, is_down: bool) -> SetupState:  # noqa: ARG002 - for one stage
        """Return the state after a reading of the button's line."""
        return state

    def reenter(self, state: SetupState) -> SetupState:
        """Return the state once the maker has gone back to this stage."""
        return state
