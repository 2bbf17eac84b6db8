"""The choice among explanations: which of them count, what they agree on, and where they differ.

Invariants: nothing here changes what is known; `dwell` only notes how long to wait. Explanations with a
higher cost than the cheapest do not count, and of explanations that end alike only the one whose order was
observed does.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from operator import eq, or_

from firmware_host.games.game import Game, Piece, Player, Step
from firmware_host.ports import Frame
from firmware_host.settings import Microseconds
from firmware_host.tracking.dwell import Dwell
from firmware_host.tracking.explanation import UNLIKELY, Explanation
from firmware_host.tracking.observation import Observation


def likeliest(explanations: Iterable[Explanation], seen: Observation) -> list[Explanation]:
    """Return the complete explanations of the lowest cost, one for each way to end."""
    complete = [explanation for explanation in explanations if explanation.complete]
    least = min((explanation.cost for explanation in complete), default=0)
    return _one_order([e for e in complete if e.cost == least], seen)


def _one_order(explanations: list[Explanation], seen: Observation) -> list[Explanation]:
    """Return, of explanations that end alike, the one that undoes least and whose order was observed."""
    if len(explanations) < 2:
        return explanations
    best: dict[tuple[object, ...], Explanation] = {}
    for explanation in sorted(explanations, key=lambda e: (-e.ply, _times(e, seen))):
        best.setdefault((str(explanation.position), explanation.in_hand), explanation)
    left = list(best.values())
    played = [e for e in left if not (e.in_hand and any(step.piece is None for step in e.steps))]
    return played or left


def _times(explanation: Explanation, seen: Observation) -> list[Microseconds]:
    """Return the time at which each step was finished: of two orders, the smaller one was played."""
    points = [step.target or step.origin for step in explanation.steps]
    return [seen.changed[point.index] for point in points if point is not None]


class OpenQuestion:
    """The explanations that players were asked to choose from, and how hands have answered since."""

    def __init__(self) -> None:
        """Begin without a question."""
        self._asked: Sequence[Explanation] = ()
        self._asked_in: Frame = ()
        self._points: Collection[int] = ()
        self._by: Player | None = None
        self._chosen: Sequence[Explanation] = ()

    @property
    def is_asked(self) -> bool:
        """True from the question until the board matches the game, or play goes on."""
        return bool(self._asked)

    def ask(
        self, explanations: Sequence[Explanation], frame: Frame, points: Collection[int], by: Player | None
    ) -> None:
        """Ask which of the explanations of `frame` is right, that is which of the `points` was filled last.

        A player `by` whom it was is named, if there is one. Nothing is asked while hands are about to answer.
        """
        if not self._chosen:
            self._asked = explanations
            self._asked_in = frame
            self._points = points
            self._by = by

    def answers(self, explanations: list[Explanation], frame: Frame, own: Frame) -> list[Explanation]:
        """Return the explanations that answer what was asked; all of them if none does, or nothing was asked.

        Hands answer by lifting what moved last, and setting it down again, or by putting everything back as
        the game stands (`own`). On the way there nothing counts. While the board stands as it did when it
        asked, it can be explained in other ways too, but nothing has been taken back.
        """
        if not (self._asked or self._chosen):
            return explanations
        if self._is_going_back(frame, own):
            return []
        complete = [e for e in explanations if e.complete]
        readings = enumerate(zip(frame, self._asked_in, strict=False))
        changed = {index for index, (reading, was) in readings if reading != was}
        touched = {index for index in changed if frame[index].lost_top(self._asked_in[index])}
        last = [(asked, _last_landing(asked, self._points, self._by)) for asked in self._asked]
        answered = [asked for asked, landing in last if landing and landing[0] in touched]
        likely = answered or self._asked
        earliest = min((asked.ply for asked in self._asked), default=0)
        less = [e for e in complete if any(_is_less(e, asked) for asked in likely)]
        less = less or [e for e in complete if not e.steps and e.ply < earliest]
        if changed and (less or answered):
            self._chosen = answered or [a for a in likely if any(e.ply == a.ply for e in less)]
        if less and changed:
            return less
        chosen = [e for e in complete if any(_goes_on(e, chosen) for chosen in self._chosen)]
        return chosen if answered and changed == touched else chosen or explanations

    def _is_going_back(self, frame: Frame, own: Frame) -> bool:
        """Return whether a part of each asked explanation has been put back, and nothing else been done."""
        if not is_between(frame, self._asked_in, own):
            return False
        readings = enumerate(zip(frame, self._asked_in, own, strict=True))
        back = {
            i for i, (reading, was, expected) in readings if reading == expected and reading.added_top(was)
        }
        return all(not back.isdisjoint(_vacated(asked)) for asked in self._asked)


def _last_landing(
    explanation: Explanation, points: Collection[int], by: Player | None = None
) -> tuple[int, Piece] | None:
    """Return which of the `points` the steps, or those of a player, filled last, and with which piece."""
    landings = ((step.target.index, step.piece) for step in reversed(explanation.steps) if step.target)
    own = ((index, piece) for index, piece in landings if piece and by in (None, piece.owner))
    return next(((index, piece) for index, piece in own if index in points), None)


def asked_player(explanations: Sequence[Explanation], points: Collection[int]) -> Player | None:
    """Return whose last piece on the `points` is asked about; None if it may be either's, or of some kind.

    If the last piece may be either player's, one is named whose last piece tells the explanations apart.
    Touching the only point means the earliest turn that may have ended there.
    """
    if len(points) == 1:
        explanations = sorted((e for e in explanations if _last_landing(e, points)), key=lambda e: e.ply)[:1]
    landings = [_last_landing(explanation, points) for explanation in explanations]
    pieces = {landing and landing[1] for landing in landings}
    if None in pieces or (len(points) > 1 and any(piece and piece.kind for piece in pieces)):
        return None
    owners = {piece.owner for piece in pieces if piece}
    if len(owners) == 1:
        return owners.pop()
    return next((player for player in Player if _tells_apart(explanations, points, player)), None)


def _tells_apart(explanations: Iterable[Explanation], points: Collection[int], by: Player) -> bool:
    """Return whether the player filled a different one of the `points` last in each explanation."""
    last = [_last_landing(explanation, points, by) for explanation in explanations]
    indexes = [landing[0] for landing in last if landing]
    return len(set(indexes)) == len(last)


def _vacated(explanation: Explanation) -> set[int]:
    """Return the points that the steps leave, or that the revision does."""
    origins = {step.origin.index for step in explanation.steps if step.origin is not None}
    return origins.union(explanation.undone)


def _goes_on(explanation: Explanation, begun: Explanation) -> bool:
    """Return whether the explanation is the one that was `begun`, maybe with more steps."""
    same = all(step.text == other.text for step, other in zip(explanation.steps, begun.steps, strict=False))
    return explanation.ply == begun.ply and same and len(explanation.steps) >= len(begun.steps)


def _is_less(explanation: Explanation, asked: Explanation) -> bool:
    """Return whether the explanation has only some of the steps of the other, in the same order."""
    left = iter(asked.steps)
    some = all(any(step.text == other.text for other in left) for step in explanation.steps)
    return explanation.ply == asked.ply and some and len(explanation.steps) < len(asked.steps)


def held_back(
    explanations: Iterable[Explanation],
    best: Sequence[Explanation],
    seen: Observation,
    dwell: Dwell,
    now: Microseconds,
    *,
    is_asked: bool,
) -> list[Explanation]:
    """Return explanations that lack only an action which may still follow soon.

    They count against those of `best` that are less likely, or, from the same ply, as likely with as many
    pieces in hand. Where hands were asked (`is_asked`), their answer has ruled out other plies. If both
    players hold a piece, and sensors do not tell who has set one down, it takes another landing to know.
    """
    cost, most = best[0].cost, max(len(e.in_hand) for e in best)
    is_whole = any(e.is_whole for e in best)
    held = []
    for explanation in explanations:
        begun = explanation.steps or explanation.early
        is_elsewhere = explanation.ply != best[0].ply
        if explanation.complete or not begun or (is_elsewhere and (is_asked or explanation.cost >= cost)):
            continue
        set_down = {step.target.index for step in explanation.steps if step.target is not None}
        if set_down.intersection(explanation.in_hand):
            continue
        waits = [seen.opened[index] for index in explanation.in_hand]
        waits += [seen.changed[index] for index in explanation.early]
        due = max(waits, default=now) + dwell.put_back
        left = len(explanation.in_hand) - len(explanation.early)  # what has landed early is no more in hand
        has_as_many = explanation.awaits_landing or left <= most
        if explanation.cost > cost or (explanation.cost == cost and not has_as_many):
            continue
        if now < due:
            dwell.wait_until(due)
            held.append(explanation)
        elif explanation.awaits_landing and not is_whole:
            held.append(explanation)
    return held


def prefer_whole(
    best: list[Explanation], ply: int, seen: Observation, dwell: Dwell, now: Microseconds
) -> list[Explanation]:
    """Return, of explanations that agree on nothing, those that leave no piece in hand, if it is time.

    That needs no rest if no change of mind is as likely as these runs from the game's own `ply`.
    """
    whole = [e for e in best if e.is_whole]
    if not whole or len(whole) == len(best) or any(e.unobserved for e in best):
        return best
    due = now if all(e.ply == ply for e in best) else seen.latest + dwell.put_back
    if now >= due:
        return whole
    dwell.wait_until(due)
    return best


def lacks_captured(explanation: Explanation, game: Game) -> frozenset[int]:
    """Return the points of captures that are given up although their piece is not back.

    Hands that think a capture over put its piece back. Until they have, nothing counts instead of it. Its
    owner may also move it; not while another piece is in hand that may be the one which has moved.
    """
    given_up = game.steps[explanation.ply : game.ply]
    captured = {step.origin.index for step in given_up if step.target is None and step.origin is not None}
    if not captured or not explanation.in_hand:
        return frozenset()
    stacks, in_hand = explanation.position.stacks, set(explanation.in_hand)
    owners = {stacks[index][-1].owner for index in in_hand}
    moves = ((step.origin, step.piece) for step in explanation.steps if step.target)
    moved = {origin.index for origin, piece in moves if origin and piece and piece.owner in owners}
    return frozenset(captured & (in_hand | moved))


def awaits_capture(explanations: Iterable[Explanation]) -> bool:
    """Return whether a reply may only be early: what was captured before it is back, and another is due."""
    return any(e.early and not e.in_hand and e.cost < UNLIKELY for e in explanations)


def whole_instead(
    explanations: Iterable[Explanation], best: Iterable[Explanation], game: Game
) -> list[Explanation]:
    """Return the runs from the game's position that leave no piece in hand, if `best` give up a capture."""
    if not all(lacks_captured(explanation, game) for explanation in best):
        return []
    whole = [e for e in explanations if e.is_whole and e.steps and e.ply == game.ply]
    return [e for e in whole if not e.unobserved and e.sure is None]


def still_shows(explanation: Explanation, seen: Observation, own: Frame) -> bool:
    """Return whether no action of the steps has been undone since.

    While a mismatch is lit, hands that correct it undo what they did, and play no turns back and forth.
    """
    points = {p.index for step in explanation.steps for p in (step.origin, step.target) if p is not None}
    return all(seen.frame[index] != own[index] for index in points & seen.changes.keys())


def may_be_older(explanation: Explanation, ply: int) -> bool:
    """Return whether the board may rather stand as several turns ago, although this explains it.

    Hands that take turns back seem to think one over and to capture or reply, to begin the next, or to play
    several. Those that only lift a piece of the player to move at the game's `ply`, or think over one step,
    do just that.
    """
    revised = explanation.ply < ply
    landings = sum(step.target is not None for step in explanation.steps)
    if not explanation.in_hand:
        return (len(explanation.steps) if revised else landings) > 1
    stacks, mover = explanation.position.stacks, explanation.position.to_move
    is_own = all(stacks[index][-1].owner is mover for index in explanation.in_hand)
    return revised or bool(explanation.steps) or not is_own


def agreed(explanations: Sequence[Explanation]) -> tuple[Step, ...] | None:
    """Return the first steps that all explanations share; None if they begin at different plies.

    A removal is declined by the reply alone.
    """
    first = explanations[0]
    if any(explanation.ply != first.ply for explanation in explanations):
        return None
    count = 0
    for count, steps in enumerate(zip(*(e.steps for e in explanations), strict=False), start=1):
        if any(step.text != steps[0].text for step in steps):
            count -= 1
            break
    steps = first.steps[: min([count, *(e.sure for e in explanations if e.sure is not None)])]
    return steps[:-1] if steps and steps[-1].piece is None else steps


def is_undo(explanations: Sequence[Explanation], ply: int) -> bool:
    """Return whether all explanations say that hands took steps back, from the game's `ply`, and no more.

    A piece whose return no sensor shows may still be in hand.
    """
    first = explanations[0]
    return first.ply < ply and all(
        e.ply == first.ply and not (e.steps or e.in_hand or e.unobserved) for e in explanations
    )


def is_between(frame: Frame, one: Frame, other: Frame) -> bool:
    """Return whether each point reads as in one of two frames."""
    return all(map(or_, map(eq, frame, one), map(eq, frame, other)))


def differing(frames: Iterable[Sequence[object]]) -> frozenset[int]:
    """Return the indexes of the points at which the frames differ."""
    return frozenset(
        index for index, readings in enumerate(zip(*frames, strict=True)) if len(set(readings)) > 1
    )
