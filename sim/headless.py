"""The board without a screen: JSON lines in, JSON lines out, in virtual time; README.md is its manual.

Rules kept here: time passes only by `wait` and `slide`; frames are due on a grid that begins at 0, and a
request is answered by a frame of its own at once; the same input and seed give the same output, byte for
byte; what is wrong with a line is told, and the next line is read.

Where nothing can change before the next deadline, frames are left out. That changes no output: the light's
own patterns are caught up with as far back as they are remembered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, TextIO

from firmware_host import snapshot
from firmware_host.errors import HandsError, MillwrightError
from firmware_host.settings import Microseconds
from sim import hands
from sim.assembly import Blueprint, SimulatedPlay
from sim.clock import VirtualClock
from sim.disk import is_of_disk, read_disk_fault
from sim.storing import SimulatedStoring

LONGEST_WAIT_S = 10_000_000.0
_SECOND: Microseconds = 1_000_000

_LIGHT_REMEMBERS: Microseconds = 20 * _SECOND
"""Two periods of the slowest pattern; what was shown longer ago has no trace in what is shown now."""


def run(lines: Iterable[str], out: TextIO, blueprint: Blueprint, *, skip: bool = True) -> int:
    """Play what `lines` say on the board of `blueprint`; the exit status: 1 if a line was wrong, else 0.

    Output is flushed after each line. `skip`: leave out frames in which nothing can change.
    """
    board = HeadlessBoard(blueprint, out, skip=skip)
    status = 0
    try:
        out.flush()
        for number, line in enumerate(lines, start=1):
            try:
                board.obey(line)
            except MillwrightError as error:
                board.say({"error": f"line {number}: {error}"})
                status = 1
            out.flush()
    finally:
        board.close()
    return status


class HeadlessBoard:
    """A simulated board whose time passes only when it is told."""

    def __init__(self, blueprint: Blueprint, out: TextIO, *, skip: bool = True) -> None:
        """Begin at time 0 with the first frame, and say what happened to `out`."""
        self._now: Microseconds = 0
        self._period = _SECOND // blueprint.config.timing.frame_rate_hz
        self._blueprint = blueprint
        self._clock = VirtualClock()
        self._storing = SimulatedStoring(blueprint, self._clock)
        self._play: SimulatedPlay = blueprint.build(self._clock, *self._storing.open())
        self._powered = True
        self._out = out
        self._skip = skip
        self._framed: Microseconds = 0
        self._unfelt = False
        """Whether hands did something, or a contact changed, that the last frame has not felt."""
        self._frame(0)

    def close(self) -> None:
        """Go dark, and keep what is still to be kept."""
        if self._powered:
            self._storing.close()
        self._play.close()

    def obey(self, line: str) -> None:
        """Do what a line says, and let its time pass; raises MillwrightError where it is wrong.

        A line of nothing but spaces says nothing.
        """
        if not line.strip():
            return
        command = _read(line)
        verb = hands.only_verb(command, _VERBS)
        if verb in hands.VERBS:
            self._clock.reach(self._now)
            self._pass(self._by_hands(command, verb))
        elif verb == "power":
            hands.only_keys(command, verb, ())
            self._switch(command[verb])
        elif verb == "do":
            self._must_have_power()
            self._play.perform(command)
            self._frame(self._now)
        elif verb == "wait":
            hands.only_keys(command, verb, ())
            self._pass(hands.duration(command["wait"], "wait", LONGEST_WAIT_S))
        else:
            hands.only_keys(command, verb, ())
            hands.must_be_true(command, verb)
            self._must_have_power()
            self.say({"state": self._state()})

    def say(self, message: Mapping[str, Any]) -> None:
        """Write one line; its time is now."""
        self._out.write(json.dumps({"t": self._now / _SECOND, **message}) + "\n")

    def _state(self) -> dict[str, Any]:
        return snapshot.take(self._play.controller).as_dict(
            held=self._play.hands.held, leds=self._play.leds()
        )

    def _by_hands(self, command: Mapping[str, Any], verb: str) -> Microseconds:
        """Do what hands do, or break what is broken; how long it goes on."""
        self._unfelt = True
        if verb == "repair":
            lasts = self._play.hands.do(command, self._now)
            self._storing.disk.repair()
            return lasts
        if verb == "fault" and is_of_disk(command[verb]):
            hands.only_keys(command, verb, ())
            self._storing.inject(read_disk_fault(command[verb]))
            return 0
        return self._play.hands.do(command, self._now)

    # ---- power -----------------------------------------------------------------------------------------

    def _switch(self, wanted: object) -> None:
        """Pull the plug, or put it in again; the program then starts from what is on the disk."""
        if wanted not in ("on", "off"):
            raise HandsError('"power" must be "on" or "off"')
        if (wanted == "on") == self._powered:
            raise HandsError(f"the power is {wanted} already")
        self._clock.reach(self._now)
        self._powered = wanted == "on"
        if self._powered:
            self._play.plug_in(self._blueprint.controller(*self._storing.open()))
        else:
            self._storing.cut()
            self._play.unplug()
        self.say({"event": "power", "power": wanted})
        if self._powered:
            self._frame(self._now)

    def _must_have_power(self) -> None:
        if not self._powered:
            raise HandsError("the board has no power")

    # ---- time ------------------------------------------------------------------------------------------

    def _pass(self, lasts: Microseconds) -> None:
        """Let time pass, frame by frame; the last frame of it is never left out."""
        end = self._now + lasts
        last = end - end % self._period
        while self._powered and self._framed < last:
            due = self._next_frame(last)
            self._catch_up_light(due)
            self._now = due
            self._frame(due)
        self._now = end

    def _next_frame(self, last: Microseconds) -> Microseconds:
        """The next frame on the grid in which something may happen, or `last`."""
        following = self._on_grid(self._framed + 1)
        if self._unfelt or not self._skip:
            return following
        board, electronics = self._play.board, self._play.electronics
        frames = [last]
        if (deadline := board.deadline) is not None:
            frames.append(self._on_grid(deadline))
        if (change := electronics.next_change(self._framed)) is not None:
            frames.append(change - change % self._period)  # a scan takes time, and part of it may feel this
        if (written := self._storing.disk.due) is not None:
            frames.append(self._on_grid(written))
        if not electronics.spi.plugged and (light := board.controller.next_light(self._framed)) is not None:
            frames.append(self._on_grid(light))
        return max(following, min(frames))

    def _on_grid(self, time: Microseconds) -> Microseconds:
        """The first frame at or after `time`."""
        return -(-time // self._period) * self._period

    def _catch_up_light(self, due: Microseconds) -> None:
        """Let the light go through what it would have shown before `due`, as far back as that matters."""
        at = max(self._framed, due - _LIGHT_REMEMBERS)
        while (light := self._play.controller.next_light(at)) is not None:
            at = self._on_grid(max(light, at))
            if at >= due:
                return
            self._play.controller.glow(at)

    def _frame(self, now: Microseconds) -> None:
        """Do one pass of the board's loop, and say what happened."""
        self._clock.reach(now)
        self._storing.disk.run(now)
        change = self._play.electronics.next_change(now)
        for event in self._play.board.tick(now):
            self.say(event.as_dict())
        self._framed = now
        self._unfelt = change is not None and change <= self._clock.now()


_VERBS = dict.fromkeys((*hands.VERBS, "wait", "do", "show", "power"))


def _read(line: str) -> dict[str, Any]:
    try:
        command = json.loads(line, object_pairs_hook=_object, parse_constant=_no_number)
    except HandsError:
        raise
    except json.JSONDecodeError as error:
        raise HandsError(f"cannot be read as JSON: {error.msg} (column {error.colno})") from error
    except (ValueError, RecursionError) as error:  # a number of too many digits, or brackets without end
        raise HandsError(f"cannot be read as JSON: {error}") from error
    if not isinstance(command, dict):
        raise HandsError('must be a JSON object such as {"lift": "d6"}')
    return command


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise HandsError("an object has one of its keys twice")
    return found


def _no_number(text: str) -> None:
    raise HandsError(f"{text} is no number of JSON")
