"""Which games a board can play: those whose points it has, and whose pieces its sensors can tell apart."""

from __future__ import annotations

from firmware_host.games.game import Rules
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import RULE_SETS, rule_set
from firmware_host.ports import Alphabet


def hindrance(rules: Rules, alphabet: Alphabet, layout: Layout | None = None) -> str | None:
    """Why a board cannot play by `rules`, in a sentence that says what it needs; None where it can.

    `layout` is what the board has, if it is built already.
    """
    kinds = sorted({piece.kind for piece in rules.box})
    if len(kinds) > 1 and alphabet is not Alphabet.PIECES:
        return (
            f"{rules.name} is played with {'s and '.join(kinds)}s that stand on each other, and sensors of "
            f"{alphabet.value} cannot tell them: it needs a linear sensor at each point, which measures all "
            'that stands there (kind = "mcp3008", alphabet = "pieces")'
        )
    if layout is not None and layout.points != rules.layout.points:
        return (
            f"{rules.name} needs a board with the {len(rules.layout)} points of {rules.layout.name}, and "
            f"this one has the {len(layout)} of {layout.name}"
        )
    return None


def playable(alphabet: Alphabet, layout: Layout) -> list[str]:
    """The names of the rule sets that such a board can play."""
    return [name for name in RULE_SETS if hindrance(rule_set(name), alphabet, layout) is None]
