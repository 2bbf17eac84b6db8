"""Whole games on the simulated electronics, with a broken and masked sensor."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest

from firmware_host.games.layout import MORRIS, Point
from firmware_host.games.morris.notation import parse_step
from sim.assembly import Blueprint
from sim.headless import HeadlessBoard
from tests.support.matrix import sampled
from tests.support.paths import SCENARIOS

SETTLES_S = 1.5


def events_of(game: str) -> list[dict[str, Any]]:
    """Return the events of the whole game that is a scenario."""
    text = (SCENARIOS / f"a-whole-game-of-{game}.txt").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


class MaskedTable:
    """A board with one broken sensor, and hands that play a game on it step by step."""

    def __init__(self, rules: str, first: str, sensors: str) -> None:
        self.out = StringIO()
        blueprint = Blueprint.of(rules=rules, switches=[f"first={first}"], sensors=sensors)
        self.board = HeadlessBoard(blueprint, self.out)
        self.confirmed = 0

    def do(self, **command: Any) -> list[dict[str, Any]]:
        """Do one thing; return the lines."""
        begin = self.out.tell()
        self.board.obey(json.dumps(command))
        return [json.loads(line) for line in self.out.getvalue()[begin:].splitlines()]

    def play(self, text: str, by: str) -> None:
        """Do a step with hands, and confirm it where the board asks for that; then it must count, alone."""
        step, told = parse_step(text), []
        if text == "x-":
            told += self.do(do="decline")
        elif step.origin:
            told += self.do(lift=str(step.origin))
            told += self.do(wait=0.1)
        if step.target:
            told += self.do(put=str(step.target), **({} if step.origin else {"piece": by}))
        elif step.origin:
            told += self.do(box=True)
        told += self.do(wait=SETTLES_S)
        if not any(one.get("event") == "step" for one in told):
            (answer,) = self.do(show=True)
            assert text in answer["state"]["confirm"], answer["state"]
            told += self.do(do="confirm", turn=text)
            told += self.do(wait=SETTLES_S)
            self.confirmed += 1
        assert [(one["text"], one["by"]) for one in told if one.get("event") == "step"] == [(text, by)]
        assert not any(one.get("event") in ("mismatch", "taken-back") for one in told)


@pytest.mark.ci("games")
@pytest.mark.parametrize("point", sampled(sorted(MORRIS.points, key=lambda p: p.index % 7), 4), ids=str)
def test_game_ends_whichever_sensor_is_broken(point: Point) -> None:
    sensors = "presence" if point.index % 3 else "polarity"
    games = ["standard", "molendinum", "simple", "the-mill", "six"]
    events = events_of(games[point.index % len(games)])
    begun, *_ = events
    steps = [one for one in events if one.get("event") == "step"]
    table = MaskedTable(begun["rules"], begun["first"], sensors)
    table.do(do="mask", point=point.name)
    table.do(fault={"point": point.name, "kind": "stuck-on" if point.index % 2 else "stuck-off"})
    for step in steps:
        table.play(step["text"], step["by"])
    assert bool(table.confirmed) == any(point.name in step["text"] for step in steps)
    (answer,) = table.do(show=True)
    assert answer["state"]["outcome"] == events[-1]["state"]["outcome"]
    table.board.close()
