"""The deeds of hands: lines for the headless board with their times, and the steps they stand for.

A habit is a function that is given a `SharedScene` and plans a `HabitualHand`, or None where the habit does
not apply.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import ends
from tests.fuzz.oracle.plain_rules import MillMoment

Object = dict[str, Any]
TRIES = 12
"""The number of times that a habit looks for turns it can be seen in."""


@dataclass(frozen=True)
class SharedScene:
    """A board that stands as everybody agrees, and how it came about; choices are drawn from the luck."""

    moment: MillMoment
    luck: Random
    before: MillMoment | None = None
    last: tuple[str, ...] = ()
    colours: bool = True
    """True if the sensors report owners."""

    def between(self, low: float, high: float) -> float:
        """A time in seconds, to the millisecond."""
        return round(self.luck.uniform(low, high), 3)


@dataclass(frozen=True)
class Deed:
    """A line for the board, `at` seconds after the hand begins."""

    at: float
    line: Object


@dataclass(frozen=True)
class HabitualHand:
    """Some deeds, and the steps they stand for; if `undone`, these replace those of the last turn."""

    deeds: tuple[Deed, ...]
    steps: tuple[str, ...]
    undone: bool = False
    lasts: float = 0.0
    """The end of the hand, if that is after its last deed."""
    back: int = 0
    """The number of turns that are taken back before the steps; no oracle reads that."""
    wrong: tuple[str, ...] = ()
    """The points where something illegal was done that the board has to show, and nothing else."""
    via: tuple[tuple[str, ...], ...] = ()
    """Other runs of steps that may count for a while, since hands did them before they changed their mind."""
    due: tuple[float, ...] = ()
    """The time at which each turn is done, if that is before the last deed."""
    blind: bool = False
    """True if the board could not follow all deeds, so that only what stands at last is evidence."""
    lenient: bool = False
    """True if hands also do something wrong, so that the oracle of the principles is asked."""
    chosen: str = ""
    """The turn that was chosen for the side that is not played by hands."""
    ends_game: bool = False
    """True if the game ends during the deeds, and the steps are those of the next one."""


Habit = Callable[[SharedScene], HabitualHand | None]
"""Plans a hand as the board stands; None where the habit does not apply."""


@dataclass
class Script:
    """Deeds one after the other; `at` is the time that has passed."""

    at: float = 0.0
    deeds: list[Deed] = field(default_factory=list)

    def do(self, **line: Any) -> None:
        """Do something now."""
        self.deeds.append(Deed(round(self.at, 6), line))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.at += seconds

    def act(self, action: LiftOrPut) -> None:
        """Lift a piece, or set one down."""
        if action.colour is None:
            self.do(lift=action.point)
        else:
            self.do(put=action.point, piece=action.colour)


@dataclass(frozen=True)
class LiftOrPut:
    """A piece is lifted from a point or, if a colour is given, set down there."""

    point: str
    colour: str | None = None


def hand(script: Script, *turns: tuple[str, ...], undone: bool = False) -> HabitualHand:
    """The hand of a script by which `turns` were meant."""
    deeds = sorted(script.deeds, key=lambda deed: deed.at)
    return HabitualHand(tuple(deeds), tuple(step for turn in turns for step in turn), undone, script.at)


def actions_of(turn: Iterable[str], mover: str) -> list[LiftOrPut]:
    """The actions of a turn in the order of its steps."""
    actions = []
    for step in turn:
        origin, target = ends(step)
        actions += [LiftOrPut(origin)] if origin else []
        actions += [LiftOrPut(target, mover)] if target else []
    return actions


def play_in_order(scene: SharedScene, script: Script, actions: Iterable[LiftOrPut]) -> None:
    """Do actions one after the other at a human pace."""
    before: LiftOrPut | None = None
    for action in actions:
        if before is not None:
            carried = before.colour is None and action.colour is not None
            script.wait(scene.between(0.12, 0.8) if carried else scene.between(0.3, 1.5))
        script.act(action)
        before = action


def played(moment: MillMoment, steps: Iterable[str]) -> MillMoment:
    """The position after some steps."""
    for step in steps:
        moment = plain.play(moment, step)
    return moment


def some_turn(
    moment: MillMoment, luck: Random, *, captures: bool = True, step: Callable[[str], bool] = lambda _: True
) -> tuple[str, ...] | None:
    """A turn of which the first step suits, with a capture if one can be had (or without one)."""
    steps = [text for text in sorted(plain.legal_steps(moment)) if step(text)]
    if not steps:
        return None
    closing = [text for text in steps if _closes(moment, text)]
    quiet = [text for text in steps if text not in closing]
    wanted = closing if captures and closing else quiet or steps
    first = luck.choice(wanted)
    turn, after = [first], plain.play(moment, first)
    while after.due and after.to_move == moment.to_move:
        removals = sorted(plain.legal_steps(after) - {"x-"})
        if not removals:
            break
        turn.append(luck.choice(removals))
        after = plain.play(after, turn[-1])
    return tuple(turn)


def two_turns(
    scene: SharedScene, *, captures: bool, step: Callable[[str], bool] = lambda _: True, reply: str = ""
) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """A turn, of which the first step suits, and a legal reply, which ends on the point `reply` if named."""
    first = some_turn(scene.moment, scene.luck, captures=captures, step=step)
    if first is None or has_capture(first) != captures:
        return None
    between = played(scene.moment, first)
    if plain.outcome(between) is not None:
        return None
    target = first[-1][1:] if reply == "captured" else ""
    second = some_turn(between, scene.luck, step=lambda text: text.endswith(target))
    return None if second is None else (first, second)


def has_capture(turn: tuple[str, ...]) -> bool:
    """Return whether a piece is removed."""
    return any(step[0] == "x" and step != "x-" for step in turn)


def can_be_done(moment: MillMoment, actions: Iterable[LiftOrPut]) -> bool:
    """Return whether hands can do these actions in this order on the board of `moment`."""
    standing = set(moment.board)
    for action in actions:
        if (action.point in standing) == (action.colour is not None):
            return False
        standing ^= {action.point}
    return True


def _closes(moment: MillMoment, text: str) -> bool:
    if text[0] == "x":
        return False
    origin, target = ends(text)
    assert target is not None
    board = {point: owner for point, owner in moment.board.items() if point != origin}
    board[target] = moment.to_move
    return bool(plain.mills_through(moment.rules, board, target))
