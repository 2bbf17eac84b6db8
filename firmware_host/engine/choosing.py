"""The choice of a turn at one of the levels.

A level searches all turns to its depth and draws one by lot: the better its value, the likelier, by a
temperature. So errors arise where turns are nearly equal, as people's do, and no turn is blundered at random.
Each level but the highest is limited by depth, so that it is the same on every machine; the highest searches
until it has to stop.

**Invariants:** randomness, and the clock behind `stop`, are arguments. From level 3 to 7 a mill that can be
closed is closed. The result is always a legal turn, however early `stop` says so.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from firmware_host.engine.levels import levels
from firmware_host.engine.searching.candidates import Candidate, mill_candidates, mitsudomoe_candidates
from firmware_host.engine.searching.mill_bits import mill_bits
from firmware_host.engine.searching.scoring import Effort, mill_scores, mitsudomoe_scores
from firmware_host.engine.searching.search import never
from firmware_host.engine.tables import Tables
from firmware_host.errors import RequestError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.games.mitsudomoe.position import MitsudomoePosition
from firmware_host.games.morris.position import MorrisPosition

_NEGLIGIBLE = 8
"""The temperatures below the best turn from which on a turn isn't considered: one in 3000."""


@frozen
class Level:
    """The strength of an opponent."""

    depth: int
    """The turns to look ahead, its own included; the greatest if it searches until stopped."""
    temperature: int
    """The difference of values that makes a turn 2.7 times likelier; 0 for always the best."""
    closes_mills: bool = False
    uses_tables: bool = False
    uses_replies: bool = False
    """Place by the proved replies, where there are some."""
    nodes: int = 0
    """The positions to search at most; 0 if the depth is the only limit."""
    native: bool = True
    """Search by the library in C, if it is there."""
    breadth: int = 0
    """The product of both players' turns, once all pieces are placed, above which it looks less far.

    Where a piece flies, an answer would take seconds. 0 for no limit.
    """


_MILL = {
    1: Level(1, 120),
    2: Level(1, 45),
    3: Level(2, 65, closes_mills=True),
    4: Level(2, 25, closes_mills=True),
    5: Level(3, 19, closes_mills=True),
    6: Level(4, 10, closes_mills=True, uses_tables=True),
    7: Level(6, 5, closes_mills=True, uses_tables=True, breadth=500),
    8: Level(60, 0, uses_tables=True, uses_replies=True, nodes=20_000_000),
}
_MITSUDOMOE = {1: Level(1, 120), 2: Level(1, 20), 3: Level(2, 5)}


def choose(
    game: Game,
    level: int,
    *,
    rng: random.Random,
    tables: Tables | None = None,
    stop: Callable[[], bool] = never,
    native: bool = True,
) -> str:
    """Return the text of a legal turn (or of the rest of one) of the player to move.

    Unless `native`, the library in C is not used, even if it is there.
    Raises RequestError if the game is over or has no such level.
    """
    if game.outcome is not None:
        raise RequestError("The game is over. Start a new one.")
    if level not in levels(game.rules):
        known = levels(game.rules)
        raise RequestError(f"There is no level {level}. Choose one from {known[0]} to {known[-1]}.")
    position = game.position
    if isinstance(position, MorrisPosition):
        return _mill_choice(position, replace(_MILL[level], native=native), rng, tables, stop)
    if isinstance(position, MitsudomoePosition):
        return _mitsudomoe_choice(position, _MITSUDOMOE[level], rng, stop)
    raise TypeError(f"no engine for {type(position).__name__}")


def _mill_choice(
    position: MorrisPosition,
    level: Level,
    rng: random.Random,
    tables: Tables | None,
    stop: Callable[[], bool],
) -> str:
    found = mill_candidates(position)
    if level.closes_mills:
        found = [one for one in found if one.closes_mill] or found
    if len(found) == 1:
        return found[0].text
    known = tables if level.uses_tables else None
    if known is not None and level.uses_replies and (reply := _reply(position, found, known)):
        return reply
    rng.shuffle(found)
    effort = _effort(level)
    if level.breadth and _breadth(position) > level.breadth:
        effort = replace(effort, depth=level.depth - 2)
    scores = mill_scores(position, found, effort, known, stop)
    return found[_drawn(scores, level.temperature, rng)].text


def _reply(
    position: MorrisPosition, found: Sequence[Candidate[MorrisPosition]], tables: Tables
) -> str | None:
    """Return the turn that a certificate proves to hold the draw, if one knows the position."""
    reply = tables.reply(position.rules, position.state)
    after = ((one.after.state, one.text) for one in found)
    return next((text for state, text in after if (state.theirs, state.mine) == reply), None)


def _breadth(position: MorrisPosition) -> int:
    """Return the product of both players' turns in a position, 0 while there are pieces to place."""
    mine, theirs, my_hand, their_hand = position.state[:4]
    if my_hand or their_hand:
        return 0
    rules = mill_bits(position.rules.options)
    own, other = rules.turns(mine, theirs, 0, 0), rules.turns(theirs, mine, 0, 0)
    return sum(map(len, own)) * sum(map(len, other))


def _mitsudomoe_choice(
    position: MitsudomoePosition, level: Level, rng: random.Random, stop: Callable[[], bool]
) -> str:
    found = mitsudomoe_candidates(position)
    rng.shuffle(found)
    scores = mitsudomoe_scores(position, found, _effort(level), stop)
    return found[_drawn(scores, level.temperature, rng)].text


def _effort(level: Level) -> Effort:
    return Effort(
        level.depth, _NEGLIGIBLE * level.temperature, level.nodes, deeper=level.nodes > 0, native=level.native
    )


def _drawn(scores: Sequence[int], temperature: int, rng: random.Random) -> int:
    """Return the index of a score drawn by lot, or of the first of the best if there is no temperature."""
    best = max(scores)
    if not temperature:
        return scores.index(best)
    near = [index for index, score in enumerate(scores) if best - score < _NEGLIGIBLE * temperature]
    weights = [math.exp((scores[index] - best) / temperature) for index in near]
    return rng.choices(near, weights)[0]
