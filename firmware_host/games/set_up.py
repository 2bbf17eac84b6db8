"""Positions that are set up: the fault of one that cannot be played, and the ways to go on from one that can.

Invariants: legal is what the rules' own `position` accepts; a fault only explains a refusal. A position in
which the game would be over is none to begin with.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from firmware_host.errors import NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Piece, Player, Position, Rules, SetUpFault
from firmware_host.i18n import Message

Stacks = Sequence[tuple[Piece, ...]]
"""The pieces on each point, the lowest first, in the layout's order."""


@frozen
class SetUps:
    """The games that pieces can begin as they were set up."""

    fault: SetUpFault | None
    """The reason why no game can begin so; None if one can."""
    starts: Mapping[Player, Mapping[bool, Position]]
    """The positions that can begin a game, by the player to move and whether pieces are still placed."""


def set_ups(rules: Rules, stacks: Stacks) -> SetUps:
    """Return the games that `stacks` can begin under `rules`."""
    fault = rules.set_up_fault(stacks)
    if fault is not None:
        return SetUps(fault, {})
    found = {player: _starts(rules, stacks, player) for player in Player}
    starts = {player: ways for player, ways in found.items() if ways}
    standing = frozenset(point for point in rules.layout.points if stacks[point.index])
    return SetUps(None if starts else SetUpFault(standing, Message("set-up.over")), starts)


def _starts(rules: Rules, stacks: Stacks, to_move: Player) -> Mapping[bool, Position]:
    """Return the positions with these pieces, each once, by whether pieces are still being placed."""
    found: dict[bool, Position] = {}
    for placing in (False, True):
        try:
            position = rules.position(rules.set_up_text(stacks, to_move, placing=placing))
        except NotationError:
            continue
        if position.outcome is None and str(position) not in map(str, found.values()):
            found[placing] = position
    return found
