"""A set-up from its beginning: what reads the sensors, and then all that a set-up of that form finds.

Parts that can be recognised by asking come first. Where the configuration says what reads the sensors, or a
form was chosen before, set-up begins with it, and its first question can be left for another form.

Invariants: no line is driven before a form is chosen. A choice is on the disk before anything is asked. If a
form can't be opened, the reason is shown beside the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from firmware_host.config.loader import Config
from firmware_host.errors import ConfigError, SensorError, reason_of
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.maintenance.setup_session import SetupSession, parse_answer, prompt_message
from firmware_host.play.events import Event
from firmware_host.settings import Microseconds
from firmware_host.web import messages
from hardware.recognition import FormProbe
from hardware.setup.forms import HardwareForm, is_form_written, offered_forms
from hardware.setup.prompts import BACK, LEFT, STOP, Answer, Prompt, StageName
from hardware.setup.wizard import key_of

Begin = Callable[[Config, SetupFiles], SetupSession]
"""Opens a board with these settings. Raises ConfigError or SensorError if its sensors cannot be opened."""

_LOOKING = Prompt("form", Message("setup.form.looking"), answers=(STOP,))
_OTHER = replace(BACK, label=Message("setup.form.other"))
_FIRST: tuple[StageName, ...] = ("resume", "colour")
"""The stages with which a set-up begins, from which the form can be changed."""


class FormSession:
    """The set-up of a board that `begin` opens, in the form of `config` or in another one.

    `probe` asks what can be recognised; without one, nothing is. Where it isn't worthwhile, there is nothing
    to choose, and this raises what `begin` raises.
    """

    status = "set-up"
    revision = 0
    """Only the prompt changes."""

    def __init__(self, config: Config, files: SetupFiles, begin: Begin, probe: FormProbe | None) -> None:
        self.layout: Layout = rule_set(config.play.rules, config.play.switches).layout
        self._config, self._files, self._begin, self._probe = config, files, begin, probe
        self._session: SetupSession | None = None
        self._forms: Sequence[HardwareForm] = ()
        self._prompt = _LOOKING
        self._trouble: Message | None = None
        begun = files.form_begun(config)
        has_choice = probe is None or probe.is_worthwhile
        if begun is None and has_choice and not is_form_written(config):
            self._look()
            return
        try:
            self._open(begun or config)
        except (ConfigError, SensorError) as error:
            if not has_choice:
                raise
            self._look(_unopened(error))

    @property
    def over(self) -> bool:
        """True if there are no more questions."""
        return self._prompt.stage == "left" if self._session is None else self._session.over

    @property
    def prompt(self) -> Prompt:
        """The prompt to show now."""
        if self._session is None:
            return self._prompt
        prompt = self._session.prompt
        if not self._is_first(prompt):
            return prompt
        return replace(prompt, answers=(*prompt.answers[:-1], _OTHER, *prompt.answers[-1:]))

    def tick(self, now: Microseconds) -> tuple[Event, ...]:
        """Do one pass at `now`."""
        if self._session is not None:
            return self._session.tick(now)
        if self._prompt is _LOOKING and (self._probe is None or self._probe.step()):
            self._offer()
        return ()

    def answer(self, text: str) -> None:
        """Accept an answer. Raise RequestError if it is not one."""
        if self._session is None:
            self._choose(key_of(text, self._prompt.answers))
        elif self._is_first(self._session.prompt) and text.strip().lower()[:1] == _OTHER.key:
            self._session.close()
            self._session = None
            self._look()
        else:
            self._session.answer(text)

    def do(self, request: dict[str, Any]) -> None:
        """Accept an answer of a page. Raise RequestError if it is not one."""
        self.answer(parse_answer(request, self.prompt))

    def close(self) -> None:
        """Darken the strip and release everything."""
        if self._probe is not None:
            self._probe.close()
        if self._session is not None:
            self._session.close()

    @property
    def texts(self) -> messages.PageMessage:
        """The prompt for pages, with what goes with it."""
        return prompt_message(self.prompt, self.over)

    def _is_first(self, prompt: Prompt) -> bool:
        return prompt.stage in _FIRST and BACK not in prompt.answers

    def _look(self, trouble: Message | None = None) -> None:
        """Ask the parts that can answer, and show `trouble` above what is offered then."""
        self._prompt, self._trouble = _LOOKING, trouble
        if self._probe is not None:
            self._probe.begin()

    def _offer(self) -> None:
        recognised = self._probe.recognised if self._probe else ()
        self._forms = offered_forms(self._config, recognised)
        answers = [
            Answer(str(number) if number else "", form.name, form.parts)
            for number, form in enumerate(self._forms)
        ]
        notes = (self._trouble,) if self._trouble else ()
        self._prompt = Prompt("form", Message("setup.form"), notes, answers=(*answers, STOP))

    def _choose(self, key: str) -> None:
        if key == STOP.key:
            self._prompt = Prompt("left", LEFT)
            return
        chosen = self._forms[int(key or 0)].config
        if chosen.sensors.kind == "serial" and not self._answers_at(chosen.sensors.port):
            self._look(Message("setup.form.silent"))
            return
        try:
            session = self._open(chosen)
        except (ConfigError, SensorError) as error:
            self._look(_unopened(error))
        else:
            session.keep()

    def _answers_at(self, port: str) -> bool:
        """Return whether a controller answers at this port; where nothing is asked, it does."""
        return self._probe is None or port in [
            one.port for one in self._probe.recognised if one.kind == "serial"
        ]

    def _open(self, config: Config) -> SetupSession:
        self._session = self._begin(config, replace(self._files, before=self._config))
        if self._probe is not None:
            self._probe.close()
        return self._session


def _unopened(error: ConfigError | SensorError) -> Message:
    return Message("setup.form.unopened", {"text": reason_of(error)})
