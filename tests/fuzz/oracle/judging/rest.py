"""The judge of a board at rest, whose status must follow from its position: rule 4 of `referee`."""

from __future__ import annotations

from itertools import pairwise

from tests.fuzz.oracle import light
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import FEW_CHANGES, Way, begun, ends, frame_of, gone_from, touched
from tests.fuzz.oracle.judging.case import LAG, REST, JudgedCase
from tests.fuzz.oracle.plain_rules import MillMoment
from tests.fuzz.oracle.table import NOTHING, POINTS, Frame

PACE = 0.08
"""The least time hands take from one piece to the next."""
OLDER_REST = 3.1
CARRIED = 2.0
"""The longest time for which somebody carries a piece while the other player seems to capture it."""
ON_THE_WAY = 2.1
"""Longer than the board waits for the rest of what was taken back."""


class RestJudge:
    """Checks the status and the lights of a board that nobody has touched for some time."""

    def __init__(self, case: JudgedCase) -> None:
        self.case = case

    def check(self, status: str, cues: light.Cues) -> None:
        """Check the lines for a board that nobody has touched for some time."""
        frame, score = self.case.rested(REST), self.case.score
        if frame is None:
            return
        self.case.counts["at rest"] += 1
        wanted = frame_of(score.now, self.case.colours)
        if frame == wanted:
            assert status == self._due_status(), f"{status} on a board that stands right"
            return
        felt, gone = [frozenset({reading}) for reading in frame], gone_from(wanted, frame)
        changed = self.case.changed(self.case.right_at - LAG, self.case.table.now)
        acts = self.case.acts()
        own = begun(score.now, self.case.colours, felt, changed, acts)
        again = [
            way for m in self.case.thought_over for way in begun(m, self.case.colours, felt, changed, acts)
        ]
        undone = frame in [frame_of(moment, self.case.colours) for moment in score.thought_over]
        if self.case.rested(ON_THE_WAY) is None and self._is_on_the_way(frame):
            return
        if status == "taking-back":
            lacks = all(wanted[POINTS.index(point)] == frame[POINTS.index(point)] for point, _ in cues)
            assert lacks or self.case.rested(OLDER_REST) is None, "it is announced, but not taken back"
        elif status == "undecided":
            self.case.questioned = frame
            replied = [
                way for m in (score.now, *self.case.thought_over) for way in self._early(m, frame, changed)
            ]
            readings = {way.turn for way in own + again}
            if len(readings) == 1:
                readings |= {way.turn for way in self._longer(frame)}
            if undone and not self._was_back_early():
                readings.add(())
            self._check_undecided(cues, gone, changed, readings, replied)
        elif status == "mismatch":
            counts = self._ought_to_count(own or self._lifted_first(again), undone=undone)
            assert not counts or self.case.undoing_since is not None, f"mismatch with {own + again} begun"
            self._check_not_older(frame, gone)
        elif undone and not own:
            raise AssertionError("the last turn was undone, but is not taken back")
        else:
            self._check_not_redone(frame)
            if not (own or again) and len(changed) > FEW_CHANGES:
                self.case.counts["not judged: hands at it after long runs"] += 1
                return
            assert own or again, f"{status} on a board that no hands left so"
            assert status == ("lifted" if gone else self._due_status()), f"{status} with {own + again} begun"
            self._check_begun(cues, frame, own, again)

    def _check_undecided(
        self,
        cues: light.Cues,
        gone: set[str],
        changed: frozenset[str],
        readings: set[tuple[str, ...]],
        replied: list[Way],
    ) -> None:
        """Several runs explain the board, and the points are lit at which hands did some of them.

        Of the `readings`, an empty run is the last turn undone.
        """
        if len(changed) > FEW_CHANGES:
            self.case.counts["not judged: a question after long runs"] += 1
        else:
            only = len(readings) < 2 and not (readings and replied)
            assert not only, f"undecided, but there is only {readings}"
        assert {point for point, cue in cues if cue == "lifted"} == gone, cues
        unclear = {point for point, cue in cues if cue == "unclear"}
        last = {point for step in self.case.score.last_turn for point, _ in touched(step)}
        assert unclear <= changed | gone | last, f"{unclear} was not touched"

    def _was_back_early(self) -> bool:
        """Return whether a piece that the last turn moved was back before it left where it had landed.

        One piece cannot be on two points, so that does not undo a move.
        """
        change = self.case.table.last_change
        moves = [(origin, target) for origin, target in map(ends, self.case.score.last_turn) if target]
        return any(origin and change(origin) < change(target) - LAG for origin, target in moves)

    def _early(self, now: MillMoment, frame: Frame, changed: frozenset[str]) -> list[Way]:
        """Return the replies that have begun while the turn from `now` is in hand, as if it had landed.

        The piece that has landed can't be the one in hand, unless both players hold one: then it may be
        either's.
        """
        found = list[Way]()
        read = dict(zip(POINTS, frame, strict=True))
        both_hold = any(not read[point] for point, owner in now.board.items() if owner != now.to_move)
        moves = [(step, *ends(step)) for step in plain.legal_steps(now) if "-" in step and step != "x-"]
        for step, origin, target in moves:
            if read[str(origin)] or read[str(target)]:
                continue
            if not both_hold and any(read[str(there)] for _, here, there in moves if here == origin):
                continue
            after = plain.play(now, step)
            landed = {target: self.case.table.feel(now.to_move)}
            felt = [frozenset({landed.get(point, reading)}) for point, reading in read.items()]
            replies = begun(after, self.case.colours, felt, changed | {str(target)}, self.case.acts())
            found += [Way((step, *way.turn), (1, *way.done), frame, way.turns + 1) for way in replies]
        return found

    def _ought_to_count(self, found: list[Way], *, undone: bool) -> bool:
        """Return whether hands did one of these in order, without knocks or corrections."""
        if self.case.answered or self.case.knocked or self._was_interrupted() or self._goes_back():
            return False
        return undone or any(way.turns == 1 and self._was_in_order(way) for way in found)

    def _lifted_first(self, again: list[Way]) -> list[Way]:
        """Return those of the ways that set a piece down surely after that of the last turn was lifted.

        There are none if a piece that it moved has stood ever since, and another one came to where it was.
        """
        if self._was_followed():
            return []
        change, felt = self.case.table.last_change, self.case.felt
        landed = {target for step in self.case.score.last_turn if (target := ends(step)[1])}
        lifted = [change(point) for point in landed if NOTHING in felt(point, self.case.table.now)]
        since = max(lifted, default=-LAG)
        return [
            way
            for way in again
            if all(change(point) > since + LAG for point in way.landed()) and self._was_carried(way)
        ]

    def _was_followed(self) -> bool:
        """Return whether a piece that the last turn moved stands, while another one came to its origin."""
        change, counted = self.case.table.last_change, self.case.committed
        moves = [(origin, target) for origin, target in map(ends, self.case.score.last_turn) if target]
        return any(origin and change(target) < counted < change(origin) for origin, target in moves)

    def _was_carried(self, way: Way) -> bool:
        """Return whether no piece that the last turn seemed to capture moved on after too long."""
        captured = {step[1:] for step in self.case.score.last_turn if step[0] == "x"}
        change = self.case.table.last_change
        moves = [(origin, target) for origin, target in map(ends, way.turn) if origin in captured and target]
        return all(change(target) - change(origin) <= CARRIED for origin, target in moves)

    def _goes_back(self) -> bool:
        """Return whether hands have put back a part of what the board asked about, and done nothing else."""
        asked, frame = self.case.questioned, self.case.rested(LAG)
        if asked is None or frame is None or frame == asked:
            return False
        return all(map(_is_either, frame, asked, frame_of(self.case.score.now, self.case.colours)))

    def _was_interrupted(self) -> bool:
        """Return whether something was asked for, or play was paused, while hands were at it."""
        return self.case.counting_since > self.case.right_at

    def _was_in_order(self, way: Way) -> bool:
        """Return whether each piece was lifted before it was put down, by more than sensors may be late."""
        table = self.case.table
        for step, stage in zip(way.turn, way.done, strict=True):
            origin, target = ends(step)
            if not origin or not target or stage < 2:
                continue
            lifted = table.now - table.stood(origin, NOTHING, table.now, lag=0)
            if lifted + LAG > table.last_change(target):
                return False
        return True

    def _was_filled_first(self, way: Way) -> bool:
        """Return whether a piece stands where one landed that has surely left its own point later."""
        table = self.case.table
        moves = [(origin, target) for origin, target in map(ends, way.landed_steps()) if origin and target]
        left = {o: table.now - table.stood(o, NOTHING, table.now, lag=0) for o, _ in moves}
        empty = {origin for origin in left if self.case.felt(origin, table.now) == {NOTHING}}
        return any(o in empty and left[o] > table.last_change(target) + LAG for o, target in moves)

    def _due_status(self) -> str:
        return "remove" if self.case.score.now.due else "ready"

    def _is_on_the_way(self, frame: Frame) -> bool:
        """Return whether the rest of the take-back may follow."""
        wanted = frame_of(self.case.score.now, self.case.colours)
        later = [frame_of(moment, self.case.colours) for moment in self.case.score.later]
        return any(all(map(_is_either, frame, wanted, then)) for then in later)

    def _check_not_redone(self, frame: Frame) -> None:
        if self.case.may_redo and self.case.rested(OLDER_REST) == frame:
            later = [frame_of(moment, self.case.colours) for moment in self.case.score.later]
            assert frame not in later, "it stands as after steps that may be redone, and they are not"

    def _check_not_older(self, frame: Frame, gone: set[str]) -> None:
        self._check_not_redone(frame)
        wanted = frame_of(self.case.score.now, self.case.colours)
        clearing = len(gone) >= 3 and all(r in ("", w) for r, w in zip(frame, wanted, strict=True))
        undoing = self.case.undoing_since is not None
        if clearing or not any(frame) or undoing or not self.case.wishes.take_back:
            return
        if self.case.answered or self.case.knocked or not self._was_human_pace(frame) or self._goes_back():
            return
        if self.case.rested(OLDER_REST) == frame:
            older = [frame_of(moment, self.case.colours) for moment in self.case.score.record[:-1]]
            plies = [ply for ply, then in enumerate(older) if then == frame]
            assert not plies or self._is_too_long_ago(plies[-1], frame), (
                f"it stands as after step {plies[-1]}, which is not taken back"
            )

    def _is_too_long_ago(self, ply: int, frame: Frame) -> bool:
        """Return whether more turns have been played since than points differ: each turn takes a touch."""
        wanted = frame_of(self.case.score.now, self.case.colours)
        differing = sum(then != now for then, now in zip(wanted, frame, strict=True))
        return sum(start >= ply for start in self.case.score.starts) > differing

    def _was_human_pace(self, frame: Frame) -> bool:
        """Return whether the points that differ changed one after the other, as by hands."""
        wanted = frame_of(self.case.score.now, self.case.colours)
        differ = [p for p, then, now in zip(POINTS, wanted, frame, strict=True) if then != now]
        times = sorted(map(self.case.table.last_change, differ))
        return all(after - before > PACE + LAG for before, after in pairwise(times))

    def _watched(self, ways: list[Way]) -> list[Way]:
        """Return the ways whose whole turns the board has watched since the power was on."""
        return [way for way in ways if way.turns == 1 or self.case.powered <= self.case.right_at]

    def _longer(self, frame: Frame) -> list[Way]:
        """Return ways of all lengths from here: by the order of its actions, a longer one may be likelier."""
        felt = [frozenset({reading}) for reading in frame]
        changed = self.case.changed(self.case.right_at - LAG, self.case.table.now)
        now, colours = self.case.score.now, self.case.colours
        return begun(now, colours, felt, changed, self.case.acts(), all_lengths=True)

    def _check_begun(self, cues: light.Cues, frame: Frame, own: list[Way], again: list[Way]) -> None:
        since = self.case.changed(self.case.committed - LAG, self.case.table.now)
        complete = [way for way in own or again if way.complete and way.turns < 3 and way.touched() <= since]
        due = [way for way in complete if not self._was_filled_first(way)]
        assert not due or self._goes_back() or self._was_interrupted(), f"{due} was not accepted"
        wanted = frame_of(self.case.score.now, self.case.colours)
        allowed = light.on_begun_turns(self.case.score, wanted, frame, own + again)
        if not cues <= allowed:
            allowed |= light.on_begun_turns(self.case.score, wanted, frame, self._longer(frame))
        assert cues <= allowed, f"{cues - allowed} is lit"
        next_cues = {(point, "lifted") for point in gone_from(wanted, frame)}
        if not again and not self.case.may_redo and len(gone_from(wanted, frame)) == 1:
            # Where hands overlap, or put turns forward, more than one thing is next.
            next_cues |= light.next_in(self._watched(own))
        next_cues = self.case.wished(next_cues)
        assert next_cues <= cues, f"{next_cues - cues} is not lit"


def _is_either(reading: str, one: str, other: str) -> bool:
    return reading in (one, other)
