"""The examination of a board: reads its wires, lights its LEDs, and asks an operator for the rest.

Invariants: this gathers evidence and judges none of it. Time is counted in frames, and passes by the given
`sleep`. Whatever was opened is closed, and the LEDs are dark, before the next part begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import field, replace
from functools import partial
from itertools import count, pairwise
from statistics import median

from firmware_host.errors import SensorError
from firmware_host.frozen import frozen
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.ports import DARK, ButtonPort, Colour, LedPort
from firmware_host.settings import NO_LINE, Controls, Lights, Microseconds, Sensors, Sound, Strip
from hardware.bus.gpio import Pull
from hardware.colour_order import NOTHING, Sighting, looks_by, next_look
from hardware.doctor.controls.bars import bars_of, half_lit, look_at
from hardware.doctor.controls.button import ButtonReadings
from hardware.doctor.controls.buzzer import QUESTION
from hardware.doctor.idle_checks import FRAMES, IdleReadings, SettlingTest
from hardware.doctor.light_checks import (
    DARKNESS,
    IN_PART,
    LightAnswers,
    SupplyRamp,
    current_ma,
    look_question,
    solid_frame,
    within_budget,
)
from hardware.doctor.part_names import part_names
from hardware.doctor.prompts import DONE, ClearBoard, Operator, PressButton, Question
from hardware.electronics import Electronics
from hardware.scanner import Levels, Scanner, Wire
from hardware.setup.level_watch import SENSED_COUNTS

FRAME: Microseconds = 5000
LONG_US: Microseconds = 200
"""A settling time longer than any line of a board needs."""

DELAYS: Sequence[Microseconds] = (0, 5, 10, 20, 50, 100, LONG_US)

MAX_STRAY = 150
"""Maximum difference of a sensor at rest from the others, or from its measured level."""

MAX_GROUND_LEVEL = 40
"""Maximum reading of a channel without a sensor, which is on ground."""

_PULL_FRAMES = 20
_BACKWARDS_FRAMES = 3
_MAX_START_FRAMES = 1600
"""Frames that a serial board may take to start after it was opened: eight seconds."""

_BUTTON_FRAMES = 20
"""Frames for which a button at rest is read, and after which one that was pressed is at rest again."""
_MAX_PRESS_FRAMES = 4000
"""Frames after which a press that was asked for has not come: 20 seconds."""

_BEEP_FRAMES, _BEAT_FRAMES = 40, 100
"""Frames for which a buzzer that is examined sounds, and after which it sounds again."""

_RAMP_STEPS = 10
_RAMP_FRAMES = 60
_LEVEL, _WHITE = 80, (255, 255, 255)


@frozen(slots=False)
class ExaminedBoard:
    """The board as configured; `places` has the LEDs of each point, by the points' names."""

    layout: Layout
    sensors: Sensors
    strip: Strip
    lights: Lights
    places: Mapping[str, Sequence[int]]
    controls: Controls = field(default_factory=Controls)
    sound: Sound = field(default_factory=Sound)


class Examination:
    """One examination of a board; each of its parts may be left out."""

    def __init__(
        self,
        plan: ExaminedBoard,
        electronics: Electronics,
        maker: Operator | None,
        sleep: Callable[[float], None],
    ) -> None:
        self.plan = plan
        self.names = part_names(plan.layout, plan.sensors, plan.places)
        self.electronics = electronics
        self.maker = maker
        self.rests: Levels = ()
        """Each linear sensor's reading without a piece, once measured."""
        self._sleep = sleep

    # ---- the untouched board ---------------------------------------------------------------------------

    def at_rest(self, *, empty: bool) -> IdleReadings:
        """Read the untouched board; raises SensorError or ConfigError."""
        if self.maker is not None:
            with closing(self.slow_scanner()) as scanner:
                self.frame(scanner)  # nobody should clear a board that can't be read
            self._clear(self.maker)
        with closing(self.slow_scanner()) as scanner:
            frames = [self.frame(scanner) for _ in range(FRAMES)]
            wires = scanner.wires
        if self.plan.sensors.is_linear:
            self._take_rests(wires, frames)
            frames = [self.feel(levels) for levels in frames]
        columns = list(zip(*frames, strict=True))
        up = down = None
        if self.plan.sensors.kind in ("mux", "direct", "matrix") and not self.plan.sensors.pull_up:
            with suppress(SensorError):  # lines with a resistor on the Pi itself cannot be pulled down
                up, down = self._pulled("up"), self._pulled("down")
        return IdleReadings(
            wires,
            closed=tuple(map(sum, columns)),
            changes=tuple(sum(one != other for one, other in pairwise(column)) for column in columns),
            up=up,
            down=down,
            backwards=self.backwards(),
            empty=empty or self.maker is not None,
        )

    def _take_rests(self, wires: Sequence[Wire], frames: Sequence[Levels]) -> None:
        """Average the linear sensors at rest; one that is off the expected level has a piece on it."""
        names, levels = self.names, self.plan.sensors.levels
        typical = [round(median(column)) for column in zip(*frames, strict=True)]
        usual = round(median(rest for wire, rest in zip(wires, typical, strict=True) if wire in names.owners))
        self.rests = ()
        for wire, rest in zip(wires, typical, strict=True):
            owner = names.owners.get(wire)
            known = levels.get(self.plan.layout.points[owner[0]].name) if owner else None
            meant = known[0] if known else usual
            occupied = owner and rest > MAX_GROUND_LEVEL and abs(rest - meant) > MAX_STRAY
            self.rests += (meant if occupied else rest,)

    def settling(self) -> SettlingTest:
        """Read the board as it stands with longer and shorter settling times."""
        samples = {}
        for delay in sorted({*DELAYS, self.plan.sensors.settling_us}):
            sensors = replace(self.plan.sensors, settling_us=delay)
            with closing(self.electronics.open_scanner(sensors)) as scanner:
                samples[delay] = [self.feel(self.frame(scanner)) for _ in range(3)]
                wires = scanner.wires
        right = samples[max(samples)]
        differ = {
            delay: tuple(
                wire
                for wire, seen, truth in zip(
                    wires, zip(*levels, strict=True), zip(*right, strict=True), strict=True
                )
                if set(seen) != set(truth)
            )
            for delay, levels in samples.items()
        }
        return SettlingTest(self.plan.sensors.settling_us, differ, closed=any(map(any, right)))

    def backwards(self) -> frozenset[Wire]:
        """Return the wires of a matrix that conduct from row to column, which their diodes should block."""
        sensors = self.plan.sensors
        if sensors.kind != "matrix":
            return frozenset()
        turned = replace(
            sensors, rows=sensors.columns, columns=sensors.rows, points={}, settling_us=self._slow_us
        )
        with closing(self.electronics.open_scanner(turned, "up")) as scanner:
            frames = [self.frame(scanner) for _ in range(_BACKWARDS_FRAMES)]
        closed = map(min, zip(*frames, strict=True))
        return frozenset(
            (row, column) for (column, row), level in zip(scanner.wires, closed, strict=True) if level
        )

    def slow_scanner(self, pull: Pull | None = None) -> Scanner:
        """Open every wire, with a settling time that is long enough."""
        return self.electronics.open_scanner(replace(self.plan.sensors, settling_us=self._slow_us), pull)

    @property
    def _slow_us(self) -> Microseconds:
        return max(LONG_US, self.plan.sensors.settling_us)

    @contextmanager
    def line(self) -> Iterator[None]:
        """Keep the line of a serial board open, since the board restarts whenever it is opened."""
        with ExitStack() as opened:
            if self.plan.sensors.kind == "serial":
                with suppress(SensorError):  # the next read reports it
                    scanner = self.electronics.open_scanner(self.plan.sensors)
                    opened.callback(scanner.close)
                    self._wake(scanner)
            yield

    def _wake(self, scanner: Scanner) -> None:
        for _ in range(_MAX_START_FRAMES):
            with suppress(SensorError):
                self.frame(scanner)
                return

    def frame(self, scanner: Scanner) -> Levels:
        """Return the levels one frame later."""
        self._sleep(FRAME / 1_000_000)
        return scanner.scan()

    def _pulled(self, pull: Pull) -> Levels:
        """Return the levels under the Pi's own resistors, against which a line must hold in all frames."""
        with closing(self.slow_scanner(pull)) as scanner:
            frames = [self.frame(scanner) for _ in range(_PULL_FRAMES)]
        return tuple(map(max if pull == "up" else min, zip(*frames, strict=True)))

    def feel(self, levels: Levels) -> Levels:
        """Return the levels as those of switches."""
        if not self.plan.sensors.is_linear:
            return levels
        rests = self.rests or levels
        return tuple(
            int(abs(level - rest) >= SENSED_COUNTS) for level, rest in zip(levels, rests, strict=True)
        )

    def _clear(self, maker: Operator) -> None:
        maker.do(ClearBoard())
        while maker.reply() != DONE:
            self._sleep(FRAME / 1_000_000)

    # ---- light -----------------------------------------------------------------------------------------

    def eyes(self) -> LightAnswers:
        """Ask what the strip looks like in several colours and dark; raises StripError."""
        if self.maker is None:
            return LightAnswers()
        strip = self.plan.strip
        seen: list[Sighting] = []
        looks = looks_by(strip.order, any_size=strip.backend != "serial")
        while (look := next_look(seen, looks)) is not None:
            question = look_question(look, is_expected=look.order == strip.order)
            answer = self._look(self.maker, question, look.order, look.light(_LEVEL))
            seen.append((look, look.name if answer == IN_PART else answer))
            if answer == NOTHING:
                return LightAnswers(seen)
        dark = self._look(self.maker, Question(Message("setup.doctor.dark"), DARKNESS), strip.order, DARK)
        return LightAnswers(seen, dark)

    def _look(self, maker: Operator, question: Question, order: str, colour: Colour) -> str:
        """Ask about a strip that gets one colour in this order."""
        with self.light(order) as (strip, wait):
            strip.show(within_budget(solid_frame(colour, self.plan.strip.leds), self.plan.lights))
            return maker.answer(question, wait)

    @contextmanager
    def light(self, order: str | None = None) -> Iterator[tuple[LedPort, Callable[[], object]]]:
        """Open the strip; yield it and a function that waits for a frame.

        `order` is another one than that of the settings. A board on a serial line only lights its LEDs while
        it is polled.
        """
        with ExitStack() as opened:
            wait: Callable[[], object] = partial(self._sleep, FRAME / 1_000_000)
            if self.plan.sensors.kind == "serial":
                scanner = opened.enter_context(closing(self.slow_scanner()))
                wait = partial(self.frame, scanner)
            settings = replace(self.plan.strip, order=order or self.plan.strip.order)
            yield opened.enter_context(closing(self.electronics.open_leds(settings))), wait

    def bars(self) -> Mapping[str, str]:
        """Ask what each side bar looks like that is half lit; nothing without bars. Raises StripError."""
        if self.maker is None:
            return {}
        strip, seen = self.plan.strip, {}
        for player, bar in bars_of(strip).items():
            with self.light() as (leds, wait):
                leds.show(within_budget(half_lit(strip, bar, _WHITE), self.plan.lights))
                seen[player] = self.maker.answer(look_at(player), wait)
        return seen

    # ---- the button ------------------------------------------------------------------------------------

    def button(self) -> ButtonReadings | None:
        """Read the button at rest and while the operator presses it; None if there is none.

        Raises SensorError.
        """
        if self.plan.controls.button == NO_LINE:
            return None
        with closing(self.electronics.open_button(self.plan.controls)) as button:
            rest = tuple(self._button_frame(button) for _ in range(_BUTTON_FRAMES))
            if self.maker is None or all(rest):
                return ButtonReadings(rest)
            self.maker.do(PressButton())
            pressed: list[bool] = []
            while len(pressed) < _MAX_PRESS_FRAMES and self.maker.reply() != DONE:
                pressed.append(self._button_frame(button))
                if any(pressed) and not any(pressed[-_BUTTON_FRAMES:]):
                    break
        return ButtonReadings(rest, tuple(pressed))

    def _button_frame(self, button: ButtonPort) -> bool:
        self._sleep(FRAME / 1_000_000)
        return button.is_down()

    def buzzer(self) -> str | None:
        """Play the buzzer until the operator has answered; None if nobody is there to listen.

        Raises SoundError.
        """
        with closing(self.electronics.open_buzzer(self.plan.sound)) as buzzer:
            frames = count()

            def beep() -> None:
                buzzer.sound(on=next(frames) % _BEAT_FRAMES < _BEEP_FRAMES)
                self._sleep(FRAME / 1_000_000)

            return None if self.maker is None else self.maker.answer(QUESTION, beep)

    def ramp(self, throttled: Callable[[], int | None]) -> SupplyRamp | None:
        """Return the Pi's supply flags while the strip grows white; None if the Pi does not report them."""
        before = throttled()
        if before is None:
            return None
        steps = [(0.0, before)]
        leds, lights = self.plan.strip.leds, self.plan.lights
        full = within_budget(solid_frame(_WHITE, leds), lights)
        with self.light() as (strip, wait):
            for step in range(1, _RAMP_STEPS + 1):
                red, green, blue = (level * step // _RAMP_STEPS for level in full[0])
                frame = solid_frame((red, green, blue), leds)
                strip.show(frame)
                for _ in range(_RAMP_FRAMES):
                    wait()
                steps.append((current_ma(frame, lights), throttled() or 0))
        return SupplyRamp(steps)
