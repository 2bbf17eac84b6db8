"""Set-up: find out, by hands and light alone, which contact and which LED each point of a board has.

Each place gets a piece once and loses it once. One of the two is asked for by light ("put a piece on the lit
point"), the other by name ("take the piece off a7"); together they tell whose the LED and the contact are. So
24 placements suffice for 24 points, and with fewer pieces set-up only alternates more often between light and
names.

A set-up goes from stage to stage: `opening` clears the board and checks the light, `search` finds the places
by the questions that `plan` chooses, `closing` measures kinds of pieces, `controls` asks for button and
buzzer, and `closing` shows the `result` for review.

Invariants: only what stands once all is at rest counts, never how it came about; doing the reverse takes back
what was done; every question can be put off, and none is asked without end; there is no clock and no I/O.
`step`, `answer` and `light_failed` are all that happens to a set-up, `prompt` is all it shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from firmware_host.config.gpio import strip_backend
from firmware_host.config.wiring_map import contact_names
from firmware_host.errors import RequestError
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.settings import NO_LINE, Gpio, Microseconds, Sensors, Strip
from hardware.scanner import Levels, Wire
from hardware.setup.closing import DoneStage, LeftStage, MeasureStage, ReviewStage
from hardware.setup.controls.button import ButtonStage
from hardware.setup.controls.buzzer import BuzzerStage
from hardware.setup.level_watch import Change, LevelWatch
from hardware.setup.opening import ClearStage, ColourStage, DarkStage, LearnStage, ResumeStage
from hardware.setup.plan import SetupPlan
from hardware.setup.point_names import clockwise
from hardware.setup.progress import SetupFindings
from hardware.setup.prompts import BACK, COLOURS, STOP, Answer, Prompt, StageName
from hardware.setup.result import SetupResult, result
from hardware.setup.search import FindStage, FreeStage, SureStage
from hardware.setup.stage import Stage, StageQuestion
from hardware.setup.state import BoardSensing, SetupContext, SetupState

HINT_DELAY: Microseconds = 12_000_000
"""Time without an answer after which a maker gets a hint."""

STAGES: tuple[type[Stage], ...] = (
    *(ResumeStage, ColourStage, DarkStage, ClearStage, LearnStage),
    *(FindStage, SureStage, FreeStage),
    *(MeasureStage, ButtonStage, BuzzerStage),
    *(ReviewStage, DoneStage, LeftStage),
)


class SetupWizard:
    """The set-up of one board, by the levels of the `wires` of the scanner that `sensors` configures.

    `found` are the findings of an earlier set-up of the same wiring, which the maker may go on with. `kinds`
    are the pieces that linear sensors are to tell apart, the weaker magnets first. `button` and `buzzer` are
    the lines on which these are asked for; NO_LINE: they are not.
    """

    def __init__(
        self,
        layout: Layout,
        sensors: Sensors,
        strip: Strip,
        wires: Sequence[Wire],
        *,
        found: SetupFindings | None = None,
        kinds: Sequence[str] = (),
        button: Gpio = NO_LINE,
        buzzer: Gpio = NO_LINE,
    ) -> None:
        by_board = strip_backend(sensors, strip) == "serial"
        self._plan = SetupPlan(
            layout=layout,
            strip=strip,
            contacts=len(contact_names(sensors)),
            coloured=sensors.alphabet == "polarity",
            # The number of an LED's colours is compiled into a microcontroller.
            guess="GRBW" if by_board and "W" in strip.order else "GRB",
            any_colours=not by_board,
            kinds=tuple(kinds),
            button=button,
            buzzer=buzzer,
        )
        self._sensors = sensors
        self._wires = tuple(wires)
        self._sensing = BoardSensing(len(self._wires), linear=sensors.is_linear)
        fresh = SetupFindings(leds=tuple(range(strip.leds)), points=clockwise(layout))
        context = SetupContext(self._plan, self._sensing, fresh, self._result_of)
        self._stages: Mapping[StageName, Stage] = {stage.name: stage(context) for stage in STAGES}
        self._state = SetupState("resume", found) if found else SetupState("colour", fresh)
        self._prompt: Prompt | None = None

    @property
    def found(self) -> SetupFindings:
        """All findings so far."""
        return self._state.found

    @property
    def prompt(self) -> Prompt:
        """The current prompt: the same object until something has changed."""
        if self._prompt is None:
            self._prompt = self._compose(self._state)
        return self._prompt

    def result(self) -> SetupResult:
        """Return the settings that follow from the findings."""
        return self._result_of(self._state.found)

    def step(self, levels: Levels, now: Microseconds, *, is_button_down: bool = False) -> Prompt:
        """Take in the levels of all wires, and the button, at `now`."""
        watch = self._sensing.watch
        if watch is not None:
            self._watch(watch, levels, now)
        self._become(self._stage.read_button(self._state, is_down=is_button_down))
        state = self._state
        if state.asked_at is None:
            state = self._state = replace(state, asked_at=now)
        asked_at = state.asked_at or 0
        if state.stage == "find" and not state.hints and now - asked_at >= HINT_DELAY:
            self._become(replace(state, hints=True))
        return self.prompt

    def answer(self, text: str, now: Microseconds) -> Prompt:
        """Take in an answer by key or button; raise RequestError where it is not offered now."""
        key = key_of(text, self.prompt.answers)
        if key == BACK.key:
            state = self._back()
        elif key == STOP.key:
            state = replace(self._state, stage="left")
        else:
            state = self._stage.answer(self._state, key)
        self._prompt = None
        self._state = state if state.asked_at is not None else replace(state, asked_at=now)
        return self.prompt

    def light_failed(self, what: Message | str) -> None:
        """Tell the maker that the strip cannot be written, and why."""
        if self._state.stage not in ("dark", "done", "left") and self._state.found.lit:
            self._become(replace(self._state, stage="dark", trouble=what))

    @property
    def _stage(self) -> Stage:
        return self._stages[self._state.stage]

    def _become(self, state: SetupState) -> None:
        if state is not self._state:
            self._state, self._prompt = state, None

    def _watch(self, watch: LevelWatch, levels: Levels, now: Microseconds) -> None:
        restless = watch.restless
        change = watch.step(levels, now)
        if change is not None or watch.restless != restless:
            self._prompt = None
        self._become(self._stage.update(self._state, change))
        if self._state.to_undo:
            # Undone moves change the prompt only when everything is at rest.
            self._state = self._sensing.prune(self._state)
            if not self._state.to_undo:
                self._prompt = None
                self._become(self._stage.update(self._state, Change((), ())))

    def _back(self) -> SetupState:
        *history, (stage, found) = self._state.history
        state = replace(self._state, history=tuple(history), to_undo=frozenset(), doubtful_wire=None).enter(
            stage, found
        )
        return self._stages[stage].reenter(state)

    def _result_of(self, found: SetupFindings) -> SetupResult:
        return result(self._plan, self._sensors, self._wires, found)

    def _compose(self, state: SetupState) -> Prompt:
        """Return the prompt of a state: its stage's question, with what is the same in all stages."""
        plan, found, stage = self._plan, state.found, self._stage
        question = stage.question(state)
        answers = list(question.answers)
        if stage.goes_back and state.history:
            answers.append(BACK)
        if stage.stops:
            answers.append(STOP)
        coloured = plan.coloured and question.move in ("put", "either", "exchange")
        done, of = plan.progress(found)
        return Prompt(
            stage=stage.name,
            sentence=question.sentence,
            notes=(*state.notes, *self._warnings(state, question), *question.remarks),
            point=question.point,
            known=tuple(seat.point for seat in found.seats if seat.point is not None),
            light=stage.light(state) if found.lit else {},
            order=stage.order(state),
            leds=plan.total(found),
            answers=tuple(answers),
            done=done,
            of=of,
            move=question.move,
            colour=COLOURS[plan.colour(found)] if coloured else None,
        )

    def _warnings(self, state: SetupState, question: StageQuestion) -> list[Message]:
        """Return notes about restless wires, and a hint for a maker who takes long."""
        warnings: list[Message] = []
        watch = self._sensing.watch
        count = len(watch.restless) if watch else 0
        if count == 1:
            warnings.append(Message("setup.restless.one"))
        elif count:
            warnings.append(Message("setup.restless.many", {"count": count}))
        if state.hints and question.move is not None:
            lift = question.move == "lift"
            warnings.append(Message("setup.hint.lift") if lift else Message("setup.hint.put"))
        return warnings


def key_of(text: str, answers: Sequence[Answer]) -> str:
    """Return the key of the answer that `text` means; raise RequestError where it is none of `answers`.

    A word stands for its first letter, and a number for itself.
    """
    typed = text.strip().lower()
    key = typed if typed.isdigit() else typed[:1]
    keys = [answer.key for answer in answers]
    if key in keys:
        return key
    args = {"text": repr(text.strip()), "keys": ", ".join(filter(None, keys))}
    raise RequestError(
        Message("setup.no-answer.enter", args) if "" in keys else Message("setup.no-answer", args)
    )
