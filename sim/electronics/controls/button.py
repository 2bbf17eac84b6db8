"""The button of a simulated board: a contact to ground on a line of the header, and its faults.

Invariants: the contact bounces like any other, and its state at any time follows from the presses until then.
A board without a button has none to press.
"""

from __future__ import annotations

import enum
from random import Random
from typing import Any

from firmware_host.errors import HandsError
from firmware_host.i18n import Message
from firmware_host.settings import Gpio, Microseconds
from sim.clock import Clock
from sim.electronics.contacts import BOUNCE_MS, ContactFault, Switch
from sim.electronics.mux import SignalPin
from sim.scheduler import ScheduledEvent, Scheduler
from sim.table.table import TablePiece


class ButtonFault(enum.Enum):
    """A fault of a button."""

    STUCK = "stuck"
    """It stays down, or its wire touches ground."""
    OPEN = "open"
    """Its wire is off, so that it never closes."""
    BOUNCES = "bounces"
    """Its contact is worn, and bounces for longer."""


_CONTACT_FAULTS = {ButtonFault.STUCK: ContactFault.STUCK_ON, ButtonFault.OPEN: ContactFault.STUCK_OFF}


class SimulatedButton:
    """A button that fingers press, wired to the pin of a line."""

    def __init__(self, clock: Clock, agenda: Scheduler, seed: int) -> None:
        self._clock, self._agenda = clock, agenda
        self._closed = False
        self._switch = Switch(agenda, Random(f"button {seed}"), self._show)  # noqa: S311 - the same bounce for the same seed
        self._finger = TablePiece("finger")
        self._release: ScheduledEvent | None = None

    @property
    def is_pressed(self) -> bool:
        """True while a finger presses it."""
        return bool(self._switch.near)

    def press(self, now: Microseconds, lasts: Microseconds) -> None:
        """Press it from `now` on for a time, or for another time if it is pressed already."""
        self._cancel()
        self._switch.feel(self._finger, near=True, now=now)
        self._release = self._agenda.enter(now + lasts, self.release)

    def release(self, now: Microseconds) -> None:
        """Let it go; nothing happens if it isn't pressed."""
        self._cancel()
        self._switch.feel(self._finger, near=False, now=now)

    def apply_fault(self, fault: ButtonFault, bounce_ms: float, now: Microseconds) -> None:
        """Begin to fail in this way."""
        self._switch.bounce_ms = bounce_ms if fault is ButtonFault.BOUNCES else BOUNCE_MS
        self._switch.apply_fault(_CONTACT_FAULTS.get(fault), now)

    def repair(self, now: Microseconds) -> None:
        """End its fault."""
        self._switch.bounce_ms = BOUNCE_MS
        self._switch.apply_fault(None, now)

    def wire_to(self, pi: Any, line: Gpio) -> None:
        """Wire it between a line of this gpiozero factory and ground."""
        pi.pin(line, pin_class=SignalPin, level=self._level)

    def _level(self, pull: str) -> bool:
        now = self._clock.now()
        if now >= self._agenda.next:
            self._agenda.run(now)
        return pull == "up" and not self._closed

    def _show(self, closed: bool) -> None:
        self._closed = closed

    def _cancel(self) -> None:
        if self._release is not None:
            self._release.cancel()
            self._release = None


def no_button() -> HandsError:
    """Return the error that a board has no button."""
    return HandsError("the board has no button", Message("refused.no-button"))
