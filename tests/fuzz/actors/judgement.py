"""The parts of a judgement of one hand: the positions that may count, when, and what a board must show."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from tests.fuzz.actors.deeds import HabitualHand, Object
from tests.fuzz.actors.lines import STANDS
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.plain_rules import MillMoment


def line_of(start: MillMoment, steps: Iterable[str]) -> list[MillMoment]:
    """The positions that steps lead through, `start` first."""
    line = [start]
    for step in steps:
        line.append(plain.play(line[-1], step))
    return line


def allowed_on(plan: HabitualHand, start: MillMoment) -> set[str]:
    """The positions that may count while a hand is at it."""
    lines = [line_of(start, steps) for steps in (plan.steps, *plan.via)]
    return {plain.position_text(moment) for line in lines for moment in line}


def shows(state: Object, wrong: Iterable[str]) -> bool:
    """Return whether a board at rest shows just these points as wrong, or waits for the next turn."""
    shown = {point for kind in ("missing", "extra", "wrong") for point in state[kind]}
    if set(wrong):
        return bool(state["status"] == "mismatch" and shown == set(wrong))
    return state["status"] in STANDS


def dues(plan: HabitualHand, line: list[MillMoment], begun: float) -> list[tuple[float, set[str]]]:
    """The time at which each turn of a hand was done, with the positions that may count from then on."""
    ends = [
        number
        for number, (one, two) in enumerate(pairwise(line), start=1)
        if two.to_move != one.to_move or plain.outcome(two) is not None
    ] or [len(plan.steps)]
    last = max((deed.at for deed in plan.deeds), default=0.0)
    times = [*plan.due, *[last] * len(ends)]
    texts = [plain.position_text(moment) for moment in line]
    return [(begun + at, set(texts[number:])) for at, number in zip(times, ends, strict=False)]
