"""The named rule sets of the mill family, and rules made of one and the switches set over it."""

from __future__ import annotations

import reprlib
from collections.abc import Iterable

from firmware_host.errors import NotationError
from firmware_host.games.morris import MorrisRules
from firmware_host.games.switches import Switches, suggestion

DEFAULT = "standard"

RULE_SETS: dict[str, Switches] = {
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
"""Standard is what tournament programs play; the others are named after what plays them."""


def rule_set(name: str = DEFAULT, settings: Iterable[str] = ()) -> MorrisRules:
    """The rules of that name, with `settings` over them: each `switch=value`, the last of a switch counts.

    Raises NotationError for an unknown name, switch or value, and for switches that do not go together.
    """
    if name not in RULE_SETS:
        known = ", ".join(RULE_SETS)
        hint = suggestion(name, RULE_SETS)
        raise NotationError(f"there is no rule set {reprlib.repr(name)}{hint}; there are {known}")
    named = RULE_SETS[name]
    switches = named.changed(settings)
    return MorrisRules(name, switches, switches.settings_over(named))


def parse_rules(text: str) -> MorrisRules:
    """The rules that `MorrisRules.describe` wrote; raises NotationError like `rule_set`."""
    name, *settings = text.split() or [""]
    return rule_set(name, settings)
