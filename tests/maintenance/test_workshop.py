"""A board that its page sets up, with nobody at a terminal."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.maintenance import workshop
from firmware_host.maintenance.doctor_target import DoctorTarget
from firmware_host.maintenance.settings_files import SettingsFiles
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.maintenance.workshop import (
    LEFT_AFTER,
    READ_FOR,
    WorkshopVisit,
    choose_by_page,
    examine_by_page,
    set_up_by_page,
)
from firmware_host.play.asking.options import DOCTOR, SET_UP, SETTINGS
from firmware_host.ports import SensorKind
from firmware_host.runtime.loop import Loop
from firmware_host.runtime.page import PageAddress
from firmware_host.runtime.watchdog import Notifier, ServiceReporter
from firmware_host.web import access
from firmware_host.web.server import WebServer
from hardware.setup.prompts import Prompt
from sim.clock import RealClock
from sim.electronics.board import SimulatedBoard
from tests.support.web.page_client import PageClient, get

ASKED = Prompt("find", Message("setup.left"))
NEXT = Prompt("find", Message("setup.left"), done=1, of=24)


def test_the_last_sentence_can_be_read_before_play_goes_on():
    visit = WorkshopVisit()
    assert not visit.ends(ASKED, 0, is_over=True)
    assert not visit.ends(ASKED, READ_FOR - 1, is_over=True)
    assert visit.ends(ASKED, READ_FOR, is_over=True)


def test_a_board_that_was_left_plays_again_after_half_an_hour():
    visit = WorkshopVisit()
    visit.ends(ASKED, 0, is_over=False)
    assert not visit.ends(ASKED, LEFT_AFTER - 1, is_over=False)
    assert not visit.ends(NEXT, LEFT_AFTER, is_over=False)
    assert visit.ends(NEXT, 2 * LEFT_AFTER, is_over=False)


def test_whoever_changes_settings_for_half_an_hour_has_not_left():
    visit = WorkshopVisit()
    visit.ends(ASKED, 0, is_over=False)
    assert not visit.ends(ASKED, LEFT_AFTER, is_over=False, revision=1)
    assert visit.ends(ASKED, 2 * LEFT_AFTER, is_over=False, revision=1)


class Workshop:
    """A set-up by the page of a simulated board, in a thread of its own."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch, kind: str = SET_UP) -> None:
        self._kind = kind
        self.plays_again: list[bool] = []
        self.servers: list[WebServer] = []
        patch.setattr(workshop, "stopped_by_signals", lambda stop: closing(Stopped(self, stop)))
        patch.setattr(workshop, "READ_FOR", 0)
        self.stop: Callable[[], None] = lambda: None
        self.loop_ended = threading.Event()
        run = Loop.run

        def ran(loop: Loop, after: Callable[..., None]) -> None:
            run(loop, after)
            self.loop_ended.set()

        patch.setattr(Loop, "run", ran)
        start = WebServer.start

        def started(server: WebServer) -> None:
            start(server)
            self.servers.append(server)

        patch.setattr(WebServer, "start", started)
        self.file = folder / "millwright.toml"
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        end = time.monotonic() + 60
        while not self.servers:
            assert time.monotonic() < end
            time.sleep(0.01)
        self.address = self.servers[0].address

    def _run(self) -> None:
        board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, RealClock())
        service = ServiceReporter(Notifier.of({}), None)
        page = PageAddress(port=0)
        if self._kind == SETTINGS:
            files = SettingsFiles(self.file, str(self.file), {}, is_beside=False)
            self.plays_again.append(choose_by_page(Config(), page, service, files))
            return
        if self._kind == DOCTOR:
            target = DoctorTarget(Config(), board, tuple, board.supply.throttled)
            self.plays_again.append(examine_by_page(target, page, service, None))
            return
        self.plays_again.append(set_up_by_page(Config(), page, service, board, SetupFiles(self.file)))

    def ended(self) -> list[bool]:
        self._thread.join(60)
        return self.plays_again


class Stopped:
    """Stands in for signals, which reach the main thread only."""

    def __init__(self, run: Workshop, stop: Callable[[], None]) -> None:
        run.stop = stop

    def close(self) -> None:
        """Nothing is to be restored."""


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    made = Workshop(tmp_path, monkeypatch)
    yield made
    made.stop()
    made.ended()


def test_a_page_answers_and_play_goes_on_once_it_is_left(board):
    with closing(PageClient(board.address)) as page:
        while (asked := page.until("setup"))["said"]["key"] == "setup.form.looking":
            pass
        assert asked["said"]["key"] == "setup.form"
        assert page.ask({"id": 0, "answer": ""})["ok"]
        while page.whole["said"]["key"] != "setup.which-colour":  # which may come before the reply
            page.until("setup")
        assert json.loads(get(board.address, "/status")[2])["status"] == "set-up"
        assert page.ask({"id": 1, "answer": "q"})["ok"]
    assert board.ended() == [True]


def test_a_page_that_only_looks_chooses_no_form(board, monkeypatch):
    monkeypatch.setattr(access, "is_here", lambda _: False)
    with closing(PageClient(board.address)) as page:
        while page.until("setup")["said"]["key"] != "setup.form":
            pass
        for number, answer in enumerate(("", "1", "q")):
            assert not page.ask({"id": number, "answer": answer}).get("ok")
        assert page.whole["said"]["key"] == "setup.form"
    assert not board.plays_again
    assert list(board.file.parent.iterdir()) == []


def test_a_page_examines_the_board_and_gets_the_report(tmp_path, monkeypatch):
    board = Workshop(tmp_path, monkeypatch, DOCTOR)
    with closing(PageClient(board.address)) as page:
        while page.until("setup")["said"]["key"] != "setup.clear.first":
            pass
        assert json.loads(get(board.address, "/status")[2])["status"] == "examination"
        assert page.ask({"id": 1, "answer": "q"})["ok"]
        while page.whole["said"]["key"] != "setup.doctor.passed":  # which may come before the reply
            page.until("setup")
        assert json.loads(page.ask({"id": 2, "report": True})["result"]["report"])["doctor"]["findings"]
        assert page.ask({"id": 3, "answer": ""})["ok"]
    assert board.ended() == [True]


def test_a_page_changes_a_setting_and_play_goes_on(tmp_path, monkeypatch):
    (tmp_path / "millwright.toml").write_text("# mine\n")
    board = Workshop(tmp_path, monkeypatch, SETTINGS)
    with closing(PageClient(board.address)) as page:
        settings = {one["setting"]: one for one in page.until("setup")["settings"]}
        assert settings["timing.debounce_ms"]["value"] == 10
        assert json.loads(get(board.address, "/status")[2])["status"] == "settings"
        assert page.ask({"id": 1, "setting": "timing.debounce_ms", "value": 25})["ok"]
        refused = page.ask({"id": 2, "setting": "timing.debounce_ms", "value": 900})
        assert refused["said"]["key"] == "setup.settings.refused"
        assert isinstance(page.ask({"id": 3, "log": True})["result"]["log"], str)
        assert page.ask({"id": 4, "answer": ""})["ok"]
    assert board.ended() == [True]
    assert board.file.read_text() == "# mine\n\n[timing]\ndebounce_ms = 25\n"


def test_a_signal_ends_the_program_and_not_only_the_set_up(board):
    board.stop()
    assert board.ended() == [False]


def test_a_status_asked_at_the_very_end_gets_an_answer(board, monkeypatch, caplog):
    submit = Loop.submit

    def late(loop: Loop, work: Callable[[], Any]) -> Future[Any]:
        board.stop()
        assert board.loop_ended.wait(60)
        return submit(loop, work)

    monkeypatch.setattr(Loop, "submit", late)
    assert get(board.address, "/status")[0] == 503
    assert board.ended() == [False]
    assert [record.getMessage() for record in caplog.records if record.exc_info] == []
