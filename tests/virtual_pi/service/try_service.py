"""Tries the service in the virtual Pi, as root: `try_service.py WHAT`; ends with 0 if all went well.

Hands set the sensors in the kernel, and what comes of it is asked of the service by its page.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from random import Random

from asking import (
    SOCKET,
    UNIT,
    faults,
    is_well,
    shown,
    status,
    told,
    turns,
    until,
    until_another,
    until_turns,
    until_up,
)
from wood import MUTE, UNPLUGGED, WoodOfService

from firmware_host.games.game import Game, Player, legal_turns
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set

SEED = 7
GAMES = Path("/var/lib/millwright")
CONFIG = Path("/etc/millwright/millwright.toml")
OPENING = ("d6", "f4")
"""The targets of the first two turns of a game during which something happens."""
TURNS_AGAINST = 8
"""The turns that both play where the engine plays one side."""


def starts() -> None:
    """It is up with its first good frame, and says how it is."""
    until_up()
    until(lambda: (status()["frame_rate_hz"] or 0) > 0, "frames")
    if shown("NRestarts") != "0":
        sys.exit(f"it took {shown('NRestarts')} restarts")
    print(told("millwright", "status"))  # noqa: T201
    if shown("User") != "millwright" or Path("/proc", shown("MainPID")).stat().st_uid == 0:
        sys.exit("it runs as root")


def plays() -> None:
    """A whole game; after each turn the board says which it was, and there is light."""
    board, lot, rules = WoodOfService(), Random(SEED), rule_set("standard")
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
        until_turns(len(before) + 1, last)
        said = status()["game"]
        if said["last_turn"] != last:
            sys.exit(f"{last} was played, and the board says {said}")
        until(board.lit, "light")  # which may be dark for a moment, as it pulses
    if status()["game"]["outcome"] is None:
        sys.exit(f"the game is over, and the board says {status()}")
    print(f"{game.outcome.winner} won in {len(game.turn_texts())} turns")  # noqa: T201


def by_hand() -> None:
    """A whole game with the program that a user has started."""
    until(lambda: status().get("status") == "ready", "a board that is ready")
    plays()
    WoodOfService().clear()


def play(board: WoodOfService, point: str, number: int) -> None:
    """Set a piece down, which is the turn of that number."""
    board.put(MORRIS[point])
    until_turns(number, point)


def begin(board: WoodOfService) -> None:
    """Clear the board, so that a game begins, and play two turns of it."""
    until_up()
    board.clear()
    until(lambda: turns() == 0 and status()["status"] == "ready", "a new game")
    for number, point in enumerate(OPENING, start=1):
        play(board, point, number)


def go_on(board: WoodOfService) -> None:
    """Play the next turn of the game that `begin` began, where it stands as it did."""
    until(lambda: turns() == len(OPENING) and status()["status"] == "ready", "the same game")
    play(board, "b2", len(OPENING) + 1)
    until(board.lit, "light")


def against_the_board() -> None:
    """The engine plays Black at its highest level: light tells its turns, and hands carry them out."""
    told("sed", "--in-place", 's/^#black = .*/black = "engine:8"/', str(CONFIG))
    told("systemctl", "restart", UNIT)
    until_up()
    board, rules = WoodOfService(), rule_set("standard")
    board.clear()
    until(lambda: turns() == 0 and status()["status"] == "ready", "a new game")
    game = Game.begin(rules, rules.start(Player.WHITE))
    while len(game.turn_texts()) < TURNS_AGAINST:
        placed = next(turn.steps for turn in legal_turns(game.position) if len(turn.steps) == 1)
        board.put(placed[0].target)
        game = game.play(*placed)
        until_played(game)
        began = time.monotonic()
        target = the_lit(board, {point.name for point in MORRIS.points} - board.standing)
        print(f"{target} after {time.monotonic() - began:.1f} s")  # noqa: T201
        board.put(MORRIS[target])
        game = game.play(game.position.legal_step(target))
        if game.position.removal_due:
            taken = the_lit(board, {step.origin.name for step in game.position.legal_steps()})
            board.lift(MORRIS[taken])
            game = game.play(game.position.legal_step(f"x{taken}"))
        until_played(game)


def until_played(game: Game) -> None:
    """Wait until the last turn of a game was played."""
    *before, last = game.turn_texts()
    until_turns(len(before) + 1, last)
    until(lambda: status()["game"]["last_turn"] == last, last)


def the_lit(board: WoodOfService, among: set[str]) -> str:
    """Wait until exactly one of these points is lit, and return it."""
    found: set[str] = set()

    def is_one() -> bool:
        found.clear()
        found.update(board.lit() & among)
        return len(found) == 1

    until(is_one, f"light at one of {sorted(among)}")
    return found.pop()


def begins() -> None:
    """A game is begun, of which two turns are played."""
    begin(WoodOfService())


def goes_on() -> None:
    """The game that was begun goes on with its third turn."""
    until_up()
    go_on(WoodOfService(*OPENING))


def killed() -> None:
    """SIGKILL: it is started again."""
    board = WoodOfService()
    begin(board)
    pid = shown("MainPID")
    os.kill(int(pid), signal.SIGKILL)
    until_another(pid)
    go_on(board)


def hangs() -> None:
    """SIGSTOP: the watchdog finds out, and until it is started again there is no light."""
    board = WoodOfService()
    begin(board)
    pid, before = shown("MainPID"), time.monotonic()
    os.kill(int(pid), signal.SIGSTOP)
    until(lambda: shown("SubState") == "auto-restart", "its end")
    if board.lit():
        sys.exit(f"after the watchdog ended it, {board.lit()} is lit")
    until_another(pid)
    print(f"up again after {time.monotonic() - before:.0f} s")  # noqa: T201
    go_on(board)
    if "watchdog" not in told("journalctl", "--unit=millwright", "--no-pager", "--lines=100").lower():
        sys.exit("it was not the watchdog")


MILL = (("a1", "b2"), ("d1", "d2"))
STANDING = ("a1", "b2", "d1", "d2", "g1")


def middle_of_a_turn() -> None:
    """Up to a mill that was just closed, whose removal is due."""
    until_up()
    WoodOfService(*STANDING).stays_without_power()
    board, number = WoodOfService(), 0
    for white, black in MILL:
        for point in (white, black):
            number += 1
            play(board, point, number)
    board.put(MORRIS["g1"])
    until(lambda: status().get("status") == "remove", "a removal that is due")


def goes_on_after_power_cut() -> None:
    """The removal is still due, where the board stands as it did, and is done."""
    board = WoodOfService(*STANDING)
    until_up()
    until(lambda: status().get("status") == "remove", "the removal that is still due")
    if (turns(), status()["game"]["last_turn"]) != (2 * len(MILL) + 1, "g1"):
        sys.exit(f"another game: {status()}")
    board.lift(MORRIS["d2"])
    until(lambda: status()["game"]["last_turn"] == "g1xd2", "the rest of the turn that was cut in two")
    until(lambda: status()["status"] == "ready" and board.lit(), "light for the next turn")


def breaks(part: str, switch: Path) -> None:
    """A fault is reported, nothing is restarted, and play continues after the repair."""
    board = WoodOfService()
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
    until(lambda: is_well(part), f"the {part} to be well again")
    if part != "leds":
        board.put(MORRIS["b2"])
    until_turns(3, "b2")
    until(board.lit, "light")


def chip() -> None:
    """The chip of the sensors."""
    breaks("sensors", MUTE)


def strip() -> None:
    """The strip."""
    breaks("leds", UNPLUGGED)


def fill(file: Path) -> None:
    """Leave no room on the disk for ordinary users: most of it is only reserved, since writing takes long."""
    free = os.statvfs(file.parent).f_bavail * os.statvfs(file.parent).f_frsize
    script = f"fallocate --length={free - 2**20} {file}; cat /dev/zero >>{file}"
    told("runuser", "-u", "millwright", "--", "sh", "-c", script)
    if os.statvfs(file.parent).f_bavail > 0:
        sys.exit(f"the disk has room for {os.statvfs(file.parent).f_bavail} blocks more")


def full_disk() -> None:
    """The disk accepts nothing: that is reported, play goes on, can be downloaded, and is saved as soon as
    possible.

    The service starts on the full disk, since a running one may have room left in the file it writes ahead.
    """
    board = WoodOfService()
    begin(board)
    told("systemctl", "stop", UNIT)
    filler = GAMES / "filler"
    fill(filler)
    told("systemctl", "start", UNIT)
    until_up()
    until_turns(2, "the game before")
    board.put(MORRIS["b2"])
    until(lambda: "disk is full" in faults().get("disk", ""), "a disk that is said to be full")
    until_turns(3, "b2, although nothing is kept,")
    print(told("millwright", "status"))  # noqa: T201
    listed = told("runuser", "-u", "nobody", "--", "millwright", "games", "list")
    if not listed.endswith("3 turns  standard: not over; not all on the board's disk yet"):
        sys.exit(f"who may not read the file of games is told of them: {listed}")
    filler.unlink()
    until(lambda: is_well("disk"), "the disk to be well again")
    pid = shown("MainPID")
    os.kill(int(pid), signal.SIGKILL)
    until_another(pid)
    until_turns(3, "what could not be written at first")


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


def dark_when_stopped() -> None:
    """No light is left by a board that was stopped, and no page starts it again."""
    board = WoodOfService()
    begin(board)
    until(board.lit, "light")
    told("systemctl", "stop", UNIT)
    if board.lit() or told("systemctl", "is-active", SOCKET) == "active":
        sys.exit(f"after it was stopped, {board.lit()} is lit; {told('systemctl', 'status', SOCKET)}")


def dark_when_killed() -> None:
    """No light is left by a board that was killed and is not started again."""
    once = Path("/run/systemd/system/millwright.service.d/once.conf")
    once.parent.mkdir(parents=True)
    once.write_text("[Service]\nRestart=no\n")
    board = WoodOfService(*OPENING)
    try:
        told("systemctl", "daemon-reload")
        told("systemctl", "start", UNIT)
        until_up()
        until(board.lit, "light")
        os.kill(int(shown("MainPID")), signal.SIGKILL)
        until(lambda: shown("ActiveState") == "failed", "its end")
        if board.lit():
            sys.exit(f"after it was killed, {board.lit()} is lit")
    finally:
        once.unlink()
        told("systemctl", "daemon-reload")
    told("systemctl", "start", UNIT)
    until_up()


TRIALS = (
    starts,
    plays,
    by_hand,
    against_the_board,
    begins,
    goes_on,
    killed,
    hangs,
    chip,
    strip,
    full_disk,
    dark_when_stopped,
    dark_when_killed,
    journal,
    middle_of_a_turn,
    goes_on_after_power_cut,
)

if __name__ == "__main__":
    {trial.__name__: trial for trial in TRIALS}[sys.argv[1]]()
