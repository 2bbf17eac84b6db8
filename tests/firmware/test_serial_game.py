"""A whole game by hands on a serial board: reeds, muxes, firmware, driver, rules, and back to light."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.games.morris.notation import parse_turn
from firmware_host.play.board import Board
from firmware_host.play.events import FaultFound
from firmware_host.ports import DARK, SOMETHING
from firmware_host.runtime.loop import Loop
from hardware.sensors.decode import switch_sensors
from sim.assembly import Blueprint
from tests.firmware.simulated_nano import FirmwareBuild, NanoBoard
from tests.support.paths import SCENARIOS

pytestmark = pytest.mark.ci("devices")

GAME = SCENARIOS / "a-whole-game-of-standard.txt"
TURNS = re.findall(r'"event": "turn", "text": "([^"]*)"', GAME.read_text(encoding="utf-8"))
BOUNCES_US = (0, 300, 700, 1100, 1900)
"""A reed that is closed or opened changes to and fro at these times."""


class NanoHands:
    """Hands that play `TURNS` at a good pace, and the reeds that they bounce."""

    def __init__(self, board: NanoBoard) -> None:
        self.done = False
        self._nano = board.nano
        self._changes = self._play()
        self._next = next(self._changes)

    def sleep(self, seconds: float) -> None:
        """Let the board's time pass, and do what falls into it."""
        end = self._nano.now_us + round(seconds * 1_000_000)
        while not self.done and self._next[0] <= end:
            at, point, closed = self._next
            self._nano.run(max(0, at - self._nano.now_us))
            self._nano.contact(divmod(point, 8), closed)
            self._next = next(self._changes, (0, 0, False))
            self.done = self._next[0] == 0
        self._nano.run(max(0, end - self._nano.now_us))

    def _play(self) -> Iterator[tuple[int, int, bool]]:
        """Yield the times at which reeds close or open."""
        now = self._nano.now_us + 300_000
        for turn in TURNS:
            for step in parse_turn(turn):
                if step.origin:
                    yield from self._move(now, step.origin, closed=False)
                    now += 180_000
                if step.target:
                    yield from self._move(now, step.target, closed=True)
                # A removed piece that is back within a second was put back.
                now += 450_000 if step.target else 1_100_000

    @staticmethod
    def _move(now: int, point: object, *, closed: bool) -> Iterator[tuple[int, int, bool]]:
        for number, after in enumerate(BOUNCES_US):
            yield now + after, MORRIS[str(point)].index, closed == (number % 2 == 0)


@pytest.mark.parametrize("noise", [0, pytest.param(2, marks=pytest.mark.long)])
def test_a_whole_game_is_felt_and_lit(noise):
    """`noise`: the number of damaged bytes in a thousand, either way."""
    board = NanoBoard(FirmwareBuild()).ready()
    board.nano.do(f"noise {noise} 7")
    sensors = switch_sensors(board.scanner, {(n, SOMETHING): divmod(n, 8) for n in range(24)}, 24)
    controller = Blueprint.of(rules="standard").controller()
    play = Board(sensors, board.board.strip([(led,) for led in range(24)]), controller)
    hands = NanoHands(board)
    loop = Loop(play, 200, clock_ns=lambda: 1000 * board.nano.now_us, sleep=hands.sleep)
    wanted = deque([(DARK,) * 24], maxlen=6)
    faults, lit = [], set()

    def after(events, now):
        faults.extend(event for event in events if isinstance(event, FaultFound))
        wanted.append(controller.leds)
        shines = tuple((red, green, blue) for green, red, blue in board.nano.leds)
        assert noise or shines in wanted, "the strip shows what the board has not wanted for 30 ms"
        lit.add(shines)
        if hands.done and controller.session.game.outcome:
            loop.stop()
        assert now < 60_000_000, "the game does not come to its end"

    loop.run(after)
    assert list(controller.session.game.turn_texts()) == TURNS
    assert faults == []
    assert loop.missed == 0
    assert board.nano.state["overruns"] == "0"
    assert (board.board.lost > 0, board.board.damaged > 0) == (noise > 0, noise > 0)
    assert len(lit) > 100
    board.nano.do("noise 0 0")
    play.close()
    board.nano.run(10_000)
    assert set(board.nano.leds) == {bytes(3)}
