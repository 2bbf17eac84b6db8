"""The games a board can play: its points have to match, and its sensors have to tell the pieces apart."""

from __future__ import annotations

from firmware_host.games.game import Rules
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import RULE_SETS, rule_set
from firmware_host.i18n import Message
from firmware_host.ports import SensorKind


def incompatibility(rules: Rules, alphabet: SensorKind, layout: Layout | None = None) -> Message | None:
    """Return why a board cannot play by `rules`, as a sentence that says what it needs; None if it can.

    `layout` is the board's own layout, if it is built already.
    """
    name = Message(f"rules.{rules.name}")
    if any(piece.flat for piece in rules.box) and alphabet is not SensorKind.PIECES:
        return Message("refused.stacks", {"rules": name, "text": alphabet.value})
    if layout is not None and layout.points != rules.layout.points:
        return Message("refused.points", {"rules": name, "due": len(rules.layout), "count": len(layout)})
    return None


def simplest_sensors(rules: Rules) -> SensorKind:
    """Return the simplest kind of sensors that `rules` can be played with."""
    return SensorKind.PRESENCE if incompatibility(rules, SensorKind.PRESENCE) is None else SensorKind.PIECES


def playable_rule_sets(alphabet: SensorKind, layout: Layout) -> list[str]:
    """Return the names of the rule sets that the board can play."""
    return [name for name in RULE_SETS if incompatibility(rule_set(name), alphabet, layout) is None]
