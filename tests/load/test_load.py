"""The load generator: its packets, and a short run against a real broker."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from tests.load.__main__ import measured
from tests.load.boards import Times
from tests.load.wire import PUBLISH, _end, packet, publish, subscribe
from tests.support.mosquitto import PROGRAM, mosquitto


def test_lengths_are_written_in_seven_bits_a_byte() -> None:
    assert packet(PUBLISH, b"x" * 127)[:2] == b"\x30\x7f"
    assert packet(PUBLISH, b"x" * 128)[:3] == b"\x30\x80\x01"
    assert packet(PUBLISH, b"x" * 16_384)[:4] == b"\x30\x80\x80\x01"


@pytest.mark.parametrize("size", [0, 1, 127, 128, 20_000])
def test_packets_are_found_however_they_arrive(size: int) -> None:
    whole = publish(7, "a/b", b"x" * size)
    assert _end(whole + b"more") == _end(whole)
    found = _end(whole)
    assert found is not None
    assert found[1] == len(whole)
    assert all(_end(whole[:cut]) is None for cut in range(0, len(whole), 97))
    assert subscribe(1, "a")[0] == 0x82


def test_shares_are_those_of_sorted_times() -> None:
    times = Times([0.004, 0.001, 0.003, 0.002])
    assert (times.share(0.5), times.share(0.99), Times().share(0.5)) == (0.003, 0.004, 0.0)


@pytest.mark.ci("programs")
@pytest.mark.skipif(PROGRAM is None, reason="no mosquitto was found to measure")
def test_turns_of_some_boards_all_arrive(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with mosquitto(tmp_path) as broker:
        asyncio.run(measured(broker, 20, [50.0], 0.5))
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("20 boards held")
    arrived, _, sent = told[2].partition(" arrived")[0].rpartition(", ")[2].partition(" of ")
    assert int(arrived) == int(sent) > 0
    assert told[-1] == "0 boards lost"
