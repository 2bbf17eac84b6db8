"""A set-up that says what a test tells it to."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from firmware_host.config.loader import Config
from firmware_host.errors import RequestError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.maintenance.doctor_session import finding_message
from firmware_host.maintenance.settings_files import SettingsFiles
from firmware_host.maintenance.settings_session import SettingsSession
from firmware_host.maintenance.setup_run import do_request
from firmware_host.maintenance.setup_session import parse_answer, prompt_message
from firmware_host.web.messages import setup_prompt
from firmware_host.web.server import WebServer
from hardware.doctor.findings import Finding
from hardware.setup.forms import offered_forms
from hardware.setup.point_names import describe_point
from hardware.setup.prompts import STOP, Answer, Prompt

FORMS: dict[str, Any] = {
    "stage": "form",
    "sentence": Message("setup.form"),
    "notes": (),
    "answers": (
        *(Answer(str(n or ""), one.name, one.parts) for n, one in enumerate(offered_forms(Config()))),
        STOP,
    ),
    "point": None,
    "known": (),
    "done": 0,
    "of": 0,
}
"""The choice of a hardware form, on a board of which nothing is known."""
DONE: dict[str, Any] = {"sentence": Message("setup.done"), "answers": ()}


class FakeSetup:
    """A set-up on a real board, whose pieces nobody knows."""

    def __init__(self) -> None:
        self._answers: list[str] = []
        self._answered = threading.Condition()
        self.server = WebServer(self.submit, port=0)
        self.server.start()
        self.say()

    def say(self, *, over: bool = False, findings: Sequence[Finding] | None = None, **changes: Any) -> None:
        found = None if findings is None else [*map(finding_message, findings)]
        self.prompt = replace(START, **changes)
        texts = prompt_message(self.prompt, over, found)
        self.server.publish(setup_prompt(MORRIS, texts, table=None, kinds={}, leds={}))

    def submit(self, request: dict[str, Any]) -> Future[None]:
        future: Future[None] = Future()
        with self._answered:
            try:
                self._answers.append(parse_answer(request, self.prompt))
            except RequestError as error:
                future.set_exception(error)
            else:
                future.set_result(None)
            self._answered.notify_all()
        return future

    def answered(self, number: int) -> list[str]:
        """Return the answers so far, as soon as there are `number`."""
        with self._answered:
            assert self._answered.wait_for(lambda: len(self._answers) >= number, timeout=60)
            return list(self._answers)


class SettingsPage:
    """The page of technical settings, which are written into a file."""

    def __init__(self, file: Path) -> None:
        file.touch()
        self.session = SettingsSession(SettingsFiles(file, str(file), {}, is_beside=False))
        self.server = WebServer(self.submit, port=0)
        self.server.start()
        self.server.publish(setup_prompt(self.session.layout, self.session.texts))

    def submit(self, request: dict[str, Any]) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            result = do_request(self.session, None, request)
        except RequestError as error:
            future.set_exception(error)
        else:
            self.server.publish(setup_prompt(self.session.layout, self.session.texts))
            future.set_result(result)
        return future


START = Prompt(
    "find",
    Message("setup.lift.any.at", {"place": describe_point("a7", MORRIS)}),
    notes=(Message("setup.weak"),),
    answers=(Answer("", Message("setup.none-stands")), STOP),
    point="a7",
    known=("d7", "g7"),
    done=20,
    of=48,
)
