"""The command `millwright leds test`: the strip LED by LED, in each colour, and at full brightness."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import click

from firmware_host.commands import CommandGroup
from firmware_host.config.found import configured
from firmware_host.config.loader import Config
from firmware_host.config.paths import CONFIG_HELP
from firmware_host.maintenance.doctor_target import wiring_of_config
from firmware_host.ports import DARK, Colour, LedFrame
from hardware.doctor.examination import FRAME, Examination, ExaminedBoard
from hardware.doctor.light_checks import current_ma, solid_frame, within_budget
from hardware.electronics import Electronics, PiElectronics

Step = tuple[str, float, LedFrame]
"""A text that says what to look for, the duration in seconds, and the frame."""

_COLOURS: dict[str, Colour] = {
    "red": (120, 0, 0),
    "green": (0, 120, 0),
    "blue": (0, 0, 120),
    "white": (120, 120, 120),
}
_LED_S, _COLOUR_S, _PATTERN_S, _WHITE_S = 0.4, 1.5, 0.25, 2.0
_LIT: Colour = (90, 90, 90)
_RAMP = 10


@click.group(cls=CommandGroup)
def leds() -> None:
    """Test the LEDs."""


@leds.command(name="test")
@click.option("--config", "given", metavar="FILE", help=CONFIG_HELP)
@click.option("--led", type=int, help="Light only this LED, counted from 0, until Ctrl-C.")
@click.option("--loop", is_flag=True, help="Repeat until Ctrl-C.")
def test(given: str | None, led: int | None, loop: bool) -> None:
    """Light each LED in turn, then all in each colour, patterns, and white at full brightness.

    Each step says what you should see. Nothing draws more than budget_ma.
    """
    config = configured(given)
    plan = wiring_of_config(config)
    if led is not None and not 0 <= led < plan.strip.leds:
        raise click.UsageError(f"there is no LED {led}: the strip has 0 to {plan.strip.leds - 1}")
    try:
        show(config, PiElectronics(lambda text: click.echo(text)), click.echo, led=led, loop=loop)
    except KeyboardInterrupt:
        click.echo()


def show(
    config: Config,
    electronics: Electronics,
    say: Callable[[str], object],
    *,
    led: int | None = None,
    loop: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Show all steps, or one LED until Ctrl-C. Raise StripError or ConfigError."""
    plan = wiring_of_config(config)
    last = ""
    with Examination(plan, electronics, None, sleep).light() as (strip, wait):
        while True:
            for text, seconds, frame in steps(plan) if led is None else [_alone(plan, led)]:
                if text != last:
                    say(text)
                last = text
                strip.show(frame)
                for _ in range(round(seconds * 1_000_000 / FRAME)):
                    wait()
            if not loop and led is None:
                return


def steps(plan: ExaminedBoard) -> Iterator[Step]:
    """Return all steps, each within the current budget."""
    for led in range(plan.strip.leds):
        text, _, frame = _alone(plan, led)
        yield text, _LED_S, frame
    for name, colour in _COLOURS.items():
        yield f"all {name}", _COLOUR_S, within_budget(solid_frame(colour, plan.strip.leds), plan.lights)
    for name, frame in _patterns(plan):
        yield name, _PATTERN_S, within_budget(frame, plan.lights)
    full = within_budget(solid_frame((255, 255, 255), plan.strip.leds), plan.lights)
    for step in range(1, _RAMP + 1):
        level = full[0][0] * step // _RAMP
        frame = solid_frame((level, level, level), plan.strip.leds)
        yield f"all white, {current_ma(frame, plan.lights):.0f} mA", _WHITE_S / _RAMP, frame
    yield "all dark", _COLOUR_S, solid_frame(DARK, plan.strip.leds)


def _alone(plan: ExaminedBoard, led: int) -> Step:
    point = next((name for name, own in plan.places.items() if led in own), None)
    frame = tuple(_LIT if n == led else DARK for n in range(plan.strip.leds))
    return f"LED {led}: {point or 'of no point'}", 1.0, within_budget(frame, plan.lights)


def _patterns(plan: ExaminedBoard) -> Iterator[tuple[str, LedFrame]]:
    """Return a light that runs along the strip with a tail, and every second LED in turn."""
    leds = plan.strip.leds
    for head in range(leds):
        tail = {head: (80, 80, 80), head - 1: (24, 24, 24), head - 2: (6, 6, 6)}
        yield "a light runs along the strip", tuple(tail.get(led, DARK) for led in range(leds))
    for turn in range(4):
        yield "every other LED", tuple((60, 30, 0) if led % 2 == turn % 2 else DARK for led in range(leds))
