"""The doctor's walk by a page: one prompt at a time, the findings of the terminal, and the report."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial

import pytest

from firmware_host.config.loader import Config
from firmware_host.errors import RequestError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.maintenance.doctor_session import REPORT, DoctorSession, Lockstep
from firmware_host.maintenance.doctor_target import DoctorTarget
from firmware_host.maintenance.report import findings_report
from firmware_host.ports import DARK, SensorKind
from firmware_host.web.messages import setup_prompt
from hardware.doctor.examination import FRAME
from hardware.setup.prompts import Prompt
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.maker import SimulatedOperator
from sim.table.table import TablePiece
from tests.support.web.protocol import check_from_board


class PageVisitor:
    """Somebody with a page at a simulated board."""

    def __init__(self, fault: dict[str, object] | None = None) -> None:
        self.clock = VirtualClock()
        config = Config()
        self.board = SimulatedBoard(
            MORRIS, SensorKind.PRESENCE, self.clock, sensors=config.sensors, strip=config.strip
        )
        if fault:
            self.board.inject(fault)
        target = DoctorTarget(config, self.board, tuple, self.board.supply.throttled)
        self.session = DoctorSession(target, partial(findings_report, target, None, simulated=True))
        self._now = 0

    def until(self, is_there: Callable[[], bool], frames: int = 20_000) -> None:
        """Let the doctor work until something shows."""
        for _ in range(frames):
            if is_there():
                return
            self._now += FRAME
            self.clock.reach(self._now)
            self.session.tick(self._now)
        raise AssertionError(f"it never came: {self.session.prompt}")

    def is_asked(self, key: str) -> Callable[[], bool]:
        return lambda: self.session.prompt.sentence.key.startswith(key)

    def walk(self) -> None:
        """Do and answer what the page asks for, up to the findings."""
        answers = {"setup.clear.first": "", "setup.doctor.dark": "dark"}
        while True:
            self.until(lambda: self.session.prompt.sentence.key != "setup.doctor.wait")
            if self.session.prompt.stage == "done":
                return
            key = self.session.prompt.sentence.key
            if self.session.prompt.point:
                self._put(self.session.prompt.point)
            elif key in answers:
                self.session.answer(answers[key])
            elif key.startswith("setup.doctor.look."):
                self.session.answer(key.rpartition(".")[2])
            try:
                self.until(partial(self._asks_more_than, self.session.prompt), 400)
            except AssertionError:
                self.session.answer("")  # done, and nothing happened

    def _asks_more_than(self, shown: Prompt) -> bool:
        return self.session.prompt != shown

    def _put(self, name: str) -> None:
        table = self.board.table
        for piece in tuple(table.wood):
            table.take(piece, self.clock.now())
        table.put(TablePiece("white"), table.spots[self.board.layout[name].index], self.clock.now())

    def found(self) -> dict[str, str]:
        return {finding.check: finding.verdict.value for finding in self.session.findings}


@pytest.fixture
def visit() -> Iterator[PageVisitor]:
    made = PageVisitor()
    yield made
    made.session.close()


def test_the_page_finds_what_the_terminal_finds():
    visit = PageVisitor({"point": "d6", "kind": "stuck-off"})
    visit.walk()
    operator = SimulatedOperator(visit.board)
    clock = visit.board.clock
    target = DoctorTarget(Config(), visit.board, tuple, visit.board.supply.throttled, clock.sleep)
    assert visit.found() == {one.check: one.verdict.value for one in target.findings(operator, empty=False)}
    assert visit.found()["silent contacts"] == "fault"
    assert visit.session.prompt.sentence == Message("setup.doctor.failed")
    check_from_board({**setup_prompt(visit.session.layout, visit.session.texts), "seq": 1})


def test_whoever_stops_has_the_findings_so_far_and_the_board_back(visit):
    visit.until(visit.is_asked("setup.clear.first"))
    visit.session.answer("")
    visit.until(visit.is_asked("setup.doctor.look"))
    visit.session.answer("q")
    visit.until(lambda: visit.session.prompt.stage == "done")
    assert visit.found()["the rest"] == "skipped"
    assert not visit.session.over
    visit.session.answer("")
    assert visit.session.over
    visit.board.open_sensors().close()


def test_the_end_of_the_program_leaves_no_light(visit):
    visit.until(visit.is_asked("setup.clear.first"))
    visit.session.answer("")
    visit.until(lambda: any(led != DARK for led in visit.board.leds()))
    visit.session.close()
    assert all(led == DARK for led in visit.board.leds())
    visit.board.open_sensors().close()


def test_an_answer_to_another_question_is_refused(visit):
    visit.until(visit.is_asked("setup.clear.first"))
    with pytest.raises(RequestError):
        visit.session.answer("red")


def test_the_report_has_the_findings_of_this_run(visit):
    visit.until(lambda: len(visit.session.findings) > 0 or visit.is_asked("setup.clear.first")())
    visit.session.answer("")
    visit.until(visit.is_asked("setup.doctor.look"))
    report = json.loads(visit.session.do(REPORT)["report"])
    assert [one["check"] for one in report["doctor"]["findings"]] == list(visit.found())
    assert any("code" in what for what in report["left_out"])


def test_what_fails_in_the_work_is_raised_where_it_is_waited_for():
    steps = Lockstep(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        steps.resume(0)
    steps.close()
