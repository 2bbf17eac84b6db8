"""Themes: the colour and the pattern of each cue, as data.

Invariants of every theme: cues that can be lit together (`TOGETHER` in `cues.py`) differ in pattern, so that
no colour has to be distinguished. The lights of moves, and that of a board at rest, show the player by more
than their colour, since Black's go out for a moment in each period and White's never do; no other light goes
out completely. In `harbour` cues that can be lit together also differ in colour, for every kind of
colour-blindness.

The patterns have one grammar: steady means "put a piece here", a slow pulse "lift this one", two dips "either
of both" or "one of these", a double blink a mill or a piece too many, alternating a hint, a winner or a
missing piece, and slowly a suggestion; a faint light shows the past, or winks at a goal, and a light that
fades again and again says that the game is about to go back. In a menu a slow pulse says "touch this point",
and a steady faint light that its option is in force. Of the light that knows, steady wins, two dips draw, and
a light that fades slowly loses. An opponent's piece that has to be lifted looks alike whether it leaves the
board or goes elsewhere on it, since no game has both. A board that does not play shows one light alone, which
goes round; one that rests breathes slowly where the last piece landed.
"""

from __future__ import annotations

import enum

from firmware_host.errors import ConfigError, did_you_mean
from firmware_host.frozen import frozen
from firmware_host.ports import Colour


class Pattern(enum.Enum):
    """The course of a light during its period; each begins at its brightest."""

    STEADY = "steady"
    PULSE = "slow pulse"
    WINK = "wink"
    """Steady, with one soft dip in each period."""
    DOUBLE_WINK = "double wink"
    """Steady, with two soft dips in each period."""
    FADE = "fade"
    """From its brightest evenly down to rest, and at once back."""
    ALTERNATE = "alternate"
    """Half of the period in the first colour, half in the second."""
    DOUBLE_BLINK = "double blink"


@frozen
class Look:
    """A colour and a pattern.

    `colour` and `second` are sRGB as a screen shows them. `level` (0 to 1) is the maximum brightness, and
    `rest` (0 to 1) the share of it that is left where the pattern is darkest, both as perceived. `second` is
    the other colour of ALTERNATE; without it, the first at rest. The renderer keeps `period_ms` within
    bounds.
    """

    colour: Colour
    pattern: Pattern = Pattern.STEADY
    level: float = 1.0
    rest: float = 0.25
    period_ms: int = 2400
    second: Colour | None = None


@frozen(kw_only=True)
class Theme:
    """A look for each cue; those of moves have one for each player."""

    movable_white: Look
    movable_black: Look
    destination_white: Look
    destination_black: Look
    either_white: Look
    """For a piece that may move and may also be the place to set another down."""
    either_black: Look
    mill: Look
    removable: Look
    relocatable: Look
    lifted: Look
    last_move: Look
    goal: Look
    missing: Look
    extra: Look
    wrong: Look
    unclear: Look
    take_back: Look
    hint: Look
    hint_wins: Look
    hint_draws: Look
    hint_loses: Look
    suggested: Look
    """For a turn that a search chose, of which nothing is proved."""
    winner: Look
    clear: Look
    ask: Look
    asked: Look
    sure: Look
    white: Look
    black: Look
    going_off: Look
    own_wifi: Look
    resting_white: Look
    resting_black: Look
    broken: Look


# Okabe and Ito, "Color Universal Design", 2008: eight colours that the colour-blind can tell apart.
ORANGE: Colour = (230, 159, 0)
SKY_BLUE: Colour = (86, 180, 233)
BLUISH_GREEN: Colour = (0, 158, 115)
YELLOW: Colour = (240, 228, 66)
BLUE: Colour = (0, 114, 178)
VERMILLION: Colour = (213, 94, 0)
REDDISH_PURPLE: Colour = (204, 121, 167)
WHITE: Colour = (255, 255, 255)

_PALE_BLUE: Colour = (190, 225, 255)
_CREAM: Colour = (255, 235, 180)
_MOSS: Colour = (0, 140, 40)
_PINK: Colour = (230, 120, 210)

_PULSE, _WINK, _DOUBLE_WINK = Pattern.PULSE, Pattern.WINK, Pattern.DOUBLE_WINK
_ALTERNATE, _DOUBLE_BLINK, _FADE = Pattern.ALTERNATE, Pattern.DOUBLE_BLINK, Pattern.FADE

HARBOUR = Theme(
    movable_white=Look(BLUE, _PULSE, rest=0.4),
    movable_black=Look(ORANGE, _PULSE, level=0.6, rest=0.0),
    destination_white=Look(SKY_BLUE),
    destination_black=Look(YELLOW, _WINK, rest=0.0),
    either_white=Look(_PALE_BLUE, _DOUBLE_WINK, rest=0.4),
    either_black=Look(_CREAM, _DOUBLE_WINK, level=0.65, rest=0.0),
    mill=Look(WHITE, _DOUBLE_BLINK),
    removable=Look(VERMILLION, _PULSE),
    relocatable=Look(VERMILLION, _PULSE),
    lifted=Look(WHITE, level=0.3),
    last_move=Look(WHITE, level=0.3),
    goal=Look(_MOSS, _WINK, level=0.5, rest=0.3, period_ms=4800),
    missing=Look(YELLOW, _ALTERNATE, period_ms=1200),
    extra=Look(VERMILLION, _DOUBLE_BLINK),
    wrong=Look(REDDISH_PURPLE, _PULSE),
    unclear=Look(BLUISH_GREEN, _DOUBLE_WINK, period_ms=1800),
    take_back=Look(WHITE, _FADE, rest=0.1, period_ms=1200),
    hint=Look(REDDISH_PURPLE, _ALTERNATE, period_ms=1600),
    hint_wins=Look(BLUISH_GREEN),
    hint_draws=Look(YELLOW, _DOUBLE_WINK),
    hint_loses=Look(_PINK, _FADE),
    suggested=Look(REDDISH_PURPLE, _ALTERNATE, period_ms=2800),
    winner=Look(YELLOW, _ALTERNATE, second=BLUISH_GREEN),
    clear=Look(WHITE, _WINK, rest=0.3),
    ask=Look(WHITE, _PULSE),
    asked=Look(WHITE, level=0.3),
    sure=Look(REDDISH_PURPLE, _DOUBLE_BLINK),
    white=Look(BLUE, _FADE, rest=0.3),
    black=Look(ORANGE, _DOUBLE_WINK, level=0.65, rest=0.1),
    going_off=Look(WHITE, level=0.6),
    own_wifi=Look(SKY_BLUE, _PULSE, rest=0.1, period_ms=2400),
    resting_white=Look(BLUE, _PULSE, level=0.5, rest=0.3, period_ms=4800),
    resting_black=Look(ORANGE, _PULSE, level=0.4, rest=0.0, period_ms=4800),
    broken=Look(VERMILLION),
)

_FLAME: Colour = (255, 147, 41)
_EMBER: Colour = (230, 70, 10)
_ROSE: Colour = (235, 110, 90)
_HONEY: Colour = (255, 190, 80)
_WAX: Colour = (255, 214, 150)

CANDLE = Theme(
    movable_white=Look(_WAX, _PULSE, level=0.7, rest=0.4, period_ms=3200),
    movable_black=Look(_EMBER, _PULSE, level=0.7, rest=0.0, period_ms=3200),
    destination_white=Look(_WAX, level=0.6),
    destination_black=Look(_EMBER, _WINK, level=0.6, rest=0.0, period_ms=3200),
    either_white=Look(_WAX, _DOUBLE_WINK, level=0.7, rest=0.4, period_ms=3200),
    either_black=Look(_EMBER, _DOUBLE_WINK, level=0.7, rest=0.0, period_ms=3200),
    mill=Look(_HONEY, _DOUBLE_BLINK, level=0.8),
    removable=Look(_ROSE, _PULSE, level=0.8, period_ms=3200),
    relocatable=Look(_ROSE, _PULSE, level=0.8, period_ms=3200),
    lifted=Look(_FLAME, level=0.25),
    last_move=Look(_FLAME, level=0.25),
    goal=Look(_WAX, _WINK, level=0.5, rest=0.3, period_ms=4800),
    missing=Look(_HONEY, _ALTERNATE, level=0.8, period_ms=1600),
    extra=Look(_EMBER, _DOUBLE_BLINK, level=0.9),
    wrong=Look(_ROSE, _PULSE, level=0.8, rest=0.3),
    unclear=Look(_HONEY, _DOUBLE_WINK, level=0.8, period_ms=2000),
    take_back=Look(_FLAME, _FADE, level=0.8, rest=0.15, period_ms=1600),
    hint=Look(_FLAME, _ALTERNATE, level=0.7, period_ms=2000),
    hint_wins=Look(_WAX, level=0.9),
    hint_draws=Look(_HONEY, _DOUBLE_WINK, level=0.8, period_ms=3200),
    hint_loses=Look(_EMBER, _FADE, level=0.8, period_ms=3200),
    suggested=Look(_FLAME, _ALTERNATE, level=0.7, period_ms=2400),
    winner=Look(_HONEY, _ALTERNATE, level=0.8, period_ms=3200, second=_EMBER),
    clear=Look(_FLAME, _WINK, level=0.6, period_ms=3200),
    ask=Look(_WAX, _PULSE, level=0.7, period_ms=3200),
    asked=Look(_FLAME, level=0.25),
    sure=Look(_ROSE, _DOUBLE_BLINK, level=0.8),
    white=Look(_WAX, _FADE, level=0.7, rest=0.3, period_ms=3200),
    black=Look(_EMBER, _DOUBLE_WINK, level=0.7, rest=0.1, period_ms=3200),
    going_off=Look(_WAX, level=0.6),
    own_wifi=Look(_ROSE, _PULSE, level=0.7, rest=0.1, period_ms=2400),
    resting_white=Look(_WAX, _PULSE, level=0.4, rest=0.3, period_ms=4800),
    resting_black=Look(_EMBER, _PULSE, level=0.4, rest=0.0, period_ms=4800),
    broken=Look(_EMBER, level=0.8),
)

CONTRAST = Theme(
    movable_white=Look(WHITE, _PULSE, rest=0.4),
    movable_black=Look(WHITE, _PULSE, rest=0.0),
    destination_white=Look(WHITE),
    destination_black=Look(WHITE, _WINK, rest=0.0),
    either_white=Look(WHITE, _DOUBLE_WINK, rest=0.4),
    either_black=Look(WHITE, _DOUBLE_WINK, rest=0.0),
    mill=Look(WHITE, _DOUBLE_BLINK),
    removable=Look(WHITE, _PULSE),
    relocatable=Look(WHITE, _PULSE),
    lifted=Look(WHITE, level=0.3),
    last_move=Look(WHITE, level=0.3),
    goal=Look(WHITE, _WINK, level=0.5, rest=0.3, period_ms=4800),
    missing=Look(WHITE, _ALTERNATE, period_ms=1200),
    extra=Look(WHITE, _DOUBLE_BLINK),
    wrong=Look(WHITE, _PULSE),
    unclear=Look(WHITE, _DOUBLE_WINK, period_ms=1800),
    take_back=Look(WHITE, _FADE, rest=0.1, period_ms=1200),
    hint=Look(WHITE, _ALTERNATE, period_ms=1600),
    hint_wins=Look(WHITE),
    hint_draws=Look(WHITE, _DOUBLE_WINK),
    hint_loses=Look(WHITE, _FADE),
    suggested=Look(WHITE, _ALTERNATE, period_ms=2800),
    winner=Look(WHITE, _ALTERNATE),
    clear=Look(WHITE, _WINK, rest=0.3),
    ask=Look(WHITE, _PULSE),
    asked=Look(WHITE, level=0.3),
    sure=Look(WHITE, _DOUBLE_BLINK),
    white=Look(WHITE, _FADE, rest=0.3),
    black=Look(WHITE, _DOUBLE_WINK, rest=0.1),
    going_off=Look(WHITE, level=0.6),
    own_wifi=Look(WHITE, _PULSE, rest=0.1, period_ms=2400),
    resting_white=Look(WHITE, _PULSE, level=0.4, rest=0.3, period_ms=4800),
    resting_black=Look(WHITE, _PULSE, level=0.4, rest=0.0, period_ms=4800),
    broken=Look(WHITE),
)

THEMES = {"harbour": HARBOUR, "candle": CANDLE, "contrast": CONTRAST}


def theme_named(name: str) -> Theme:
    """Return the theme of that name; raise ConfigError with the most similar one if there is none."""
    try:
        return THEMES[name]
    except KeyError:
        raise ConfigError(f"there is no theme {name!r}; {did_you_mean(name, THEMES)}") from None
