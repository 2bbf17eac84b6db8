"""Measure how exactly clocks charge turns: `python -m tests.fuzz.clocks [--turns 100000]`.

Random hands play in all their disorder: they slide, brush other points, take a capture before they close the
mill, think again after the board has accepted a turn, reply before it has, and pause. The true end of a turn
is the time at which its last action was done, between two frames. Printed are the largest and the
mean difference between that and the time from which the next player is charged, and how many turns the board
read otherwise than they were meant, which are left out with the rest of their game. The last line counts the
menus that these hands opened by chance.

Each game is a line of the journal; with the same journal, a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from firmware_host.config.loader import Config
from firmware_host.games.game import Game, Player, Step, legal_turns
from firmware_host.games.rulesets import MILL_SETS, rule_set
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, Reading, SensorKind
from firmware_host.runtime.factory import build_controller
from firmware_host.settings import Play
from tests.fuzz.gestures import HOLD_UPS, KNOCKS, counted

FRAME = 5_000
MS = 1_000
REST = 2_500 * MS
"""Longer than every dwell."""


@dataclass
class ClockErrors:
    """The measured differences of all turns in microseconds, and the number of games left out."""

    differences: list[int] = field(default_factory=list)
    misread: int = 0
    gestures: Counter[str] = field(default_factory=Counter)
    """The menus that hands opened by chance, as `tests.fuzz.gestures` counts them."""
    sums: list[int] = field(default_factory=list)
    """By game, by how much the charges and waits of all turns differ from the time that has passed."""

    def add(self, other: ClockErrors) -> None:
        """Add what another has measured."""
        self.differences += other.differences
        self.misread += other.misread
        self.gestures += other.gestures
        self.sums += other.sums


class TimedBoard:
    """A board of frames on a grid, and hands that act between them."""

    def __init__(self, luck: Random) -> None:
        self.luck = luck
        rules = rule_set(luck.choice(sorted(MILL_SETS)))
        self.alphabet = luck.choice((SensorKind.PRESENCE, SensorKind.POLARITY))
        config = Config(play=Play(clock="300"))
        self.controller = build_controller(rules, self.alphabet, config, draw_lot=lambda: Player.WHITE)
        self.now = self.framed = 0
        self.frame: list[Reading] = [NOTHING] * len(rules.layout)
        self.game: Game = self.controller.session.game
        self.ends: dict[int, int] = {}
        """By the number of steps after it: when each turn ended."""
        self.waited = 0
        self._read()

    def _read(self) -> None:
        self.controller.step(tuple(self.frame), self.framed)

    def wait(self, duration: int) -> None:
        """Let time pass, frame by frame, without those in which nothing can happen."""
        end = self.now + duration
        while True:
            due = self.controller.deadline
            following = self.framed + FRAME
            at = following if due is None else max(following, -(-due // FRAME) * FRAME)
            if self.frame_has_changed:
                at = following
            if at > end or (due is None and not self.frame_has_changed):
                break
            self.framed = at
            self._read()
            self.frame_has_changed = False
        self.framed = max(self.framed, end // FRAME * FRAME)
        self.now = end

    frame_has_changed = False

    def act(self, delay: int, index: int, player: Player | None) -> None:
        """Fill or vacate a point after a `delay`."""
        self.wait(delay)
        kinds = {None: NOTHING, Player.WHITE: WHITE_PIECE, Player.BLACK: BLACK_PIECE}
        reading = kinds[player]
        self.frame[index] = min(reading, SOMETHING) if self.alphabet is SensorKind.PRESENCE else reading
        self.frame_has_changed = True

    # ---- turns -----------------------------------------------------------------------------------------

    def play_turn(self, think: int) -> None:
        """Play a random turn, after a while of thought."""
        luck, position = self.luck, self.game.position
        # A removal is declined when the reply begins, or by request: no action of that turn says when.
        turns = [turn.steps for turn in legal_turns(position)]
        turn = luck.choice([steps for steps in turns if all(step.origin or step.target for step in steps)])
        mover = position.to_move
        habit = luck.choice(("plain", "plain", "brush", "revision", "capture first", "slide"))
        steps = list(turn)
        removals = [step for step in steps if step.target is None]
        if habit == "capture first" and removals and len(removals) < len(steps) and len(steps) == 2:
            steps = [*removals, *(step for step in steps if step not in removals)]
        pauses = iter((think,))
        for step in steps:
            for index, player in self._actions(step, mover, habit, steps):
                pause = next(pauses, luck.randrange(120 * MS, 900 * MS))
                self.act(pause, index, player)
        self.game = self.game.play(*turn)
        self.ends[self.game.ply] = self.now

    def _actions(
        self, step: Step, mover: Player, habit: str, steps: list[Step]
    ) -> Iterator[tuple[int, Player | None]]:
        """Yield the points that a step vacates or fills, with what stands there then."""
        others = self._others(steps)
        if step.target is None:
            assert step.origin is not None
            yield step.origin.index, None
            return
        if step.origin is not None:
            yield step.origin.index, None
        if habit == "brush" and others and step.origin is not None:
            yield from self._brush(self.luck.choice(others), mover)
        if habit == "revision" and others and step.origin is None and len(steps) == 1:
            instead = self.luck.choice(others)
            yield instead, mover
            self.wait(self.luck.randrange(1_200 * MS, 4_000 * MS))
            yield instead, None
        yield step.target.index, mover

    def _brush(self, index: int, mover: Player) -> Iterator[tuple[int, Player | None]]:
        self.act(self.luck.randrange(100 * MS, 300 * MS), index, mover)
        self.act(self.luck.randrange(15 * MS, 35 * MS), index, None)
        return iter(())

    def _others(self, steps: list[Step]) -> list[int]:
        """Return the free points at which the player could have placed without closing a mill.

        A piece that lands where one was just captured looks like that one put back, and is left out.
        """
        position = self.game.position
        used = {point for step in steps for point in (step.origin, step.target)}
        used |= {step.origin for step in self.game.steps[self.game.last_turn :] if step.target is None}
        found = []
        for step in position.legal_steps():
            if step.target is not None and step.origin is None and step.target not in used:
                after = position.play(step)
                if after.to_move is not position.to_move:
                    found.append(step.target.index)
        return found

    @property
    def is_read_rightly(self) -> bool:
        """True if the board has understood everything that was meant."""
        found = self.controller.session.game
        return [step.text for step in found.steps] == [step.text for step in self.game.steps]


def measure(turns: int, seed: int = 1, journal: Path | None = None) -> ClockErrors:
    """Play that many turns, with those in the `journal`, and return how exactly they were charged."""
    played = _read(journal)
    found, number = ClockErrors(), len(played)
    for game in played:
        found.add(game)
    while len(found.differences) < turns:
        number += 1
        game = ClockErrors()
        with counted(game.gestures):
            _play_game(TimedBoard(Random(f"{seed}-{number}")), game)
        found.add(game)
        if journal is not None:
            with journal.open("a", encoding="utf-8") as file:
                # `asdict` makes another count of a Counter: that of its items
                file.write(json.dumps({**asdict(game), "gestures": dict(game.gestures)}) + "\n")
    return found


def _read(journal: Path | None) -> list[ClockErrors]:
    if journal is None or not journal.exists():
        return []
    lines = map(json.loads, journal.read_text(encoding="utf-8").splitlines())
    return [ClockErrors(**{**line, "gestures": Counter(line["gestures"])}) for line in lines]


def _play_game(board: TimedBoard, found: ClockErrors) -> None:
    luck = board.luck
    for _ in range(luck.randrange(4, 40)):
        quick = luck.random() < 0.3
        board.play_turn(
            luck.randrange(250 * MS, 600 * MS) if quick else luck.randrange(600 * MS, 20_000 * MS)
        )
        if board.game.outcome is not None:
            break
        if luck.random() < 0.1:
            _pause(board)
    board.wait(REST)
    board.wait(FRAME)
    clock = board.controller.clocks.clock
    if not board.is_read_rightly or clock is None:
        found.misread += 1
        return
    for turn in clock.turns[1:]:
        found.differences.append(turn.begun - board.ends[turn.ply])
    if board.game.outcome is None:
        spent = sum(300 * 60_000_000 - (clock.left(player, board.framed) or 0) for player in Player)
        found.sums.append(spent - (board.framed - clock.turns[1].begun - board.waited))


def _pause(board: TimedBoard) -> None:
    """Pause once the board has understood everything."""
    board.wait(REST)
    board.wait(FRAME - board.now % FRAME)
    if not board.is_read_rightly:
        return
    board.controller.controls.pause()
    board.controller.refresh()
    board._read()
    begun = board.framed
    board.wait(luck_of(board))
    board.wait(FRAME - board.now % FRAME)
    board.controller.controls.resume()
    board.controller.refresh()
    board._read()
    board.waited += board.framed - begun


def luck_of(board: TimedBoard) -> int:
    """Return the length of a pause."""
    return board.luck.randrange(1_000 * MS, 60_000 * MS)


def main() -> None:
    """Measure, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--journal", type=Path, help="file that keeps the games that were played")
    given = parser.parse_args()
    found = measure(given.turns, given.seed, given.journal)
    worst = max(map(abs, found.differences))
    mean = sum(found.differences) / len(found.differences)
    print(f"{len(found.differences)} turns: at most {worst / MS:.1f} ms, mean {mean / MS:.2f} ms")  # noqa: T201 - a command's output
    print(f"games whose sum is wrong: {sum(map(bool, found.sums))} of {len(found.sums)}")  # noqa: T201 - a command's output
    print(f"games left out because a turn was misread: {found.misread}")  # noqa: T201 - a command's output
    opened = ", ".join(f"{found.gestures[name]} {name}" for name in (KNOCKS, HOLD_UPS))
    print(f"menus opened: {opened}")  # noqa: T201 - a command's output


if __name__ == "__main__":
    main()
