"""Remarks on the turns of a reviewed game, in the words of people.

A remark says what can be seen on the board. A fault is only named where a better turn is proved or likely,
and where that turn would have done what was missed: not each mill has to be closed or stopped. A guess has a
remark of its own.

**Invariants:** remarks depend on the game and its review alone, so they are not kept with them. Games other
than mills get those about values only.

A node is `(mine, theirs, my_hand, their_hand)`, as in `mill_bits`; each function that looks for a motif
does so for its player to move, no farther than the opponent's next turn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from firmware_host.engine.review import Review, ReviewedTurn, decision
from firmware_host.engine.searching.mill_bits import Change, MillBits, Node, mill_bits
from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.games.morris.bitboard import bits, points_of
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.values import Result
from firmware_host.i18n import Message


def other_side(node: Node) -> Node:
    """Return the same pieces with the opponent to move."""
    mine, theirs, my_hand, their_hand = node
    return theirs, mine, their_hand, my_hand


def after_change(node: Node, change: Change) -> Node:
    """Return the node after a turn, for the opponent."""
    mine, theirs, my_hand = change
    return theirs, mine, node[3], my_hand


def mill_points(rules: MillBits, node: Node) -> int:
    """Return the points where the player to move can close a mill at once."""
    found = 0
    for mine, _, _ in rules.closing_turns(*node):
        found |= mine & ~node[0]
    return found


def fork(rules: MillBits, node: Node) -> int:
    """Return the points of two mills or more of which the opponent, who moves first, can't stop all.

    Nothing if the opponent can close a mill, which would change everything.
    """
    answers = other_side(node)
    points = mill_points(rules, node)
    if points.bit_count() < 2 or mill_points(rules, answers):
        return 0
    _, quiet = rules.turns(*answers)
    stopped = any(not mill_points(rules, after_change(answers, change)) for change in quiet)
    return 0 if stopped or not quiet else points


def swing_mills(rules: MillBits, node: Node) -> frozenset[int]:
    """Return the double mills: the two points between which a piece closes a mill by each move to and fro.

    One of them is in a mill, and the other one is empty and would complete another one with its piece.
    """
    mine, theirs = node[:2]
    graph, empty, found = rules.graph, rules.usable & ~(mine | theirs), set[int]()
    for piece in bits(rules.graph.mills(mine)):
        for target in bits(graph.neighbours[piece] & empty):
            if any(pair & mine == pair and not pair & piece for pair in graph.partners[target]):
                found.add(piece | target)
    return frozenset(found)


def moves_left(rules: MillBits, node: Node) -> int | None:
    """Return the number of moves of the player to move; None if pieces can be placed, or fly."""
    mine, theirs, my_hand, _ = node
    if my_hand or rules.flies(*node):
        return None
    empty = rules.usable & ~(mine | theirs)
    return sum((rules.graph.neighbours[piece] & empty).bit_count() for piece in bits(mine))


def opened_mill(rules: MillBits, before: Node, after_mine: int) -> int:
    """Return the point that a move has left in an own mill; nothing if no mill was opened."""
    return before[0] & ~after_mine & rules.graph.mills(before[0])


def can_land(rules: MillBits, node: Node, target: int) -> bool:
    """Return whether the player to move can bring a piece to an empty point."""
    mine, _, my_hand, _ = node
    if my_hand or rules.flies(*node):
        return True
    return bool(rules.graph.neighbours[target] & mine)


MAX_MOVES_SHUT_IN = 3
"""The greatest number of moves of pieces that are shut in."""


def remarks(game: Game, review: Review) -> tuple[tuple[Message, ...], ...]:
    """Return the remarks on each finished turn of a game."""
    return tuple(tuple(_remarks(game, one)) for one in review)


def outcome_remark(game: Game, review: Review, named: Callable[[int], str]) -> Message | None:
    """Return by which turn a game was lost; None if nobody lost it.

    `named` returns the name of a turn, with its number, by its index.
    """
    if game.outcome is None or game.outcome.winner is None:
        return None
    decided = decision(game, review)
    if decided is None:
        return Message("study.remark.lost-anyhow")
    one = review[decided.index]
    turn = named(decided.index)
    if decided.is_proved:
        return Message("study.remark.lost", {"turn": turn})
    return Message("study.remark.likely-lost", {"turn": turn, "better": one.improvement or ""})


def _remarks(game: Game, one: ReviewedTurn) -> Iterator[Message]:
    position = game.positions[one.ply]
    if isinstance(position, MorrisPosition):
        rules = mill_bits(position.rules.options)
        played = _Played.of(position, one.turn)
        yield from _faults(rules, played, position, one.improvement)
        if not played.ends_game:
            yield from _merits(rules, played)
    if one.is_only:
        yield (
            Message("study.remark.only-win")
            if one.after.result is Result.WIN
            else Message("study.remark.only-draw")
        )
    if one.likely is not None:
        yield Message("study.remark.likely", {"turn": one.likely.turn})


@frozen
class _Played:
    """A turn on the bits: the nodes before and after it, both for the player who made it."""

    before: Node
    after: Node
    closes: bool
    ends_game: bool

    @classmethod
    def of(cls, position: MorrisPosition, turn: str) -> _Played:
        """Return a turn from `position`."""
        after = position
        for step in position.rules.parse_turn(turn):
            after = after.play(after.legal_step(step.text))
        node = _node(after)
        same = after.state.black == position.state.black
        seen = node if same else other_side(node)
        return cls(_node(position), seen, bool(after.state.closed), after.outcome is not None)


def _node(position: MorrisPosition) -> Node:
    mine, theirs, my_hand, their_hand = position.state[:4]
    return mine, theirs, my_hand, their_hand


def _faults(
    rules: MillBits, played: _Played, position: MorrisPosition, improvement: str | None
) -> Iterator[Message]:
    """Yield what the turn has missed or allowed and the better one would not have."""
    if improvement is None or played.ends_game:
        return
    instead = _Played.of(position, improvement)
    if instead.closes and not played.closes:
        yield Message("study.remark.missed-mill", {"turn": improvement})
    allowed = mill_points(rules, other_side(played.after))
    if allowed and not instead.ends_game and not mill_points(rules, other_side(instead.after)):
        points = _names(allowed)
        if mill_points(rules, other_side(played.before)) & allowed:
            yield Message("study.remark.not-stopped", {"points": points, "turn": improvement})
        else:
            yield Message("study.remark.lets-in", {"points": points})
    opened = opened_mill(rules, played.before, played.after[0])
    if opened and not played.closes and can_land(rules, other_side(played.after), opened):
        yield Message("study.remark.opened", {"points": _names(opened)})
    left = _shut_in(rules, played.before, played.after)
    if left is not None:
        yield Message("study.remark.own-moves", {"count": left})


def _merits(rules: MillBits, played: _Played) -> Iterator[Message]:
    """Yield what the turn has done on the board."""
    before, after = played.before, played.after
    threatened = mill_points(rules, other_side(before))
    if threatened and not mill_points(rules, other_side(after)):
        yield Message("study.remark.stops", {"points": _names(threatened)})
    if swings := swing_mills(rules, after) - swing_mills(rules, before):
        yield Message("study.remark.swing", {"points": _names(min(swings))})
    elif points := fork(rules, after):
        yield Message("study.remark.fork", {"points": _names(points)})
    left = _shut_in(rules, other_side(before), other_side(after))
    if left is not None:
        yield Message("study.remark.their-moves", {"count": left})


def _shut_in(rules: MillBits, before: Node, after: Node) -> int | None:
    """Return the moves that a turn has left to a player who has few now and had more; None otherwise."""
    now, then = moves_left(rules, after), moves_left(rules, before)
    if now is None or now > MAX_MOVES_SHUT_IN or (then is not None and then <= now):
        return None
    return now


def _names(points: int) -> tuple[str, ...]:
    return tuple(sorted(str(point) for point in points_of(points)))
