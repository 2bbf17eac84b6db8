"""Plays a whole game on the virtual Pi: hands set the sensors in its kernel, all else is the program.

The board has multiplexers, or with the argument `matrix` a diode matrix. Turns are drawn by lot, from those
that close a mill if there are any. Each must come to stand on the page, and the strip must show exactly the
points that the page says are lit, decoded from the bytes that left on SPI; in the end it must be dark. On the
way a chip loses its power or a row its wire, two contacts stick, and the lines rise too slowly: the page must
say which points are wrong, and the game must go on when that is over. With the argument `controls` the board
has a button, a buzzer, side bars and a clock besides: a press must open the menu and close it, a longer one
pause the game, each turn that counts must be heard, and the bars must shine as the page draws them. Ends
with 0 if all went well.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.config.loader import load
from firmware_host.games.game import Game, Player, Step, legal_turns
from firmware_host.games.layout import MORRIS, Point
from firmware_host.games.rulesets import rule_set
from firmware_host.ports import DARK, SOMETHING
from firmware_host.settings import Sensors, Strip
from hardware.wiring.contacts import contacts_of
from sim.electronics.spi import SimulatedSpi
from tests.contract.virtual_pi_rigs import ControlBoard, line_board, tell, told
from tests.support.web.page_client import PageClient
from tests.support.web.protocol import merged
from tests.virtual_pi.drivers.rhythms import heard

SEED = 7
PATIENCE_S = 60.0  # of the machine's own clock
MILLWRIGHT = Path(sys.executable).with_name("millwright")
TROUBLE_AFTER = 10
SLOW_NS, AS_USUAL_NS = 300_000, 7_000
TAP = Path("/dev/striptap")
SILENCE_S = 0.7  # longer than any rhythm
WITH_CONTROLS = """
[controls]
button = 26
[sound]
buzzer = 12
level = "all"
[play]
clock = "10+5"
[strip]
leds = 40
white_bar = [24, 25, 26, 27, 28, 29, 30, 31]
black_bar = [32, 33, 34, 35, 36, 37, 38, 39]
"""


class WoodOnDrivers:
    """The wood and what lies on it: points are wired in order, chip after chip or row after row."""

    def __init__(self, sensors: Sensors, strip: Strip) -> None:
        self._is_matrix = sensors.kind == "matrix"
        self._wires = contacts_of(MORRIS, sensors)
        self._contacts = line_board(MORRIS, sensors)
        self.standing: set[Point] = set()
        self._strip = SimulatedSpi(strip.leds)
        self._names = [point.name for point in MORRIS.points]
        for player, bar in (("white", strip.white_bar), ("black", strip.black_bar)):
            self._names += [f"{player}-bar-{number}" for number, _ in enumerate(bar, 1)]

    def do(self, step: Step) -> None:
        """Let hands do one step, with a moment in the air where a piece is moved."""
        if step.origin is not None:
            self.standing.remove(step.origin)
            self._contacts.open(self._wire(step.origin))
            time.sleep(0.3)
        if step.target is not None:
            self.standing.add(step.target)
            self._contacts.close(self._wire(step.target))

    def groups(self) -> dict[int, set[Point]]:
        """The pieces that each chip or row feels."""
        numbers = {self._wire(point)[0] for point in self.standing}
        return {number: {p for p in self.standing if self._wire(p)[0] == number} for number in numbers}

    def outage(self, number: int) -> str:
        """The beginning of the fault that is reported if this chip or row drops out."""
        return f"row {number}" if self._is_matrix else f"mux {number} has dropped out"

    def stick(self, points: set[Point]) -> None:
        """Let contacts be closed whatever stands there."""
        tell("muxboard", stuck_closed=self._contacts.mask(map(self._wire, points)))

    def lit(self) -> set[str]:
        """The points and places of bars whose LEDs shine, by what was last sent; none if nothing ever was."""
        if not (hz := told("striptap", "hz")):
            return set()
        self._strip.configure(hz)
        self._strip.write(TAP.read_bytes())
        return {name for name, colour in zip(self._names, self._strip.leds, strict=True) if colour != DARK}

    def _wire(self, point: Point) -> tuple[int, int]:
        return self._wires[point.index, SOMETHING]


class LatestState:
    """The latest state of the page."""

    def __init__(self, address: str) -> None:
        self._page = PageClient(address)
        self._whole = self._page.until("snapshot")

    @property
    def state(self) -> dict[str, Any]:
        """The page's state of the board."""
        state: dict[str, Any] = self._whole["state"]
        return state

    def until_it_is(self, game: Game) -> None:
        """Take in the page's messages until it shows `game`."""
        status = "over" if game.outcome else "remove" if game.mid_turn else "ready"
        position = str(game.position)
        self.until(
            lambda: (self.state["status"], self.state["position"]) == (status, position),
            f"{status} with {position} after {' '.join(game.turn_texts())}",
        )

    def until_it_finds(self, key: str, points: set[Point]) -> None:
        """Take in the page's messages until it reports that these points, and no others, are wrong.

        Two contacts that close at once may also be two turns, in an order that nobody can know.
        """
        names = sorted(point.name for point in points)
        self.until(
            lambda: (
                self.state["status"] == "undecided"
                or (self.state["status"] == "mismatch" and sorted(self.state[key]) == names)
            ),
            f"a mismatch with {key} {names}, or an undecided board",
        )

    def until_it_lacks(self, outage: str, points: set[Point]) -> None:
        """Take in the page's messages until it reports that a chip or row has dropped out with its pieces.

        One that dies within a scan is read by two frames, and may lack too few pieces in each: those are
        missing then.
        """
        names = sorted(point.name for point in points)
        self.until(
            lambda: (
                any(outage in fault for fault in self.state["faults"])
                or (self.state["status"] == "mismatch" and sorted(self.state["missing"]) == names)
            ),
            f"{outage}, with {names}",
        )

    @property
    def sounds(self) -> int:
        """The number of sounds since the start."""
        last = self.state["sound"]["last"]
        return 0 if last is None else int(last["number"])

    def until(self, holds: Callable[[], bool], what: str) -> None:
        """Take in the page's messages until `holds`; ends the program if it never does."""
        end = time.monotonic() + PATIENCE_S
        while not holds():
            if time.monotonic() > end:
                sys.exit(f"never came: {what}\nthe page says: {self.state}")
            message = self._page.receive()
            if message["type"] in ("snapshot", "change"):
                self._whole = merged(self._whole, message)


def play(told: LatestState, board: WoodOnDrivers, controls: ControlBoard | None) -> None:
    """Play until somebody has won, and look at page and strip after each step and turn."""
    lot = Random(SEED)
    rules = rule_set("standard")
    game = Game.begin(rules, rules.start(Player.WHITE))
    while game.outcome is None:
        before = told.sounds
        turns = legal_turns(game.position)
        mills = [turn for turn in turns if len(turn.steps) > 1]
        for step in lot.choice(mills or list(turns)).steps:
            board.do(step)
            game = game.play(step)
            told.until_it_is(game)
        told.until(
            lambda: board.lit() == set(told.state["leds"]) != set(), "the same light on strip and page"
        )
        if controls is not None:
            hear(told, controls, before)
        if len(game.turn_texts()) == TROUBLE_AFTER:
            if controls is not None:
                press_button(told, controls)
                look_at_bars(board)
            trouble(told, board, game)
            if controls is not None:
                time.sleep(SILENCE_S)
                controls.take_burst()
    sys.stdout.write(f"{game.outcome.winner} won: {' '.join(game.turn_texts())}\n")


def hear(told: LatestState, controls: ControlBoard, before: int) -> None:
    """Each turn is heard once it is stored: a piece that was placed or taken, the end of the game.

    `before` is the number of sounds before it.
    """
    told.until(lambda: told.sounds > before, "a sound")
    time.sleep(SILENCE_S)
    beats = controls.take_burst()
    if heard(beats) is None:
        sys.exit(f"the buzzer's line did {beats}, which is the rhythm of no sound")


def press_button(told: LatestState, controls: ControlBoard) -> None:
    """A press opens the menu, another one closes it, and one of a second pauses the game and goes on."""
    for seconds, status in ((0.2, "asking"), (0.2, "ready"), (1.0, "paused"), (1.0, "ready")):
        controls.press()
        time.sleep(seconds)
        controls.release()
        told.until(lambda status=status: told.state["status"] == status, f"{status} after a press")
        time.sleep(SILENCE_S)  # two quick presses would be another wish
    controls.take_burst()


def look_at_bars(board: WoodOnDrivers) -> None:
    """Both players have time left, so each bar shines at its lower end."""
    lit = board.lit()
    if not {"white-bar-1", "black-bar-1"} <= lit:
        sys.exit(f"the bars are dark: {sorted(lit)}")


def trouble(told: LatestState, board: WoodOnDrivers, game: Game) -> None:
    """Faults are reported, and after the repair the game continues."""
    number, points = max(board.groups().items(), key=lambda group: len(group[1]))
    assert len(points) > 2, "two pieces could have been lifted"
    tell("muxboard", dead=1 << number)
    told.until_it_lacks(board.outage(number), points)
    tell("muxboard", dead=0)
    told.until_it_is(game)
    stuck = set([point for point in MORRIS.points if point not in board.standing][:2])
    board.stick(stuck)
    told.until_it_finds("extra", stuck)
    board.stick(set())
    told.until_it_is(game)
    tell("muxboard", rise_ns=SLOW_NS)
    told.until(lambda: told.state["status"] == "mismatch", "a mismatch, since lines rise too slowly")
    tell("muxboard", rise_ns=AS_USUAL_NS)
    told.until_it_is(game)


def run(config: Path, board: WoodOnDrivers, controls: ControlBoard | None) -> None:
    """Start the program, play, and end it."""
    command = [MILLWRIGHT, "run", "--config", config, "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:  # noqa: S603
        try:
            line = program.stdout.readline() if program.stdout else ""
            address = re.search(r"http://\S+/", line)
            told = LatestState(address[0]) if address else sys.exit(f"no page: {line!r}")
            told.until(lambda: told.state["status"] == "ready", "a board that is ready")
            # config.txt has no setting for the core clock here, as look_at_model.py wants it.
            if broken := [fault for fault in told.state["faults"] if "core_freq" not in fault]:
                sys.exit(f"something is broken: {broken}")
            play(told, board, controls)
        finally:
            program.terminate()
    if program.returncode or board.lit():
        sys.exit(f"the program ended with {program.returncode}, and {board.lit()} stayed lit")


def main() -> None:
    """Play on a board of the kind that is named, with a file of games of its own."""
    sensors = Sensors(kind="matrix" if sys.argv[1:] == ["matrix"] else "mux")
    has_controls = sys.argv[1:] == ["controls"]
    with tempfile.TemporaryDirectory() as folder:
        config = Path(folder, "millwright.toml")
        games = Path(folder, "games.sqlite")
        text = f'[sensors]\nkind = "{sensors.kind}"\n[store]\npath = "{games}"\n'
        config.write_text(text + (WITH_CONTROLS if has_controls else ""), "utf-8")
        loaded = load(config)
        board = WoodOnDrivers(sensors, loaded.strip)
        parts = ControlBoard(loaded.controls.button, loaded.sound.buzzer) if has_controls else None
        run(config, board, parts)


if __name__ == "__main__":
    main()
