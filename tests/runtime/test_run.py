"""Real processes that are killed, crash, or cannot use their settings: what the next one does about it."""

from __future__ import annotations

import json
import logging
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread
from types import SimpleNamespace
from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.errors import SensorError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.play.board import LoopCounters
from firmware_host.play.controller import Controller
from firmware_host.ports import SensorKind
from firmware_host.runtime import real_board as real
from firmware_host.runtime import run as running
from firmware_host.runtime import safe_mode
from firmware_host.runtime.crash_counter import MAX_CRASHES, STABLE_AFTER_S
from firmware_host.runtime.page import PageAddress
from firmware_host.runtime.run import BoardProcess
from firmware_host.runtime.safe_mode import SafeModeReason
from firmware_host.runtime.watchdog import BoardCondition, Notifier, ServiceReporter
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from tests.support.log import LogRecorder, recorded_log
from tests.support.systemd.service_manager import Manager
from tests.support.web.page_client import PageClient, get

ADDRESS = re.compile(r"http://\S+/")


class Started:
    """The program, as a service manager starts it."""

    def __init__(self, folder: Path, *arguments: str, **variables: str) -> None:
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-m", "firmware_host", "run", "--port", "0", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={
                **os.environ,
                "HOME": str(folder),
                "XDG_STATE_HOME": "",
                "RUNTIME_DIRECTORY": str(folder),
                **variables,
            },
        )
        self.said: list[str] = []
        self._hears = Thread(target=self._hear, daemon=True)
        self._hears.start()
        until(lambda: self.addresses() != [])

    def _hear(self) -> None:
        assert self.process.stdout is not None
        self.said.extend(iter(self.process.stdout.readline, ""))

    def addresses(self) -> list[str]:
        """The present and former addresses of the page."""
        return [found[0] for line in list(self.said) if (found := ADDRESS.search(line))]

    @property
    def address(self) -> str:
        return self.addresses()[-1]

    def plays(self) -> bool:
        """True if its last report says that it plays."""
        return "The board is at" in next(line for line in reversed(self.said) if ADDRESS.search(line))

    def ask(self, request: str) -> None:
        with closing(PageClient(self.address)) as page:
            assert page.ask({"id": 1, "do": request})["ok"]

    def state(self) -> Any:
        with closing(PageClient(self.address)) as page:
            return page.until("snapshot")["state"]

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        status = self.process.wait(60)
        self._hears.join(60)
        return status

    def close(self) -> None:
        """End the program, if it still runs, and part with it."""
        self.end(signal.SIGKILL)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Started]]:
    boards: list[Started] = []

    def started(*arguments: str, **variables: str) -> Started:
        boards.append(Started(tmp_path, *arguments, **variables))
        return boards[-1]

    yield started
    for board in boards:
        board.close()


def until(told: Callable[[], bool]) -> None:
    """Wait for it, but not for ever."""
    end = time.monotonic() + 60
    while not told():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.05)


@pytest.mark.ci("programs")
def test_a_board_that_is_killed_again_and_again_says_so_and_tries_again_when_asked(
    tmp_path: Path, start: Callable[..., Started]
) -> None:
    for _ in range(MAX_CRASHES):
        board = start()
        assert board.plays()
        board.end(signal.SIGKILL)
    manager = Manager(str(tmp_path / "notify"))
    board = start(**manager.environ)
    state = board.state()
    assert state["said"]["key"] == "safe.crashed"
    assert state["can"] == ["try-again"]
    assert "it was killed" in state["sentence"]
    status = json.loads(get(board.address, "/status")[2])
    assert (status["status"], status["sentence"]) == ("safe mode", state["sentence"])
    asked = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "firmware_host", "status", "--port", board.address.split(":")[2].strip("/")],
        capture_output=True,
        text=True,
        check=True,
    )
    assert f"safe mode: {state['sentence']}" in asked.stdout
    heard: list[str] = []
    until(lambda: bool(heard.extend(manager.heard()) or heard))
    assert heard[0] == f"READY=1\nSTATUS=safe mode: {state['sentence']}"
    board.ask("try-again")
    until(board.plays)
    assert board.end() == 0
    assert start().plays(), "it ended as it should, and that is forgiven"
    manager.close()


@pytest.mark.ci("programs")
def test_settings_that_cannot_be_used_are_told_by_page_and_manager_and_played_by_once_they_are_mended(
    tmp_path: Path, start: Callable[..., Started]
) -> None:
    file = tmp_path / "bad.toml"
    file.write_text('[play]\nrules = "standart"\n[sensors]\nsignal = [23, 24, 10]\n')
    board = start("--config", str(file))
    state = board.state()
    assert state["status"] == "fault"
    assert state["said"]["key"] == "safe.settings"
    assert state["faults"][0].startswith(f"{file}:2 play.rules: there is no rule set 'standart'")
    assert any(f"{file}:2 play.rules" in line for line in board.said)
    file.write_text('[play]\nrules = "six"\n')
    with suppress(ConnectionError):  # the board looks at the file by itself as well, and may be faster
        board.ask("try-again")
    until(board.plays)
    assert board.end() == 0


class Manned:
    """A run in this process; `plays` stands in for playing."""

    def __init__(
        self, folder: Path, patch: pytest.MonkeyPatch, plays: Callable[..., str | None], **environ: str
    ) -> None:
        self._environ = {"RUNTIME_DIRECTORY": str(folder), **environ}
        self.log = LogRecorder()
        self.whys: list[SafeModeReason] = []
        self.again = [False]
        self.set_ups: list[Config] = []
        self.set_up: Callable[[], bool] = lambda: True
        self._folder = folder

        def say(why: SafeModeReason, *_: object, service: ServiceReporter, **__: object) -> bool:
            self.whys.append(why)
            service.passed(lambda: BoardCondition(LoopCounters(1, 1), 1, "it says why"), 0)
            return self.again.pop(0)

        patch.setattr(running, "play", plays)
        patch.setattr(safe_mode, "run", say)

    def go(self) -> int:
        with recorded_log(self.log):
            given = str(self._folder / "none.toml")
            return BoardProcess(given, PageAddress(), self._environ, self._sets_up).go()

    def _sets_up(self, kind: str, config: Config, _page: PageAddress, _service: ServiceReporter) -> bool:
        assert kind == "setup"
        self.set_ups.append(config)
        return self.set_up()


def test_what_nobody_thought_of_ends_the_program_with_its_trace_and_the_fourth_run_says_what_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stumble(*_: object) -> None:
        raise ZeroDivisionError("nobody thought of this")

    (tmp_path / "none.toml").touch()
    manned = Manned(tmp_path, monkeypatch, stumble)
    for _ in range(MAX_CRASHES):
        assert manned.go() == 1
    assert manned.whys == []
    traces = [record for record in manned.log.records if record.exc_info]
    assert [record.levelno for record in traces] == [logging.ERROR] * MAX_CRASHES
    assert manned.go() == 0
    assert (
        manned.whys[0]
        .faults[0][1]
        .startswith("ZeroDivisionError: nobody thought of this (test_run.py, line ")
    )
    assert manned.go() == 1, "who ended it from outside wanted it to begin anew"


def test_after_it_was_tried_again_in_vain_it_says_so_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise SensorError(Message("no page, no board"))

    (tmp_path / "none.toml").touch()
    manned = Manned(tmp_path, monkeypatch, refuse)
    manned.again = [True, True, False]
    for _ in range(MAX_CRASHES + 2):
        with pytest.raises(SensorError):
            manned.go()
    assert manned.go() == 0
    assert len(manned.whys) == 3


def test_crashes_after_a_run_that_stayed_well_are_not_counted_with_those_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def last_and_stumble(_config: Config, _page: PageAddress, service: ServiceReporter, *_: object) -> None:
        service.passed(
            lambda: BoardCondition(LoopCounters(1, 1), 1, "White to move"), round(STABLE_AFTER_S * 1_000_000)
        )
        raise ZeroDivisionError

    (tmp_path / "none.toml").touch()
    manned = Manned(tmp_path, monkeypatch, last_and_stumble)
    for _ in range(MAX_CRASHES + 2):
        assert manned.go() == 1
    assert manned.whys == []


def test_a_board_that_plays_after_safe_mode_is_ready_already_and_only_gives_signs_of_life(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it cannot feel its pieces yet: the manager waits for no other readiness, but for those."""

    def play_blind(_config: Config, _page: PageAddress, service: ServiceReporter, *_: object) -> None:
        service.passed(lambda: BoardCondition(LoopCounters(1, 1), 0, "there is no chip"), 0)

    (tmp_path / "none.toml").write_text("[play]\nrules = 7\n")
    manager = Manager(str(tmp_path / "notify"))
    watched = {**manager.environ, "WATCHDOG_USEC": "20000000"}
    manned = Manned(tmp_path, monkeypatch, play_blind, **watched)
    monkeypatch.setattr(running, "Notifier", SimpleNamespace(of=lambda _: manager.notifier()))
    monkeypatch.setattr(running, "_config_reason", lambda _: _mended(tmp_path / "none.toml"))
    manned.again = [True]
    assert manned.go() == 0
    assert manager.heard() == ["READY=1\nSTATUS=it says why", "WATCHDOG=1", "STATUS=there is no chip"]
    manager.close()


def test_a_page_has_the_board_set_up_and_it_plays_with_what_was_found(tmp_path, monkeypatch) -> None:
    file, played = tmp_path / "none.toml", []
    file.touch()

    def plays(config: Config, *_: object) -> str:
        played.append(config.strip.order)
        return "setup" if len(played) == 1 else ""

    def finds() -> bool:
        file.write_text('[strip]\norder = "RGB"\n')
        return True

    manned = Manned(tmp_path, monkeypatch, plays)
    manned.set_up = finds
    assert manned.go() == 0
    assert played == ["GRB", "RGB"]
    assert len(manned.set_ups) == 1


def test_a_set_up_that_cannot_begin_is_told_at_play(tmp_path, monkeypatch) -> None:
    (tmp_path / "none.toml").touch()
    troubles: list[Message | str | None] = []

    def plays(*arguments: Any) -> str:
        troubles.append(arguments[-1])
        return "setup" if len(troubles) == 1 else ""

    def fails() -> bool:
        raise SensorError(Message("no chip"))

    manned = Manned(tmp_path, monkeypatch, plays)
    manned.set_up = fails
    assert manned.go() == 0
    assert troubles == [None, Message("no chip")]


def test_a_board_that_was_not_ready_before_set_up_is_ready_after_it(tmp_path, monkeypatch) -> None:
    """The manager would end a board that never became ready, in the middle of a game."""
    (tmp_path / "none.toml").touch()
    manager = Manager(str(tmp_path / "notify"))
    frames = [0, 1]

    def plays(_config: Config, _page: PageAddress, service: ServiceReporter, *_: object) -> str:
        good = frames.pop(0)
        service.passed(lambda: BoardCondition(LoopCounters(1, 1), good, "played"), 0)
        return "" if good else "setup"

    manned = Manned(tmp_path, monkeypatch, plays, **manager.environ, WATCHDOG_USEC="20000000")
    monkeypatch.setattr(running, "Notifier", SimpleNamespace(of=lambda _: manager.notifier()))
    assert manned.go() == 0
    assert manager.heard()[-1] == "READY=1\nSTATUS=played"
    manager.close()


def test_a_signal_during_set_up_ends_the_program(tmp_path, monkeypatch) -> None:
    (tmp_path / "none.toml").touch()
    manned = Manned(tmp_path, monkeypatch, lambda *_: "setup")
    manned.set_up = lambda: False
    assert manned.go() == 0
    assert len(manned.set_ups) == 1


def _mended(file: Path) -> SafeModeReason:
    """Return the reason why the board has stopped, and remove its cause in the meantime."""
    file.write_text("")
    return SafeModeReason(Message("safe.settings", {"text": "rules"}), ())


def test_a_loop_that_stumbles_leaves_the_leds_dark_and_the_page_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, VirtualClock())
    steps = [0]
    step = Controller.step

    def stumble(self: Controller, *arguments: Any) -> Any:
        steps[0] += 1
        if steps[0] == 20:
            assert any(map(any, board.leds()))
            raise ZeroDivisionError
        return step(self, *arguments)

    monkeypatch.setattr(real, "open_sensors", lambda *_: board.open_sensors())
    monkeypatch.setattr(real, "reconnecting_strip", lambda *_: board.open_strip())
    monkeypatch.setattr(Controller, "step", stumble)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    with recorded_log() as log, pytest.raises(ZeroDivisionError):
        real.play(Config.default(), PageAddress(port=0), ServiceReporter(Notifier(None), None))
    assert not any(map(any, board.leds()))
    address = ADDRESS.search(log.texts[0])
    assert address is not None
    with pytest.raises(OSError, match="refused"):
        get(address[0])
