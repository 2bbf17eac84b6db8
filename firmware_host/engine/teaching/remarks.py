"""Remarks on the turns of a reviewed game, in the words of people.

A remark says what can be seen on the board. A fault is only named where a better turn is proved or likely,
and where that turn would have done what was missed: not each mill has to be closed or stopped. A guess has a
remark of its own.

**Invariants:** remarks depend on the game and its review alone, so they are not kept with them. Games other
than mills get those about values only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from firmware_host.engine.review import Review, ReviewedTurn, decision
from firmware_host.engine.searching.mill_bits import MillBits, Node, mill_bits
from firmware_host.engine.teaching.motifs import (
    can_land,
    fork,
    mill_points,
    moves_left,
    opened_mill,
    other_side,
    swing_mills,
)
from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.games.morris.bitboard import points_of
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.values import Result
from firmware_host.i18n import Message

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
