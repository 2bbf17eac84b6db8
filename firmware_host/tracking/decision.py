"""The choice among explanations: which of them count, what they agree on, and where they differ.

Invariants: functions of values; nothing here waits. Explanations with a higher cost than the cheapest do not
count, and of explanations that end alike only the one whose order was observed does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_host.games.game import Step
from firmware_host.settings import Microseconds
from firmware_host.tracking.explanation import Explanation
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


def agreed(explanations: Sequence[Explanation]) -> tuple[Step, ...] | None:
    """Return the first steps that all explanations share; None if they begin at different plies."""
    first = explanations[0]
    if any(explanation.ply != first.ply for explanation in explanations):
        return None
    count = 0
    for count, steps in enumerate(zip(*(e.steps for e in explanations), strict=False), start=1):
        if any(step.text != steps[0].text for step in steps):
            count -= 1
            break
    return first.steps[: min([count, *(e.sure for e in explanations if e.sure is not None)])]


def is_undo(explanations: Sequence[Explanation], ply: int) -> bool:
    """Return whether all explanations say that hands took steps back, from the game's `ply`, and no more.

    A piece whose return no sensor shows may still be in hand.
    """
    first = explanations[0]
    return first.ply < ply and all(
        e.ply == first.ply and not (e.steps or e.in_hand or e.unobserved) for e in explanations
    )


def differing(frames: Iterable[Sequence[object]]) -> frozenset[int]:
    """Return the indexes of the points at which the frames differ."""
    return frozenset(
        index for index, readings in enumerate(zip(*frames, strict=True)) if len(set(readings)) > 1
    )
