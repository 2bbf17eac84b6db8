"""Two real boards, links and a broker: players meet at four touched points, begin a game, and leave again.

They also meet if another hour begins between their touches: a test sets the time of day of its links.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Thread
from time import monotonic, sleep

import pytest

from firmware_host.games.rulesets import rule_set
from firmware_host.link.program import LinkProgram
from firmware_host.settings import Link
from tests.fuzz.link.machines import LinkedMachine
from tests.support.mosquitto import PROGRAM, mosquitto

pytest.importorskip("paho")
pytestmark = [
    pytest.mark.ci("programs"),
    pytest.mark.skipif(PROGRAM is None, reason="mosquitto isn't installed (apt install mosquitto)"),
]

POINTS = ("a1", "g7", "d6", "a1")
TIMEOUT_S = 120.0


NOON = 495_000 * 3_600
"""A full hour, in seconds since 1970."""


@contextmanager
def two_boards(folder: Path) -> Iterator[tuple[list[LinkedMachine], str]]:
    """Two boards without their links, and the address of a broker."""
    with mosquitto(folder) as broker:
        address = f"127.0.0.1:{broker.port}"
        config = f'broker = "{address}"\n'
        found = [LinkedMachine(folder / name, rule_set(), rest_ms=100, config=config) for name in ("a", "b")]
        try:
            for machine in found:
                machine.start("board")
            yield found, address
        finally:
            for machine in found:
                machine.close()


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[list[LinkedMachine]]:
    """Two boards with links, which are in no room."""
    with two_boards(tmp_path) as (found, _):
        for machine in found:
            machine.start("link")
        yield found


class Noon:
    """A time of day that a test sets, and the links that go by it."""

    def __init__(self, machines: list[LinkedMachine], broker: str) -> None:
        self.machines, self.time_s = machines, NOON - 3_000.0
        settings = Link(broker=broker, far_rest_ms=100)
        self._programs = [
            LinkProgram(one.links, settings, "127.0.0.1", one.port, time_of_day=lambda: self.time_s)
            for one in machines
        ]
        self._threads = [Thread(target=program.run) for program in self._programs]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """End the links."""
        for program in self._programs:
            program.is_closing = True
        for thread in self._threads:
            thread.join()


@pytest.fixture
def noon(tmp_path: Path) -> Iterator[Noon]:
    """Two boards with links for which a test sets the time of day, and are in no room."""
    with two_boards(tmp_path) as (found, broker):
        clock = Noon(found, broker)
        try:
            yield clock
        finally:
            clock.close()


def until(machines: list[LinkedMachine], what: str, is_so: Callable[[LinkedMachine], bool]) -> None:
    due = monotonic() + TIMEOUT_S
    while not all(is_so(machine) for machine in machines):
        logs = "\n".join(machine.log() for machine in machines)
        assert monotonic() < due, f"no {what} after {TIMEOUT_S:.0f} s: {logs}"
        sleep(0.05)


def stage(machine: LinkedMachine) -> str | None:
    room = (machine.state.get("far") or {}).get("room")
    return None if room is None else str(room["stage"])


def touch(machine: LinkedMachine, question: str, point: str) -> None:
    """Touch a point once the board asks that question there."""
    until([machine], question, lambda one: (one.state.get("asking") or {}).get("question") == question)
    machine.ask({"do": "answer", "point": point})


def offers(does: str, machine: LinkedMachine) -> bool:
    """Return whether the board offers this option now."""
    asking = machine.state.get("asking") or {"options": {}}
    return does in asking["options"].values()


def touch_points(machine: LinkedMachine) -> None:
    """Touch the four points in the menu of light."""
    machine.ask({"do": "ask"})
    touch(machine, "game", "d6")
    touch(machine, "room", "d5")
    for number, point in enumerate(POINTS, 1):
        does = f"meet:{number}"
        until([machine], does, partial(offers, does))
        machine.ask({"do": "answer", "point": point})


def begin(machines: list[LinkedMachine]) -> None:
    """Be ready on both boards, which are in one room, and wait for the game."""
    for machine in machines:
        touch(machine, "begin", "d5")
    until(machines, "game", lambda one: "far" in one.state.get("seats", {}).values())
    until(machines, "connection", lambda one: one.state["far"]["status"] in ("sent", "arrived", "stands"))
    assert {machine.state["seats"]["white"] for machine in machines} == {"here", "far"}


def test_players_meet_at_four_points_and_leave_again(machines: list[LinkedMachine]) -> None:
    until(machines, "link", lambda one: stage(one) == "outside")
    for machine in machines:
        touch_points(machine)
    begin(machines)
    assert all("points" not in machine.state["far"]["wish"] for machine in machines)
    machines[0].ask({"do": "wish", "wish": "leave"})
    until(machines[:1], "way out", lambda one: stage(one) == "outside")


def test_players_meet_although_another_hour_begins(noon: Noon) -> None:
    early, late = noon.machines
    until(noon.machines, "link", lambda one: stage(one) == "outside")
    noon.time_s = NOON - 1.0
    touch_points(early)
    until([early], "room", lambda one: stage(one) == "alone")
    noon.time_s = NOON + 1.0
    touch_points(late)
    until([late], "room", lambda one: stage(one) == "alone")
    before = [machine.links.current() for machine in noon.machines]
    noon.time_s = NOON + 5.0
    begin(noon.machines)
    after = [machine.links.current() for machine in noon.machines]
    rooms = [None if room is None else room.invitation for room in (*before, *after)]
    assert rooms[0] != rooms[1] == rooms[2] == rooms[3]
