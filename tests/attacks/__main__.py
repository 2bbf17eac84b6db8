"""Attack a running board from a house full of visitors, and print what it made of each attack.

`python -m tests.attacks [--seconds N] [--settle N] [--program FOLDER] [KIND ...]`. Needs root on Linux, for
networks of its own. Ends with 1 if a limit was passed: more than one frame in a hundred left out (a frame is
left out when it would be a whole frame late), fewer than 196 frames a second, an honest visit of more than a
second, memory that grows by more than a tenth, more than 1 MB of log in an hour, or more than two seconds to
stop under attack.
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

from tests.attacks.attacked_board import AttackedBoard, Sample, attacked_board
from tests.attacks.house import House, house, missing
from tests.attacks.visitors import ATTACKS

_LEFT_OUT, _VISIT_S, _GROWTH, _LOG_BYTES_AN_HOUR, _STOP_S = 0.01, 1.0, 1.1, 1_000_000, 2.0
_RATE_HZ = 196
"""The least frames a second, of 200: the counters are asked for some milliseconds apart."""
_QUIET = "nobody"
_NICE_VISITORS = 10


@dataclass(frozen=True)
class Result:
    """The result of one attack."""

    kind: str
    attempts: int
    left_out: float
    rate_hz: float
    slowest_visit_s: float
    memory_growth: float
    most_descriptors: int
    log_bytes_an_hour: float
    log_lines: int

    def passed_limits(self) -> list[str]:
        """Return the limits that were passed."""
        limits = {
            "frames left out": self.left_out > _LEFT_OUT,
            # A board lowers its rate on a machine that is too slow, and then leaves nothing out.
            "a lower frame rate": self.rate_hz < _RATE_HZ,
            "honest visit": self.slowest_visit_s > _VISIT_S,
            "memory": self.memory_growth > _GROWTH,
            "log": self.log_bytes_an_hour > _LOG_BYTES_AN_HOUR,
        }
        return [name for name, passed in limits.items() if passed]

    def __str__(self) -> str:
        passed = self.passed_limits()
        return (
            f"{self.kind:15} {self.attempts:8} attempts  {self.left_out:7.2%} of frames left out, "
            f"{self.rate_hz:.0f} a second  "
            f"slowest visit {self.slowest_visit_s * 1000:6.0f} ms  memory x{self.memory_growth:.2f}  "
            f"{self.most_descriptors:4} descriptors  log {self.log_bytes_an_hour / 1000:8.0f} kB/h, "
            f"{self.log_lines} lines{'  TOO MUCH: ' + ', '.join(passed) if passed else ''}"
        )


def attacked(made: House, board: AttackedBoard, kind: str, seconds: float) -> Result:
    """Attack `board` for `seconds` and return what it came to."""
    before, began = board.sample(), time.monotonic()
    guest = _started(made, "tests.attacks.guest", str(seconds))
    attackers = [] if kind == _QUIET else [_started(made, "tests.attacks.visitors", kind, str(seconds))]
    most = before
    while time.monotonic() < began + seconds:
        time.sleep(1)
        most = _more(most, board.sample())
    counts = [json.loads(attacker.communicate()[0])["count"] for attacker in attackers]
    visits = json.loads(guest.communicate()[0])
    after = board.sample()
    frames, missed = after.frames - before.frames, after.missed - before.missed
    return Result(
        kind=kind,
        attempts=sum(counts),
        left_out=missed / (frames + missed),
        rate_hz=frames / (time.monotonic() - began),
        slowest_visit_s=max(visits),
        memory_growth=most.memory_kb / before.memory_kb,
        most_descriptors=most.descriptors,
        log_bytes_an_hour=(after.log_bytes - before.log_bytes) * 3600 / (time.monotonic() - began),
        log_lines=after.log_lines - before.log_lines,
    )


def stopped_while_attacked(made: House, board: AttackedBoard) -> float:
    """Return the seconds that a board takes to stop in a flood of connections."""
    flood = _started(made, "tests.attacks.visitors", "connects", "8")
    time.sleep(4)
    seconds = board.stop()
    flood.kill()
    flood.communicate()
    return seconds


def _started(made: House, module: str, *arguments: str) -> subprocess.Popen[str]:
    # They stand for other machines, and are to take no time from the board's.
    command = made.command(made.visitors, module, *arguments, niceness=_NICE_VISITORS)
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603


def _more(one: Sample, other: Sample) -> Sample:
    """Return the counters of the later sample with the greater memory and descriptors of both."""
    return Sample(
        **{
            **vars(other),
            "memory_kb": max(one.memory_kb, other.memory_kb),
            "descriptors": max(one.descriptors, other.descriptors),
        }
    )


def main(arguments: Sequence[str]) -> int:
    """Attack as the arguments say; return 1 if a limit was passed, and 2 if this machine cannot."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks", description=__doc__)
    parser.add_argument("--seconds", type=float, default=20.0, help="how long each attack lasts")
    parser.add_argument(
        "kinds", nargs="*", default=[_QUIET, *ATTACKS], metavar="KIND", help=", ".join(ATTACKS)
    )
    parser.add_argument(
        "--settle",
        type=float,
        default=0.0,
        help="seconds until memory is read once more",
    )
    parser.add_argument(
        "--program", type=Path, default=Path.cwd(), help="folder of another version to attack"
    )
    asked = parser.parse_args(arguments)
    if why := missing():
        print(f"no attack was tried: {why}", file=sys.stderr)  # noqa: T201
        return 2
    bad = False
    with (
        TemporaryDirectory() as folder,
        house() as made,
        attacked_board(made, Path(folder), asked.program) as board,
    ):
        memory_kb = [board.sample().memory_kb]
        for kind in asked.kinds:
            result = attacked(made, board, kind, asked.seconds)
            print(result, flush=True)  # noqa: T201
            bad |= bool(result.passed_limits())
        memory_kb.append(board.sample().memory_kb)
        if asked.settle:
            time.sleep(asked.settle)
            memory_kb.append(board.sample().memory_kb)
        print(f"memory before and after the attacks, and settled: {memory_kb} kB", flush=True)  # noqa: T201
        bad |= memory_kb[-1] > _GROWTH * memory_kb[0]
        seconds = stopped_while_attacked(made, board)
        print(f"stopped in {seconds:.1f} s while it was attacked")  # noqa: T201
    return int(bad or seconds > _STOP_S)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
