"""A run of the doctor: the order of its checks, and which of them are skipped.

Invariants: a finding is reported as soon as it is known. A check that another fault prevents is reported as
skipped and not as a fault of its own. An operator who stops in the middle still gets the findings so far.

The margins of linear sensors are decided by the evidence: a piece counts halfway between a sensor's
readings without and with it; noise of some counts, a piece off its centre and the weather eat into the
rest. For stacks, the margin is measured against the smallest step between two of them instead.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from operator import itemgetter

from firmware_host.errors import (
    ConfigError,
    MillwrightError,
    SensorError,
    SoundError,
    StripError,
    reason_of,
)
from firmware_host.i18n import Message
from firmware_host.ports import READABLE_PIECES, SOMETHING
from firmware_host.settings import NO_LINE, Sensors
from hardware.doctor.controls.bars import check_bars
from hardware.doctor.controls.button import check_button
from hardware.doctor.controls.buzzer import check_buzzer
from hardware.doctor.examination import Examination
from hardware.doctor.findings import Check, Finding, Verdict, fault, passed, quoted, skipped, warning
from hardware.doctor.idle_checks import check_idle, check_settling
from hardware.doctor.light_checks import LightAnswers, check_light, check_supply, supply_skipped
from hardware.doctor.part_names import count, several
from hardware.doctor.prompts import Operator, StoppedError
from hardware.doctor.walk import PieceWalk
from hardware.doctor.walk_checks import check_walk
from hardware.scanner import Wire
from hardware.sensors.stack_decode import DEPTH_FACTOR
from hardware.wiring.contacts import every_wire

MIN_MARGIN = 0.25
"""Minimum margin, as a share of the way from rest to piece: half of what a perfect reading has."""


def check_margins(
    rests: Mapping[str, int], readings: Mapping[tuple[str, str], int], sensors: Sensors
) -> Finding:
    """Check that sensors at rest and under pieces read what the settings expect.

    `rests` has each point's reading at rest, `readings` its reading under a piece, by the names of both.
    """
    if not sensors.levels:
        return warning("levels", Message("doctor.levels.none"), Message("doctor.levels.none.fix"))
    if not readings:
        return skipped("levels", Message("doctor.levels.undetected"))
    bad, least = [], 1.0
    for (point, piece), level in readings.items():
        margin, meant = _margin(rests[point], level, piece, sensors.levels[point])
        least = min(least, margin)
        if margin < MIN_MARGIN:
            levels = f"{sensors.levels[point][0]} / {meant}"
            text = Message(
                f"doctor.levels.{piece or 'any'}",
                {"point": point, "rest": rests[point], "level": level, "levels": levels},
            )
            bad.append((margin, text))
    if bad:
        bad.sort(key=itemgetter(0))
        report = fault if bad[0][0] <= 0 else warning
        texts = several([text for _, text in bad], 3)
        return report(
            "levels",
            Message("doctor.levels.close", {"count": count(len(bad), "level"), "what": texts}),
            Message("doctor.levels.close.fix"),
        )
    pieces, percent = count(len(readings), "piece"), round(100 * least)
    if sensors.alphabet == "pieces":
        return passed("levels", Message("doctor.levels.steps", {"pieces": pieces, "percent": percent}))
    return passed("levels", Message("doctor.levels.good", {"pieces": pieces, "percent": percent}))


def _margin(at_rest: int, level: int, piece: str, levels: Sequence[int]) -> tuple[float, int]:
    """Return the margin of a sensor with these readings, and the level expected under the piece.

    The margin is a share of the way from rest to piece, or of the smallest step between two stacks. `piece`
    is empty if its colour is not known.
    """
    rest, white, black, *strong = levels
    is_black = piece == "black" or (not piece and level < rest) == (black < rest)
    meant = black if is_black else white
    if strong:
        step = abs(meant - rest) * DEPTH_FACTOR ** (READABLE_PIECES - 1)
        meant = min(meant, strong[is_black], key=lambda one: abs(one - level))
        return 0.5 - max(abs(level - meant), abs(at_rest - rest)) / step, meant
    swing = meant - rest
    return min((level - rest) / swing - 0.5, 0.5 - (at_rest - rest) / swing), meant


NO_HANDS = Message("doctor.no-hands")


class Doctor:
    """The checks of one board; `throttled` returns the Pi's supply flags, or None if unavailable."""

    def __init__(
        self, examination: Examination, throttled: Callable[[], int | None], *, empty: bool = False
    ) -> None:
        """Prepare the run; `empty`: the board has no pieces, otherwise the operator has to clear it."""
        self._examination = examination
        self._throttled = throttled
        self._empty = empty

    def findings(self, system: Sequence[Finding] = ()) -> Iterator[Finding]:
        """Yield all findings, in order; `system` has those of the Pi's system."""
        yield from system
        with self._examination.line():
            yield from self._findings(troubled=any(finding.verdict is Verdict.FAULT for finding in system))

    def _findings(self, *, troubled: bool) -> Iterator[Finding]:
        try:
            spoilt = yield from self._idle(troubled=troubled)
            shines = yield from self._light(troubled=troubled)
            yield from self._button(troubled=troubled)
            yield from self._buzzer(troubled=troubled)
            if self._examination.maker is None:
                yield skipped("walk", NO_HANDS)
            elif spoilt is None:
                yield skipped("walk", Message("doctor.unread"))
            else:
                yield from self._walk(self._examination.maker, spoilt, shines=shines)
        except StoppedError:
            yield skipped("rest", Message("doctor.stopped"))

    def _idle(self, *, troubled: bool) -> Generator[Finding, None, frozenset[Wire] | None]:
        """Check the idle board; return the wires to exclude from then on, or None if none can be read."""
        examination = self._examination
        try:
            rest = examination.at_rest(empty=self._empty)
            report = check_idle(rest, examination.names)
            yield from report.findings
            if examination.maker is None and examination.names.settles:
                yield check_settling([examination.settling()], examination.names, report.excluded)
        except (SensorError, ConfigError) as error:
            yield _not_opened("sensors", error, troubled=troubled)
            return None
        return report.excluded

    def _light(self, *, troubled: bool) -> Generator[Finding, None, bool]:
        """Check the strip as a whole and its supply; return True if there is light at all."""
        examination = self._examination
        try:
            eyes = examination.eyes()
            if examination.maker is None:
                yield skipped("light", NO_HANDS)
            yield from check_light(
                eyes, examination.plan.strip, examination.plan.places, modules=examination.plan.sensors.boards
            )
            strip = examination.plan.strip
            if eyes.orders == (strip.order,):
                yield from check_bars(examination.bars(), strip)
            ramp = examination.ramp(self._throttled)
        except (StripError, ConfigError) as error:
            yield _not_opened("light", error, troubled=troubled)
            return False
        yield supply_skipped() if ramp is None else check_supply(ramp)
        return {len(order) for order in eyes.orders} == {len(strip.order)}

    def _button(self, *, troubled: bool) -> Iterator[Finding]:
        examination = self._examination
        try:
            readings = examination.button()
        except SensorError as error:
            yield _not_opened("button", error, troubled=troubled)
            return
        if readings is not None:
            yield check_button(readings, examination.plan.controls)

    def _buzzer(self, *, troubled: bool) -> Iterator[Finding]:
        examination = self._examination
        sound = examination.plan.sound
        if sound.buzzer == NO_LINE:
            return
        try:
            yield check_buzzer(examination.buzzer(), sound)
        except SoundError as error:
            yield _not_opened("buzzer", error, troubled=troubled)

    def _walk(self, maker: Operator, spoilt: frozenset[Wire], *, shines: bool) -> Iterator[Finding]:
        examination = self._examination
        with ExitStack() as opened:
            try:
                session = opened.enter_context(closing(PieceWalk(examination, maker, spoilt)))
                if shines:
                    session.take_light(
                        opened.enter_context(
                            closing(examination.electronics.open_leds(examination.plan.strip))
                        )
                    )
                walk = session.walk()
            except SensorError as error:
                yield _not_opened("walk", error, troubled=False)
                return
        yield from check_walk(walk, examination.names)
        if examination.names.settles:
            yield check_settling(session.settlings, examination.names, spoilt)
        if examination.plan.sensors.is_linear:
            yield self._margins(session)
        if shines:
            yield from check_light(
                LightAnswers(shines=session.shines),
                examination.plan.strip,
                examination.plan.places,
                modules=examination.plan.sensors.boards,
            )
        else:
            yield skipped("led-order", Message("doctor.led-order.dark"))

    def _margins(self, session: PieceWalk) -> Finding:
        examination = self._examination
        level = dict(zip(every_wire(examination.plan.sensors), examination.rests, strict=True))
        contacts = examination.names.contacts
        rests = {
            point.name: level[contacts[point.index, SOMETHING]] for point in examination.plan.layout.points
        }
        return check_margins(rests, session.readings, examination.plan.sensors)


def _not_opened(check: Check, error: MillwrightError, *, troubled: bool) -> Finding:
    """Return the finding for a part that cannot be opened, skipped if an earlier fault explains that."""
    if troubled:
        return skipped(check, Message("doctor.troubled", {"text": reason_of(error)}))
    return fault(check, quoted(reason_of(error)), None)
