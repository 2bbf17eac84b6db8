"""The doctor's walk by the page: the same checks as on the terminal, one prompt at a time.

The doctor waits for frames and answers in the middle of its checks. Its work therefore has a thread of its
own, which runs only while the loop's thread waits for it: the two never touch the drivers at the same time.

Invariants: ticked like a board, in the loop's thread. Whoever stops gets the findings so far. Whatever is
opened is closed again, and the LEDs are dark, when the session is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Semaphore, Thread
from typing import Any

from firmware_host.errors import RequestError
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.maintenance.doctor_target import DoctorTarget, wiring_of_config
from firmware_host.maintenance.setup_session import parse_answer, prompt_message
from firmware_host.play.events import Event
from firmware_host.settings import Microseconds
from firmware_host.web import messages
from hardware.doctor.examination import FRAME
from hardware.doctor.findings import Finding, exit_status
from hardware.doctor.prompts import (
    DONE,
    PlacePiece,
    Question,
    StoppedError,
    Task,
)
from hardware.setup.point_names import describe_point
from hardware.setup.prompts import STOP, Answer, Prompt
from hardware.setup.wizard import key_of

DOCTOR_HZ = 1_000_000 // FRAME
"""The rate of passes at which the doctor's frames take their time."""
REPORT = {"report": True}
"""The request for the report."""

_WAIT = Prompt("examine", Message("setup.doctor.wait"), answers=(STOP,))
_OVER = Prompt("done", Message("setup.doctor.over"))
_PUT_BACK = Message("setup.doctor.put-back")
_PLAY = Answer("", Message("setup.doctor.play"))
_OUTCOMES = (
    Message("setup.doctor.passed"),
    Message("setup.doctor.warned"),
    Message("setup.doctor.failed"),
)
"""The sentences for the exit statuses of the terminal's command."""

Report = Callable[[Sequence[Finding]], str]
"""Returns the text of a report with these findings."""


class Lockstep:
    """Work in a thread of its own, which runs only while `resume` waits for it to sleep or to end."""

    def __init__(self, work: Callable[[], object]) -> None:
        self.is_over = False
        self._work = work
        self._turn, self._back = Semaphore(0), Semaphore(0)
        self._now: Microseconds = 0
        self._due: Microseconds = 0
        self._is_closed = False
        self._error: BaseException | None = None
        self._thread = Thread(target=self._run, name="doctor", daemon=True)
        self._thread.start()

    def resume(self, now: Microseconds) -> None:
        """Let the work go on if its sleep is over at `now`. Raise what it raises."""
        if self.is_over or now < self._due:
            return
        self._now = now
        self._turn.release()
        self._back.acquire()
        if self._error is not None:
            raise self._error

    def sleep(self, seconds: float) -> None:
        """Wait, within the work. Raise StoppedError once it is to end."""
        if self._is_closed:  # what it does at its end waits for nobody
            raise StoppedError
        self._due = self._now + round(seconds * 1_000_000)
        self._back.release()
        self._turn.acquire()
        if self._is_closed:
            raise StoppedError

    def close(self) -> None:
        """End the work, which closes what it has opened; may be called twice."""
        self._is_closed = True
        if not self.is_over:
            self._turn.release()
            self._thread.join()

    def _run(self) -> None:
        self._turn.acquire()
        try:
            if not self._is_closed:
                self._work()
        except StoppedError:
            pass
        except BaseException as error:  # noqa: BLE001 - raised in the loop's thread
            self._error = error
        self.is_over = True
        self._back.release()


class DoctorSession:
    """An examination of the board of `target` with its walk; `report` writes down the findings."""

    status = "examination"

    def __init__(self, target: DoctorTarget, report: Report) -> None:
        board = wiring_of_config(target.config)
        self.layout: Layout = board.layout
        self.over = False
        """True if there are no more questions."""
        self.prompt = _WAIT
        """The prompt to show now."""
        self.findings: Sequence[Finding] = ()
        """The findings so far."""
        self._report = report
        self._given, self._is_done = "", False
        self._steps = Lockstep(self._examine)
        self._target = replace(target, sleep=self._sleep)

    @property
    def revision(self) -> int:
        """The number of findings."""
        return len(self.findings)

    def tick(self, now: Microseconds) -> tuple[Event, ...]:
        """Do one pass at `now`."""
        if not self._is_done:
            self._steps.resume(now)
            self._is_done = self._steps.is_over
            if self._is_done:
                outcome = _OUTCOMES[exit_status(self.findings)]
                self.prompt = Prompt("done", outcome, notes=(_PUT_BACK,), answers=(_PLAY,))
        return ()

    def do(self, request: dict[str, Any]) -> messages.PageMessage | None:
        """Accept an answer of a page, or return the report. Raise RequestError if it is neither."""
        if request == REPORT:
            return {"report": self._report(self.findings)}
        self.answer(parse_answer(request, self.prompt))
        return None

    def answer(self, text: str) -> None:
        """Accept an answer. Raise RequestError if it is not one."""
        if self.over:
            raise RequestError(Message("setup.over"))
        keys = [answer.key for answer in self.prompt.answers]
        key = text if text in keys else key_of(text, self.prompt.answers)
        if self._is_done:
            self.over, self.prompt = True, _OVER
        else:
            self._given = key or DONE

    def close(self) -> None:
        """Darken the strip and release everything."""
        self._steps.close()

    @property
    def texts(self) -> messages.PageMessage:
        """The prompt for pages, with what goes with it."""
        return prompt_message(self.prompt, self.over, [*map(finding_message, self.findings)])

    # ---- in the thread of the work: the operator ---------------------------------------------------------

    def do_task(self, task: Task) -> None:
        """Ask for a task."""
        self._given, self.prompt = "", task_prompt(task, self.layout)

    def reply(self) -> str:
        """Return the answer since the last call, or an empty text."""
        given, self._given = self._given, ""
        if given:
            self.prompt = _WAIT
        return given

    def ask(self, question: Question, while_waiting: Callable[[], object]) -> str:
        """Return the answer to `question`."""
        self._given, self.prompt = "", question_prompt(question)
        while not (given := self.reply()):
            while_waiting()
        return given

    def _examine(self) -> None:
        for finding in self._target.findings(_PageOperator(self), empty=False):
            self.findings = (*self.findings, finding)

    def _sleep(self, seconds: float) -> None:
        self._steps.sleep(seconds)
        if self._given == STOP.key:
            self.prompt = _WAIT
            raise StoppedError


class _PageOperator:
    """The operator at the page of `session`."""

    def __init__(self, session: DoctorSession) -> None:
        self.do = session.do_task
        self.reply = session.reply
        self.answer = session.ask


def finding_message(finding: Finding) -> messages.PageMessage:
    """Return a finding for a page: all texts in English, and as messages to be translated."""
    return finding.as_dict() | {
        "check_said": finding.name.as_dict(),
        "found_said": finding.evidence.as_dict(),
        "mend_said": finding.remedy and finding.remedy.as_dict(),
    }


def task_prompt(task: Task, layout: Layout) -> Prompt:
    """Return the prompt for a task at the board."""
    answers = (*(Answer(key, label) for key, label in task.answers.items()), STOP)
    if not isinstance(task, PlacePiece):
        return Prompt("examine", task.text, answers=answers)
    sentence = task.text_at(describe_point(task.point, layout))
    return Prompt("examine", sentence, point=task.point, answers=answers, done=task.number, of=task.of)


def question_prompt(question: Question) -> Prompt:
    """Return the prompt for a question about light or sound."""
    answers = (
        Answer(key, meaning or Message("setup.it-is.at", {"points": (key,)}))
        for key, meaning in question.answers.items()
    )
    return Prompt("examine", question.text, answers=(*answers, STOP))
