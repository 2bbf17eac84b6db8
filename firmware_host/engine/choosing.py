"""The choice of a turn at one of the levels.

A level searches all turns to its depth and draws one by lot: the better its value, the likelier, by a
temperature. Habits that people have add to the value: closing a mill, and stopping one. So errors arise where
turns are nearly equal, or where a habit isn't enough, as people's do, and no turn is blundered at random.
Each level but the highest is limited by depth, so that it is the same on every machine; the highest searches
until it has to stop.

**Invariants:** randomness, and the clock behind `stop`, are arguments. A turn that is proved to win is played
before all others, the fastest one first; a turn that is proved to lose is played only if all do. From
level 3 to 7 a mill that can be closed is closed otherwise. Where the highest level can only draw, it plays a
turn after which most replies lose, if tables know all that comes later. The result is always a legal turn,
however early `stop` says so.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from firmware_host.engine.analysis import known_value
from firmware_host.engine.searching.candidates import Candidate, mill_candidates, mitsudomoe_candidates
from firmware_host.engine.searching.mill_bits import mill_bits
from firmware_host.engine.searching.progress import DepthReport
from firmware_host.engine.searching.scoring import Effort, ignored, mill_scores, mitsudomoe_scores
from firmware_host.engine.searching.search import DECIDED, MAX_SETTLING, never
from firmware_host.engine.tables import Tables
from firmware_host.errors import RequestError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Rules
from firmware_host.games.mitsudomoe.position import MitsudomoePosition, MitsudomoeRules
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.rulesets import levels
from firmware_host.games.values import Result

_NEGLIGIBLE = 8
"""The temperatures below the best turn from which on a turn isn't considered: one in 3000."""


@frozen
class Level:
    """The strength of an opponent."""

    depth: int
    """The turns to look ahead, its own included; the greatest if it searches until stopped."""
    temperature: int
    """The difference of values that makes a turn 2.7 times likelier; 0 for always the best."""
    closes: int = 0
    """The points that a turn which closes a mill is worth beyond its value."""
    stops: int = 0
    """The points that a turn which stops the opponent from closing a mill is worth beyond its value."""
    settling: int = MAX_SETTLING
    """The closing turns in a row that it sees beyond its depth; none if it overlooks them."""
    uses_tables: bool = False
    uses_replies: bool = False
    """Use proved replies and the results of all turns, where there are some."""
    nodes: int = 0
    """The positions to search at most; 0 if the depth is the only limit."""
    python_nodes: int = 0
    """The same for a search in Python: about a second of a laptop. It plays what it has found until then."""
    deeper: bool = False
    """Search for strength alone, by which Python and C find different values; see `Effort`."""
    native: bool = True
    """Search by the library in C, if it is there."""
    breadth: int = 0
    """The product of both players' turns, once all pieces are placed, above which it looks less far.

    Where a piece flies, an answer would take seconds. 0 for no limit.
    """


_ALWAYS = 4_000
"""The points of a habit that outweighs everything but a proof."""
_MILL = {
    1: Level(1, 70, closes=400, stops=217, settling=0),
    2: Level(1, 30, closes=400, stops=110, settling=0),
    3: Level(2, 130, closes=_ALWAYS, stops=410),
    4: Level(2, 22, closes=_ALWAYS, stops=45),
    5: Level(3, 22, closes=_ALWAYS, stops=70),
    6: Level(4, 13, closes=_ALWAYS, stops=110, uses_tables=True),
    7: Level(6, 5, closes=_ALWAYS, stops=150, uses_tables=True, breadth=500, python_nodes=75_000),
    8: Level(60, 0, uses_tables=True, uses_replies=True, nodes=20_000_000, deeper=True),
}
_MITSUDOMOE = {1: Level(1, 120), 2: Level(1, 20), 3: Level(2, 5, python_nodes=6_000)}


_Watch = tuple[Callable[[], bool], Callable[[DepthReport], None]]
"""The question whether a search has to stop, and the function that it reports to."""


def choose(
    game: Game,
    level: int,
    *,
    rng: random.Random,
    tables: Tables | None = None,
    stop: Callable[[], bool] = never,
    native: bool = True,
    depth: int | None = None,
    report: Callable[[DepthReport], None] = ignored,
) -> str:
    """Return the text of a legal turn (or of the rest of one) of the player to move.

    Unless `native`, the library in C is not used, even if it is there. With a `depth`, from 1 to `max_depth`,
    the level looks that many turns ahead, and neither its nodes nor proved replies limit it. `report` is
    called with the result of each depth that is searched.
    Raises RequestError if the game is over or has no such level.
    """
    if game.outcome is not None:
        raise RequestError("The game is over. Start a new one.")
    if level not in levels(game.rules):
        known = levels(game.rules)
        raise RequestError(f"There is no level {level}. Choose one from {known[0]} to {known[-1]}.")
    position, strength = game.position, replace(_strength(game.rules, level), native=native)
    if depth is not None:
        strength = replace(strength, depth=depth, uses_replies=False, nodes=0, python_nodes=0, breadth=0)
    if isinstance(position, MorrisPosition):
        return _mill_choice(position, strength, rng, tables, (stop, report))
    if isinstance(position, MitsudomoePosition):
        return _mitsudomoe_choice(position, strength, rng, (stop, report))
    raise TypeError(f"no engine for {type(position).__name__}")


def max_depth(rules: Rules, level: int) -> int:
    """Return the turns that a level looks ahead at most."""
    return _strength(rules, level).depth


def _strength(rules: Rules, level: int) -> Level:
    return (_MITSUDOMOE if isinstance(rules, MitsudomoeRules) else _MILL)[level]


def _mill_choice(
    position: MorrisPosition,
    level: Level,
    rng: random.Random,
    tables: Tables | None,
    watch: _Watch,
) -> str:
    found = mill_candidates(position)
    if len(found) == 1:
        return found[0].text
    known = tables if level.uses_tables else None
    rng.shuffle(found)
    stop, report = watch
    if known is not None and level.uses_replies:
        found = _kept(position, found, known, stop)
        if len(found) == 1:
            return found[0].text
    effort = _effort(level, report)
    if level.breadth and _breadth(position) > level.breadth:
        effort = replace(effort, depth=level.depth - 2)
    scores = mill_scores(position, found, effort, known, stop, _habits(position, found, level))
    return found[_drawn(scores, level.temperature, rng)].text


def _habits(position: MorrisPosition, found: Sequence[Candidate[MorrisPosition]], level: Level) -> list[int]:
    """Return the points that the level's habits add to the value of each turn."""
    rules, (mine, theirs, my_hand, their_hand) = mill_bits(position.rules.options), position.state[:4]
    threatened = level.stops > 0 and bool(rules.closing_turns(theirs, mine, their_hand, my_hand))

    def stopping(one: Candidate[MorrisPosition]) -> bool:
        return threatened and not rules.closing_turns(*one.after.state[:4])

    return [level.closes * one.closes_mill + level.stops * stopping(one) for one in found]


def _kept(
    position: MorrisPosition,
    found: list[Candidate[MorrisPosition]],
    tables: Tables,
    stop: Callable[[], bool],
) -> list[Candidate[MorrisPosition]]:
    """Return the turns to choose from: those known to win while pieces are placed, else those that may hold.

    Of these, the reply of a certificate goes on with its proof. If otherwise all are known to draw, and so
    will be all that come later, those stay after which people err most.
    """
    placing = position.state.my_hand or position.state.their_hand
    results = _results(position, found, tables)
    if not placing and set(results) - {Result.LOSS, Result.DRAW}:
        return found  # the search finds the fastest win, and knows more
    wins, held = (
        [one for one, result in zip(found, results, strict=True) if result in wanted]
        for wanted in ({Result.WIN}, {Result.DRAW, Result.UNKNOWN})
    )
    if wins or not held:
        return wins or found
    is_drawn = Result.UNKNOWN not in results and tables.know_rest(position.rules, position.state)
    if reply := _reply(position, held, tables, whole=is_drawn):
        return [reply]
    return _hardest(held, tables, stop) if is_drawn else held


def _results(
    position: MorrisPosition, found: Sequence[Candidate[MorrisPosition]], tables: Tables
) -> list[Result]:
    """Return the result of each turn, for the player who makes it, as far as tables know."""
    values = (known_value(position, one, tables) for one in found)
    return [Result.UNKNOWN if value is None else value.result for value in values]


def _reply(
    position: MorrisPosition, found: Sequence[Candidate[MorrisPosition]], tables: Tables, *, whole: bool
) -> Candidate[MorrisPosition] | None:
    """Return the turn that a certificate, or with `whole` a whole one, proves to hold the draw."""
    reply = tables.reply(position.rules, position.state, whole=whole)
    after = ((one.after.state, one) for one in found)
    return next((one for state, one in after if (state.theirs, state.mine) == reply), None)


def _hardest(
    drawn: list[Candidate[MorrisPosition]], tables: Tables, stop: Callable[[], bool]
) -> list[Candidate[MorrisPosition]]:
    """Return the turns after which the greatest share of the replies is known to lose.

    Once `stop` returns True, turns that weren't looked at are left out.
    """
    best, hardest = -1.0, list[Candidate[MorrisPosition]]()
    for one in drawn:
        replies = mill_candidates(one.after)
        share = _results(one.after, replies, tables).count(Result.LOSS) / max(1, len(replies))
        if share > best:
            best, hardest = share, []
        if share == best:
            hardest.append(one)
        if stop():
            break
    return hardest


def _breadth(position: MorrisPosition) -> int:
    """Return the product of both players' turns in a position, 0 while there are pieces to place."""
    mine, theirs, my_hand, their_hand = position.state[:4]
    if my_hand or their_hand:
        return 0
    rules = mill_bits(position.rules.options)
    own, other = rules.turns(mine, theirs, 0, 0), rules.turns(theirs, mine, 0, 0)
    return sum(map(len, own)) * sum(map(len, other))


def _mitsudomoe_choice(position: MitsudomoePosition, level: Level, rng: random.Random, watch: _Watch) -> str:
    stop, report = watch
    found = mitsudomoe_candidates(position)
    rng.shuffle(found)
    scores = mitsudomoe_scores(position, found, _effort(level, report), stop)
    return found[_drawn(scores, level.temperature, rng)].text


def _effort(level: Level, report: Callable[[DepthReport], None]) -> Effort:
    return Effort(
        level.depth,
        _NEGLIGIBLE * level.temperature,
        level.nodes,
        deeper=level.deeper,
        native=level.native,
        settling=level.settling,
        python_nodes=level.python_nodes,
        report=report,
    )


def _drawn(scores: Sequence[int], temperature: int, rng: random.Random) -> int:
    """Return the index of a score drawn by lot; of the best if that wins, or without a temperature."""
    best = max(scores)
    if not temperature or best > DECIDED:
        return scores.index(best)
    near = [index for index, score in enumerate(scores) if best - score < _NEGLIGIBLE * temperature]
    weights = [math.exp((scores[index] - best) / temperature) for index in near]
    return rng.choices(near, weights)[0]
