"""One board with people of sloppy habits, who know what they meant and what the board makes of it."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from random import Random

from tests.fuzz.actors.board import BoardInProcess
from tests.fuzz.actors.deeds import Habit, HabitualHand, Object, SharedScene
from tests.fuzz.actors.judgement import allowed_on, dues, line_of, shows
from tests.fuzz.actors.lines import STANDS, BoardLines, HandJudgement, UnexplainedError
from tests.fuzz.actors.mending import board_of, unclear_points
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.felt import Felt, FeltRecorder
from tests.fuzz.oracle.judging.course import GameCourse, MillCourseScore
from tests.fuzz.oracle.judging.principles import decided, likely, passed, stands, was_likely
from tests.fuzz.oracle.plain_rules import BLACK, WHITE, MillMoment
from tests.fuzz.oracle.readings import Agreed, readings

SETTLED_S = 2.0
"""Longer than every wait after the last deed of a hand, except that for older positions."""
NEXT_GAME_S = 4.0
"""Longer than a board waits for one that has been cleared."""
MENDED_S = 1.4
_RECORD = '[Variant "{rules}"]\n[SetUp "1"]\n[FEN "{position}"]\n[Result "*"]\n\n*\n'
_NUMBERS = {"presence": ("", "piece"), "polarity": ("", WHITE, BLACK)}


class SloppyBoard:
    """A board at which one hand after the other is played; `playable` ends with the game."""

    def __init__(
        self,
        rules: str,
        sensors: str,
        seed: int,
        start: MillMoment | None = None,
        *,
        solo: bool = False,
        store: Path | None = None,
    ) -> None:
        """Begin a game by a named rule set, or continue one that stands as `start`.

        `solo`: Black's turns are chosen for it; `store` keeps games, for a board of which the power is cut.
        """
        board = BoardInProcess(rules, sensors, seed, store, "engine:3" if solo else None)
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
        self.lines.course = self._course = GameCourse(MillCourseScore(start))
        self._begin(start)
        self._left = False
        """True once the lights have led where these people never were, so that they leave."""
        self._recorder = FeltRecorder()
        words = _NUMBERS[sensors]
        board.watch(lambda at, frame: self._recorder.read(at, {p: words[n] for p, n in frame.items()}))

    def _begin(self, moment: MillMoment) -> None:
        """Agree on a position of which nobody knows the way that led there."""
        self.moment = moment
        self.agreed = Agreed(moment)
        self._past: list[tuple[MillMoment, int]] = [(moment, self.lines.ply)]
        """The positions between turns, with the plies at which the board came to them."""

    def close(self) -> None:
        """Leave the board."""
        self.lines.board.close()

    @property
    def playable(self) -> bool:
        """True while the game goes on."""
        return plain.outcome(self.moment) is None and not self._left

    def plan(self, habit: Habit, luck: Random) -> HabitualHand | None:
        """Return the hand of a habit in this position, or None if the habit does not apply."""
        return habit(SharedScene(self.moment, luck, self.agreed.before, self.agreed.last, self._colours))

    # ---- a hand --------------------------------------------------------------------------------------------

    def play(self, plan: HabitualHand, *, judged: bool = True) -> HandJudgement:
        """Play a hand and say what the board made of it; not `judged`: without asking the oracle."""
        if plan.ends_game:
            return self._play_on(plan)
        base = self.agreed
        judged = judged and not plan.back
        start = base.before if plan.undone and base.before else self._past[-1 - plan.back][0]
        ply = self.lines.ply if not plan.back else self._past[-1 - plan.back][1]
        begun = self._act_out(plan)
        state = self.lines.rest(SETTLED_S)
        line = line_of(start, plan.steps)
        truth = plain.position_text(line[-1])
        found = self._likely(plan, base, truth) if judged else {truth}
        told, status = state["position"], state["status"]
        right = told == truth and shows(state, plan.wrong)
        allowed = allowed_on(plan, start) | {plain.position_text(base.now)}
        passing = allowed | self._left_by(plan, base)
        if plan.blind:
            passing |= passed(base.now, truth, self._recorder.felt)
        wrong = status in STANDS and told not in allowed
        ended = self.lines.now
        if right and plan.wrong:
            right = self._put_right(line[-1])
        judgement = HandJudgement(
            count=len(found),
            likely=truth in found,
            shown=self.lines.reds > 0,
            mended=not right,
            wrong=wrong,
            conventional=wrong and found == {told},
            lost=0 if right else max(0, ply - self.lines.ply - (len(base.last) if plan.undone else 0)),
            status=status,
            told=told,
            truth=truth,
            wrong_s=self._wrong_for(plan, base, passing, ended) if right else 0.0,
            late_s=round(self._course.lateness(dues(plan, line, begun)), 3) if right and plan.steps else 0.0,
            why=state.get("why", ""),
        )
        if right:
            self._agree(plan, line)
        return judgement

    def _wrong_for(self, plan: HabitualHand, base: Agreed, allowed: set[str], until: float) -> float:
        """Return how long positions counted that hands never meant, and that were not likely at that time."""
        felt, seconds = self._recorder.felt, 0.0
        for since, lasted, position in self._course.outside(allowed, until):
            known = tuple(change for change in felt.changes if change.at <= round(since * 1e6))
            so_far = Felt(felt.before, known)
            older = [moment for moment, _ in self._past if stands(moment, so_far, colours=self._colours)]
            if position in {plain.position_text(moment) for moment in older}:
                continue  # turns that hands took back, as far as anybody can tell
            if not was_likely(position, base, so_far, colours=self._colours, chosen=plan.chosen):
                seconds += lasted
        return round(seconds, 3)

    def _left_by(self, plan: HabitualHand, base: Agreed) -> set[str]:
        """The positions that hands go back through before they do something else."""
        if not plan.back and not plan.undone:
            return set()
        last = line_of(base.before, base.last) if base.before else []
        between = [moment for moment, _ in self._past[-1 - plan.back :]]
        return {plain.position_text(moment) for moment in (*between, *last)}

    def _act_out(self, plan: HabitualHand) -> float:
        """Do the deeds of a hand, and return the time of the first."""
        self.lines.reds = 0
        self._recorder.restart()
        begun = self.lines.now
        self._course.restart(begun)
        self._perform(plan)
        return begun

    def _likely(self, plan: HabitualHand, base: Agreed, truth: str) -> set[str]:
        """The positions in which the board may be by the oracle; the truth must be among its readings."""
        felt = self._recorder.felt
        if plan.lenient:
            return likely(base, felt, colours=self._colours, blind=plan.blind, chosen=plan.chosen)
        found = readings(base, felt, colours=self._colours)
        if truth not in [one.position for one in found]:
            raise UnexplainedError(f"{plan} from {plain.position_text(base.now)}: {found}")
        return decided(found)

    def _put_right(self, moment: MillMoment) -> bool:
        """Put right what the board shows as wrong, as people do, and return whether play can go on."""
        self._bring(dict(moment.board), Random(self.lines.ply))
        state = self.lines.rest(SETTLED_S)
        return state["status"] in STANDS and state["position"] == plain.position_text(moment)

    def _play_on(self, plan: HabitualHand) -> HandJudgement:
        """Play a hand in which the game ends and the next one begins, and go on with that one."""
        start = plain.start(self.moment.rules, plain.WHITE)
        line = line_of(start, plan.steps)
        truth = plain.position_text(line[-1])
        self._act_out(plan)
        state = self.lines.rest(NEXT_GAME_S)
        landed = plan.steps[0]
        is_cleared = state["status"] == "clear" and "clear" in state["cues"].get(landed, ())
        if is_cleared:
            self._do({"lift": landed})
            self._do({"wait": 1.0})
            self._do({"put": landed, "piece": start.to_move})
            state = self.lines.rest(SETTLED_S)
        told, status = state["position"], state["status"]
        right = told == truth and status in STANDS
        wrong = status in STANDS and told not in {truth, plain.position_text(start)} and status != "over"
        judgement = HandJudgement(
            count=1,
            likely=True,
            shown=self.lines.reds > 0,
            mended=not right,
            wrong=wrong,
            conventional=False,
            lost=0,
            status=status,
            told=told,
            truth=truth,
            why=state.get("why", ""),
        )
        if right:
            self._begin(line[-1])
            self._past[0] = (line[-1], self.lines.ply)
        else:
            self._left = True
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

        Whether that was possible, and how many steps of the game were lost by it. A question is answered by
        lifting the piece in question that came last, and setting it down in the next round.
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
            if state["status"] == "paused":
                self._do({"do": "resume"})
            elif unclear := [point for point in self._standing if point in unclear_points(state)]:
                self._bring({p: colour for p, colour in self._standing.items() if p != unclear[-1]}, luck)
            else:
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
