"""The commands of set-up, as they are typed."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

MILLWRIGHT = str(Path(sys.executable).with_name("millwright"))


def run(*arguments: str, typed: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [MILLWRIGHT, *arguments], input=typed, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.ci("programs")
def test_without_a_pi_it_says_so_in_one_line_and_writes_nothing(tmp_path):
    ended = run("setup", "--no-page", "--config", str(tmp_path / "millwright.toml"))
    assert ended.returncode == 2
    assert len(ended.stderr.strip().splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.ci("programs")
def test_settings_that_cannot_be_used_are_told_before_anything_is_opened(tmp_path):
    path = tmp_path / "millwright.toml"
    path.write_text("[sensors]\nsignal = [23, 23]\n")
    ended = run("setup", "--no-page", "--config", str(path))
    assert ended.returncode == 2
    assert "GPIO 23" in ended.stderr


@pytest.mark.ci("programs")
def test_a_simulated_board_asks_on_the_terminal_and_ends_when_told():
    ended = run("sim", "--setup", "--no-browser", "--port", "0", typed="x\n\nq\n")
    assert ended.returncode == 0, ended.stderr
    assert re.search(r"The same is asked at http://127\.0\.0\.1:\d+/setup\.html", ended.stdout)
    assert "  [Enter] Multiplexers (recommended): 24 x reed, 3 x 74HC4051\n" in ended.stdout
    assert "Some lights are on. Which colour are they?" in ended.stdout
    assert "'x' isn't an answer here" in ended.stdout


def test_help_tells_both_apart():
    assert "--no-page" in run("setup", "--help").stdout
    assert run("sim", "--setup", "--headless").returncode == 2
