"""Two machines with a board and a link each, as processes that can be killed, and the hands at their boards.

The boards are simulated ones with a page, in real time; links, stores and the broker are the real programs.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from firmware_host.errors import PageError
from firmware_host.far.invitation import Invitation
from firmware_host.games.game import Game, Player, Rules, Step
from firmware_host.games.rulesets import parse_rules
from firmware_host.link.rooms import LinkFolder
from firmware_host.maintenance.companion import CompanionConnection, Reply
from tests.support.mosquitto import free_port
from tests.support.paths import PROJECT

_PROGRAM = (sys.executable, "-m", "firmware_host")
_ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Programs that are started again and again keep what was compiled, which takes seconds each time."""
_HAND_S = 0.12
"""The time from one action of a hand to the next."""


class LinkedMachine:
    """A machine: the processes of its board and its link, and what its page shows."""

    def __init__(self, folder: Path, rules: Rules, *, rest_ms: int, config: str = "") -> None:
        """Prepare a machine whose section [link] also has the lines `config`."""
        self.folder, self.rules = folder, rules
        self.port = free_port()
        self.links = LinkFolder(folder / "link")
        self._config = folder / "millwright.toml"
        self._rest_ms = rest_ms
        folder.mkdir()
        self.configure(config)
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._connection: CompanionConnection | None = None
        self._is_over = False
        self.state: Mapping[str, Any] = {}
        self.acted_at = 0.0
        """The time of the hands' last action at a point, before it reached the board."""
        self.on_change: Callable[[], object] = list
        """Called whenever the page shows something else, by its thread."""
        threading.Thread(target=self._watch, daemon=True).start()

    def configure(self, lines: str) -> None:
        """Have the section [link] also have these lines when a program starts the next time."""
        rest = f"far_rest_ms = {self._rest_ms}"
        self._config.write_text(f"[web]\nport = {self.port}\n[link]\n{rest}\n{lines}")

    # ---- processes -------------------------------------------------------------------------------------

    def start(self, what: str) -> None:
        """Start the `board` or the `link`, unless it runs."""
        process = self._processes.get(what)
        if process is not None and process.poll() is None:
            return
        arguments = ["link"]
        if what == "board":
            name, *switches = self.rules.describe().split()
            arguments = ["sim", "--no-browser", "--rules", name, "--sensors", "polarity"]
            arguments += [option for switch in switches for option in ("--set", switch)]
            arguments += ["--store", str(self.folder / "games.db")]
        with (self.folder / f"{what}.log").open("ab") as log:
            self._processes[what] = subprocess.Popen(  # noqa: S603 - a constant command
                (*_PROGRAM, *arguments, "--config", str(self._config)),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=PROJECT,
                env={**_ENVIRONMENT, "STATE_DIRECTORY": str(self.folder / "link")},
            )

    def kill(self, what: str) -> None:
        """Kill the board or the link, as a power cut would."""
        process = self._processes.get(what)
        if process is not None:
            process.send_signal(signal.SIGKILL)
            process.wait()

    def close(self) -> None:
        """Kill both."""
        self._is_over = True
        for what in list(self._processes):
            self.kill(what)

    def log(self) -> str:
        """Return the end of what the link and the board have logged."""
        return "".join(path.read_text("utf-8")[-2000:] for path in sorted(self.folder.glob("*.log")))

    def enter(self, invitation: Invitation, rules: Rules | None) -> None:
        """Enter a room."""
        self.links.enter(invitation, rules)

    # ---- the page --------------------------------------------------------------------------------------

    def _watch(self) -> None:
        while not self._is_over:
            try:
                with CompanionConnection("127.0.0.1", self.port) as connection:
                    self._connection = connection
                    for news in connection.traffic():
                        if not isinstance(news, Reply):
                            self._note(news)
            except PageError:
                self._connection = None
                self._note({})
                time.sleep(0.1)

    def _note(self, state: Mapping[str, Any]) -> None:
        self.state = state
        self.on_change()

    @staticmethod
    def is_others_turn(state: Mapping[str, Any]) -> bool:
        """Return whether the other board's player is to move."""
        return state.get("outcome") is None and state.get("seats", {}).get(state.get("to_move")) == "far"

    @property
    def log_size(self) -> int:
        """The size of the link's log."""
        log = self.folder / "link.log"
        return log.stat().st_size if log.exists() else 0

    def has_logged(self, text: str, since: int) -> bool:
        """Return whether the link has logged a text since its log had that size."""
        log = self.folder / "link.log"
        return log.exists() and text.encode() in log.read_bytes()[since:]

    def ask(self, request: Mapping[str, Any]) -> None:
        """Send a request, if there is a board."""
        if self._connection is not None:
            try:
                self._connection.ask(request)
            except PageError:
                self._connection = None

    # ---- hands -----------------------------------------------------------------------------------------

    def play(self, steps: tuple[Step, ...], rest: Callable[[float], object] = time.sleep) -> None:
        """Do the steps of a turn, as fast as a board follows them; `rest` lets seconds pass."""
        for step in steps:
            for command in on_the_wood(step):
                if "box" not in command:
                    self.acted_at = time.monotonic()
                self.ask(command)
                rest(_HAND_S)

    def put_right(self) -> bool:
        """Bring the wood to the board's game; return whether it differed."""
        state, connection = self.state, self._connection
        if connection is None or not state:
            return False
        table = connection.whole.get("table") or {}
        here = {piece["at"]: piece["piece"] for piece in table.get("pieces", ()) if "at" in piece}
        stacks = self.rules.position(state["position"]).stacks
        wanted = {
            point.name: str(stack[-1])
            for point, stack in zip(self.rules.layout.points, stacks, strict=True)
            if stack
        }
        wrong = [point for point, piece in here.items() if wanted.get(point) != piece]
        for point in wrong:
            self.ask({"lift": point})
        if wrong or table.get("held"):
            self.ask({"box": True})
        lacking = [(point, piece) for point, piece in wanted.items() if here.get(point) != piece]
        for point, piece in lacking:
            self.ask({"put": point, "piece": piece})
        return bool(wrong or lacking)

    @property
    def turns(self) -> tuple[str, ...]:
        """The accepted turns."""
        return tuple(self.state.get("turns", ()))

    @property
    def game(self) -> Game:
        """The game of the accepted turns."""
        return game_of(self.rules.describe(), self.turns)


@lru_cache(maxsize=256)
def game_of(rules: str, turns: tuple[str, ...]) -> Game:
    """Return the game of these turns by described rules; the last turn may be unfinished."""
    if not turns:
        chosen = parse_rules(rules)
        return Game.begin(chosen, chosen.start(chosen.first or Player.WHITE))
    found = game_of(rules, turns[:-1])
    for step in found.rules.parse_turn(turns[-1]):
        found = found.play(found.position.legal_step(step.text))
    return found


def on_the_wood(step: Step) -> Iterator[dict[str, Any]]:
    """Yield what hands do for a step."""
    if step.origin is not None:
        yield {"lift": step.origin.name}
    if step.target is None:
        yield {"box": True}
    elif step.origin is None:
        yield {"put": step.target.name, "piece": str(step.piece)}
    else:
        yield {"put": step.target.name}
