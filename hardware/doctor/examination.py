"""The look at a board: reads its wires, lights its LEDs, and asks for hands and eyes where it needs them.

Rules kept here: this gathers evidence and judges none of it; time is counted in frames, and passes by the
`sleep` that it was given; whatever it opened is closed, and the LEDs are dark, before it goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from statistics import median

from firmware_host.errors import SensorError
from firmware_host.games.layout import Layout
from firmware_host.ports import DARK, LedPort
from firmware_host.settings import Lights, Microseconds, Sensors, Strip
from hardware.bus.gpio import Pull
from hardware.doctor.idle_checks import FRAMES, Rest, Settling
from hardware.doctor.light_checks import COLOURS, DARKNESS, Eyes, Ramp, all_in, drawn_ma, within
from hardware.doctor.part_names import Names
from hardware.doctor.prompts import DONE, Clear, Maker, Question
from hardware.electronics import Electronics
from hardware.scanner import Levels, Scanner, Wire
from hardware.setup.level_watch import FELT_COUNTS

FRAME: Microseconds = 5000
LONG_US: Microseconds = 200
"""Longer than any line of a board needs to settle."""

DELAYS: Sequence[Microseconds] = (0, 5, 10, 20, 50, 100, LONG_US)

STRAYS = 150
"""No sensor at rest reads so much more or less than others, or than it did when it was measured."""

GROUND = 40
"""What reads no more than this is no sensor but ground: no piece is felt there."""

_PULLED = 20
_WAKES = 1600
"""Frames until a serial board that was opened has started: eight seconds."""

_RAMP_STEPS = 10
_RAMP_FRAMES = 60
_RED, _WHITE = (80, 0, 0), (255, 255, 255)


@dataclass(frozen=True)
class Plan:
    """The board as the settings have it. `places` has the LEDs of each point, by the points' names."""

    layout: Layout
    sensors: Sensors
    strip: Strip
    lights: Lights
    places: Mapping[str, Sequence[int]]


class Look:
    """One look at a board; each of its parts may be left out."""

    def __init__(
        self, plan: Plan, electronics: Electronics, maker: Maker | None, sleep: Callable[[float], None]
    ) -> None:
        self.plan = plan
        self.names = Names(plan.layout, plan.sensors)
        self.electronics = electronics
        self.maker = maker
        self.rests: Levels = ()
        """What each linear sensor reads with nothing on it, once that was looked at."""
        self._sleep = sleep

    # ---- nobody touches it -----------------------------------------------------------------------------

    def at_rest(self, *, empty: bool) -> Rest:
        """Look while nobody touches the board; raises SensorError or ConfigError."""
        if self.maker is not None:
            self._clear(self.maker)
        with closing(self.slow_scanner()) as scanner:
            frames = [self.frame(scanner) for _ in range(FRAMES)]
            wires = scanner.wires
        if self.plan.sensors.kind == "mcp3008":
            self._take_rests(wires, frames)
            frames = [self.feel(levels) for levels in frames]
        columns = list(zip(*frames, strict=True))
        up = down = None
        if self.plan.sensors.kind in ("mux", "direct") and not self.plan.sensors.pull_up:
            with suppress(SensorError):  # lines with a resistor on the Pi itself cannot be pulled down
                up, down = self._pulled("up"), self._pulled("down")
        return Rest(
            wires,
            closed=tuple(map(sum, columns)),
            changes=tuple(sum(one != other for one, other in pairwise(column)) for column in columns),
            up=up,
            down=down,
            empty=empty or self.maker is not None,
        )

    def _take_rests(self, wires: Sequence[Wire], frames: Sequence[Levels]) -> None:
        """What linear sensors read on average; one that reads what no sensor at rest does feels something."""
        names, levels = self.names, self.plan.sensors.levels
        typical = [round(median(column)) for column in zip(*frames, strict=True)]
        usual = round(median(rest for wire, rest in zip(wires, typical, strict=True) if wire in names.owners))
        self.rests = ()
        for wire, rest in zip(wires, typical, strict=True):
            owner = names.owners.get(wire)
            known = levels.get(self.plan.layout.points[owner[0]].name) if owner else None
            meant = known[0] if known else usual
            felt = owner and rest > GROUND and abs(rest - meant) > STRAYS
            self.rests += (meant if felt else rest,)

    def settling(self) -> Settling:
        """How the board reads when scans wait longer or shorter, as it stands now."""
        looks = {}
        for delay in sorted({*DELAYS, self.plan.sensors.settling_us}):
            sensors = replace(self.plan.sensors, settling_us=delay)
            with closing(self.electronics.open_scanner(sensors)) as scanner:
                looks[delay] = [self.feel(self.frame(scanner)) for _ in range(3)]
                wires = scanner.wires
        right = looks[max(looks)]
        differ = {
            delay: tuple(
                wire
                for wire, seen, truth in zip(
                    wires, zip(*levels, strict=True), zip(*right, strict=True), strict=True
                )
                if set(seen) != set(truth)
            )
            for delay, levels in looks.items()
        }
        return Settling(self.plan.sensors.settling_us, differ, closed=any(map(any, right)))

    def slow_scanner(self, pull: Pull | None = None) -> Scanner:
        """Every wire, read after so long a wait that it has settled."""
        settling = max(LONG_US, self.plan.sensors.settling_us)
        return self.electronics.open_scanner(replace(self.plan.sensors, settling_us=settling), pull)

    @contextmanager
    def line(self) -> Iterator[None]:
        """Hold the line of a serial board open, which starts anew whenever it is opened."""
        with ExitStack() as opened:
            if self.plan.sensors.kind == "serial":
                with suppress(SensorError):  # who reads it next is told again
                    scanner = self.electronics.open_scanner(self.plan.sensors)
                    opened.callback(scanner.close)
                    self._wake(scanner)
            yield

    def _wake(self, scanner: Scanner) -> None:
        for _ in range(_WAKES):
            with suppress(SensorError):
                self.frame(scanner)
                return

    def frame(self, scanner: Scanner) -> Levels:
        """The levels, a frame later."""
        self._sleep(FRAME / 1_000_000)
        return scanner.scan()

    def _pulled(self, pull: Pull) -> Levels:
        """The levels under the Pi's own resistors: closed at any time pulled up, at all times pulled down."""
        with closing(self.slow_scanner(pull)) as scanner:
            frames = [self.frame(scanner) for _ in range(_PULLED)]
        return tuple(map(max if pull == "up" else min, zip(*frames, strict=True)))

    def feel(self, levels: Levels) -> Levels:
        """The same as those of switches."""
        if self.plan.sensors.kind != "mcp3008":
            return levels
        rests = self.rests or levels
        return tuple(int(abs(level - rest) >= FELT_COUNTS) for level, rest in zip(levels, rests, strict=True))

    def _clear(self, maker: Maker) -> None:
        maker.do(Clear())
        while maker.reply() != DONE:
            self._sleep(FRAME / 1_000_000)

    # ---- light -----------------------------------------------------------------------------------------

    def eyes(self) -> Eyes:
        """What is seen of a red and of a dark strip; raises StripError."""
        if self.maker is None:
            return Eyes()
        leds = self.plan.strip.leds
        with self.light() as (strip, wait):
            strip.show(within(all_in(_RED, leds), self.plan.lights))
            question = Question("The LEDs should all be red. What do you see?", COLOURS)
            red = self.maker.answer(question, wait)
            if red == "none":
                return Eyes(red)
            strip.show(all_in(DARK, leds))
            dark = self.maker.answer(Question("Now they should all be dark.", DARKNESS), wait)
        return Eyes(red, dark)

    @contextmanager
    def light(self) -> Iterator[tuple[LedPort, Callable[[], object]]]:
        """The strip, and what waits for a frame: a board on a serial line shines only while it is asked."""
        with ExitStack() as opened:
            wait: Callable[[], object] = partial(self._sleep, FRAME / 1_000_000)
            if self.plan.sensors.kind == "serial":
                scanner = opened.enter_context(closing(self.slow_scanner()))
                wait = partial(self.frame, scanner)
            yield opened.enter_context(closing(self.electronics.open_leds(self.plan.strip))), wait

    def ramp(self, throttled: Callable[[], int | None]) -> Ramp | None:
        """What the Pi says of its supply while the strip grows white; None where it says nothing."""
        before = throttled()
        if before is None:
            return None
        steps = [(0.0, before)]
        leds, lights = self.plan.strip.leds, self.plan.lights
        full = within(all_in(_WHITE, leds), lights)
        with self.light() as (strip, wait):
            for step in range(1, _RAMP_STEPS + 1):
                red, green, blue = (level * step // _RAMP_STEPS for level in full[0])
                frame = all_in((red, green, blue), leds)
                strip.show(frame)
                for _ in range(_RAMP_FRAMES):
                    wait()
                steps.append((drawn_ma(frame, lights), throttled() or 0))
        return Ramp(steps)
