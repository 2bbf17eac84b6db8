"""Tries the service in the virtual Pi, as root: `try_service.py WHAT`; ends with 0 if all went well.

Hands set the sensors in the kernel, and what comes of it is asked of the service by `millwright status`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from firmware_host.games.game import Game, Player, legal_turns
from firmware_host.games.layout import MORRIS, Point
from firmware_host.games.rulesets import rule_set
from firmware_host.ports import DARK
from sim.spi import SimulatedSpi

UNIT = "millwright.service"
PAGE = "http://127.0.0.1:8765/"
PATIENCE_S = 180.0
MUTE = Path("/sys/module/muxboard/parameters/mute")
UNPLUGGED = Path("/sys/module/striptap/parameters/unplugged")
CLOSED = Path("/sys/module/muxboard/parameters/closed")
SEED = 7


class Board:
    """The wood and what lies on it: points are wired in order, chip after chip, as is recommended."""

    def __init__(self, *standing: str) -> None:
        self._standing = {MORRIS[point] for point in standing}
        self._strip = SimulatedSpi(len(MORRIS))
        self._strip.try_lock()
        self._strip.configure(baudrate=int(Path("/sys/module/striptap/parameters/hz").read_text()))

    def put(self, point: Point) -> None:
        """Set a piece down."""
        self._standing.add(point)
        self._show()

    def lift(self, point: Point) -> None:
        """Take a piece off."""
        self._standing.remove(point)
        self._show()

    def clear(self) -> None:
        """Take all pieces off."""
        self._standing.clear()
        self._show()

    def lit(self) -> set[str]:
        """The points whose LEDs shine, by what was last sent to them."""
        self._strip.write(Path("/dev/striptap").read_bytes())
        leds = zip(MORRIS.points, self._strip.leds, strict=True)
        return {point.name for point, colour in leds if colour != DARK}

    def mask(self) -> int:
        """The contacts that are closed, as the kernel's module takes them."""
        return sum(1 << point.index for point in self._standing)

    def _show(self) -> None:
        CLOSED.write_text(str(self.mask()))


def told(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()  # noqa: S603


def shown(name: str) -> str:
    """A property of the unit."""
    return told("systemctl", "show", f"--property={name}", "--value", UNIT)


def status() -> dict[str, Any]:
    """What the board says of itself; nothing where it does not answer."""
    try:
        with urllib.request.urlopen(f"{PAGE}status", timeout=10) as answer:  # noqa: S310
            told: dict[str, Any] = json.load(answer)
    except (OSError, ValueError):
        return {}
    return told


def turns() -> int:
    """How many turns were played; -1 where the board does not answer."""
    answer = status()
    return answer["game"]["turns"] if answer else -1


def has_played(number: int) -> bool:
    """Whether so many turns were played."""
    return turns() == number


def faults() -> dict[str, str]:
    """What is broken; where the board does not answer, that."""
    answer = status()
    return answer["faults"] if answer else {"board": "does not answer"}


def until(holds: Callable[[], object], what: str) -> None:
    """Wait until it holds; ends the program where it never does."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            sys.exit(
                f"never came: {what}\nunit: {shown('ActiveState')}, {shown('Result')}\nboard: {status()}"
            )
        time.sleep(0.3)


def is_up() -> bool:
    """Whether the unit is ready, and the board answers."""
    return shown("ActiveState") == "active" and bool(status())


def starts() -> None:
    """It is up with its first good frame, and says how it is."""
    until(is_up, "a service that is up")
    until(lambda: (status()["frame_rate_hz"] or 0) > 0, "frames")
    if shown("NRestarts") != "0":
        sys.exit(f"it took {shown('NRestarts')} restarts")
    print(told("millwright", "status"))  # noqa: T201
    if shown("User") != "millwright" or Path("/proc", shown("MainPID")).stat().st_uid == 0:
        sys.exit("it runs as root")


def plays() -> None:
    """A whole game; after each turn the board says which it was, and there is light."""
    board, lot, rules = Board(), Random(SEED), rule_set("standard")
    game = Game.begin(rules, rules.start(Player.WHITE))
    while game.outcome is None:
        among = legal_turns(game.position)
        turn = lot.choice([turn for turn in among if len(turn.steps) > 1] or list(among))
        for step in turn.steps:
            if step.origin is not None:
                board.lift(step.origin)
                time.sleep(0.3)
            if step.target is not None:
                board.put(step.target)
            else:
                time.sleep(1)
            game = game.play(step)
            time.sleep(0.5)
        *before, last = game.turn_texts()
        until(partial(has_played, len(before) + 1), f"turn {last}")
        said = status()["game"]
        if said["last_turn"] != last or not board.lit():
            sys.exit(f"{last} was played, and the board says {said}, with light on {board.lit()}")
    if status()["game"]["outcome"] is None:
        sys.exit(f"the game is over, and the board says {status()}")
    print(f"{game.outcome.winner} won in {len(game.turn_texts())} turns")  # noqa: T201


def begin(board: Board) -> None:
    """Clear the board, so that a game begins, and play two turns of it."""
    until(is_up, "a service that is up")
    board.clear()
    until(lambda: turns() == 0 and status()["status"] == "ready", "a new game")
    for number, point in enumerate(("d6", "f4"), start=1):
        play(board, point, number)


def play(board: Board, point: str, number: int) -> None:
    """Set a piece down, which is the turn of that number."""
    board.put(MORRIS[point])
    until(lambda: turns() == number, f"{point} as turn {number}")


def goes_on(pid: str, board: Board) -> None:
    """Another process goes on with the game that the one before had begun."""
    until(lambda: shown("MainPID") not in ("0", pid) and is_up(), "another process that is up")
    until(lambda: turns() == 2 and status()["status"] == "ready", "the same game")
    play(board, "b2", 3)
    until(lambda: board.lit(), "light")


def killed() -> None:
    """SIGKILL: it is started again."""
    board = Board()
    begin(board)
    pid = shown("MainPID")
    os.kill(int(pid), signal.SIGKILL)
    goes_on(pid, board)


def hangs() -> None:
    """SIGSTOP: the watchdog finds out."""
    board = Board()
    begin(board)
    pid, before = shown("MainPID"), time.monotonic()
    os.kill(int(pid), signal.SIGSTOP)
    goes_on(pid, board)
    print(f"up again after {time.monotonic() - before:.0f} s")  # noqa: T201
    if "watchdog" not in told("journalctl", "--unit=millwright", "--no-pager", "--lines=100").lower():
        sys.exit("it was not the watchdog")


MILL = (("a1", "b2"), ("d1", "d2"))
STANDING = ("a1", "b2", "d1", "d2", "g1")


def middle_of_a_turn() -> None:
    """Up to a mill that was just closed, whose removal is due."""
    until(is_up, "a service that is up")
    # Pieces stay where they are while there is no power.
    with Path("/etc/modprobe.d/board.conf").open("w") as file:
        file.write(f"options muxboard closed={Board(*STANDING).mask()}\n")
        file.flush()
        os.fsync(file.fileno())
    board, number = Board(), 0
    for white, black in MILL:
        for point in (white, black):
            number += 1
            play(board, point, number)
    board.put(MORRIS["g1"])
    until(lambda: status().get("status") == "remove", "a removal that is due")


def goes_on_after_power_cut() -> None:
    """The removal is still due, where the board stands as it did, and is done."""
    board = Board(*STANDING)
    until(is_up, "a service that is up")
    until(lambda: status().get("status") == "remove", "the removal that is still due")
    if turns() != 2 * len(MILL):
        sys.exit(f"another game: {status()}")
    board.lift(MORRIS["d2"])
    until(lambda: turns() == 2 * len(MILL) + 1, "the turn that was cut in two")


def breaks(part: str, switch: Path) -> None:
    """What breaks is said, nothing is started anew, and play goes on when it is mended."""
    board = Board()
    begin(board)
    pid = shown("MainPID")
    switch.write_text("1")
    if part == "leds":
        board.put(MORRIS["b2"])
    until(lambda: part in faults(), f"a fault of the {part}")
    time.sleep(30)  # longer than the watchdog's time
    if shown("MainPID") != pid:
        sys.exit("it was started anew")
    switch.write_text("0")
    until(lambda: not faults(), "all to be well again")
    if part != "leds":
        board.put(MORRIS["b2"])
    until(lambda: turns() == 3, "the third turn")
    until(lambda: board.lit(), "light")


def chip() -> None:
    """The chip of the sensors."""
    breaks("sensors", MUTE)


def strip() -> None:
    """The strip."""
    breaks("leds", UNPLUGGED)


def full_disk() -> None:
    """The disk takes nothing: that is said, play goes on, and it is kept when it can be.

    The service starts on the full disk, since a running one may have room left in the file it writes ahead.
    """
    board = Board()
    begin(board)
    told("systemctl", "stop", UNIT)
    filler = Path("/var/lib/millwright/filler")
    fill = f"head --bytes=2G /dev/zero >{filler} || true"
    subprocess.run(["runuser", "-u", "millwright", "--", "sh", "-c", fill], check=True, capture_output=True)  # noqa: S603, S607
    told("systemctl", "start", UNIT)
    until(is_up, "a service that is up on a full disk")
    until(lambda: turns() == 2, "the game before")
    board.put(MORRIS["b2"])
    until(lambda: "disk" in faults(), "a fault of the disk")
    until(lambda: turns() == 3, "the third turn, although nothing is kept")
    filler.unlink()
    until(lambda: not faults(), "all to be well again")
    pid = shown("MainPID")
    os.kill(int(pid), signal.SIGKILL)
    until(lambda: shown("MainPID") not in ("0", pid) and is_up(), "another process that is up")
    until(lambda: turns() == 3, "what could not be written at first")


def journal() -> None:
    """Turns are information, faults are errors, and there are not many lines."""
    lines = told("journalctl", "--unit=millwright", "--no-pager", "--output=json").splitlines()
    entries = [json.loads(line) for line in lines]
    said = [(entry["PRIORITY"], entry["MESSAGE"]) for entry in entries if entry.get("_COMM") == "millwright"]
    for wanted in (("6", "white: d6"), ("5", "sensors: all is well again")):
        if wanted not in said:
            sys.exit(f"the journal has no {wanted}: {said[-20:]}")
    if not any(priority == "3" and text.startswith("sensors: ") for priority, text in said):
        sys.exit("the journal has no error of the sensors")
    print(f"{len(said)} lines")  # noqa: T201
    if len(said) > 300:
        sys.exit("that is too many")


def dark() -> None:
    """No light is left by a board that was stopped, nor by one that was killed."""
    board = Board()
    begin(board)
    until(lambda: board.lit(), "light")
    told("systemctl", "stop", UNIT)
    if board.lit() or told("systemctl", "is-active", "millwright.socket") == "active":
        sys.exit(
            f"after it was stopped, {board.lit()} is lit; {told('systemctl', 'status', 'millwright.socket')}"
        )
    once = Path("/run/systemd/system/millwright.service.d/once.conf")
    once.parent.mkdir(parents=True)
    once.write_text("[Service]\nRestart=no\n")
    try:
        told("systemctl", "daemon-reload")
        told("systemctl", "start", UNIT)
        until(is_up, "a service that is up")
        until(lambda: board.lit(), "light")
        os.kill(int(shown("MainPID")), signal.SIGKILL)
        until(lambda: shown("ActiveState") == "failed", "its end")
        if board.lit():
            sys.exit(f"after it was killed, {board.lit()} is lit")
    finally:
        once.unlink()
        told("systemctl", "daemon-reload")
    told("systemctl", "start", UNIT)
    until(is_up, "a service that is up again")


if __name__ == "__main__":
    tries = (
        middle_of_a_turn,
        goes_on_after_power_cut,
        starts,
        plays,
        killed,
        hangs,
        chip,
        strip,
        full_disk,
        journal,
        dark,
    )
    {a_try.__name__: a_try for a_try in tries}[sys.argv[1]]()
