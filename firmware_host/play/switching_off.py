"""The way from a wish to switch the machine off to its end: a countdown of light, which any touch stops.

The board can't switch anything off itself. It says when that is wanted, and a companion program does it; if
the power is still there after a while, the board plays on.

Invariants: nothing is wanted before the countdown is over and the button is up. On the way hands don't count
for the game, as while it is paused. Time is an argument.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.lights.scene import Scene, countdown_scene
from firmware_host.play import events as ev
from firmware_host.play.part import PlayPart
from firmware_host.play.session import Session
from firmware_host.settings import Microseconds

COUNTDOWN: Microseconds = 3_000_000
PATIENCE: Microseconds = 20_000_000
"""The time that a machine has to go off."""
LIGHTS = 8
"""The lights that go out one after another."""
_STEP = COUNTDOWN // LIGHTS


class OffStage(enum.Enum):
    """The stage on the way."""

    ON = "on"
    COUNTING = "counting"
    WANTED = "wanted"
    """The countdown is over, and the companion is to switch the machine off."""


class SwitchOff(PlayPart):
    """The way of one board, if it `is_possible` there."""

    def __init__(self, session: Session, *, is_possible: bool) -> None:
        self.stage = OffStage.ON
        self.left = 0
        """The lights that are left of the countdown."""
        self.trouble: Message | None = None
        """The reason why the machine did not go off; None if it was never tried, or is tried again."""
        self.is_held = False
        """True while the button is down, which may be stuck."""
        self.session = session
        self.is_possible = is_possible
        self._began: Microseconds = 0

    @property
    def holds_game(self) -> bool:
        """True while hands don't count for the game."""
        return self.stage is not OffStage.ON

    def begin_countdown(self, now: Microseconds) -> None:
        """Begin the countdown, or stop the one that has begun; raises RequestError if there can be none."""
        if not self.is_possible:
            raise RequestError(Message("refused.no-off"))
        if self.holds_game:
            self.stay()
            return
        self.trouble = None
        self.session.suspended = True
        self._began, self.left = now, LIGHTS
        self._reach(OffStage.COUNTING)

    def stay(self, why: Message | None = None) -> None:
        """Stay on, if the board is on the way; `why`: the machine can't go off."""
        if not self.holds_game:
            return
        self.trouble = why
        self.session.suspended = False
        self.session.judge_again()
        self._reach(OffStage.ON)

    @property
    def stops_clocks(self) -> bool:
        """True while hands don't count for the game."""
        return self.holds_game

    @property
    def faults(self) -> Mapping[str, Message]:
        """The reason why the machine did not go off, as a fault of its care."""
        return {} if self.trouble is None else {ev.CARE: self.trouble}

    def add_light(self, scene: Scene) -> Scene:
        """Return the lights that are left of the countdown, and nothing else."""
        return countdown_scene(self.session.game.rules.layout, self.left) if self.holds_game else scene

    def on_use(self, _now: Microseconds) -> None:
        """Stay on, as somebody has touched the board."""
        self.stay()

    def on_frame(self, now: Microseconds) -> None:
        """Go on with the countdown, or give up waiting, at `now`."""
        waited = now - self._began
        if self.stage is OffStage.COUNTING:
            self.left = max(0, LIGHTS - waited // _STEP)
            if not self.left and not self.is_held:
                self._began = now
                self._reach(OffStage.WANTED)
        elif self.stage is OffStage.WANTED and waited >= PATIENCE:
            self.stay(Message("fault.care.none"))

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something changes although nothing happens; None if nothing will."""
        if self.stage is OffStage.COUNTING and self.left:
            return self._began + _STEP * (LIGHTS - self.left + 1)
        return self._began + PATIENCE if self.stage is OffStage.WANTED else None

    def _reach(self, stage: OffStage) -> None:
        self.stage = stage
        self.session.timeline.add(ev.Switching(stage.value))
