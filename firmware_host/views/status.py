"""The status of the board in one screen: the program's counters and games, the machine's disk and supply.

Invariants: it has nothing that a page may not see, so no paths, user names or addresses; a fact that the
machine does not report is None, and shown as unknown. No clock; the machine's facts come from the kernel.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from math import ceil
from pathlib import Path
from typing import Any

from firmware_host import __version__
from firmware_host.errors import MillwrightError
from firmware_host.i18n import to_english
from firmware_host.play.board import Board
from firmware_host.play.events import WARNING_PARTS
from firmware_host.settings import Microseconds
from firmware_host.views.instructions import instruction
from firmware_host.views.snapshot import take

_SECOND: Microseconds = 1_000_000
_WINDOW_S = 10
_SUPPLY_SENSOR = "rpi_volt"  # drivers/hwmon/raspberrypi-hwmon.c, which asks the firmware every two seconds
_LOW_DISK_MIB = 100
_STATE = Path("/var/lib")
"""A folder on the disk that games are stored on."""


class FrameRate:
    """The rate at which frames were read lately."""

    def __init__(self) -> None:
        self._marks: deque[tuple[Microseconds, int]] = deque([(0, 0)], maxlen=_WINDOW_S + 1)

    def note(self, frames: int, now: Microseconds) -> None:
        """Record the number of `frames` read by `now`; to be called with each pass."""
        if now - self._marks[-1][0] >= _SECOND:
            self._marks.append((now, frames))

    @property
    def hz(self) -> float | None:
        """The frames per second over the last ten seconds; None in the first second."""
        (began, before), (ended, after) = self._marks[0], self._marks[-1]
        return None if ended == began else (after - before) * _SECOND / (ended - began)


def board_status(board: Board, rate: FrameRate, missed: int, now: Microseconds) -> dict[str, Any]:
    """Return the program's part of the status; `missed` is the number of frames that the loop skipped."""
    controller = board.controller
    game = controller.session.game
    turns = game.turn_texts()
    snapshot = take(controller)
    points = game.rules.layout.points
    return {
        "version": __version__,
        "uptime_s": now // _SECOND,
        "status": snapshot.status,
        "sentence": to_english(instruction(controller)),
        "faults": {part: to_english(what) for part, what in controller.faults.items()},
        "frame_rate_hz": None if rate.hz is None else round(rate.hz, 1),
        "frames": board.frames,
        "missed": missed,
        "masked": list(snapshot.masked),
        "chatter": {
            points[index].name: count for index, count in sorted(controller.debouncer.glitches.items())
        },
        "game": {
            "rules": snapshot.rules,
            "turns": len(turns),
            "last_turn": turns[-1] if turns else None,
            "to_move": snapshot.to_move,
            "outcome": snapshot.outcome,
        },
    }


def last_game_status(last_over: Callable[[], dict[str, Any] | None]) -> dict[str, Any]:
    """Return the last finished game of the store, or the reason why it cannot be read."""
    try:
        return {"last_game": last_over()}
    except MillwrightError as error:
        return {"last_game": {"fault": str(error)}}


def machine_status(folder: Path = _STATE, sys: Path = Path("/sys")) -> dict[str, Any]:
    """Return the machine's part: the free MiB on the disk of `folder`, and whether the voltage is too low."""
    return {"disk_free_mib": _free_mib(folder), "undervoltage": undervoltage(sys)}


def _free_mib(folder: Path) -> int | None:
    try:
        disk = os.statvfs(folder)
    except OSError:
        return None
    return disk.f_bavail * disk.f_frsize >> 20


def undervoltage(sys: Path) -> bool | None:
    """Return whether the Pi's voltage is too low at the moment, or None if the machine doesn't report it."""
    for monitor in sys.glob("class/hwmon/hwmon*"):
        try:
            if (monitor / "name").read_text().strip() == _SUPPLY_SENSOR:
                return (monitor / "in0_lcrit_alarm").read_text().strip() == "1"
        except OSError:  # removed in the meantime, or without an alarm
            continue
    return None


def status_screen(status: Mapping[str, Any]) -> str:
    """Return the `status` of all parts as text."""
    return "\n".join(f"{name:<13} {what}" for name, what in _lines(status))


def _lines(status: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    yield "board", f"{status['status']}: {status['sentence']}"
    for part, text in status["faults"].items():
        yield "warning" if part in WARNING_PARTS else "broken", f"{part}: {text}"
    yield "running", f"{_duration(status['uptime_s'])}, millwright {status['version']}"
    if "game" in status:
        yield from _of_play(status)
    low = {True: "too low now: see to supply and cable", False: "good", None: "not reported by this machine"}
    yield "supply", low[status["undervoltage"]]
    free = status["disk_free_mib"]
    little = "" if free is None or free >= _LOW_DISK_MIB else ", which is little"
    yield "disk", "not known" if free is None else f"{free} MiB free{little}"
    if "game" in status:
        yield "this game", _game(status["game"])
    if "last_game" in status:
        yield "last game", _last(status["last_game"])
    if "code" in status:
        minutes = ceil(status["code_left_s"] / 60)
        yield "code", f"{status['code']}, which lets another device play, for {minutes} min more"


def _of_play(status: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the lines of a board that plays, or would if it could read its sensors."""
    if status["masked"]:
        yield "masked", f"{', '.join(status['masked'])}: these sensors are switched off"
    rate = status["frame_rate_hz"]
    yield "frames", f"{'not known yet' if rate is None else f'{rate:g} a second'}, {status['missed']} missed"
    noisy = sorted(status["chatter"].items(), key=lambda point: (-point[1], point[0]))
    yield "chatter", ", ".join(f"{name} {count}" for name, count in noisy) or "none"


def _game(game: Mapping[str, Any]) -> str:
    outcome = game["outcome"]
    if outcome is None:
        now = f"{game['to_move']} to move"
    else:
        now = f"{outcome['winner'] or 'nobody'} won ({outcome['reason']})"
    last = f", the last was {game['last_turn']}" if game["last_turn"] else ""
    return f"{game['rules']}, {game['turns']} turns{last}; {now}"


def _last(game: Mapping[str, Any] | None) -> str:
    if game is None:
        return "none that was over before this one is kept"
    if "fault" in game:
        return f"not known: {game['fault']}"
    outcome = game["outcome"]
    ended = f"{outcome['winner'] or 'nobody'} won ({outcome['reason']})"
    began = (
        f", began {datetime.fromtimestamp(game['began_ms'] / 1000):%Y-%m-%d %H:%M}"
        if game["began_ms"]
        else ""
    )
    unwritten = "" if game["on_disk"] else ", not all on the disk yet"
    return f"number {game['game']}, {game['rules']}, {game['turns']} turns; {ended}{began}{unwritten}"


def _duration(seconds: int) -> str:
    days, rest = divmod(seconds, 86_400)
    clock = f"{rest // 3600}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days} days {clock}" if days else clock
