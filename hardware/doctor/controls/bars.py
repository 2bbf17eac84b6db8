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
        yield passed("side bars", f"{count(len(strip.white_bar), 'LED')} on each side, in their order")
    if len(wrong) == len(bars) and set(wrong.values()) == {OTHER_SIDE}:
        fix = "exchange white_bar and black_bar in the section [strip]"
        yield fault("side bars", "each bar shone on the other player's side", fix)
        return
    for player, look in wrong.items():
        yield _fault(player, look, bars[player])


def _fault(player: str, look: str, bar: tuple[int, ...]) -> Finding:
    key = f"{player.lower()}_bar"
    found, fix = {
        SOME: (
            "shone in part",
            "the wires behind the last LED that shone: DOUT to DIN, 5 V and GND; or the next LED itself",
        ),
        OTHER_HALF: ("shone at its other end", f"write {key} in the section [strip] the other way round"),
        OTHER_SIDE: ("shone on the other player's side", f"the LEDs in {key} in the section [strip]"),
        POINTS: ("shone under points", f"the LEDs in {key} in the section [strip]: points have these"),
        NONE: (
            "stayed dark",
            f"the wires to LED {min(bar)}: DOUT of the LED before it to DIN, 5 V and GND",
        ),
    }[look]
    return fault("side bars", f"{player}'s bar {found}", fix)
