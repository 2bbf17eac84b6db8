"""What hands can have done of a turn: every frame between one position and the next, by trying them all.

A turn is a run of steps; hands are with each step not begun, halfway (lifted, of a piece that moves) or done,
each step for itself, since they may take the captured piece first. That is all that is assumed here.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.plain_rules import BLACK, WHITE, Moment
from tests.fuzz.oracle.table import NOTHING, POINTS, Frame


@dataclass(frozen=True)
class Way:
    """A turn from a position, how far hands are with each step, and the frame that this gives."""

    turn: tuple[str, ...]
    done: tuple[int, ...]
    frame: Frame

    @property
    def complete(self) -> bool:
        """Whether what is begun is a whole run of steps from the turn's first on."""
        last = max(index for index, stage in enumerate(self.done) if stage)
        return all(
            stage == _stages(step) for step, stage in zip(self.turn[: last + 1], self.done, strict=False)
        )

    def landed(self) -> set[str]:
        """Where pieces of the turn were set down already."""
        steps = zip(self.turn, self.done, strict=True)
        return {target for step, stage in steps if stage == _stages(step) and (target := ends(step)[1])}

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


def frame_of(moment: Moment, colours: bool) -> Frame:
    """What sound sensors say of a board that stands as `moment`; `colours`: whether they feel the owners."""
    return tuple(_felt(moment.board.get(point), colours) for point in POINTS)


def gone_from(wanted: Frame, frame: Frame) -> set[str]:
    """The points that should hold a piece and are empty."""
    return {p for p, then, now in zip(POINTS, wanted, frame, strict=True) if then and not now}


def turn_text(turn: tuple[str, ...]) -> str:
    """The public text of a turn."""
    return "".join(turn)


def ends(step: str) -> tuple[str | None, str | None]:
    """Where a step takes a piece from, and where to; neither of them for a declined removal."""
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
def ways(moment: Moment, colours: bool) -> dict[Frame, list[Way]]:
    """Every way to be in the middle or at the end of a turn from `moment`, by its frame."""
    found: dict[Frame, list[Way]] = {}
    for way in _all_ways(moment, colours):
        found.setdefault(way.frame, []).append(way)
    return found


def _all_ways(moment: Moment, colours: bool) -> Iterator[Way]:
    turns = plain.whole_turns(moment)
    if ("x-",) in turns:
        after = plain.play(moment, "x-")
        turns += [("x-", *turn) for turn in plain.whole_turns(after)]
    for turn in turns:
        for done in itertools.product(*(range(_stages(step) + 1) for step in turn)):
            if any(done):
                yield Way(turn, done, _after(moment, turn, done, colours))


def _after(moment: Moment, turn: tuple[str, ...], done: tuple[int, ...], colours: bool) -> Frame:
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
    """How many actions of hands a step has."""
    return sum(end is not None for end in ends(step))
