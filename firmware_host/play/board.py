"""One pass of the board's loop: read sensors and button, let the controller answer, show light, drive sound.

The requests that touches and presses made are carried out in the same pass, so that light answers them.

Invariants: no clock; a strip that fails does not stop the game, and is tried again after a second; a strip
that had no power shines again within a second; sensors that fail stop play until they can be read again; a
button or a buzzer that fails stops nothing. The buzzer's line is written only where it changes.

LEDs do not answer, and after a power failure they stay dark until they are sent something. So the strip is
refreshed each second, at rest at whole seconds, whatever was sent between them.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping

from firmware_host.errors import RequestError, SensorError, SoundError, StripError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message
from firmware_host.play import events as ev
from firmware_host.play.controller import Controller
from firmware_host.play.requests import carry_out, perform
from firmware_host.play.sounds import NEVER
from firmware_host.ports import (
    NOTHING,
    SOMETHING,
    ButtonPort,
    BuzzerPort,
    Frame,
    LedFrame,
    LedPort,
    SensorPort,
)
from firmware_host.settings import Microseconds
from firmware_host.tracking.debounce import Debouncer

# ---- the button -----------------------------------------------------------------------------------------
# The presses of a board's button, by their length: it asks, pauses, switches off, or shows the last turn.
#
# Invariants: a press counts when it ends, but one of five seconds while it lasts, so that light answers it.
# So the first of two quick presses asks, and the second takes that back. One that began before the program
# counts for nothing; after ten seconds the button is stuck, and a countdown that it began stops. Bounce of up
# to 30 ms is not a press. Time is an argument.


SETTLING: Microseconds = 40_000
"""The time for which a button has to be steady: longer than a worn one bounces, shorter than any press."""
PAUSE_AFTER: Microseconds = 600_000
NOTHING_AFTER: Microseconds = 2_000_000
OFF_AFTER: Microseconds = 5_000_000
STUCK_AFTER: Microseconds = 10_000_000
TWICE_WITHIN: Microseconds = 400_000
"""The longest time between two presses that are one request."""


class Press(enum.Enum):
    """The meaning of a press."""

    ASK = "ask"
    TWICE = "twice"
    """The second of two quick presses; the first was ASK."""
    PAUSE = "pause"
    OFF = "off"


class ButtonPresses:
    """The presses of one button."""

    def __init__(self) -> None:
        self.is_down = False
        """True while the button is pressed, once it has settled."""
        self.is_stuck = False
        """True while it is pressed for so long that nobody can mean it."""
        self._debouncer = Debouncer(SETTLING)
        self._since: Microseconds | None = None
        """The time since which it is as it is; None before the first reading."""
        self._counts = False
        self._asked_at: Microseconds | None = None
        """The end of the last press, if another one soon after it belongs to it."""

    def press_at(self, now: Microseconds, *, is_down: bool) -> Press | None:
        """Return the press that counts with this reading of the button at `now`."""
        (reading,) = self._debouncer.update((SOMETHING if is_down else NOTHING,), now)
        was_down, self.is_down = self.is_down, reading == SOMETHING
        if self._since is None:
            self._since = now
        elif self.is_down != was_down:
            began, self._since = self._since, now
            meant, self._counts = self._counts, self.is_down
            self.is_stuck = False
            return self._ended(began, now) if meant else None
        elif self.is_down:
            held = now - self._since
            self.is_stuck = held >= STUCK_AFTER
            if self._counts and held >= OFF_AFTER:
                self._counts = False
                return Press.OFF
        return None

    def _ended(self, began: Microseconds, now: Microseconds) -> Press | None:
        """Return the meaning of a press from `began` to `now`."""
        asked_at, self._asked_at = self._asked_at, None
        press = _meaning(now - began)
        if press is not Press.ASK:
            return press
        if asked_at is not None and began - asked_at <= TWICE_WITHIN:
            return Press.TWICE
        self._asked_at = now
        return press

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although the button stays as it is; None if nothing will."""
        dues = [self._debouncer.deadline]
        if self.is_down and not self.is_stuck and self._since is not None:
            dues.append(self._since + (OFF_AFTER if self._counts else STUCK_AFTER))
        return min((due for due in dues if due is not None), default=None)


def _meaning(held: Microseconds) -> Press | None:
    """Return the meaning of a press of this length."""
    if held >= NOTHING_AFTER:
        return None
    return Press.PAUSE if held >= PAUSE_AFTER else Press.ASK


# ---- the loop's pass ------------------------------------------------------------------------------------


_SECOND: Microseconds = 1_000_000


class StripRefresh:
    """The last light that a strip was sent, and the time of the next transmission."""

    def __init__(self) -> None:
        self.failed = False
        """True if the last transmission failed."""
        self.again_at: Microseconds = 0
        """The time of the next transmission if the light stays the same."""
        self._sent: LedFrame | None = None

    def is_due(self, leds: LedFrame, now: Microseconds) -> bool:
        """Return True if `leds` are to be sent at `now`; the same object as before is the same light."""
        return now >= self.again_at or (leds is not self._sent and not self.failed)

    def succeeded(self, leds: LedFrame, now: Microseconds) -> None:
        """Note that `leds` were sent."""
        self.failed = False
        self._sent = leds
        self.again_at = (now // _SECOND + 1) * _SECOND

    def did_fail(self, now: Microseconds) -> None:
        """Note that a transmission failed."""
        self.failed = True
        self.again_at = now + _SECOND

    def rested(self, until: Microseconds) -> None:
        """Skip the refreshes before `until`, which would have changed nothing."""
        if not self.failed:
            self.again_at = max(self.again_at, -(-until // _SECOND) * _SECOND)


_BUZZER_RETRY: Microseconds = 1_000_000
"""The time until a buzzer that failed is tried again."""


@frozen
class LoopCounters:
    """The number of passes of each part since the start, including those that ended in a fault.

    `store` is None on a board that stores nothing.
    """

    sensors: int
    strip: int
    store: int | None = None

    def is_past(self, earlier: LoopCounters) -> bool:
        """Return True if every part has made a pass since `earlier`."""
        return (
            self.sensors > earlier.sensors
            and self.strip > earlier.strip
            and (self.store is None or earlier.store is None or self.store > earlier.store)
        )


class Board:
    """A board: its ports, and the controller between them."""

    def __init__(
        self,
        sensors: SensorPort,
        strip: LedPort,
        controller: Controller,
        button: ButtonPort | None = None,
        buzzer: BuzzerPort | None = None,
    ) -> None:
        self.controller = controller
        self.frames = 0
        """The number of frames that were read, without those that failed."""
        self._sensors = sensors
        self._strip = strip
        self._button = button
        self._presses = ButtonPresses()
        self._buzzer = buzzer
        self._buzzes: bool | None = None  # until the line was written for the first time
        self._buzzer_due: Microseconds = NEVER if buzzer is None else 0
        self._asked = False  # whether the menu was open after the last press
        self.strip_refresh = StripRefresh()
        """The schedule of transmissions to the strip."""
        self._sensor_passes = 0
        self._strip_passes = 0

    def tick(self, now: Microseconds) -> tuple[ev.Event, ...]:
        """Do one pass at `now`, and return its events."""
        readings = self._read()
        leds = self._step(readings, now)
        touched = self._obey_touches()
        pressed = self._obey_button(now)
        if touched or pressed:
            leds = self._step(readings, now)
        self._sensor_passes += 1
        if self.strip_refresh.is_due(leds, now):
            self._show(leds, now)
        self._strip_passes += 1
        events = self.controller.take_events()
        if self._buzzer is not None and (events or now >= self._buzzer_due):
            self._drive(self._buzzer, now)
        return events

    @property
    def progress(self) -> LoopCounters:
        """The passes of sensors and strip, including those in which the strip was sent nothing."""
        return LoopCounters(self._sensor_passes, self._strip_passes)

    @property
    def levels(self) -> Mapping[int, int]:
        """The last readings of linear sensors, by the index of their point; empty for other sensors."""
        return self._sensors.levels

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something may happen although no reading changes, refreshes not counted."""
        refresh = self.strip_refresh
        dues = (
            self.controller.deadline,
            self._presses.deadline,
            refresh.again_at if refresh.failed else None,
            None if self.is_silent else self._buzzer_due,
        )
        return min((due for due in dues if due is not None), default=None)

    @property
    def is_silent(self) -> bool:
        """True if no sound of the buzzer lasts, nor a silence within one."""
        return self._buzzer_due == NEVER

    @property
    def min_period(self) -> Microseconds:
        """The least time between two passes: longer while nobody uses the board."""
        return self.controller.rest.depth.min_period if self.is_silent else 0

    def close(self) -> None:
        """Switch light and sound off, and release the pins."""
        self._strip.close()
        self._sensors.close()
        if self._button is not None:
            self._button.close()
        if self._buzzer is not None:
            self._buzzer.close()

    def _read(self) -> Frame | SensorError:
        """Return the readings of the sensors, or the reason why there are none."""
        try:
            readings = self._sensors.read()
        except SensorError as error:
            return error
        self.frames += 1
        return readings

    def _step(self, readings: Frame | SensorError, now: Microseconds) -> LedFrame:
        if isinstance(readings, SensorError):
            return self.controller.blind_step(readings.message, now)
        return self.controller.step(readings, now)

    def _obey_touches(self) -> bool:
        """Carry out the requests of touches; return True if there were any."""
        requests = self.controller.asks.take_requests()
        for request in requests:
            carry_out(self.controller, request)
        return bool(requests)

    def _obey_button(self, now: Microseconds) -> bool:
        """Read the button and carry out its request; return True if it made one that is possible."""
        if self._button is None:
            return False
        try:
            is_down = self._button.is_down()
            press = self._presses.press_at(now, is_down=is_down)
        except SensorError as error:
            self.controller.fault(ev.BUTTON, error.message)
            return False
        if self.controller.off.is_held is not self._presses.is_down:
            self.controller.off.is_held = self._presses.is_down
            self.controller.refresh()
        if is_down and not self._presses.is_stuck:
            self.controller.rest.on_use(now)
            self.controller.refresh()
        if self._presses.is_stuck:
            self.controller.off.stay()
            self.controller.fault(ev.BUTTON, Message("fault.button.stuck"))
        else:
            self.controller.fault_cleared(ev.BUTTON)
        return press is not None and self._obey(press)

    def _obey(self, press: Press) -> bool:
        """Carry out what a press asks for; return False if that is not possible now."""
        is_unanswered = self.controller.asks.holds_game is self._asked
        if press is Press.TWICE and is_unanswered and not self.controller.off.holds_game:
            return self._show_last_turn()
        is_paused = self.controller.session.paused
        pause = "resume" if is_paused else "pause"
        request = {Press.ASK: "ask", Press.TWICE: "ask", Press.PAUSE: pause, Press.OFF: "off"}[press]
        if self.controller.off.holds_game:
            request = "stay"
        try:
            perform(self.controller, {"do": request})
        except RequestError:
            return False
        self._asked = self.controller.asks.holds_game
        return True

    def _show_last_turn(self) -> bool:
        """Light nothing but the last turn until the board is used, and close what the first press opened."""
        self.controller.asks.close()
        self._asked = False
        self.controller.rest.dim()
        self.controller.refresh()
        return True

    def _show(self, leds: LedFrame, now: Microseconds) -> None:
        try:
            self._strip.show(leds)
        except StripError as error:
            self.strip_refresh.did_fail(now)
            self.controller.fault("leds", error.message)
        else:
            self.strip_refresh.succeeded(leds, now)
            self.controller.fault_cleared("leds")

    def _drive(self, buzzer: BuzzerPort, now: Microseconds) -> None:
        """Let the buzzer sound or be silent as the rhythm has it at `now`."""
        sounds = self.controller.sounds
        self._buzzer_due = sounds.next_edge(now)
        buzzes = sounds.buzzes(now)
        if buzzes is self._buzzes:
            return
        try:
            buzzer.sound(on=buzzes)
        except SoundError as error:
            self._buzzes = None
            self._buzzer_due = now + _BUZZER_RETRY
            self.controller.fault(ev.SOUND, error.message)
        else:
            self._buzzes = buzzes
            self.controller.fault_cleared(ev.SOUND)
