"""A set-up session: it reads sensors, lights LEDs, publishes prompts and saves the result.

Invariants: the session is ticked like a board, in the loop's thread, which alone touches the drivers. Sensors
that fail are reported and tried again; a strip that fails is reported by the wizard. No result is lost.

The lines of button and buzzer are opened before anything is asked, and the buzzer is silent unless it is
asked for. A line that can't be opened is not asked for; it is reported only where the configuration has a
part on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any
from zlib import crc32

from firmware_host.config.gpio import control_lines, strip_backend
from firmware_host.config.loader import Config
from firmware_host.errors import (
    ConfigError,
    MillwrightError,
    RequestError,
    SensorError,
    SoundError,
    reason_of,
)
from firmware_host.games.game import Player, Rules
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message, to_english
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.play.events import Event
from firmware_host.ports import DARK, ButtonPort, BuzzerPort, LedPort
from firmware_host.settings import NO_LINE, Controls, Microseconds, Sensors, Sound, Strip
from firmware_host.web import messages
from hardware.electronics import Electronics
from hardware.setup.controls.buzzer import is_beep
from hardware.setup.progress import SetupFindings
from hardware.setup.prompts import STOP, Answer, Prompt
from hardware.setup.result import SetupResult
from hardware.setup.wizard import SetupWizard, key_of


class SetupControls:
    """The button and the buzzer of a board, as far as their lines can be opened."""

    def __init__(self, electronics: Electronics, config: Config) -> None:
        self.troubles: tuple[Message, ...] = ()
        """The reasons why parts that the configuration has are not asked for."""
        self._button: ButtonPort | None = None
        self._buzzer: BuzzerPort | None = None
        self._is_beeping = False
        button, buzzer = control_lines(config.controls, config.sound, config.sensors, config.strip)
        self.button_line = self._open_button(electronics, replace(config.controls, button=button), config)
        self.buzzer_line = self._open_buzzer(electronics, replace(config.sound, buzzer=buzzer), config)

    def is_button_down(self) -> bool:
        """Return True while the button is pressed; False without one. Raises SensorError."""
        return self._button is not None and self._button.is_down()

    def beep(self, now: Microseconds, *, is_asked: bool) -> None:
        """Beep in time with `now` while the buzzer is asked for. Raises SoundError."""
        is_beeping = is_asked and is_beep(now)
        if self._buzzer is not None and is_beeping is not self._is_beeping:
            self._is_beeping = is_beeping
            self._buzzer.sound(on=is_beeping)

    def close(self) -> None:
        """Be silent, and release the lines."""
        for part in (self._button, self._buzzer):
            if part is not None:
                part.close()

    def _open_button(self, electronics: Electronics, controls: Controls, config: Config) -> int:
        if controls.button == NO_LINE:
            return NO_LINE
        try:
            self._button = electronics.open_button(controls)
        except (SensorError, ConfigError) as error:
            if config.controls.button != NO_LINE:
                self.troubles += (Message("setup.no-button", {"text": reason_of(error)}),)
            return NO_LINE
        return controls.button

    def _open_buzzer(self, electronics: Electronics, sound: Sound, config: Config) -> int:
        if sound.buzzer == NO_LINE:
            return NO_LINE
        try:
            self._buzzer = electronics.open_buzzer(sound)
        except (SoundError, ConfigError) as error:
            if config.sound.buzzer != NO_LINE:
                self.troubles += (Message("setup.no-buzzer", {"text": reason_of(error)}),)
            return NO_LINE
        return sound.buzzer


PLAYS = Message("setup.done.plays")
_RETRY: Microseconds = 1_000_000
_NOT_SAVED = (Answer("", Message("setup.save-again")), STOP)
_KEPT_AT = ("find", "free", "measure", "button", "buzzer", "review")
"""The stages at which findings are kept."""


class SetupSession:
    """The set-up of the board that `electronics` open; `day` returns the date, for names of files.

    `ending` is shown when everything is saved. Raises ConfigError or SensorError if the sensors cannot be
    opened.
    """

    status = "set-up"
    revision = 0
    """Only the prompt changes."""

    def __init__(
        self,
        electronics: Electronics,
        config: Config,
        files: SetupFiles,
        day: Callable[[], str],
        *,
        ending: Message = PLAYS,
    ) -> None:
        rules = rule_set(config.play.rules, config.play.switches)
        self.layout: Layout = rules.layout
        self.over = False
        """True if there are no more questions."""
        self._electronics = electronics
        self._config = config
        self._files = files
        self._day = day
        self._ending = ending
        points = config.sensors.points if config.sensors.kind == "direct" else {}
        sensors = replace(config.sensors, points=points, levels={})
        self._scanner = electronics.open_scanner(sensors)
        self._controls = SetupControls(electronics, config)
        earlier, why = files.earlier(config, lambda found: self._wizard(rules, sensors, found).prompt)
        self.setup = self._wizard(rules, sensors, None)
        if earlier not in (None, self.setup.found):  # otherwise there is nothing to go on with
            self.setup = self._wizard(rules, sensors, earlier)
        self._remarks: tuple[Message, ...] = (*([why] if why else []), *self._controls.troubles)
        self._kept: SetupFindings | None = earlier
        self._leds: LedPort | None = None
        self._lit: tuple[str, int] | None = None
        self._shown: Prompt | None = None
        self._now: Microseconds = 0
        self._trouble: Message | None = None
        self._retry_at: Microseconds = 0
        self._saved: Prompt | None = None

    def _wizard(self, rules: Rules, sensors: Sensors, earlier: SetupFindings | None) -> SetupWizard:
        return SetupWizard(
            rules.layout,
            sensors,
            self._config.strip,
            self._scanner.wires,
            found=earlier,
            kinds=_kinds(rules) if sensors.alphabet == "pieces" else (),
            button=self._controls.button_line,
            buzzer=self._controls.buzzer_line,
        )

    @property
    def prompt(self) -> Prompt:
        """The prompt to show now."""
        prompt = self._saved or self.setup.prompt
        notes = (*self._remarks, *prompt.notes, *([self._trouble] if self._trouble else []))
        return prompt if notes == prompt.notes else replace(prompt, notes=notes)

    def tick(self, now: Microseconds) -> tuple[Event, ...]:
        """Do one pass at `now`."""
        self._now = now
        if now >= self._retry_at:
            try:
                levels, is_down = self._scanner.scan(), self._controls.is_button_down()
                self._controls.beep(now, is_asked=self.setup.prompt.stage == "buzzer")
                self._trouble, self._retry_at = None, 0
            except (SensorError, SoundError) as error:
                self._trouble = Message("setup.sensors-fail", {"text": error.message})
                self._retry_at = now + _RETRY
            else:
                self.setup.step(levels, now, is_button_down=is_down)
        self._follow()
        return ()

    def answer(self, text: str) -> None:
        """Accept an answer. Raise RequestError if it is not one."""
        if self.over:
            raise RequestError(Message("setup.over"))
        self._remarks = ()
        if self._saved is not None:
            self._answer_unsaved(text)
        else:
            self.setup.answer(text, self._now)
        self._follow()

    def do(self, request: dict[str, Any]) -> None:
        """Accept an answer of a page. Raise RequestError if it is not one."""
        self.answer(parse_answer(request, self.prompt))

    def keep(self) -> None:
        """Save what was found so far; a failure is reported above the next question."""
        self._kept = self.setup.found
        try:
            self._files.keep(self._config, self.setup.found)
        except ConfigError as error:
            self._remarks = (Message("setup.not-kept", {"text": reason_of(error)}),)

    def close(self) -> None:
        """Darken the strip and release everything."""
        if self._leds is not None:
            self._leds.close()
        self._controls.close()
        self._scanner.close()

    @property
    def texts(self) -> messages.PageMessage:
        """The prompt for pages, with what goes with it."""
        return prompt_message(self.prompt, self.over)

    def _follow(self) -> None:
        """Show the current prompt, and save whatever it calls for."""
        prompt = self.setup.prompt
        if prompt is self._shown:
            return
        self._show(prompt)
        self._shown = prompt = self.setup.prompt
        if self.setup.found is not self._kept and prompt.stage in _KEPT_AT:
            self.keep()
        if prompt.stage == "done" and self._saved is None:
            self._save()
        self.over = self.over or prompt.stage == "left"

    def _show(self, prompt: Prompt) -> None:
        if not self.setup.found.lit or prompt.stage == "dark":
            return
        wanted = prompt.order, prompt.leds
        try:
            if self._leds is None or self._lit != wanted:
                if self._leds is not None:
                    self._leds.close()
                    self._leds = None
                self._leds, self._lit = self._electronics.open_leds(self._strip(prompt)), wanted
            self._leds.show(tuple(prompt.light.get(led, DARK) for led in range(prompt.leds)))
        except MillwrightError as error:
            self.setup.light_failed(reason_of(error))

    def _strip(self, prompt: Prompt) -> Strip:
        """Return the strip as far as it is known now; a serial board lights its own."""
        strip = self._config.strip
        backend = strip_backend(self._config.sensors, strip)
        return replace(strip, backend=backend, order=prompt.order, leds=prompt.leds, points={})

    def _save(self) -> None:
        result, done = self.setup.result(), self.setup.prompt
        path = self._files.path
        try:
            kept = self._files.save(_wired(self._config, result), self._day())
        except ConfigError as error:
            why = Message("setup.not-saved", {"text": reason_of(error)})
            self._saved = replace(done, sentence=why, answers=_NOT_SAVED)
            return
        self._files.forget()
        saved = [Message("setup.saved", {"text": str(path)})]
        if kept is not None:
            saved.append(Message("setup.before", {"text": kept.name}))
        self._saved = replace(done, sentence=self._ending, notes=(*saved, *done.notes))
        self.over = True

    def _answer_unsaved(self, text: str) -> None:
        if key_of(text, _NOT_SAVED) == STOP.key:
            self.over = True
        else:
            self._save()


def _wired(config: Config, result: SetupResult) -> Config:
    """Return the configuration with the settings that were found."""
    button = config.controls.button if result.button is None else result.button
    buzzer = config.sound.buzzer if result.buzzer is None else result.buzzer
    return replace(
        config,
        sensors=result.sensors,
        strip=result.strip,
        controls=replace(config.controls, button=button),
        sound=replace(config.sound, buzzer=buzzer),
    )


def _kinds(rules: Rules) -> tuple[str, ...]:
    """Return the kinds of pieces in the order of levels: weaker magnets first, White before Black."""
    ordered = sorted(rules.box, key=lambda piece: (piece.magnet, piece.owner is Player.BLACK))
    return tuple(map(str, ordered))


def prompt_message(
    prompt: Prompt,
    over: bool,
    findings: Sequence[messages.PageMessage] | None = None,
    settings: Sequence[messages.PageMessage] | None = None,
) -> messages.PageMessage:
    """Return `prompt` for a page: all texts in English, and as messages to be translated.

    `findings` are those of the doctor, and `settings` those that can be changed; None elsewhere.
    """
    answers = [
        {
            "key": answer.key,
            "label": to_english(answer.label),
            "said": answer.label.as_dict(),
            "parts": [{"count": count, "name": name} for count, name in answer.parts],
        }
        for answer in prompt.answers
    ]
    return {
        "question": question_of(prompt),
        "sentence": to_english(prompt.sentence),
        "said": prompt.sentence.as_dict(),
        "notes": [to_english(note) for note in prompt.notes],
        "notes_said": [note.as_dict() for note in prompt.notes],
        "answers": answers,
        "point": prompt.point,
        "known": list(prompt.known),
        "done": prompt.done,
        "of": prompt.of,
        "over": over,
        "findings": findings,
        "settings": settings,
    }


def question_of(prompt: Prompt) -> int:
    """Return the number of a question: another one if the same sentence asks for another light or answer."""
    light = sorted(prompt.light.items())
    return crc32(repr((prompt.sentence, prompt.point, light, prompt.order, prompt.answers)).encode())


def parse_answer(request: dict[str, Any], prompt: Prompt) -> str:
    """Return the answer that a page sent. Raise RequestError if it sent anything else.

    An answer to another question than that of `prompt` is refused: of two phones, the slower one would answer
    a question that it hasn't shown.
    """
    if set(request) - {"to"} != {"answer"} or not isinstance(request["answer"], str):
        raise RequestError('set-up takes only an "answer", the key of one of those it offers')
    asked = question_of(prompt)
    if request.get("to", asked) != asked:
        raise RequestError(Message("setup.answered"))
    return str(request["answer"])
