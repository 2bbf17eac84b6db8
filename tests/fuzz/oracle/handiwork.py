"""The partly played states of a turn: every frame between one position and the next, by trying them all.

A turn is a run of steps; hands are with each step not begun, halfway (lifted, of a piece that moves) or done,
each step for itself, since they may take the captured piece first. That is all that is assumed here.
"""

from __future__ import annotations

import functools
import itertools
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.plain_rules import BLACK, WHITE, MillMoment
from tests.fuzz.oracle.table import NOTHING, POINTS, Frame

FEW_CHANGES = 7
"""Longer runs are tried only where no more points have changed."""


@dataclass(frozen=True)
class Way:
    """A turn from a position, how far hands are with each step, and the frame that this gives."""

    turn: tuple[str, ...]
    done: tuple[int, ...]
    frame: Frame
    turns: int = 1
    """The number of turns that `turn` goes through; more than one if it is a run of them."""

    @property
    def complete(self) -> bool:
        """Return whether the actions so far are a complete run of steps from the turn's first on."""
        last = max(index for index, stage in enumerate(self.done) if stage)
        return all(
            stage == _stages(step) for step, stage in zip(self.turn[: last + 1], self.done, strict=False)
        )

    def landed_steps(self) -> list[str]:
        """The steps of the turn of which a piece has landed."""
        steps = zip(self.turn, self.done, strict=True)
        return [step for step, stage in steps if stage == _stages(step) and ends(step)[1]]

    def landed(self) -> set[str]:
        """The points where pieces of the turn have landed."""
        return {str(ends(step)[1]) for step in self.landed_steps()}

    def touched(self) -> set[str]:
        """The points at which hands have done something of the turn."""
        steps = zip(self.turn, self.done, strict=True)
        return {point for step, stage in steps for point, _ in touched(step)[:stage]}

    def next_cue(self) -> tuple[str, str] | None:
        """The point that is to be touched next, and what its light means."""
        for step, stage in zip(self.turn, self.done, strict=True):
            origin, target = ends(step)
            if stage == _stages(step):
                continue
            if target is None:
                return (origin, "removable") if origin else None
            return (origin, "movable") if origin and stage == 0 else (target, "destination")
        return None


def frame_of(moment: MillMoment, colours: bool) -> Frame:
    """Return the readings of sound sensors for a board that stands as `moment`; `colours`: they detect
    owners."""
    return tuple(_felt(moment.board.get(point), colours) for point in POINTS)


def gone_from(wanted: Frame, frame: Frame) -> set[str]:
    """The points that should hold a piece and are empty."""
    return {p for p, then, now in zip(POINTS, wanted, frame, strict=True) if then and not now}


def turn_text(turn: tuple[str, ...]) -> str:
    """The public text of a turn."""
    return "".join(turn)


def ends(step: str) -> tuple[str | None, str | None]:
    """Return the origin and the target of a step; neither of them for a declined removal."""
    if step == "x-":
        return None, None
    if step.startswith("x"):
        return step[1:], None
    if "-" in step:
        origin, target = step.split("-")
        return origin, target
    return None, step


def touched(text: str) -> list[tuple[str, bool]]:
    """The points that a step touches, and whether it fills them."""
    origin, target = ends(text)
    return [(point, filled) for point, filled in ((origin, False), (target, True)) if point]


@functools.lru_cache(maxsize=64)
def ways(moment: MillMoment, colours: bool) -> dict[Frame, list[Way]]:
    """Every way to be in the middle or at the end of a turn from `moment`, by its frame."""
    found: dict[Frame, list[Way]] = {}
    for way in _all_ways(moment, colours):
        found.setdefault(way.frame, []).append(way)
    return found


def begun(
    moment: MillMoment,
    colours: bool,
    felt: Sequence[frozenset[str]],
    changed: frozenset[str],
    acts: Mapping[str, int] | None = None,
    *,
    all_lengths: bool = False,
) -> list[Way]:
    """Every way to be in the middle or at the end of a run of turns, of which the last may be begun only.

    `felt` is what each point can read. The turns before the last touch `changed` points only, and those of
    runs of more than three turns none more often than `acts` says, where that is known. Runs of more
    than two turns are found only where there are no shorter ones, unless `all_lengths` are wanted: a longer
    one may be likelier by the order of its actions. If a point can read several things, a shorter one may
    explain another of them, and runs of three turns are found as well.
    """
    lengths = (2, 3, FEW_CHANGES) if len(changed) <= FEW_CHANGES else (2, 3)
    is_uncertain = any(len(readings) > 1 for readings in felt)
    for most in lengths[-1:] if all_lengths else lengths[is_uncertain:]:
        left = {point: acts.get(point, 1) for point in changed} if acts is not None and most > 3 else None
        if found := list(_begun(moment, colours, felt, changed, most, left)):
            return found
    return []


def _begun(
    moment: MillMoment,
    colours: bool,
    felt: Sequence[frozenset[str]],
    changed: frozenset[str],
    most: int,
    left: Mapping[str, int] | None,
) -> Iterator[Way]:
    board = frame_of(moment, colours)
    off = frozenset(p for p, then, now in zip(POINTS, board, felt, strict=True) if then not in now)
    for turn in _turns(moment, off):
        for way in _stages_of(moment, turn, colours):
            if all(reading in now for reading, now in zip(way.frame, felt, strict=True)):
                yield way
    if most < 2 or all(now == {then} for then, now in zip(board, felt, strict=True)):
        return
    for turn in _turns(moment, frozenset(), changed):
        rest, open_points = left, changed
        if left is not None:
            rest = Counter(left)
            rest.subtract(point for step in turn for point, _ in touched(step))
            if min(rest.values()) < 0:
                continue
            open_points = frozenset(point for point, count in rest.items() if count)
        after = functools.reduce(_after_step, turn, moment)
        whole = tuple(_stages(step) for step in turn)
        for way in _begun(after, colours, felt, open_points, most - 1, rest):
            yield Way((*turn, *way.turn), (*whole, *way.done), way.frame, way.turns + 1)


def _turns(
    moment: MillMoment, over: frozenset[str], within: frozenset[str] | None = None, *, first: bool = True
) -> Iterator[tuple[str, ...]]:
    """The turns from `moment` that touch all points of `over`, and none but those of `within`, if given.

    A removal that is declined at `first` goes on with the reply.
    """
    for text in _legal(moment):
        points = {point for point, _ in touched(text)}
        rest = over - points
        other = plain.OTHER[moment.to_move]
        if text != "x-" and any(moment.board.get(point) != other for point in rest):
            continue  # only what is removed may be touched besides
        if within is not None and not points <= within:
            continue
        after = _after_step(moment, text)
        goes_on = after.to_move == moment.to_move and plain.outcome(after) is None
        if not goes_on and not rest:
            yield (text,)
        if goes_on or (text == "x-" and first):
            for turn in _turns(after, rest, within, first=False):
                yield (text, *turn)


@functools.lru_cache(maxsize=4096)
def _legal(moment: MillMoment) -> list[str]:
    return sorted(plain.legal_steps(moment))


@functools.lru_cache(maxsize=16384)
def _after_step(moment: MillMoment, text: str) -> MillMoment:
    return plain.play(moment, text)


def _all_ways(moment: MillMoment, colours: bool) -> Iterator[Way]:
    for turn in _turns(moment, frozenset()):
        yield from _stages_of(moment, turn, colours)


def _stages_of(moment: MillMoment, turn: tuple[str, ...], colours: bool) -> Iterator[Way]:
    for done in itertools.product(*(range(_stages(step) + 1) for step in turn)):
        if any(done):
            yield Way(turn, done, _after(moment, turn, done, colours))


def _after(moment: MillMoment, turn: tuple[str, ...], done: tuple[int, ...], colours: bool) -> Frame:
    board, mover = dict(moment.board), moment.to_move
    for step, stage in zip(turn, done, strict=True):
        origin, target = ends(step)
        if stage and origin:
            board.pop(origin, None)
        if stage == _stages(step) and target:
            board[target] = mover
        if step == "x-":
            mover = plain.OTHER[mover]
    return tuple(_felt(board.get(point), colours) for point in POINTS)


def _felt(colour: str | None, colours: bool) -> str:
    if colour is None:
        return NOTHING
    assert colour in (WHITE, BLACK)
    return colour if colours else "piece"


def _stages(step: str) -> int:
    """Return the number of actions of hands in a step."""
    return sum(end is not None for end in ends(step))
