"""Ask a running board what its visitors noticed of earlier faults: `python -m tests.attacks.findings`.

`--program FOLDER` asks another version. Each line is a fault and whether this version has it; the command
ends with 1 if it has one. Needs root on Linux, for networks of its own.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.attacks.attacked_board import attacked_board
from tests.attacks.house import BOARD_IPV6, PORT, Namespaces, house, missing, visitor

_ORIGIN = f"http://[{BOARD_IPV6}]:{PORT}"
_CURL = ("curl", "-s", "-m", "20", "-o", "/dev/null", "-w", "%{http_code}")
_UPGRADE = (
    *("-H", "Connection: Upgrade", "-H", "Upgrade: websocket", "-H", "Sec-WebSocket-Version: 13"),
    *("-H", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="),
)
_PHONES, _GUESSERS = 12, 40


class HouseVisitors:
    """Requests to the board from addresses in its house, and from its own machine; and the board's log."""

    def __init__(self, made: Namespaces, log: Path) -> None:
        self._house = made
        self.log = log

    def attack(self, kind: str, seconds: float, number: int) -> None:
        """Have `number` visitors of a kind at a time in its house."""
        arguments = (kind, str(seconds), str(number))
        command = self._house.command(self._house.visitors, "tests.attacks.visitors", *arguments)
        subprocess.run(command, check=True, capture_output=True)  # noqa: S603

    def started(self, number: int, *arguments: str) -> subprocess.Popen[str]:
        """Begin a request from the phone of that number."""
        phone = ("--interface", visitor(number, ipv6=True))
        command = ["ip", "netns", "exec", self._house.visitors, *_CURL, *phone, *arguments]
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603

    def status(self, number: int, *arguments: str) -> str:
        """Return the HTTP status of such a request."""
        return self.started(number, *arguments).communicate()[0]

    def enter(self, number: int, code: str) -> str:
        """Return the HTTP status of a code that this phone enters."""
        return self.status(number, "--json", json.dumps({"code": code}), f"{_ORIGIN}/code")

    def headers(self, path: str) -> str:
        """Return the headers of a page, in lower case."""
        curl = ["curl", "-s", "-m", "20", "-D", "-", "-o", "/dev/null", f"{_ORIGIN}{path}"]
        command = ["ip", "netns", "exec", self._house.visitors, *curl]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.lower()  # noqa: S603

    def code(self) -> str:
        """Return the code that lets a device play, as the board's own machine gets it."""
        own = f"http://127.0.0.1:{PORT}"
        for asked in (
            ["-X", "POST", f"{own}/pairing"],
            [f"{own}/status"],
        ):  # of this version, and of earlier ones
            command = ["ip", "netns", "exec", self._house.board, "curl", "-s", "-m", "20", *asked]
            with suppress(ValueError, KeyError):
                found = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)  # noqa: S603
                return str(found["code"])
        raise ValueError("the board has no code")


def phones_kept_out(visitors: HouseVisitors) -> bool:
    """Twelve phones of a house with IPv6 open the page at the same time."""
    pages = [visitors.started(n, "-m", "6", *_UPGRADE, f"{_ORIGIN}/ws") for n in range(_PHONES)]
    statuses = [page.communicate()[0] for page in pages]
    return statuses.count("101") < _PHONES


def right_code_locked_out(visitors: HouseVisitors) -> bool:
    """A phone enters the right code after forty others have guessed."""
    code = visitors.code()
    for _ in range(3):
        guesses = [
            visitors.started(n, "--json", '{"code": "00000000"}', f"{_ORIGIN}/code")
            for n in range(1, 1 + _GUESSERS)
        ]
        for guess in guesses:
            guess.communicate()
    return visitors.enter(_GUESSERS + 5, code) != "204"


def code_is_always_the_same(visitors: HouseVisitors) -> bool:
    """A code is asked for twice."""
    return visitors.code() == visitors.code()


def status_is_stored(visitors: HouseVisitors) -> bool:
    """A browser may store the board's status."""
    return "cache-control: no-store" not in visitors.headers("/status")


def features_are_allowed(visitors: HouseVisitors) -> bool:
    """A script in the page may use camera and location."""
    return "permissions-policy: " not in visitors.headers("/")


def deaf_page_leaves_a_traceback(visitors: HouseVisitors) -> bool:
    """Six pages read nothing and answer no ping, until the board parts from them after 40 s."""
    visitors.attack("deaf-pages", 45, 6)
    return "Traceback" in visitors.log.read_text()


FINDINGS: tuple[Callable[[HouseVisitors], bool], ...] = (
    *(phones_kept_out, right_code_locked_out, code_is_always_the_same),
    *(status_is_stored, features_are_allowed, deaf_page_leaves_a_traceback),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the faults; return 1 if there is one, and 2 if this machine cannot tell."""
    parser = argparse.ArgumentParser(prog="python -m tests.attacks.findings")
    parser.add_argument("--program", type=Path, default=Path.cwd(), help="folder of another version")
    asked = parser.parse_args(arguments)
    if why := missing():
        print(f"nothing was asked: {why}", file=sys.stderr)  # noqa: T201
        return 2
    faults = 0
    with TemporaryDirectory() as folder, house() as made, attacked_board(made, Path(folder), asked.program):
        for finding in FINDINGS:
            has_it = finding(HouseVisitors(made, Path(folder) / "log"))
            faults += has_it
            print(f"{finding.__name__:28} {'FAULT' if has_it else 'fine'}", flush=True)  # noqa: T201
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main())
