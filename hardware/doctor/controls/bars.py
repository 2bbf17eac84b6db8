"""The check of the side bars: each shines on its own side, and at the end that goes out last.

Invariants: only the operator's answers decide; the LEDs themselves are checked with the whole strip.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from firmware_host.i18n import Message
from firmware_host.ports import DARK, Colour, LedFrame
from firmware_host.settings import Strip
from hardware.doctor.findings import Finding, fault, passed
from hardware.doctor.part_names import count
from hardware.doctor.prompts import Question

HALF, SOME, OTHER_HALF, OTHER_SIDE = "half", "some", "other-half", "other-side"
POINTS, NONE = "points", "none"
_LOOKS: Mapping[str, Message] = {
    HALF: Message("setup.doctor.bar.half"),
    SOME: Message("setup.doctor.bar.some"),
    OTHER_HALF: Message("setup.doctor.bar.other-half"),
    OTHER_SIDE: Message("setup.doctor.bar.other-side"),
    POINTS: Message("setup.doctor.bar.points"),
    NONE: Message("setup.no-light"),
}
"""The possible looks of a bar of which half should be lit."""


WHITE_BAR, BLACK_BAR = Message("setup.doctor.bar.white"), Message("setup.doctor.bar.black")
"""The questions about the bars of the players."""


def bars_of(strip: Strip) -> Mapping[str, tuple[int, ...]]:
    """Return the LEDs of each side bar, by the player's name; nothing without bars."""
    return {"White": strip.white_bar, "Black": strip.black_bar} if strip.white_bar else {}


def half_lit(strip: Strip, bar: tuple[int, ...], colour: Colour) -> LedFrame:
    """Return the frame of a strip on which that half of a bar is lit that goes out last."""
    own = bar[: lit_leds(bar)]
    return tuple(colour if led in own else DARK for led in range(strip.leds))


def lit_leds(bar: tuple[int, ...]) -> int:
    """Return how many LEDs are half of a bar."""
    return max(1, len(bar) // 2)


def look_at(player: str) -> Question:
    """Return the question about the bar of `player`."""
    return Question(WHITE_BAR if player == "White" else BLACK_BAR, _LOOKS)


def check_bars(seen: Mapping[str, str], strip: Strip) -> Iterator[Finding]:
    """Yield the findings on the looks `seen`, by the player's name; none without bars."""
    bars = bars_of(strip)
    wrong = {player: look for player, look in seen.items() if look != HALF}
    if seen and not wrong:
        leds = count(len(strip.white_bar), "led")
        yield passed("side-bars", Message("doctor.bar.good", {"leds": leds}))
    if len(wrong) == len(bars) and set(wrong.values()) == {OTHER_SIDE}:
        yield fault("side-bars", Message("doctor.bars.exchanged"), Message("doctor.bars.exchanged.fix"))
        return
    for player, look in wrong.items():
        yield _fault(player, look, bars[player])


def _fault(player: str, look: str, bar: tuple[int, ...]) -> Finding:
    side = player.lower()
    key = f"{side}_bar"
    fix = {
        SOME: Message("doctor.bar.some.fix"),
        OTHER_HALF: Message("doctor.bar.other-half.fix", {"key": key}),
        OTHER_SIDE: Message("doctor.bar.other-side.fix", {"key": key}),
        POINTS: Message("doctor.bar.points.fix", {"key": key}),
        NONE: Message("doctor.bar.none.fix", {"led": min(bar)}),
    }[look]
    return fault("side-bars", Message(f"doctor.bar.{look}", {"bar": Message(f"doctor.bar.of.{side}")}), fix)
