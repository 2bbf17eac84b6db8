"""The judge of states: rules 1 and 4 of `referee`."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from tests.fuzz.oracle import light
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import FEW_CHANGES, begun, frame_of, turn_text
from tests.fuzz.oracle.judging.case import ANNOUNCED, LAG, LANDING, OLDER, REST, TOLERANCE, JudgedCase
from tests.fuzz.oracle.judging.rest import RestJudge
from tests.fuzz.oracle.score import Object
from tests.fuzz.oracle.table import NOTHING, POINTS

ILLEGAL = 0.25
IN_PLAY = ("ready", "remove", "lifted", "mismatch", "undecided")


class StateJudge:
    """Checks each state of one board: its position, its moves and its lights."""

    def __init__(self, case: JudgedCase) -> None:
        self.case = case
        self._rest = RestJudge(case)

    def check(self, state: Object) -> None:
        status, now = state["status"], self.case.score.now
        if self.case.stands_right():
            self.case.matched()
            self.case.may_redo = True
        self.case.counts[f"status {status}"] += 1
        assert state["position"] == plain.position_text(now), plain.position_text(now)
        assert state["to_move"] == now.to_move
        assert state["held"] == self.case.table.held, self.case.table.held
        assert state["outcome"] == self.case.score.ending, self.case.score.ending
        assert (status == "fault") == self.case.blind
        if not self.case.blind:
            may_go_back = status == "taking-back" and plain.outcome(now) is not None
            assert (status == "over") == (self.case.over and not may_go_back)
            assert (status == "paused") == (self.case.paused and not self.case.over)
        if status in IN_PLAY:
            assert (status == "mismatch") == self.case.mismatched
        cues = {(point, cue) for point, those in state["cues"].items() for cue in those}
        self._check_differences(state)
        self._check_moves(state)
        self._check_cues(status, cues)
        if status in (*IN_PLAY, "taking-back"):
            self._rest.check(status, cues)
        self.case.lit_before = cues

    def _check_differences(self, state: Object) -> None:
        """Check that each reported difference can have been read, and that each certain one is reported."""
        said = {p: kind for kind in light.DIFFERENCES for p in state[kind]}
        assert len(said) == sum(len(state[kind]) for kind in light.DIFFERENCES)
        assert bool(said) == (state["status"] == "mismatch"), said
        assert not said or state.get("why"), f"no sentence for {said}"
        if not said:
            return
        cues = {(point, cue) for point, those in state["cues"].items() for cue in those}
        assert light.told_differences(cues) == said
        if self._has_just_come_to(self.case.score.later, LANDING):
            return
        if self._has_just_come_to(self.case.score.record[:-1], OLDER - ANNOUNCED):
            return
        for point, wanted in zip(POINTS, frame_of(self.case.score.now, self.case.colours), strict=True):
            felt = self.case.felt(point, self.case.table.now)
            allowed = {light.difference(wanted, reading) for reading in felt}
            if self._may_be_a_brush(point):
                allowed.add(None)
            assert said.get(point) in allowed, f"{point} is told {said.get(point)}, but it is {allowed}"

    def _has_just_come_to(self, moments: list[plain.MillMoment], after: float) -> bool:
        """Return whether the board may read as in one of these positions, which it shows `after` some time.

        Until then it may go on showing what differed before.
        """
        now = self.case.table.now
        if now - self.case.table.changed_at > after + LAG:
            return False
        frames = (frame_of(moment, self.case.colours) for moment in moments)
        return any(self.case.fits(frame, now - LAG, now) for frame in frames)

    def _may_be_a_brush(self, point: str) -> bool:
        """Return whether the reading may be too recent to be reported yet.

        While a mismatch is lit, other points may be reported only once the board has rested, as one with a
        broken sensor may never do: at rest it may count.
        """
        since = self.case.table.now - (REST if self.case.score.undone or self.case.lit else ILLEGAL) - LAG
        return (
            since <= self.case.counting_since
            or (self.case.lit and not (self.case.table.all_sound and since > self.case.table.changed_at))
            or len(self.case.table.possible(point, since, self.case.table.now)) > 1
        )

    def _check_moves(self, state: Object) -> None:
        told = state["moves"]
        assert told == sorted(set(told))
        if self.case.over:
            assert not told
        elif state["status"] in ("mismatch", "clear", "undecided", "taking-back") or self.case.stands_right():
            legal: Set[str] = plain.legal_steps(self.case.score.now)
            if not self.case.score.now.due:
                legal = {turn_text(turn) for turn in plain.whole_turns(self.case.score.now)}
            assert told == sorted(legal), set(told) ^ legal

    def _check_cues(self, status: str, cues: light.Cues) -> None:
        meanings = {meaning for _, meaning in cues}
        match status:
            case "fault":
                assert not cues, cues
            case "paused":
                assert [meaning for _, meaning in cues] == ["resting"], cues
            case "over" if not self.case.score.steps and meanings == {"clear"}:
                pass
            case "over":
                assert cues == light.at_the_end(self.case.score), cues ^ light.at_the_end(self.case.score)
            case "clear":
                assert meanings <= {"clear"}, cues
                for point in POINTS:
                    felt = self.case.felt(point, self.case.table.now)
                    assert felt - {NOTHING} if (point, "clear") in cues else NOTHING in felt, point
            case "mismatch":
                assert meanings <= set(light.DIFFERENCES), cues
            case "undecided":
                assert "unclear" in meanings, cues
                assert meanings <= {"unclear", "lifted"}, cues
            case "taking-back":
                self._check_announced(cues)
            case _ if self.case.stands_right():
                right = self.case.wished(light.on_a_board_that_stands_right(self.case.score))
                assert cues == right, cues ^ right
            case _:
                allowed = light.at_any_time(self.case.score, self.case.thought_over, self.case.colours)
                if not cues <= allowed:
                    allowed |= self._on_runs(self.case.table.now)
                since = self.case.table.now - REST
                if self.case.table.changed_at > since and not cues <= allowed:
                    # a dead end is reported a little later, and until then keeps the lights of any moment
                    allowed |= self.case.lit_before | self._on_runs(since)
                if not cues <= allowed:
                    allowed |= self._on_runs(since, all_lengths=True)
                if not cues <= allowed and not self._tries_all_runs():
                    self.case.counts["not judged: lights of a long run"] += 1
                    return
                assert cues <= allowed, cues - allowed

    def _tries_all_runs(self) -> bool:
        """Return whether so few points have changed that long runs of turns are tried as well."""
        return len(self._changed()) <= FEW_CHANGES

    def _changed(self) -> frozenset[str]:
        return self.case.changed(self.case.right_at - LAG, self.case.table.now)

    def _on_runs(self, since: float, *, all_lengths: bool = False) -> light.Cues:
        """Return the cues that may be lit if several turns had begun at some time from `since` on.

        With `all_lengths` also those of runs that are longer than others: by the order of its actions, a
        longer one may be likelier.
        """
        now, score = self.case.table.now, self.case.score
        felt = [self.case.table.possible(point, since - LAG, now) for point in POINTS]
        changed = self._changed()
        other = replace(
            score.now, to_move=plain.OTHER[score.now.to_move], due=0
        )  # both hands are on the board
        moments = [score.now, *self.case.thought_over, other]
        colours, acts = self.case.colours, self.case.acts()
        found = [
            way
            for m in moments
            for way in begun(m, colours, felt, changed | self._played_since(m), acts, all_lengths=all_lengths)
        ]
        return light.next_in(found) | {(point, "destination") for way in found for point in way.landed()}

    def _played_since(self, moment: plain.MillMoment) -> frozenset[str]:
        """Return the points at which the game has changed since `moment`."""
        frames = (frame_of(then, self.case.colours) for then in (moment, self.case.score.now))
        return frozenset(point for point, *felt in zip(POINTS, *frames, strict=True) if len(set(felt)) > 1)

    def _captured(self) -> Set[str]:
        """The points whose piece the last turn has captured: a take-back of it waits for them."""
        now = self.case.score.now.board
        turn = self.case.score.thought_over
        return {p for m in turn for p, owner in m.board.items() if owner != m.to_move and p not in now}

    def _check_announced(self, cues: light.Cues) -> None:
        """An older position is lit where it differs, for the last part of the time that it has to stand."""
        wanted = frame_of(self.case.score.now, self.case.colours)
        older = [frame_of(moment, self.case.colours) for moment in self.case.score.record[:-1]]
        lit = {point for point, _ in cues}
        since = self.case.table.now - REST - LAG  # a difference is reported a little later
        assert {meaning for _, meaning in cues} == {"take-back"}, cues
        if lit <= self._captured():
            return
        assert self.case.wishes.take_back, cues
        told = [
            frame
            for frame in older
            if self.case.fits(frame, since, self.case.table.now)
            and lit == {p for p, then, now in zip(POINTS, wanted, frame, strict=True) if then != now}
        ]
        assert told, f"{cues} is lit, but there is no such older position"
        if self.case.table.changed_at > since:
            return
        stood = max(self.case.stood(frame, self.case.table.now) for frame in told)
        assert stood >= OLDER - ANNOUNCED - TOLERANCE, f"announced after {stood} s"
        if self.case.table.all_sound:  # what a broken sensor tells begins the wait again
            rested = self.case.table.now - max(self.case.table.changed_at, self.case.counting_since)
            assert rested <= OLDER + 2 * LAG, f"announced for {rested} s, and not taken back"
