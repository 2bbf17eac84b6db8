"""Play far games on two simulated boards: `python -m tests.fuzz.link.pairs [--games 100] [--seed 0]`.

Boards and hands are whole, in virtual time, with what their disks had after a power cut. What links decide is
there as well, though not their programs: a board shows at once what it is asked, and the wire is simulated.
Players change their minds: they take their own turn back before the other board has carried it out, leave one
half done, ask to take back, and answer. Whenever everything has rested, both boards have to be at the same
game: each shows it, or all but a last turn of the other board, which is then chosen to be carried out. Where
pieces stand otherwise than in its game, hands put them right.

Printed is what was done. Each game that breaks a rule is printed with its last lines; then the status is 1.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from firmware_host.games.game import Step, legal_turns
from sim.assembly import Blueprint
from sim.pair.boards import LinkedBoard, PairedBoards

RULES = ("six", "standard", "lasker", "the-mill")
MOST_ACTS = 150
LAST_LINES = 40
RESTED_S = 20
"""Longer than a record waits to be repeated, and than a message or a take-back takes."""
BREAKAGE: tuple[list[dict[str, Any]], ...] = (
    [{"wire": "slow"}],
    [{"wire": "double"}, {"wire": "reorder"}],
    [{"wire": "lose"}],
    [{"wire": "cut", "board": "a"}, {"wait": 12}, {"wire": "joined"}],
    [{"wire": "forget"}],
    [{"power": "off", "board": "a"}, {"wait": 12}, {"power": "on", "board": "a"}],
    [{"power": "off", "board": "b"}, {"power": "on", "board": "b"}],
)
"""Breakdowns of two boards and of the wire between them."""


class PairOfMinds:
    """Two players at two boards, who change their minds."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.luck = Random(f"pairs {seed}")
        self.counts: Counter[str] = Counter()
        self.lines: list[str] = []
        self.out = StringIO()
        rules = self.luck.choice(RULES)
        blueprint = Blueprint.of(rules=rules, sensors="polarity", seed=seed)
        self.pair = PairedBoards(replace(blueprint, store=folder / "games.db"), self.out)
        self.is_at_odds = False
        """True if both players may have ended or changed the game at the same time, since it rested."""
        self.wood: dict[str, dict[str, str]] = {name: {} for name in self.pair.boards}
        """The pieces on each board, by their points."""

    def tell(self, **command: Any) -> None:
        self.lines.append(json.dumps(command))
        self.pair.obey(self.lines[-1])

    def pause(self, *seconds: float) -> None:
        self.tell(wait=self.luck.choice(seconds or (0.1, 0.3, 0.6, 1.5, 4.0)))

    # ---- a game ------------------------------------------------------------------------------------------

    def play_game(self) -> None:
        """Play until the game is over, or for long enough; an AssertionError where a rule is broken."""
        self.tell(ready=True)
        self.rest()
        for _ in range(MOST_ACTS):
            if self.luck.random() < 0.1:
                for command in self.luck.choice(BREAKAGE):
                    self.tell(**command)
                self.counts["broken wires and power cuts"] += 1
            board = self.luck.choice([*self.pair.boards.values()])
            self.act(board)
            if self.luck.random() < 0.2:
                self.rest()
            if self.is_over():
                self.begin_again()
        self.rest()

    def is_over(self) -> bool:
        return all(board.link.seat.outcome is not None for board in self.pair.boards.values())

    def begin_again(self) -> None:
        """See the end on both boards, and begin the next game there."""
        self.rest()
        outcome = self.pair.boards["a"].link.seat.outcome
        self.counts[f"games ended: {outcome and outcome.reason}"] += 1
        self.tell(ready=True)
        self.rest()
        rounds = [board.link.seat.round for board in self.pair.boards.values()]
        assert not self.is_over(), "the next game doesn't begin"
        assert rounds[0] == rounds[1], f"rounds {rounds}"

    def act(self, board: LinkedBoard) -> None:
        """Let the player at a board do something."""
        session, kind = board.life.play.controller.session, self.luck.random()
        seat = board.link.seat
        if seat.game is None or session.game.outcome is not None:
            self.pause()
        elif seat.theirs_to_answer is not None:
            self.counts["answers"] += 1
            self.is_at_odds = True
            self.tell(board=board.name, **{self.luck.choice(("accept", "refuse")): True})
        elif not self.stands_right(board):
            self.put_right(board)
        elif kind < 0.08 and seat.turns and seat.offer is None and not seat.trouble:
            self.counts["questions"] += 1
            self.tell(board=board.name, offer=self.luck.choice(("take-back", "take-back", "draw")))
        elif kind < 0.09:
            self.is_at_odds = True
            self.tell(board=board.name, do="resign", player=str(seat.player))
        elif session.is_others_turn:
            self.carry_out(board, session.chosen or ())
        else:
            self.play(board)

    def carry_out(self, board: LinkedBoard, steps: Sequence[Step]) -> None:
        """Carry out the other board's turn, now and then only its beginning."""
        if steps and self.luck.random() < 0.15:
            self.counts["turns left half done"] += 1
            self.do(board, steps[:1])
            return
        self.do(board, steps)

    def play(self, board: LinkedBoard) -> None:
        """Play a turn of one's own, and now and then take it back."""
        position = board.life.play.controller.session.game.position
        turn = self.luck.choice(legal_turns(position)).steps
        self.counts["turns"] += 1
        self.do(board, turn)
        if self.luck.random() < 0.3 and all(step.target is not None for step in turn):
            self.pause()
            self.counts["turns taken back by hand"] += 1
            self.is_at_odds = True
            for step in reversed(turn):
                self.take_back(board, step)
            if self.luck.random() < 0.5:
                self.rest()

    # ---- hands -------------------------------------------------------------------------------------------

    def do(self, board: LinkedBoard, steps: Sequence[Step]) -> None:
        for step in steps:
            if step.origin is not None:
                self.lift(board, step.origin.name)
            if step.target is not None:
                self.put(board, step.target.name, str(step.piece))
            self.pause(0.3, 0.5, 1.2)

    def take_back(self, board: LinkedBoard, step: Step) -> None:
        if step.target is not None and step.target.name in self.wood[board.name]:
            self.lift(board, step.target.name)
            if step.origin is not None:
                self.pause(0.2, 0.5)
                self.put(board, step.origin.name, str(step.piece))
        self.pause(0.3, 1.2)

    def lift(self, board: LinkedBoard, point: str) -> None:
        if self.wood[board.name].pop(point, None) is not None:
            self.tell(board=board.name, lift=point)
            self.pause(0.2, 0.4)
            self.tell(board=board.name, box=True)

    def put(self, board: LinkedBoard, point: str, piece: str) -> None:
        if point not in self.wood[board.name]:
            self.wood[board.name][point] = piece
            self.tell(board=board.name, put=point, piece=piece)

    def wanted(self, board: LinkedBoard) -> dict[str, str]:
        """The pieces of the board's game."""
        game = board.life.play.controller.session.game
        stacks = zip(game.rules.layout.points, game.position.stacks, strict=True)
        return {point.name: str(stack[-1]) for point, stack in stacks if stack}

    def stands_right(self, board: LinkedBoard) -> bool:
        return self.wood[board.name] == self.wanted(board)

    def put_right(self, board: LinkedBoard) -> None:
        """Bring the pieces to where the board's game has them."""
        self.counts["boards put right"] += 1
        wood, wanted = self.wood[board.name], self.wanted(board)
        for point in sorted(point for point, piece in wood.items() if wanted.get(point) != piece):
            self.lift(board, point)
            self.pause(0.3, 0.6)
        for point, piece in sorted(wanted.items()):
            self.put(board, point, piece)
            self.tell(wait=0.1)
        self.pause(1.5, 4.0)

    # ---- the rule ----------------------------------------------------------------------------------------

    def rest(self) -> None:
        """Let everything rest, put both boards right, and check that they are at the same game."""
        self.tell(wire="good")
        self.tell(wire="joined")
        for _ in range(4):
            self.tell(wait=RESTED_S)
            troubled = [board for board in self.pair.boards.values() if board.link.seat.trouble]
            if troubled:
                self.counts["disagreements"] += 1
                assert self.is_at_odds, f"board {troubled[0].name} disagrees: {troubled[0].link.seat.trouble}"
                assert len(troubled) == 2, f"only board {troubled[0].name} knows that they disagree"
                self.tell(board=troubled[0].name, take=True)
                self.is_at_odds = False
                continue
            wrong = [board for board in self.pair.boards.values() if not self.stands_right(board)]
            if not wrong:
                break
            for board in wrong:
                self.put_right(board)
        self.counts["rests"] += 1
        self.is_at_odds = False
        for board in self.pair.boards.values():
            assert self.stands_right(board), f"board {board.name} isn't right: {self.wood[board.name]}"
            self.check(board)

    def check(self, board: LinkedBoard) -> None:
        """Check a board that has rested."""
        session, seat = board.life.play.controller.session, board.link.seat
        other = next(one for one in self.pair.boards.values() if one is not board).link.seat
        assert seat.trouble is None, f"board {board.name} disagrees: {seat.trouble}"
        assert seat.turns == other.turns, f"{seat.turns} and {other.turns}"
        assert seat.is_agreed, f"board {board.name} doesn't know that both agree"
        if seat.outcome is not None and not session.seats.has_far:
            return  # it was cleared, and is free for another game
        if seat.outcome is not None:
            assert session.game.outcome == seat.outcome, f"board {board.name} shows {session.game.outcome}"
            assert session.game.turn_texts() == seat.turns, f"board {board.name} ended after other turns"
            return
        shown = session.game.turn_texts()
        if shown == seat.turns or (session.game.mid_turn and shown[:-1] == seat.turns):
            return
        if session.game.mid_turn and seat.turns[-1].startswith(shown[-1]) and shown[:-1] == seat.turns[:-1]:
            return  # hands have carried out its beginning
        chosen = "".join(step.text for step in session.chosen or ())
        assert shown == seat.turns[:-1], f"board {board.name} is at {shown}, its seat at {seat.turns}"
        assert session.is_others_turn, f"{seat.turns[-1]} was played on board {board.name}, and isn't there"
        assert chosen == seat.turns[-1], (
            f"board {board.name} lights {chosen or 'nothing'}, not {seat.turns[-1]}"
        )


def play(seed: int) -> tuple[Counter[str], str]:
    """Play the game of a seed; return what was done, and what was broken, with the last lines."""
    with TemporaryDirectory() as folder:
        minds = PairOfMinds(seed, Path(folder))
        try:
            minds.play_game()
        except AssertionError as error:
            return minds.counts, "\n".join([f"seed {seed}: {error}", *minds.lines[-LAST_LINES:]])
        finally:
            minds.pair.close()
    wrong = [line for line in minds.out.getvalue().splitlines() if '"error"' in line]
    return minds.counts, f"seed {seed}: {wrong[0]}" if wrong else ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play the games and print what was done; 1 if a rule was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.link.pairs")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0, help="of the first game")
    options = parser.parse_args(arguments)
    counts, broken = Counter[str](), list[str]()
    for seed in range(options.seed, options.seed + options.games):
        done, what = play(seed)
        counts += done
        broken += [what] if what else []
    for what, number in sorted(counts.items()):
        print(f"{number:8} {what}")  # noqa: T201 - a command's output
    print("\n\n".join(broken) or "no rule was broken")  # noqa: T201
    return int(bool(broken))


if __name__ == "__main__":
    sys.exit(main())
