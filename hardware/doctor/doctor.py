"""A visit of the doctor: what is looked at, in which order, and what is left out.

Rules kept here: a finding is told as soon as it is known; what cannot be looked at because of another fault
is told as such and not as a fault of its own; who goes away in the middle is told what was seen until then.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing

from firmware_host.errors import ConfigError, MillwrightError, SensorError, StripError
from firmware_host.ports import SOMETHING
from hardware.doctor.analog_margins import look_at_margins
from hardware.doctor.examination import Look
from hardware.doctor.findings import Finding, Verdict, fault, unseen
from hardware.doctor.idle_checks import look_at_rest, look_at_settling
from hardware.doctor.light_checks import Eyes, look_at_light, look_at_supply, no_supply
from hardware.doctor.prompts import Maker, StoppedError
from hardware.doctor.walk import Hands
from hardware.doctor.walk_checks import look_at_walk
from hardware.scanner import Wire
from hardware.wiring.contacts import every_wire

NO_HANDS = "it takes hands and eyes at the board: `millwright doctor --walk`"


class Doctor:
    """Looks at one board. `throttled` is what the Pi says of its supply, None where it says nothing."""

    def __init__(self, look: Look, throttled: Callable[[], int | None], *, empty: bool = False) -> None:
        """`empty`: whether there are no pieces on the board; who has hands is asked to take them off."""
        self._look = look
        self._throttled = throttled
        self._empty = empty

    def findings(self, system: Sequence[Finding] = ()) -> Iterator[Finding]:
        """All that is found, in order; `system` is what was found of the Pi already."""
        yield from system
        with self._look.line():
            yield from self._findings(troubled=any(finding.verdict is Verdict.FAULT for finding in system))

    def _findings(self, *, troubled: bool) -> Iterator[Finding]:
        try:
            spoilt = yield from self._rest(troubled=troubled)
            shines = yield from self._light(troubled=troubled)
            if self._look.maker is None:
                yield unseen("walk", NO_HANDS)
            elif spoilt is None:
                yield unseen("walk", "the sensors cannot be read")
            else:
                yield from self._walk(self._look.maker, spoilt, shines=shines)
        except StoppedError:
            yield unseen("the rest", "you stopped before it")

    def _rest(self, *, troubled: bool) -> Generator[Finding, None, frozenset[Wire] | None]:
        """What nobody touches; the wires of which no more is to be said, None where none can be read."""
        look = self._look
        try:
            rest = look.at_rest(empty=self._empty)
            report = look_at_rest(rest, look.names)
            yield from report.findings
            if look.maker is None and look.names.select_lines:
                yield look_at_settling([look.settling()], look.names, report.spoilt)
        except (SensorError, ConfigError) as error:
            yield _not_opened("sensors", error, troubled=troubled)
            return None
        return report.spoilt

    def _light(self, *, troubled: bool) -> Generator[Finding, None, bool]:
        """The strip as a whole, and the supply under it; whether there is light at all."""
        look = self._look
        try:
            eyes = look.eyes()
            if look.maker is None:
                yield unseen("light", NO_HANDS)
            yield from look_at_light(eyes, look.plan.strip, look.plan.places)
            ramp = look.ramp(self._throttled)
        except (StripError, ConfigError) as error:
            yield _not_opened("light", error, troubled=troubled)
            return False
        yield no_supply() if ramp is None else look_at_supply(ramp)
        return eyes.red not in ("none", "mixed")

    def _walk(self, maker: Maker, spoilt: frozenset[Wire], *, shines: bool) -> Iterator[Finding]:
        look = self._look
        with ExitStack() as opened:
            try:
                hands = opened.enter_context(closing(Hands(look, maker, spoilt)))
                if shines:
                    hands.take_light(
                        opened.enter_context(closing(look.electronics.open_leds(look.plan.strip)))
                    )
                walk = hands.walk()
            except SensorError as error:
                yield _not_opened("walk", error, troubled=False)
                return
        yield from look_at_walk(walk, look.names)
        if look.names.select_lines:
            yield look_at_settling(hands.settlings, look.names, spoilt)
        if look.plan.sensors.kind == "mcp3008":
            yield self._margins(hands)
        if shines:
            yield from look_at_light(Eyes(shines=hands.shines), look.plan.strip, look.plan.places)
        else:
            yield unseen("LED order", "it takes light of the right colours")

    def _margins(self, hands: Hands) -> Finding:
        look = self._look
        level = dict(zip(every_wire(look.plan.sensors), look.rests, strict=True))
        contacts = look.names.contacts
        rests = {point.name: level[contacts[point.index, SOMETHING]] for point in look.plan.layout.points}
        return look_at_margins(rests, hands.felt, look.plan.sensors)


def _not_opened(check: str, error: MillwrightError, *, troubled: bool) -> Finding:
    """What cannot be opened, unless that follows from what was found before."""
    found, _, mend = str(error).partition(": ")
    if troubled:
        return unseen(check, f"of what is wrong above ({found})")
    return fault(check, found, mend)
