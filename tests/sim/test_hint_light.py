"""The light that knows, beside `millwright analyse`: the same results for the same position."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.games.game import Game, Player, Position, Rules
from firmware_host.games.records import GameRecord, record_text
from firmware_host.games.rulesets import parse_rules
from tests.support.matrix import sampled
from tests.support.transcripts import answers

CUES = {"win": "hint-wins", "draw": "hint-draws", "loss": "hint-loses"}
CASES = [
    "standard",
    "six",
    "lasker",
    "standard removal=may",
    "the-mill",
    "pounding",
    "molendinum",
    "twelve captures=per-mill",
    "mitsudomoe",
]
POSITIONS = 6


def random_position(rules: Rules, rng: random.Random) -> Position:
    """Return a position of a random game in which pieces are taken, within a turn now and then."""
    while True:
        position = rules.start(Player.WHITE)
        for _ in range(rng.randint(0, 90)):
            if position.outcome is not None:
                break
            steps = position.legal_steps()
            taking = [step for step in steps if step.text.startswith("x")]
            position = position.play(rng.choice(taking or steps))
        if position.outcome is None:
            return position


def called(rules: Rules) -> list[str]:
    """Return the arguments of a command for these rules."""
    name, *settings = rules.describe().split()
    return ["--rules", name, *(word for setting in settings for word in ("--set", setting))]


def movable(position: Position) -> list[str]:
    """Return the points of the pieces that can be moved; none if one has to be taken."""
    steps = [step for step in position.legal_steps() if not step.text.startswith("x")]
    return sorted({step.origin.name for step in steps if step.origin is not None})


def analysed(rules: Rules, position: Position) -> dict[str, str]:
    """Return the value of each turn, by `millwright analyse` to the depth of a headless board's hints."""
    depth = "1" if rules.name == "mitsudomoe" else "3"
    ended = CliRunner().invoke(
        main, ["analyse", *called(rules), "--position", str(position), "--depth", depth, "--json",
               "--seconds", "600"]
    )  # fmt: skip
    assert ended.exit_code == 0, ended.output
    records = [json.loads(line) for line in ended.output.splitlines()]
    return {one["turn"]: one["value"] for one in records}


def best(values: Sequence[str]) -> str:
    """Return the result that a player who chooses among turns can be sure of."""
    for value in ("win", "unknown", "draw"):
        if value in values:
            return value
    return "loss"


def by_point(rules: Rules, values: Mapping[str, str], lifted: str | None) -> dict[str, str]:
    """Return the best value of the turns that begin at each point, or that go on there from `lifted`."""
    found: dict[str, list[str]] = {}
    for turn, value in values.items():
        first, *rest = rules.parse_turn(turn)
        steps = [first, *rest] if first.text.startswith("x") else [first]
        for step in steps:
            point = step.target if lifted else step.origin or step.target
            if point is not None and lifted in (None, step.origin and step.origin.name):
                found.setdefault(point.name, []).append(value)
    return {point: best(each) for point, each in found.items()}


def lit(state: Mapping[str, Any]) -> dict[str, str]:
    """Return the cues of results in a state."""
    found = {point: set(cues) & set(CUES.values()) for point, cues in state["cues"].items()}
    return {point: cue for point, cues in found.items() for cue in cues}


def cues_of(values: Mapping[str, str]) -> dict[str, str]:
    return {point: CUES[value] for point, value in values.items() if value in CUES}


@pytest.mark.parametrize("name", sampled(CASES))
def test_hint_light_is_what_analyse_says(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MILLWRIGHT_TABLES", str(tmp_path))
    rules, rng = parse_rules(name), random.Random(name)
    board = called(rules)
    for _ in range(POSITIONS):
        position = random_position(rules, rng)
        values = analysed(rules, position)
        resting = by_point(rules, values, None)
        lifted = rng.choice([*movable(position), None])
        begun = {"continue": record_text(GameRecord(Game.begin(rules, position))),
                 "set": {"preferences": {"hint_white": "always", "hint_black": "always"}}}  # fmt: skip
        inputs = [begun, {"wait": 1}, {"show": True}]
        if lifted is not None:
            inputs += [{"lift": lifted}, {"wait": 1}, {"show": True}]
        said = answers([*board, "--sensors", "pieces"], [json.dumps(one) for one in inputs])
        states = [json.loads(text.splitlines()[-1])["state"] for text in said if '"state"' in text]
        hints = [json.loads(line) for text in said for line in text.splitlines() if '"event": "hint"' in line]
        assert states[0]["position"] == str(position)
        assert lit(states[0]) == cues_of(resting), (str(position), values)
        assert {point for one in ("wins", "draws", "loses", "unknown") for point in hints[0][one]} == {
            *resting
        }
        if lifted is not None:
            going_on = by_point(rules, values, lifted)
            assert lit(states[1]) == cues_of(going_on), (str(position), lifted, values)
