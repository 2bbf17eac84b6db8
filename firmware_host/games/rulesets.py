"""The named rule sets of all games, and rules made of one and the switches set over it."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.errors import NotationError
from firmware_host.games.game import Rules
from firmware_host.games.mitsudomoe.position import MitsudomoeRules
from firmware_host.games.mitsudomoe.rules import MitsudomoeOptions
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.options import MorrisOptions, OptionSet, suggestion

DEFAULT = "standard"

MILL_SETS: dict[str, MorrisOptions] = {
    "standard": MorrisOptions(),
    "molendinum": MorrisOptions(flying="never", protection="always", repetition=0, quiet=0),
    "simple": MorrisOptions(flying="never", removal="may", repetition=0, quiet=0),
    "arena": MorrisOptions(removal="may", repetition=0, quiet=0),
    "the-mill": MorrisOptions(
        flying="both", captures="per-mill", protection="always", first="lot", repetition=0, quiet=0
    ),
    "pounding": MorrisOptions(
        flying="both", captures="per-mill", protection="always", first="lot", repetition=0, quiet=0
    ),
    "pounding-0.3b": MorrisOptions(
        flying="both", protection="unless-three", first="lot", repetition=0, quiet=0
    ),
    "lasker": MorrisOptions(pieces=10, move_while_placing=True),
    "twelve": MorrisOptions(pieces=12, diagonals=True, full_board="draw"),
    "six": MorrisOptions(pieces=6, points="outer", flying="never"),
}
"""The mill family: standard is what tournament programs play; the others are named after what plays them."""

LESSON = "lesson"
"""What the page's lesson is played by: a name of its own, so that nobody takes one for a game."""
_UNLISTED = {LESSON: MorrisOptions(pieces=4)}

MITSUDOMOE_SETS: dict[str, MitsudomoeOptions] = {"mitsudomoe": MitsudomoeOptions()}


@dataclass(frozen=True)
class _Family:
    """Games that differ by switches: their named rule sets, and how rules are made of one."""

    sets: Mapping[str, Any]
    rules: Callable[[str, Any, tuple[str, ...]], Rules]


_FAMILIES = (
    _Family({**MILL_SETS, **_UNLISTED}, MorrisRules),
    _Family(MITSUDOMOE_SETS, MitsudomoeRules),
)
FAMILIES: tuple[type[OptionSet], ...] = (MorrisOptions, MitsudomoeOptions)
"""The switches of each family."""
RULE_SETS: Mapping[str, OptionSet] = {**MILL_SETS, **MITSUDOMOE_SETS}
"""All that a game is asked for by."""


def rule_set(name: str = DEFAULT, settings: Iterable[str] = ()) -> Rules:
    """The rules of that name, with `settings` over them: each `switch=value`, the last of a switch counts.

    Raises NotationError for an unknown name, switch or value, and for switches that do not go together.
    """
    for family in _FAMILIES:
        if name in family.sets:
            named = family.sets[name]
            switches = named.changed(settings)
            return family.rules(name, switches, switches.settings_over(named))
    hint = suggestion(name, RULE_SETS)
    raise NotationError(f"there is no rule set {reprlib.repr(name)}{hint}; there are {', '.join(RULE_SETS)}")


def parse_rules(text: str) -> Rules:
    """The rules that `Rules.describe` wrote; raises NotationError like `rule_set`."""
    name, *settings = text.split() or [""]
    return rule_set(name, settings)
