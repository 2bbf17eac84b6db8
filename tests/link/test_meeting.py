"""Two real boards, links and a broker: players meet at four touched points, begin a game, and leave again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import monotonic, sleep

import pytest

from firmware_host.games.rulesets import rule_set
from tests.fuzz.link.machines import LinkedMachine
from tests.support.mosquitto import PROGRAM, mosquitto

pytest.importorskip("paho")
pytestmark = [
    pytest.mark.ci,
    pytest.mark.skipif(PROGRAM is None, reason="mosquitto isn't installed (apt install mosquitto)"),
]

POINTS = ("a1", "g7", "d6", "a1")
TIMEOUT_S = 120.0


@pytest.fixture
def machines(tmp_path: Path) -> Iterator[list[LinkedMachine]]:
    """Two boards with links, which are in no room."""
    with mosquitto(tmp_path) as broker:
        config = f'broker = "127.0.0.1:{broker.port}"\n'
        found = [
            LinkedMachine(tmp_path / name, rule_set(), rest_ms=100, config=config) for name in ("a", "b")
        ]
        try:
            for machine in found:
                machine.start("board")
                machine.start("link")
            yield found
        finally:
            for machine in found:
                machine.close()


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


def test_players_meet_at_four_points_and_leave_again(machines: list[LinkedMachine]) -> None:
    until(machines, "link", lambda one: stage(one) == "outside")
    for machine in machines:
        machine.ask({"do": "ask"})
        touch(machine, "game", "d6")
        touch(machine, "room", "d5")
        for number, point in enumerate(POINTS, 1):
            does = f"meet:{number}"
            until([machine], does, partial(offers, does))
            machine.ask({"do": "answer", "point": point})
    for machine in machines:
        touch(machine, "begin", "d5")
    until(machines, "game", lambda one: "far" in one.state.get("seats", {}).values())
    until(machines, "connection", lambda one: one.state["far"]["status"] in ("sent", "arrived", "stands"))
    assert {machine.state["seats"]["white"] for machine in machines} == {"here", "far"}
    assert all("points" not in machine.state["far"]["wish"] for machine in machines)
    machines[0].ask({"do": "wish", "wish": "leave"})
    until(machines[:1], "way out", lambda one: stage(one) == "outside")


def offers(does: str, machine: LinkedMachine) -> bool:
    """Return whether the board offers this option now."""
    asking = machine.state.get("asking") or {"options": {}}
    return does in asking["options"].values()
