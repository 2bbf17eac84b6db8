"""A whole game by hands on a board with a Pico: contacts, front end, driver, rules, and back to light."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator

import pytest

from firmware_host.games.layout import MORRIS
from firmware_host.games.morris.notation import parse_turn
from firmware_host.play.board import Board
from firmware_host.play.events import FaultFound
from firmware_host.ports import BLACK_PIECE, DARK, SOMETHING, WHITE_PIECE
from firmware_host.runtime.loop import Loop
from hardware.sensors.decode import switch_sensors
from sim.assembly import Blueprint
from tests.hardware.pico.simulated_pico import PicoBoard, PicoBuild
from tests.support.matrix import sampled
from tests.support.paths import SCENARIOS

GAME = SCENARIOS / "a-whole-game-of-standard.txt"
TURNS = re.findall(r'"event": "turn", "text": "([^"]*)"', GAME.read_text(encoding="utf-8"))
BOUNCES_US = (0, 300, 700, 1100, 1900)
"""A reed that is closed or opened changes to and fro at these times."""


class PicoHands:
    """Hands that play `TURNS` at a good pace, with reeds that bounce, or fields that waver."""

    def __init__(self, board: PicoBoard, linear: bool) -> None:
        self.done = False
        self._pico, self._linear = board.pico, linear
        self._on: dict[int, int] = {}
        self._changes = self._play()
        self._next = next(self._changes)

    def sleep(self, seconds: float) -> None:
        """Let the board's time pass, and do what falls into it."""
        end = self._pico.now_us + round(seconds * 1_000_000)
        while not self.done and self._next[0] <= end:
            at, point, field = self._next
            self._pico.run(max(0, at - self._pico.now_us))
            if self._linear:
                self._pico.do(f"field {point} {field}")
            else:
                self._pico.contact(point, field != 0)
            self._next = next(self._changes, (0, 0, 0))
            self.done = self._next[0] == 0
        self._pico.run(max(0, end - self._pico.now_us))

    def _play(self) -> Iterator[tuple[int, int, int]]:
        """Yield when the field of a point changes, and to what strength."""
        now = self._pico.now_us + 300_000
        for number, turn in enumerate(TURNS):
            field = -9000 if number % 2 else 9000
            for step in parse_turn(turn):
                if step.origin:
                    yield from self._move(now, MORRIS[str(step.origin)].index, 0)
                    now += 180_000
                if step.target:
                    yield from self._move(now, MORRIS[str(step.target)].index, field)
                # A removed piece that is back within a second was put back.
                now += 450_000 if step.target else 1_100_000

    def _move(self, now: int, point: int, field: int) -> Iterator[tuple[int, int, int]]:
        before, self._on[point] = self._on.get(point, 0), field
        for number, after in enumerate(BOUNCES_US):
            yield now + after, point, before if number % 2 else field


def play(board: PicoBoard, linear: bool) -> None:
    """Play the game; it must be followed without a fault, and shown."""
    readings = (WHITE_PIECE, BLACK_PIECE) if linear else (SOMETHING,)
    contacts = {(n % 24, readings[n // 24]): divmod(n, 8) for n in range(24 * len(readings))}
    sensors = switch_sensors(board.board.scanner(tuple(contacts.values())), contacts, 24)
    alphabet = "polarity" if linear else "presence"
    controller = Blueprint.of(rules="standard", sensors=alphabet).controller()
    plays = Board(sensors, board.board.strip([(led,) for led in range(24)]), controller)
    hands = PicoHands(board, linear)
    loop = Loop(plays, 200, clock_ns=lambda: 1000 * board.pico.now_us, sleep=hands.sleep)
    wanted: deque = deque([(DARK,) * 24], maxlen=8)
    faults, lit = [], set()

    def after(events, now):
        faults.extend(event for event in events if isinstance(event, FaultFound))
        wanted.append(controller.leds)
        shines = tuple((red, green, blue) for green, red, blue in board.pico.leds)
        assert shines in wanted, "the strip shows what the board has not wanted for 40 ms"
        lit.add(shines)
        if hands.done and controller.session.game.outcome:
            loop.stop()
        assert now < 60_000_000, "the game does not come to its end"

    loop.run(after)
    assert list(controller.session.game.turn_texts()) == TURNS
    assert faults == []
    assert (board.board.lost, board.board.damaged) == (0, 0)
    assert len(lit) > 100
    plays.close()
    board.pico.run(20_000)
    assert set(board.pico.leds) == {bytes(3)}


@pytest.mark.ci("devices")
@pytest.mark.parametrize("kind", sampled(["direct", "linear", "mux", "matrix"], 2))
def test_a_whole_game_is_followed_and_lit(tmp_path, kind):
    play(PicoBoard(tmp_path, PicoBuild.of(kind)).ready(), kind == "linear")


@pytest.mark.ci("devices")
@pytest.mark.parametrize("kind", ["direct", pytest.param("linear", marks=pytest.mark.long)])
def test_a_whole_game_is_followed_by_micropython(tmp_path, kind):
    play(PicoBoard(tmp_path, PicoBuild.of(kind, micropython=True)).ready(), kind == "linear")
