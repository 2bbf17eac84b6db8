"""The levels of the opponent; a board offers them without loading what plays them."""

from __future__ import annotations

from firmware_host.games.game import Rules
from firmware_host.games.mitsudomoe.position import MitsudomoeRules

LEVELS = range(1, 9)
"""The levels of the mill family."""
MITSUDOMOE_LEVELS = range(1, 4)


def levels(rules: Rules) -> range:
    """Return the levels at which a game by `rules` can be played."""
    return MITSUDOMOE_LEVELS if isinstance(rules, MitsudomoeRules) else LEVELS
