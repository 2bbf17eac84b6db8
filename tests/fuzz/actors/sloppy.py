"""One board with people of sloppy habits, who know what they meant and what the board makes of it."""

from __future__ import annotations

import json
from itertools import pairwise
from random import Random

from tests.fuzz.actors.board import BoardInProcess
from tests.fuzz.actors.deeds import Habit, HabitualHand, Object, SharedScene
from tests.fuzz.actors.lines import STANDS, BoardLines, HandJudgement, UnexplainedError
from tests.fuzz.actors.mending import board_of
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.felt import FeltRecorder
from tests.fuzz.oracle.plain_rules import BLACK, WHITE, MillMoment
from tests.fuzz.oracle.readings import Agreed, cheapest, readings

SETTLED_S = 2.0
"""Longer than every wait after the last deed of a hand, except that for older positions."""
MENDED_S = 1.4
_RECORD = '[Variant "{rules}"]\n[SetUp "1"]\n[FEN "{position}"]\n[Result "*"]\n\n*\n'
_NUMBERS = {"presence": ("", "piece"), "polarity": ("", WHITE, BLACK)}


class SloppyBoard:
    """A board at which one hand after the other is played; `playable` ends with the game."""

    def __init__(self, rules: str, sensors: str, seed: int, start: MillMoment | None = None) -> None:
        """Begin a game by a named rule set, or continue one that stands as `start`."""
        board = BoardInProcess(rules, sensors, seed)
        self.lines = BoardLines(board)
        self._colours = sensors == "polarity"
        self._standing: dict[str, str] = {}
        if start is None:
            begun = next(json.loads(line) for line in board.greeting if '"game"' in line)
            start = plain.start(plain.RULE_SETS[rules], begun["first"])
        else:
            self._do({"continue": _RECORD.format(rules=rules, position=plain.position_text(start))})
            self._standing = dict(start.board)
            self._do({"wait": 1.0})
        self.moment = start
        self.agreed = Agreed(start)
        self._past: list[tuple[MillMoment, int]] = [(start, 0)]
        """The positions between turns, with the plies at which the board came to them."""
        self._left = False
        """True once the lights have led where these people never were, so that they leave."""
        self._recorder = FeltRecorder()
        words = _NUMBERS[sensors]
        board.watch(lambda at, frame: self._recorder.read(at, {p: words[n] for p, n in frame.items()}))

    def close(self) -> None:
        """Leave the board."""
        self.lines.board.close()

    @property
    def playable(self) -> bool:
        """True while the game goes on."""
        return plain.outcome(self.moment) is None and not self._left

    def plan(self, habit: Habit, luck: Random) -> HabitualHand | None:
        """Return the hand of a habit in this position, or None if the habit does not apply."""
        return habit(SharedScene(self.moment, luck, self.agreed.before, self.agreed.last))

    # ---- a hand --------------------------------------------------------------------------------------------

    def play(self, plan: HabitualHand, *, judged: bool = True) -> HandJudgement:
        """Play a hand and say what the board made of it; not `judged`: without asking the oracle."""
        base = self.agreed
        judged = judged and not plan.back
        start = base.before if plan.undone and base.before else self._past[-1 - plan.back][0]
        ply = self.lines.ply if not plan.back else self._past[-1 - plan.back][1]
        self.lines.reds = 0
        self._recorder.restart()
        self._perform(plan)
        state = self.lines.rest(SETTLED_S)
        line = [start]
        for step in plan.steps:
            line.append(plain.play(line[-1], step))
        truth = plain.position_text(line[-1])
        told, status = state["position"], state["status"]
        right = status in STANDS and told == truth
        found = readings(base, self._recorder.felt, colours=self._colours) if judged else []
        if judged and truth not in [one.position for one in found]:
            raise UnexplainedError(f"{plan} from {plain.position_text(base.now)}: {found}")
        count = [one.position for one in cheapest(found)] if judged else [truth]
        allowed = {told for moment in [*line, base.now] for told in [plain.position_text(moment)]}
        wrong = status in STANDS and told not in allowed
        judgement = HandJudgement(
            count=len(count),
            likely=truth in count,
            shown=self.lines.reds > 0,
            mended=not right,
            wrong=wrong,
            conventional=wrong and count == [told],
            lost=0 if right else max(0, ply - self.lines.ply - (len(base.last) if plan.undone else 0)),
            status=status,
            told=told,
            truth=truth,
        )
        if right:
            self._agree(plan, line)
        return judgement

    def _agree(self, plan: HabitualHand, line: list[MillMoment]) -> None:
        """Take the steps of a hand for what everybody agrees on."""
        if plan.back:
            del self._past[-plan.back :]
            self.moment = line[0]
            self.agreed = Agreed(self.moment)
        if not plan.steps:
            return
        if plan.undone:
            self._past.pop()
        removed = {c.point: c.at for c in self._recorder.felt.changes if not c.reading}
        begun = 0
        for number, (one, two) in enumerate(pairwise(line), start=1):
            if two.to_move == one.to_move and plain.outcome(two) is None:
                continue
            turn = plan.steps[begun:number]
            gone = {step[1:]: removed[step[1:]] for step in turn if step[0] == "x" and step[1:] in removed}
            self.agreed = Agreed(two, line[begun], turn, gone)
            self._past.append((two, self._past[-1][1] + len(turn)))
            begun = number
        self.moment = line[-1]

    # ---- corrections ---------------------------------------------------------------------------------------

    def mend(self, luck: Random) -> tuple[bool, int]:
        """Bring the board to where play goes on: by its lights, or by putting back what was done last.

        Whether that was possible, and how many steps of the game were lost by it.
        """
        by_lights = as_told = luck.random() < 0.5
        ply = self._past[-1][1]
        if not by_lights:
            self._bring(dict(self.moment.board), luck)
        for _ in range(6):
            state = self.lines.rest(MENDED_S)
            if state["status"] in STANDS:
                if self._goes_on(state["position"]):
                    return True, max(0, ply - self.lines.ply)
                if as_told and self._standing == board_of(state["position"]):
                    self._left = True
                    return True, max(0, ply - self.lines.ply)
            as_told = state["status"] in ("mismatch", "lifted")
            self._bring(board_of(state["position"]) if as_told else dict(self.moment.board), luck)
        return False, max(0, ply - self.lines.ply)

    def _goes_on(self, position: str) -> bool:
        """Go on from a position between turns that was on the board before."""
        for number in range(len(self._past) - 1, -1, -1):
            if plain.position_text(self._past[number][0]) == position:
                self._past = self._past[: number + 1]
                self.moment = self._past[-1][0]
                self.agreed = Agreed(self.moment)
                return self._standing == self.moment.board
        return False

    def _bring(self, board: dict[str, str], luck: Random) -> None:
        """Have the pieces stand as `board` says."""
        for point, colour in sorted(self._standing.items()):
            if board.get(point) != colour:
                self._do({"lift": point})
                self._do({"wait": round(luck.uniform(0.1, 0.6), 3)})
        for point, colour in sorted(board.items()):
            if point not in self._standing:
                self._do({"put": point, "piece": colour})
                self._do({"wait": round(luck.uniform(0.2, 0.8), 3)})

    def _do(self, line: Object) -> None:
        """Do something, and follow the pieces that stand on points."""
        self.lines.do(line)
        self._move(line)

    def _perform(self, plan: HabitualHand) -> None:
        self.lines.perform(plan)
        for deed in plan.deeds:
            self._move(deed.line)

    def _move(self, line: Object) -> None:
        if isinstance(line.get("lift"), str):
            del self._standing[line["lift"]]
        elif isinstance(line.get("put"), str):
            self._standing[line["put"]] = line["piece"]
        elif "slide" in line:
            self._standing[line["slide"][-1]] = self._standing.pop(line["slide"][0])
