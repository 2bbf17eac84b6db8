"""One board of stacks with people of sloppy habits; the counterpart of `sloppy`."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

from tests.fuzz.actors.board import BoardInProcess
from tests.fuzz.actors.deeds import HabitualHand
from tests.fuzz.actors.lines import STANDS, BoardLines, HandJudgement, UnexplainedError
from tests.fuzz.actors.sloppy import MENDED_S, SETTLED_S
from tests.fuzz.actors.stacks.habits import StackHabit, StackScene
from tests.fuzz.oracle import plain_mitsudomoe as plain
from tests.fuzz.oracle.felt import FeltRecorder
from tests.fuzz.oracle.judging.course import GameCourse, StackCourseScore
from tests.fuzz.oracle.plain_mitsudomoe import SQUARES
from tests.fuzz.oracle.stack_readings import AgreedStacks, stack_readings, words
from tests.fuzz.oracle.stack_table import StackTable
from tests.fuzz.oracle.stack_words import board_of, common, name_of


class SloppyStacks:
    """A board at which one hand after the other is played; `playable` ends with the game."""

    def __init__(self, seed: int, store: Path | None = None) -> None:
        """Begin a game of Mitsudomoe; `store` keeps it."""
        board = BoardInProcess("mitsudomoe", "pieces", seed, store)
        self.lines = BoardLines(board)
        begun = next(json.loads(line) for line in board.greeting if '"game"' in line)
        self.agreed = AgreedStacks(plain.start(begun["first"][0]))
        self.lines.course = self._course = GameCourse(StackCourseScore(begun["first"][0]))
        self._table = StackTable()
        self._recorder = FeltRecorder()
        self.lines.do({"wait": 1.0})
        board.watch(lambda at, frame: self._recorder.read(at, words(frame)))

    def close(self) -> None:
        """Leave the board."""
        self.lines.board.close()

    @property
    def playable(self) -> bool:
        """True while the game goes on."""
        return self.agreed.now.outcome is None

    def plan(self, habit: StackHabit, luck: Random) -> HabitualHand | None:
        """Return the hand of a habit in this position, or None if the habit does not apply."""
        return habit(StackScene(self.agreed.now, luck))

    def play(self, plan: HabitualHand, *, judged: bool = True) -> HandJudgement:
        """Play a hand and say what the board made of it; not `judged`: without asking the oracle."""
        base, ply = self.agreed, self.lines.ply
        self.lines.reds = 0
        self._recorder.restart()
        begun = self.lines.now
        self._course.restart(begun)
        self.lines.perform(plan)
        for deed in plan.deeds:
            assert self._table.do(deed.line), deed
        state = self.lines.rest(SETTLED_S)
        self._table.do({"box": True})
        line = [base.now]
        for turn in plan.steps:
            line.append(plain.play(line[-1], turn))
        truth, told, status = plain.position_text(line[-1]), state["position"], state["status"]
        found = stack_readings(base, self._recorder.felt) if judged else {truth}
        if truth not in found:
            raise UnexplainedError(f"{plan} from {plain.position_text(base.now)}: {found}")
        right = status in STANDS and told == truth
        allowed = {plain.position_text(moment) for moment in line}
        wrong = status in STANDS and told not in allowed
        done = begun + max((deed.at for deed in plan.deeds), default=0.0)
        if right:
            self.agreed = AgreedStacks(line[-1], line[-2])
        lost = 0 if right else max(0, ply - self.lines.ply)
        return HandJudgement(
            count=len(found),
            likely=True,
            shown=self.lines.reds > 0,
            mended=not right,
            wrong=wrong,
            conventional=wrong and found == {told},
            lost=lost,
            status=status,
            told=told,
            truth=truth,
            wrong_s=sum(span[1] for span in self._course.outside(allowed, self.lines.now)) if right else 0.0,
            why=state.get("why", ""),
            late_s=round(self._course.lateness([(done, {truth})]), 3) if right else 0.0,
        )

    def mend(self, luck: Random) -> tuple[bool, int]:
        """Bring the board to where it stood before, or to what its lights ask for.

        Whether play goes on from there, and how many steps of the game were lost by it.
        """
        ply, wanted = self.lines.ply, plain.position_text(self.agreed.now)
        target = dict(self.agreed.now.board)
        for number in range(6):
            if number or luck.random() < 0.5:
                self._bring(target, luck)
            state = self.lines.rest(MENDED_S)
            self._table.do({"box": True})
            if state["status"] in STANDS and state["position"] == wanted:
                return True, 0
            lit = state["status"] == "mismatch" and number % 2
            target = board_of(state["position"]) if lit else dict(self.agreed.now.board)
        return False, max(0, ply - self.lines.ply)

    def _bring(self, board: dict[str, str], luck: Random) -> None:
        """Have the stacks stand as `board` says: take off what does not belong there, then build up."""
        for square in SQUARES:
            while len(self._table.truth[square]) > common(self._table.truth[square], board[square]):
                self._do({"lift": square}, luck)
        for ring in (True, False):
            for square in SQUARES:
                for piece in board[square][len(self._table.truth[square]) :]:
                    if piece.islower() == ring:
                        self._do({"put": square, "piece": name_of(piece)}, luck)

    def _do(self, line: dict[str, str], luck: Random) -> None:
        assert self._table.do(line), line
        self.lines.do(line)
        self.lines.do({"wait": round(luck.uniform(0.1, 0.6), 3)})
