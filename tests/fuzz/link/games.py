"""Games of two machines over a broker, while brokers, links and boards are killed at any moment."""

from __future__ import annotations

import secrets
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from firmware_host.far.invitation import new_invitation
from firmware_host.games.game import Position, Step, legal_turns
from firmware_host.games.rulesets import rule_set
from firmware_host.settings import Timing
from tests.fuzz.link.machines import LinkedMachine
from tests.fuzz.link.watching import LinkTimes, LinkWatch
from tests.support.mosquitto import Mosquitto

NAMES = ("a", "b")
_TURN_TIMEOUT_S = 4.0
_KILLS_END_S = 120.0
"""The time in a game after which nothing is killed any more, so that it also ends on a slow machine."""
_GAME_TIMEOUT_S = 900.0
_LOOK_S = 0.005
_AT_REST = ("ready", "remove")


@dataclass
class Measured:
    """Games that were played."""

    times: LinkTimes = field(default_factory=LinkTimes)
    ends: Counter[str] = field(default_factory=Counter)
    turns: int = 0
    kills: Counter[str] = field(default_factory=Counter)


class LinkedMachines:
    """Two machines in one room, and the broker between them."""

    def __init__(
        self, folder: Path, seed: int, *, kills: bool, rest_ms: int = 300, rules: str = "six"
    ) -> None:
        self.luck = Random(seed)
        self.measured = Measured()
        self._kills = kills
        self._rules = rule_set(rules)
        self._broker = Mosquitto(folder, "allow_anonymous true\n")
        self._broker.start()
        self.machines = {name: LinkedMachine(folder / name, self._rules, rest_ms=rest_ms) for name in NAMES}
        chance = secrets.token_bytes(26)
        invitation = new_invitation("127.0.0.1", self._broker.port, chance)
        for name, machine in self.machines.items():
            machine.enter(invitation, self._rules if name == NAMES[0] else None)
        self._returns: dict[str, float] = {}
        """The times at which what was killed comes back."""
        self._next_kill = 0.0
        self._hands: dict[str, list[tuple[int, str]]] = {}
        self._watch = LinkWatch([*self.machines.values()], rest_ms / 1000)
        self.measured.times = self._watch.times
        self._start_all()

    @property
    def broker_port(self) -> int:
        """The port of the broker on loopback."""
        return self._broker.port

    def close(self) -> None:
        """End everything."""
        for machine in self.machines.values():
            machine.close()
        self._broker.kill()

    def play_game(self, most_turns: int = 40) -> None:
        """Play a game to its end; raise AssertionError if the boards don't end with the same."""
        until = time.monotonic() + _GAME_TIMEOUT_S
        self._hands = {name: [] for name in NAMES}
        self._begin(until)
        self._watch.begin()
        self._next_kill = time.monotonic() + self.luck.uniform(0.5, 5)
        kills_end = time.monotonic() + _KILLS_END_S
        while not self._is_over():
            assert time.monotonic() < until, f"no end: {self._shown()}"
            self._break_something(kills=self._kills and time.monotonic() < kills_end)
            for name in NAMES:
                self._act(name, most_turns)
            self._rest(_LOOK_S)
        self._heal()
        self._judge(until)

    # ---- the course of a game --------------------------------------------------------------------------

    def _begin(self, until: float) -> None:
        """Have both players be ready, and wait for the new game."""
        self._heal()
        while not all(self._is_playing(machine) for machine in self.machines.values()):
            assert time.monotonic() < until, f"no beginning: {self._shown()}"
            for machine in self.machines.values():
                room = (machine.state.get("far") or {}).get("room") or {}
                if room.get("stage") in ("waiting", "over"):
                    machine.ask({"do": "wish", "wish": "ready"})
            self._rest(0.5)

    @staticmethod
    def _is_playing(machine: LinkedMachine) -> bool:
        state = machine.state
        room = (state.get("far") or {}).get("room") or {}
        return room.get("stage") == "playing" and not machine.turns and state.get("outcome") is None

    def _act(self, name: str, most_turns: int) -> None:
        """Have the player of a board do what is to be done there."""
        machine, other = self.machines[name], self._other(name)
        state, turns = machine.state, machine.turns
        if not state or state.get("outcome") is not None or "far" not in state.get("seats", {}).values():
            return
        if state["status"] not in _AT_REST:
            self._rest(0.05)
            if machine.state.get("status") not in _AT_REST:
                machine.put_right()
                self._rest(0.3)
            return
        whole = len(turns) - machine.game.mid_turn
        if not machine.is_others_turn(state):
            if whole >= most_turns:
                machine.ask({"do": "resign"})
                return
            steps, text = self.luck.choice(self._legal(machine))
            self._hands[name].append((whole, text))
            self._watch.plays(machine, dwell_s(machine.game.position, steps))
            self._carry_out(machine, steps)
        elif state["moves"] and len(other.turns) > whole and not other.game.mid_turn:
            for steps, text in self._legal(machine):
                if text == other.turns[whole]:
                    self._carry_out(machine, steps)
                    return

    @staticmethod
    def _legal(machine: LinkedMachine) -> list[tuple[tuple[Step, ...], str]]:
        """Return the legal turns, or rests of the one under way, with the texts of the whole turns."""
        found = []
        now = machine.game  # the page's thread may have another at any moment
        for turn in legal_turns(now.position):
            game = now
            for step in turn.steps:
                game = game.play(step)
            found.append((turn.steps, game.turn_texts()[-1]))
        return found

    def _carry_out(self, machine: LinkedMachine, steps: tuple[Step, ...]) -> None:
        """Have hands do these steps, and wait until the board has taken them in."""
        wanted = machine.game.ply + len(steps)
        machine.play(steps, self._rest)
        until = time.monotonic() + _TURN_TIMEOUT_S
        while machine.state and machine.game.ply < wanted and time.monotonic() < until:
            self._rest(_LOOK_S)
        if machine.state and machine.game.ply < wanted:
            machine.put_right()
            self._rest(0.5)

    def _is_over(self) -> bool:
        return all(machine.state.get("outcome") is not None for machine in self.machines.values())

    def _judge(self, until: float) -> None:
        first, second = self.machines.values()
        while (first.turns, first.state.get("outcome")) != (second.turns, second.state.get("outcome")):
            assert time.monotonic() < until, f"the boards differ: {self._shown()}"
            self._rest(0.05)
        for index, turn in enumerate(first.turns):
            played = any((index, turn) in hands for hands in self._hands.values())
            assert played, f"{turn} was never played"
        self.measured.turns += len(first.turns)
        self.measured.ends[str(first.state["outcome"]["reason"])] += 1

    def _shown(self) -> list[object]:
        shown = (
            "status",
            "turns",
            "outcome",
            "far",
            "seats",
            "moves",
            "missing",
            "extra",
            "wrong",
            "sentence",
        )
        states = [{key: machine.state.get(key) for key in shown} for machine in self.machines.values()]
        return [*states, *(machine.log() for machine in self.machines.values())]

    def _other(self, name: str) -> LinkedMachine:
        return self.machines[NAMES[1] if name == NAMES[0] else NAMES[0]]

    # ---- breakage --------------------------------------------------------------------------------------

    def _break_something(self, *, kills: bool) -> None:
        now = time.monotonic()
        if kills and now >= self._next_kill:
            self._next_kill = now + self.luck.uniform(3, 12)
            what = self.luck.choice(("broker", "link", "link", "board"))
            self.measured.kills[what] += 1
            key = what if what == "broker" else f"{what} {self.luck.choice(NAMES)}"
            self._kill(key)
            self._returns[key] = now + self.luck.choice((0.0, 0.5, 2.0))
        for key, at in list(self._returns.items()):
            if now >= at:
                self._start(key)
                del self._returns[key]

    def _kill(self, key: str) -> None:
        what, _, name = key.partition(" ")
        if what == "broker":
            self._broker.kill()
        else:
            self.machines[name].kill(what)
        self._watch.breaks(what, self.machines.get(name))

    def _start(self, key: str) -> None:
        what, _, name = key.partition(" ")
        if what == "broker":
            self._broker.start()
        else:
            self.machines[name].start(what)

    def _start_all(self) -> None:
        for machine in self.machines.values():
            machine.start("board")
            machine.start("link")

    def _heal(self) -> None:
        for key in list(self._returns):
            self._start(key)
        self._returns.clear()
        self._start_all()

    def _rest(self, seconds: float) -> None:
        """Let time pass, and see whether what was killed is back."""
        until = time.monotonic() + seconds
        while True:
            self._watch.look_for_returns()
            left = until - time.monotonic()
            if left <= 0:
                return
            time.sleep(min(left, _LOOK_S))


def dwell_s(position: Position, steps: tuple[Step, ...]) -> float:
    """Return the time for which the last action of a turn has to stand until it counts, by HANDS.md."""
    for step in steps[:-1]:
        position = position.play(step)
    last, timing = steps[-1], Timing()
    if last.target is None:
        return timing.removal_ms / 1000
    targets = [step.target for step in position.legal_steps() if step.origin is last.origin and step.target]
    return (timing.sliding_landing_ms if len(targets) > 1 else timing.landing_ms) / 1000
