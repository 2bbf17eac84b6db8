"""The headless board as a thing that answers line by line, for hands that look before they act."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from pathlib import Path

from firmware_host.errors import MillwrightError
from firmware_host.ports import Frame
from sim.assembly import Blueprint
from sim.headless import HeadlessBoard, run_headless


class BoardInProcess:
    """A headless board in virtual time, in this process."""

    def __init__(
        self, rules: str, sensors: str, seed: int, store: Path | None = None, black: str | None = None
    ) -> None:
        """Begin a game by a named rule set on such sensors (presence, polarity, pieces); `store` keeps it.

        If Black is not played at the board, requests choose its turns.
        """
        self._out = io.StringIO()
        blueprint = Blueprint.of(
            rules=rules, sensors=sensors, seed=seed, store=store, black=black, engine=black is None
        )
        self._board = HeadlessBoard(blueprint, self._out)
        self._take_in: Callable[[int, dict[str, int]], None] | None = None
        self.greeting = self._said()

    def watch(self, take_in: Callable[[int, dict[str, int]], None]) -> None:
        """Have each frame taken in as the program reads it: its time in microseconds, its numbers by point.

        Frames are taken where the drivers hand them over, so that an oracle knows exactly what the sensors
        read.
        """
        self._take_in = take_in
        play = self._board.life.play
        names = [point.name for point in play.electronics.layout.points]
        read = play.board._sensors.read

        def watched() -> Frame:
            frame = read()
            take_in(play.electronics.clock.now(), dict(zip(names, frame, strict=True)))
            return frame

        play.board._sensors.read = watched
        watched()

    def feed(self, line: str, number: int) -> list[str]:
        """Give it one line, the `number`th; the lines that answer it."""
        program = self._board.life.play.board
        try:
            self._board.obey(line)
        except MillwrightError as error:
            self._board.say({"error": f"line {number}: {error}"})
        if self._take_in is not None and self._board.life.play.board is not program:
            self.watch(self._take_in)  # the power was cut, and other drivers read the sensors now
        return self._said()

    def close(self) -> None:
        """Go dark and give the pins back."""
        self._board.close()

    def _said(self) -> list[str]:
        lines = self._out.getvalue().splitlines()
        self._out.seek(0)
        self._out.truncate()
        return lines


def replay(script: Iterable[str], rules: str, sensors: str, seed: int, store: Path) -> str:
    """All that a new headless board says to the lines of `script`."""
    out = io.StringIO()
    run_headless(script, out, Blueprint.of(rules=rules, sensors=sensors, seed=seed, store=store))
    return out.getvalue()
