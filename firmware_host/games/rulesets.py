"""The named rule sets of all games, and rules made of one and the switches set over it."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from firmware_host.errors import NotationError
from firmware_host.games.game import Rules
from firmware_host.games.mitsudomoe.position import MitsudomoeRules
from firmware_host.games.mitsudomoe.rules import MitsudomoeSwitches
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.options import Switches, SwitchSet, suggestion

DEFAULT = "standard"

MILL_SETS: dict[str, Switches] = {
    "standard": Switches(),
    "molendinum": Switches(flying="never", protection="always", repetition=0, quiet=0),
    "simple": Switches(flying="never", removal="may", repetition=0, quiet=0),
    "arena": Switches(removal="may", repetition=0, quiet=0),
    "the-mill": Switches(
        flying="both", captures="per-mill", protection="always", first="lot", repetition=0, quiet=0
    ),
    "pounding": Switches(
        flying="both", captures="per-mill", protection="always", first="lot", repetition=0, quiet=0
    ),
    "pounding-0.3b": Switches(flying="both", protection="unless-three", first="lot", repetition=0, quiet=0),
    "lasker": Switches(pieces=10, move_while_placing=True),
    "twelve": Switches(pieces=12, diagonals=True, full_board="draw"),
    "six": Switches(pieces=6, points="outer", flying="never"),
}
"""The mill family: standard is what tournament programs play; the others are named after what plays them."""

LESSON = "lesson"
"""What the page's lesson is played by: a name of its own, so that nobody takes one for a game."""
_UNLISTED = {LESSON: Switches(pieces=4)}

MITSUDOMOE_SETS: dict[str, MitsudomoeSwitches] = {"mitsudomoe": MitsudomoeSwitches()}


@dataclass(frozen=True)
class _Family:
    """Games that differ by switches: their named rule sets, and how rules are made of one."""

    sets: Mapping[str, Any]
    rules: Callable[[str, Any, tuple[str, ...]], Rules]


_FAMILIES = (
    _Family({**MILL_SETS, **_UNLISTED}, MorrisRules),
    _Family(MITSUDOMOE_SETS, MitsudomoeRules),
)
FAMILIES: tuple[type[SwitchSet], ...] = (Switches, MitsudomoeSwitches)
"""The switches of each family."""
RULE_SETS: Mapping[str, SwitchSet] = {**MILL_SETS, **MITSUDOMOE_SETS}
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
