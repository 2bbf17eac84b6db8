"""Side bars on the simulated strip: the real driver lights them by the bytes of a game with clocks."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from firmware_host.ports import DARK
from sim.assembly import Blueprint
from sim.headless import HeadlessBoard

BARS = f"""
[strip]
leds = 40
white_bar = {list(range(24, 32))}
black_bar = {list(range(32, 40))}
"""


class BarBench:
    """A headless board with side bars and a clock of one minute."""

    def __init__(self, folder: Path) -> None:
        config = folder / "bars.toml"
        config.write_text(BARS, encoding="utf-8")
        self._out = io.StringIO()
        self.board = HeadlessBoard(Blueprint.of(config=config, sensors="presence"), self._out)
        self.do(do="set", clock="4")

    def do(self, **command: Any) -> None:
        self.board.obey(json.dumps(command))

    def lit(self) -> tuple[int, int]:
        """Return how many LEDs of White's and of Black's bar are lit."""
        leds = self.board.life.play.electronics.spi.leds
        assert len(leds) == 40
        return tuple(sum(led != DARK for led in leds[first : first + 8]) for first in (24, 32))  # type: ignore[return-value]

    @property
    def leds(self) -> dict[str, str]:
        self._out.truncate(0)
        self._out.seek(0)
        self.do(show=True)
        leds: dict[str, str] = json.loads(self._out.getvalue())["state"]["leds"]
        return leds


@pytest.fixture
def bench(tmp_path: Path) -> BarBench:
    return BarBench(tmp_path)


def test_bars_show_the_share_of_time_on_the_strip(bench: BarBench) -> None:
    bench.do(wait=1)
    assert bench.lit() == (8, 8)
    bench.do(put="d6", piece="white")
    bench.do(wait=29)
    assert bench.lit() == (8, 8)
    bench.do(wait=2)
    assert bench.lit() == (8, 7)
    bench.do(wait=179.1)
    assert bench.lit() == (8, 8)  # of the last thirty seconds
    bench.do(wait=5)
    assert bench.lit()[1] in (0, 7)  # it pulses
    bench.board.close()


def test_bars_are_part_of_the_state(bench: BarBench) -> None:
    bench.do(put="d6", piece="white")
    bench.do(wait=1)
    leds = bench.leds
    assert [name for name in leds if "bar" in name] == [
        f"{player}-bar-{number}" for player in ("white", "black") for number in range(1, 9)
    ]
    white, black = (max(bytes.fromhex(leds[f"{player}-bar-1"][1:])) for player in ("white", "black"))
    assert black > 4 * white
    bench.board.close()


def test_bars_go_dark_with_the_strip(bench: BarBench) -> None:
    bench.do(wait=1)
    bench.board.close()
    assert bench.lit() == (0, 0)
