"""Habits of people at a board of stacks; times are seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from random import Random

from tests.fuzz.actors.deeds import TRIES, HabitualHand, Script, hand
from tests.fuzz.oracle import plain_mitsudomoe as plain
from tests.fuzz.oracle.plain_mitsudomoe import Board, StackMoment
from tests.fuzz.oracle.stack_words import Action, actions_of, name_of, single


@dataclass(frozen=True)
class StackScene:
    """A board of stacks that stands as everybody agrees."""

    moment: StackMoment
    luck: Random

    def between(self, low: float, high: float) -> float:
        """A time in seconds, to the millisecond."""
        return round(self.luck.uniform(low, high), 3)

    def turn(self, moment: StackMoment) -> str | None:
        """A legal turn, if there is one."""
        turns = sorted(plain.turns(moment))
        return self.luck.choice(turns) if turns else None


StackHabit = Callable[[StackScene], HabitualHand | None]


def plain_turn(scene: StackScene) -> HabitualHand | None:
    """A turn in the order of its steps."""
    turn = scene.turn(scene.moment)
    if turn is None:
        return None
    script = Script()
    _play(scene, script, actions_of_turn(turn, scene.moment))
    return hand(script, (turn,))


def straighten(scene: StackScene) -> HabitualHand | None:
    """The uppermost piece of a square that the turn leaves alone is straightened, 20 to 250 ms."""
    return _straightened(scene, scene.between(0.02, 0.25))


def straighten_slow(scene: StackScene) -> HabitualHand | None:
    """The same, 20 to 900 ms."""
    return _straightened(scene, scene.between(0.02, 0.9))


def bounce(scene: StackScene) -> HabitualHand | None:
    """A piece touches its square, bounces, and lands."""
    turn = scene.turn(scene.moment)
    if turn is None:
        return None
    actions = actions_of_turn(turn, scene.moment)
    index = scene.luck.choice([number for number, action in enumerate(actions) if action[0] == "put"])
    script = Script()
    _play(scene, script, actions[: index + 1])
    script.wait(scene.between(0.01, 0.2))
    act(script, ("lift", *actions[index][1:]))
    script.wait(scene.between(0.05, 0.9))
    _play(scene, script, actions[index:])
    return hand(script, (turn,))


def reply_at_once(scene: StackScene) -> HabitualHand | None:
    """The opponent begins 5 ms after the turn is done."""
    return _replied(scene, 0.005)


def reply_soon(scene: StackScene) -> HabitualHand | None:
    """The opponent begins 5 to 800 ms after the turn is done."""
    return _replied(scene, scene.between(0.005, 0.8))


def lift_before(scene: StackScene) -> HabitualHand | None:
    """The opponent begins, with other squares, before the last piece of the turn has landed."""
    for _ in range(TRIES):
        pair = _two_turns(scene)
        if pair is None:
            return None
        one, two = (
            actions_of_turn(pair[0], scene.moment),
            actions_of_turn(pair[1], plain.play(scene.moment, pair[0])),
        )
        if {square for _, square, _ in one} & {square for _, square, _ in two}:
            continue
        script = Script()
        for action in [*one[:-1], two[0], one[-1], *two[1:]]:
            act(script, action)
            script.wait(scene.between(0.04, 0.6))
        return hand(script, pair)
    return None


def _replied(scene: StackScene, gap: float) -> HabitualHand | None:
    pair = _two_turns(scene)
    if pair is None:
        return None
    script = Script()
    _play(scene, script, actions_of_turn(pair[0], scene.moment))
    script.wait(gap)
    _play(scene, script, actions_of_turn(pair[1], plain.play(scene.moment, pair[0])))
    return hand(script, pair)


def _straightened(scene: StackScene, seconds: float) -> HabitualHand | None:
    made = plain_turn(scene)
    if made is None:
        return None
    touched = {deed.line.get("lift") or deed.line.get("put") for deed in made.deeds}
    board: Board = scene.moment.board
    still = [square for square in plain.SQUARES if board[square] and square not in touched]
    if not still:
        return None
    square = scene.luck.choice(still)
    script = Script(max(0.0, scene.between(-0.3, made.deeds[-1].at + 1.0)), list(made.deeds))
    act(script, ("lift", square, plain.top(board, square)))
    script.wait(seconds)
    act(script, ("put", square, plain.top(board, square)))
    return hand(script, made.steps)


def _two_turns(scene: StackScene) -> tuple[str, str] | None:
    one = scene.turn(scene.moment)
    if one is None:
        return None
    between = plain.play(scene.moment, one)
    two = scene.turn(between)
    return None if two is None else (one, two)


def actions_of_turn(turn: str, moment: StackMoment) -> list[Action]:
    return [action for step in single(turn.split()) for action in actions_of(step, moment.to_move)]


def _play(scene: StackScene, script: Script, actions: Iterable[Action]) -> None:
    for number, action in enumerate(actions):
        if number:
            script.wait(scene.between(0.12, 0.8))
        act(script, action)


def act(script: Script, action: Action) -> None:
    kind, square, piece = action
    if kind == "lift":
        script.do(lift=square)
    else:
        script.do(put=square, piece=name_of(piece))
