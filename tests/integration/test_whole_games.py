"""Whole games, played by the hands of the scenarios on boards whose sensors are read in other ways.

What the program says is the same as on the board that the scenarios were written on, but for the times and
the light, which may differ by a frame: a linear sensor does not bounce.
"""

from __future__ import annotations

import json
import random
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from firmware_host.games.layout import MORRIS
from sim.assembly import Blueprint
from sim.headless import run_headless
from tests.support.matrix import CI, sampled
from tests.support.paths import SCENARIOS

NAMES = [point.name for point in MORRIS.points]


def scattered(wires: list[tuple[int, int]], seed: int = 7) -> str:
    """A map of all points to some of the wires, in no order."""
    drawn = random.Random(seed).sample(wires, len(NAMES))
    return "[sensors.points]\n" + "\n".join(
        f"{n} = {list(wire)}" for n, wire in zip(NAMES, drawn, strict=True)
    )


PINS = [(chip, pin) for chip in range(2) for pin in (*range(7), *range(8, 15))]
CROSSINGS = [(row, column) for row in range(4) for column in range(6)]
CHANNELS = [(chip, channel) for chip in range(2) for channel in range(16)]

CONFIGS = {
    "expanders": '[sensors]\nkind = "mcp23017"\n' + scattered(PINS),
    "expanders by polarity": '[sensors]\nkind = "mcp23017"\nalphabet = "polarity"\n'
    "expanders = [0x20, 0x21, 0x22, 0x23]\n",
    "a matrix": '[sensors]\nkind = "matrix"\n' + scattered(CROSSINGS),
    "linear sensors": '[sensors]\nkind = "mcp3008"\n',
    "linear sensors by polarity": '[sensors]\nkind = "mcp3008"\nalphabet = "polarity"\n'
    "select = [4, 17, 27, 22]\ninputs = [5, 2]\n" + scattered(CHANNELS),
    "a microcontroller": '[sensors]\nkind = "serial"\n'
    + scattered([(chip, channel) for chip in range(4) for channel in range(8)])
    + '\n[strip]\nbackend = "serial"\nleds = 30\norder = "RGBW"\n',
    "lines alone": '[sensors]\nkind = "direct"\n'
    f"signal = {[*range(2, 18), *range(19, 27)]}\n"
    '[strip]\nbackend = "pwm"\nleds = 60\norder = "RGB"\n',
}


@pytest.mark.parametrize("game", sampled(["the-mill", "molendinum"], others=CI))
@pytest.mark.parametrize("kind", sampled(CONFIGS, others=CI))
def test_a_whole_game_goes_as_it_did(kind: str, game: str, tmp_path: Path) -> None:
    text = (SCENARIOS / f"a-whole-game-of-{game}.txt").read_text(encoding="utf-8")
    file = tmp_path / "millwright.toml"
    file.write_text(CONFIGS[kind])
    call = next(line for line in text.splitlines() if line.startswith("$")).split()
    options = dict(zip(call[4::2], call[5::2], strict=True))
    assert set(options) <= {"--rules", "--seed"}
    blueprint = Blueprint.of(rules=options.get("--rules"), seed=int(options.get("--seed", "0")), config=file)
    out = StringIO()
    status = run_headless((line[2:] for line in text.splitlines() if line.startswith("> ")), out, blueprint)
    assert status == 0
    told = [line for line in text.splitlines() if line.startswith("{")]
    assert heard(out.getvalue().splitlines()) == heard(told)
    assert any('"event": "over"' in line for line in told)


def heard(lines: list[str]) -> list[dict[str, Any]]:
    """Return the lines without times and light."""
    said = [json.loads(line) for line in lines]
    for one in said:
        del one["t"]
        one.get("state", {}).pop("leds", None)
    return said
