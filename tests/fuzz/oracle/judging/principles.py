"""The positions that a board may come to after hands that also did something wrong.

`readings` explains all changes or nothing. People make mistakes beside honest turns, and play on while a
board is blind. By the principles of HANDS.md the same question is then put to other sets of changes:

1. all of them;
2. the last frame alone, if that is the only position that one or two turns, or going back, lead to, since a
   board that rests so is that, whatever happened in between;
3. all up to a pause, the longest beginning that can be explained: only the rest is wrong.

The first set that is explained decides. If it has several likely readings, the board may ask. A board that
rests for a second in mid-mistake may come to another position, from which hands go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.felt import Felt
from tests.fuzz.oracle.handiwork import ends
from tests.fuzz.oracle.plain_rules import MillMoment
from tests.fuzz.oracle.readings import Agreed, TurnRun, cheapest, readings
from tests.fuzz.oracle.table import NOTHING, POINTS

PAUSE_US = 80_000
"""Hands that act again so soon are still doing the same."""
REST_US = 1_000_000
"""The time after which a board is at rest."""
IN_DOUBT = "in doubt"
"""Another position, to which a board may come by thinking over what has counted."""


def likely(agreed: Agreed, felt: Felt, *, colours: bool, blind: bool = False, chosen: str = "") -> set[str]:
    """Return the texts of the positions in which the board may be.

    `blind`: the changes are not evidence. If a turn was `chosen` for the other side, no other one counts.
    """
    found = [] if blind else readings(agreed, felt, colours=colours)
    if chosen:
        found = [one for one in found if _is_chosen(agreed, one, chosen)]
    if found:
        return decided(found) | set(_from_rests(agreed, felt, colours=colours))
    if rested := set(_rested(agreed, felt, colours=colours)):
        return rested
    honest = {one.position for one in _honest(agreed, felt, colours=colours)}
    last = [change.point for change in felt.changes[-1:]]
    return honest | set(_in_hand(agreed, felt, last, colours=colours))


def decided(found: list[TurnRun]) -> set[str]:
    """Return the texts of the cheapest readings' positions, beside another one if they are in doubt."""
    best = cheapest(found)
    return {one.position for one in best} | ({IN_DOUBT} if all(one.is_doubtful for one in best) else set())


def was_likely(position: str, agreed: Agreed, felt: Felt, *, colours: bool, chosen: str = "") -> bool:
    """Return whether hands that have done no more than this may have led there, by some beginning of it.

    What counts by the waits of HANDS.md can be refuted by what follows: a piece that counted as captured may
    only have been straightened.
    """
    if position in likely(agreed, felt, colours=colours, chosen=chosen):
        return True
    beginnings = (Felt(felt.before, felt.changes[:count]) for count in range(len(felt.changes), 0, -1))
    return any(
        position in {one.position for one in cheapest(found)}
        for beginning in beginnings
        if (found := readings(agreed, beginning, colours=colours))
    )


def passed(moment: MillMoment, end: str, felt: Felt) -> set[str]:
    """Return the positions on every way from `moment` to `end` at the points that changed.

    Of two turns that nobody watched, nothing tells which way hands took.
    """
    return _on_ways(moment, end, {change.point for change in felt.changes}, 2)


def stands(position: MillMoment, felt: Felt, *, colours: bool) -> bool:
    """Return whether the last frame is that of a position."""
    after = felt.after
    return all(after[point] == _read(position, point, colours) for point in POINTS)


def _is_chosen(agreed: Agreed, one: TurnRun, chosen: str) -> bool:
    """Return whether the opponent of the player to move does nothing but the chosen turn."""
    moment = agreed.before if one.undone and agreed.before else agreed.now
    mover, theirs = agreed.now.to_move, ""
    for step in one.steps:
        theirs += step if moment.to_move != mover else ""
        moment = plain.play(moment, step)
    return chosen.startswith(theirs)


def _rested(agreed: Agreed, felt: Felt, *, colours: bool) -> Iterator[str]:
    """The texts of the positions that stand as the last frame and are at most two turns away."""
    return map(plain.position_text, _rests(agreed, felt, colours=colours))


def _rests(agreed: Agreed, felt: Felt, *, colours: bool) -> Iterator[MillMoment]:
    touched = {change.point for change in felt.changes}
    roots = [agreed.now, *([agreed.before] if agreed.before else [])]
    for root in roots:
        last = {p for step in agreed.last for p in ends(step) if p} if root is agreed.before else set()
        for moment in _within(root, touched | last, 2):
            if stands(moment, felt, colours=colours):
                yield moment


def _in_hand(agreed: Agreed, felt: Felt, points: Iterable[str], *, colours: bool) -> Iterator[str]:
    """The cheapest positions that explain all if the piece of a point is in the hand of the player to move.

    Beside a mistake, what has counted may be thought over: nothing else makes sense of everything.
    """
    for lifted in points:
        if felt.after[lifted] != NOTHING or felt.before[lifted] == NOTHING:
            continue
        others = tuple(change for change in felt.changes if change.point != lifted)
        found = readings(agreed, Felt(felt.before, others), colours=colours)
        moments = [(one, _end(agreed, one)) for one in found]
        fitting = [one for one, moment in moments if moment.board.get(lifted) == moment.to_move]
        yield from (one.position for one in (cheapest(fitting) if fitting else ()))


def _from_rests(agreed: Agreed, felt: Felt, *, colours: bool) -> Iterator[str]:
    """The positions that follow from one that a board came to by resting in mid-mistake."""
    changes = felt.changes
    for count in range(1, len(changes)):
        so_far = Felt(felt.before, changes[:count])
        if changes[count].at - changes[count - 1].at < REST_US:
            continue
        found = cheapest(readings(agreed, so_far, colours=colours))
        moments = [_end(agreed, one) for one in found] or list(_rests(agreed, so_far, colours=colours))
        if len({plain.position_text(moment) for moment in moments}) == 1:
            begun, rest = Agreed(moments[0]), Felt(so_far.after, changes[count:])
            whole = [one.position for one in readings(begun, rest, colours=colours)]
            yield from whole or _in_hand(begun, rest, POINTS, colours=colours)


def _end(agreed: Agreed, one: TurnRun) -> MillMoment:
    moment = agreed.before if one.undone and agreed.before else agreed.now
    for step in one.steps:
        moment = plain.play(moment, step)
    return moment


def _within(moment: MillMoment, points: set[str], turns: int) -> Iterator[MillMoment]:
    """Every position that up to this number of turns lead to that touch these points only."""
    yield moment
    if not turns:
        return
    for step in sorted(plain.legal_steps(moment)):
        if {point for point in ends(step) if point} <= points:
            after = plain.play(moment, step)
            yield from _within(after, points, turns - (after.to_move != moment.to_move))


def _on_ways(moment: MillMoment, end: str, points: set[str], turns: int) -> set[str]:
    found = {end} & {plain.position_text(moment)}
    for step in sorted(plain.legal_steps(moment)) if turns else ():
        if {point for point in ends(step) if point} <= points:
            after = plain.play(moment, step)
            found |= _on_ways(after, end, points, turns - (after.to_move != moment.to_move))
    return found | {plain.position_text(moment)} if found else found


def _read(moment: MillMoment, point: str, colours: bool) -> str:
    owner = moment.board.get(point)
    if owner is None:
        return NOTHING
    return owner if colours else "piece"


def _honest(agreed: Agreed, felt: Felt, *, colours: bool) -> list[TurnRun]:
    """The likely readings of the longest beginning that ends in a pause and has any."""
    changes = felt.changes
    for count in range(len(changes) - 1, 0, -1):
        if changes[count].at - changes[count - 1].at < PAUSE_US:
            continue
        if found := readings(agreed, Felt(felt.before, changes[:count]), colours=colours):
            return cheapest(found)
    return []
