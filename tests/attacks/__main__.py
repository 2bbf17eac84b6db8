"""Attack a running board from a house full of visitors, and print what it made of each attack.

`python -m tests.attacks [--minutes N | --seconds N] [--settle N] [--program FOLDER] [KIND ...]`. Needs root
on Linux, for networks of its own. `--minutes 10 --settle 300` is the whole measurement, in 17 minutes.

The last line says whether all limits were held; the command ends with 1 if one was passed. In each attack,
99 in 100 frames are done within 5 ms, at most one in 100 is left out, since it would be a whole frame late,
and there are at least 196 a second; each honest visit takes at most a second; memory grows by at most a
tenth; the log has less than 1 MB an hour; and a piece that is placed on the board counts. After all attacks
and the rest, memory is at most a tenth more than before them, when a house full of honest pages had come and
gone; the board stops within two seconds while it is attacked; and all pieces are on disk.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attacks.attacked_board import (
    AttackedBoard,
    BoardSample,
    SilentBoardError,
    attacked_board,
    late_us,
)
from tests.attacks.house import Namespaces, house, missing
from tests.attacks.visitors import ATTACKS

_LATE_US, _LEFT_OUT, _VISIT_S, _GROWTH, _LOG_BYTES_AN_HOUR, _STOP_S = 5_000, 0.01, 1.0, 1.1, 1_000_000, 2.0
_RATE_HZ = 196
"""The least frames a second, of 200: the counters are asked for some milliseconds apart."""
_QUIET = "nobody"
_NICE_VISITORS = 10
_WARM_UP_S = 3.0
_HOUSE_PAGES = 28
"""The pages of a full house: as many as visitors from elsewhere may have."""


@dataclass(frozen=True)
class AttackResult:
    """The result of one attack."""

    kind: str
    attempts: int
    late_us: float
    left_out: float
    rate_hz: float
    slowest_visit_s: float
    memory_kb: int
    memory_growth: float
    most_descriptors: int
    log_bytes_an_hour: float
    log_lines: int
    lost: int

    def passed_limits(self) -> list[str]:
        """Return the limits that were passed."""
        limits = {
            "late frames": self.late_us > _LATE_US,
            "frames left out": self.left_out > _LEFT_OUT,
            # A board lowers its rate on a machine that is too slow, and then leaves nothing out.
            "a lower frame rate": self.rate_hz < _RATE_HZ,
            "honest visit": self.slowest_visit_s > _VISIT_S,
            "memory": self.memory_growth > _GROWTH,
            "log": self.log_bytes_an_hour > _LOG_BYTES_AN_HOUR,
            "a piece that did not count": self.lost > 0,
        }
        return [name for name, passed in limits.items() if passed]

    def __str__(self) -> str:
        passed = self.passed_limits()
        return (
            f"{self.kind:15} {self.attempts:8} attempts  frames {self.late_us / 1000:5.1f} ms late, "
            f"{self.left_out:6.2%} left out, {self.rate_hz:.0f} a second  "
            f"slowest visit {self.slowest_visit_s * 1000:5.0f} ms  memory {self.memory_kb / 1000:.1f} MB, "
            f"x{self.memory_growth:.2f}  {self.most_descriptors:3} descriptors  "
            f"log {self.log_bytes_an_hour / 1000:4.0f} kB/h, {self.log_lines} lines"
            f"{'  TOO MUCH: ' + ', '.join(passed) if passed else ''}"
        )


def attacked(
    made: Namespaces, board: AttackedBoard, kind: str, seconds: float, pages: int = 0
) -> AttackResult:
    """Attack `board` for `seconds`, place a piece on it, and return what it came to.

    First, honest visitors open as many `pages` at once.
    """
    before, began = board.sample(), time.monotonic()
    guest = _started(made, "tests.attacks.guest", str(seconds), str(pages))
    attackers = [] if kind == _QUIET else [_started(made, "tests.attacks.visitors", kind, str(seconds))]
    most = before
    board.place()
    try:
        while time.monotonic() < began + seconds:
            time.sleep(1)
            most = _more(most, board.sample())
        counts = [json.loads(attacker.communicate()[0])["count"] for attacker in attackers]
        visits = json.loads(guest.communicate()[0])
        after = board.sample()
    finally:
        _end(guest, *attackers)
    took = time.monotonic() - began
    frames, missed = after.frames - before.frames, after.missed - before.missed
    return AttackResult(
        kind=kind,
        attempts=sum(counts),
        late_us=late_us(before, after, 0.99),
        left_out=missed / (frames + missed),
        rate_hz=frames / took,
        slowest_visit_s=max(visits),
        memory_kb=most.memory_kb,
        memory_growth=most.memory_kb / before.memory_kb,
        most_descriptors=most.descriptors,
        log_bytes_an_hour=(after.log_bytes - before.log_bytes) * 3600 / took,
        log_lines=after.log_lines - before.log_lines,
        lost=board.lost(after),
    )


def stopped_while_attacked(made: Namespaces, board: AttackedBoard) -> float:
    """Return the seconds that a board takes to stop in a flood of connections."""
    flood = _started(made, "tests.attacks.visitors", "bursts", "8")
    time.sleep(4)
    seconds = board.stop()
    _end(flood)
    return seconds


def _started(made: Namespaces, module: str, *arguments: str) -> subprocess.Popen[str]:
    # They stand for other machines, and are to take no time from the board's.
    command = made.command(made.visitors, module, *arguments, niceness=_NICE_VISITORS)
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603


def _end(*processes: subprocess.Popen[str]) -> None:
    for process in processes:
        process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def _more(one: BoardSample, other: BoardSample) -> BoardSample:
    """Return the counters of the later sample with the greater memory and descriptors of both."""
    return BoardSample(
        **{
            **vars(other),
            "memory_kb": max(one.memory_kb, other.memory_kb),
            "descriptors": max(one.descriptors, other.descriptors),
        }
    )


def verdict(
    results: Sequence[AttackResult], memory_kb: Sequence[int], stopped_s: float, lost: int
) -> list[str]:
    """Return the limits that were passed, each in words; `memory_kb` is that before and after all."""
    growth = memory_kb[-1] / memory_kb[0]
    passed = [f"{', '.join(limits)} ({one.kind})" for one in results if (limits := one.passed_limits())]
    passed += [f"memory after all attacks x{growth:.2f}"] if growth > _GROWTH else []
    passed += [f"{stopped_s:.1f} s to stop"] if stopped_s > _STOP_S else []
    passed += [f"{lost} placed pieces are not on disk"] if lost else []
    return passed


def sentence(results: Sequence[AttackResult], passed: Sequence[str]) -> str:
    """Return the last line of a measurement, which says what it is worth."""
    if not passed:
        return f"All limits were held in {len(results)} measurements."
    quiet = next((one for one in results if one.kind == _QUIET), None)
    if quiet is not None and {"late frames", "frames left out", "a lower frame rate"} & {
        *quiet.passed_limits()
    }:
        return (
            f"Limits were passed: {'; '.join(passed)}. Frames were late without an attack as well: this "
            "machine is too busy, or too slow, to say anything of frames. Try again when it is quiet."
        )
    return f"Limits were passed: {'; '.join(passed)}."


def main(arguments: Sequence[str]) -> int:
    """Attack as the arguments say; return 1 if a limit was passed, and 2 if this machine cannot."""
    asked = _asked(arguments)
    if why := missing():
        print(f"no attack was tried: {why}", file=sys.stderr)  # noqa: T201
        return 2
    try:
        passed = _measured(asked)
    except SilentBoardError:
        print("The board did not answer its own machine within ten seconds.")  # noqa: T201
        return 1
    return int(bool(passed))


def _measured(asked: argparse.Namespace) -> list[str]:
    """Attack as was asked, print what it came to, and return the limits that were passed."""
    with (
        TemporaryDirectory() as folder,
        house() as made,
        attacked_board(made, Path(folder), asked.program) as board,
    ):
        # Libraries that the first visits load stay in memory, as does the room for a house full of pages.
        board.fetch("/qr.svg")
        attacked(made, board, _QUIET, _WARM_UP_S, pages=_HOUSE_PAGES)
        memory_kb = [board.sample().memory_kb]
        results = []
        for kind in asked.kinds:
            results.append(attacked(made, board, kind, asked.seconds))
            print(results[-1], flush=True)  # noqa: T201
        memory_kb.append(board.sample().memory_kb)
        if asked.settle:
            time.sleep(asked.settle)
            memory_kb.append(board.sample().memory_kb)
        print(f"memory before and after the attacks, and settled: {memory_kb} kB", flush=True)  # noqa: T201
        seconds = stopped_while_attacked(made, board)
        print(f"stopped in {seconds:.1f} s while it was attacked", flush=True)  # noqa: T201
        passed = verdict(results, memory_kb, seconds, board.lost_on_disk())
    print(sentence(results, passed))  # noqa: T201
    return passed


def _asked(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--seconds", type=float, default=20.0, help="how long each attack lasts")
    length.add_argument("--minutes", type=float, help="how long all attacks last together")
    parser.add_argument(
        "kinds", nargs="*", default=[_QUIET, *ATTACKS], metavar="KIND", help=", ".join((_QUIET, *ATTACKS))
    )
    parser.add_argument(
        "--settle", type=float, default=0.0, help="seconds of rest until memory is read once more"
    )
    parser.add_argument(
        "--program", type=Path, default=Path.cwd(), help="folder of another version to attack"
    )
    asked = parser.parse_args(arguments)
    if asked.minutes is not None:
        asked.seconds = asked.minutes * 60 / len(asked.kinds)
    return asked


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
