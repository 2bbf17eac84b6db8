"""The named rule sets of all games, and the making of rules from one of them and its options.

Most programs play games of one family; the rules of Mitsudomoe are loaded when a game of it is first wanted.
"""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from firmware_host.errors import NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Rules
from firmware_host.games.layout import SQUARES
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.options import MitsudomoeOptions, MorrisOptions, OptionSet, suggestion, texts_of

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
"""The mill family: standard is what tournament programs play; the others are named after their programs."""

MITSUDOMOE_SETS: dict[str, MitsudomoeOptions] = {"mitsudomoe": MitsudomoeOptions()}

LESSON = "lesson"
"""The rules of the page's lesson: a name of its own, so that nobody takes a lesson for a game."""
MITSUDOMOE_LESSON = "lesson-mitsudomoe"
"""The same for Mitsudomoe."""
PUZZLE = "puzzle"
"""The standard rules, by which puzzles are played."""
LESSONS = (LESSON, MITSUDOMOE_LESSON, PUZZLE)
"""The rules of all lessons and puzzles, which can't be chosen for a game."""


@frozen(slots=False)
class _Family:
    """Games that differ by options: their named rule sets, and the function that makes rules of one."""

    sets: Mapping[str, Any]
    rules: Callable[[str, Any, tuple[str, ...]], Rules]


def _mitsudomoe_rules(name: str, options: MitsudomoeOptions, settings: tuple[str, ...]) -> Rules:
    from firmware_host.games.mitsudomoe.position import MitsudomoeRules

    return MitsudomoeRules(name, options, settings)


_FAMILIES = (
    _Family({**MILL_SETS, LESSON: MorrisOptions(pieces=4), PUZZLE: MorrisOptions()}, MorrisRules),
    _Family({**MITSUDOMOE_SETS, MITSUDOMOE_LESSON: MitsudomoeOptions()}, _mitsudomoe_rules),
)
FAMILIES: tuple[type[OptionSet], ...] = (MorrisOptions, MitsudomoeOptions)
"""The options of each family."""
RULE_SETS: Mapping[str, OptionSet] = {**MILL_SETS, **MITSUDOMOE_SETS}
"""All rule sets that can be chosen by name."""


def rule_set(name: str = DEFAULT, settings: Iterable[str] = ()) -> Rules:
    """Return the rules of that name with `settings` (each `option=value`, the last of an option counts).

    Raises NotationError for an unknown name, option or value, and for options that do not go together.
    """
    for family in _FAMILIES:
        if name in family.sets:
            named = family.sets[name]
            switches = named.changed(settings)
            return family.rules(name, switches, switches.settings_over(named))
    hint = suggestion(name, RULE_SETS)
    raise NotationError(f"there is no rule set {reprlib.repr(name)}{hint}; there are {', '.join(RULE_SETS)}")


def standard_options(name: str) -> dict[str, str]:
    """Return the text of each option of a rule set that can be chosen by name; none of any other."""
    return texts_of(RULE_SETS[name]) if name in RULE_SETS else {}


def parse_rules(text: str) -> Rules:
    """Return the rules that `Rules.describe` wrote; raise NotationError as `rule_set` does."""
    name, *settings = text.split() or [""]
    return rule_set(name, settings)


LEVELS = range(1, 9)
"""The levels of an opponent in the mill family."""
MITSUDOMOE_LEVELS = range(1, 4)


def levels(rules: Rules) -> range:
    """Return the levels of an opponent in a game by `rules`."""
    return MITSUDOMOE_LEVELS if rules.layout == SQUARES else LEVELS
