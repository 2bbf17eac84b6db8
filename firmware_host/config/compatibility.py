"""Which games a board can play: those whose points it has, and whose pieces its sensors can tell apart."""

from __future__ import annotations

from firmware_host.games.game import Rules
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import RULE_SETS, rule_set
from firmware_host.i18n import Message
from firmware_host.ports import Alphabet


def hindrance(rules: Rules, alphabet: Alphabet, layout: Layout | None = None) -> Message | None:
    """Why a board cannot play by `rules`, a sentence that says what it needs; None where it can.

    `layout` is what the board has, if it is built already.
    """
    name = Message(f"rules.{rules.name}")
    if any(piece.flat for piece in rules.box) and alphabet is not Alphabet.PIECES:
        return Message("refused.stacks", {"rules": name, "text": alphabet.value})
    if layout is not None and layout.points != rules.layout.points:
        return Message("refused.points", {"rules": name, "due": len(rules.layout), "count": len(layout)})
    return None


def least_alphabet(rules: Rules) -> Alphabet:
    """What the simplest sensors tell that `rules` can be played with."""
    return Alphabet.PRESENCE if hindrance(rules, Alphabet.PRESENCE) is None else Alphabet.PIECES


def playable(alphabet: Alphabet, layout: Layout) -> list[str]:
    """The names of the rule sets that such a board can play."""
    return [name for name in RULE_SETS if hindrance(rule_set(name), alphabet, layout) is None]
