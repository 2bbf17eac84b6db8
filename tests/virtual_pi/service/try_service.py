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
from collections.abc import Callable
from pathlib import Path
from typing import Any

from play_game import Board, Told, play

from firmware_host.games.game import Step
from firmware_host.games.layout import MORRIS

UNIT = "millwright.service"
PAGE = "http://127.0.0.1:8765/"
PATIENCE_S = 90.0
MUTE = Path("/sys/module/muxboard/parameters/mute")
UNPLUGGED = Path("/sys/module/striptap/parameters/unplugged")


def told(*command: str) -> str:
    """What a command prints."""
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()  # noqa: S603


def shown(name: str) -> str:
    """A property of the unit."""
    return told("systemctl", "show", f"--property={name}", "--value", UNIT)


def status() -> dict[str, Any]:
    """What the board says of itself; nothing where it does not answer."""
    text = told("millwright", "status", "--json")
    answer: dict[str, Any] = json.loads(text) if text.startswith("{") else {}
    return answer


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
    """A whole game, by page and strip."""
    play(Told(PAGE), Board())


def begin(board: Board) -> list[str]:
    """Clear the board, so that a game begins, and play two turns of it."""
    until(is_up, "a service that is up")
    board.clear()
    until(lambda: status()["game"]["turns"] == 0 and status()["status"] == "ready", "a new game")
    for number, point in enumerate(("d6", "f4"), start=1):
        put(board, point, number)
    return ["d6", "f4"]


def put(board: Board, point: str, turns: int) -> None:
    """Set a piece down, which is the turn of that number."""
    board.do(Step(point, None, None, MORRIS[point]))
    until(lambda: status()["game"]["turns"] == turns, f"{point} as turn {turns}")


def goes_on(pid: str, board: Board) -> None:
    """Another process goes on with the game that the one before had begun."""
    until(lambda: shown("MainPID") not in ("0", pid) and is_up(), "another process that is up")
    until(lambda: status()["game"]["turns"] == 2 and status()["status"] == "ready", "the same game")
    put(board, "b2", 3)
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


def breaks(part: str, switch: Path) -> None:
    """What breaks is said, nothing is started anew, and play goes on when it is mended."""
    board = Board()
    begin(board)
    pid = shown("MainPID")
    switch.write_text("1")
    if part == "leds":
        board.do(Step("b2", None, None, MORRIS["b2"]))
    until(lambda: part in status()["faults"], f"a fault of the {part}")
    time.sleep(30)  # longer than the watchdog's time
    if shown("MainPID") != pid:
        sys.exit("it was started anew")
    switch.write_text("0")
    until(lambda: not status()["faults"], "all to be well again")
    if part != "leds":
        board.do(Step("b2", None, None, MORRIS["b2"]))
    until(lambda: status()["game"]["turns"] == 3, "the third turn")
    until(lambda: board.lit(), "light")


def chip() -> None:
    """The chip of the sensors."""
    breaks("sensors", MUTE)


def strip() -> None:
    """The strip."""
    breaks("leds", UNPLUGGED)


def full_disk() -> None:
    """The disk takes nothing: that is said, play goes on, and it is kept when it can be."""
    board = Board()
    begin(board)
    pid, filler = shown("MainPID"), Path("/var/lib/millwright/filler")
    fill = f"head --bytes=2G /dev/zero >{filler} || true"
    subprocess.run(["runuser", "-u", "millwright", "--", "sh", "-c", fill], check=True, capture_output=True)  # noqa: S603, S607
    board.do(Step("b2", None, None, MORRIS["b2"]))
    until(lambda: "disk" in status()["faults"], "a fault of the disk")
    until(lambda: status()["game"]["turns"] == 3, "the third turn, although nothing is kept")
    filler.unlink()
    until(lambda: not status()["faults"], "all to be well again")
    os.kill(int(pid), signal.SIGKILL)
    until(lambda: shown("MainPID") not in ("0", pid) and is_up(), "another process that is up")
    until(lambda: status()["game"]["turns"] == 3, "what could not be written at first")


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
    folder = Path("/run/systemd/system/millwright.service.d")
    folder.mkdir(parents=True)
    (folder / "once.conf").write_text("[Service]\nRestart=no\n")
    told("systemctl", "daemon-reload")
    told("systemctl", "start", UNIT)
    until(is_up, "a service that is up")
    until(lambda: board.lit(), "light")
    os.kill(int(shown("MainPID")), signal.SIGKILL)
    until(lambda: shown("ActiveState") == "failed", "its end")
    if board.lit():
        sys.exit(f"after it was killed, {board.lit()} is lit")
    (folder / "once.conf").unlink()
    told("systemctl", "daemon-reload")
    told("systemctl", "start", UNIT)
    until(is_up, "a service that is up again")


if __name__ == "__main__":
    tries = (starts, plays, killed, hangs, chip, strip, full_disk, journal, dark)
    {a_try.__name__: a_try for a_try in tries}[sys.argv[1]]()
