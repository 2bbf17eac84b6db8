"""The judge of events: rules 1 and 2 of `referee`."""

from __future__ import annotations

from functools import reduce

from tests.fuzz.oracle import light
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import FEW_CHANGES, begun, ends, frame_of, touched
from tests.fuzz.oracle.judging.case import (
    ANNOUNCED,
    LAG,
    LANDING,
    OLDER,
    REMOVAL,
    SLIDING,
    TOLERANCE,
    JudgedCase,
)
from tests.fuzz.oracle.score import Object
from tests.fuzz.oracle.table import NOTHING, POINTS

DEBOUNCE = 0.01
PACE = 0.08
"""The shortest pause of hands, before which a turn counts although something wrong follows."""
FRAME = 0.005
THOUGHT_OVER = 1.0
"""The time for which a board rests before later evidence changes what has counted."""


class EventJudge:
    """Follows the events of one board, and checks that the readings allow them."""

    def __init__(self, case: JudgedCase) -> None:
        self.case = case

    def follow(self, events: list[Object]) -> None:
        """Take in what happened at one moment, and check that the readings allow it."""
        at, names = events[0]["t"], [event["event"] for event in events]
        before = fewest = len(self.case.score.steps)
        for event in events:
            self.case.counts[f"event {event['event']}"] += 1
            if event["event"] == "taken-back":
                self._take_back(event, goes_on="step" in names)
            else:
                self._take_in(event)
            fewest = min(fewest, len(self.case.score.steps))
        played = self.case.score.steps[fewest:]
        if {"game", "continued", "end-undone"} & set(names):
            return
        if "redone" in names:
            assert not {"step", "taken-back"} & set(names), names
            assert ("over" in names) == self.case.over, f"{names}, but the ending is {self.case.score.ending}"
            self._check_redone(at, self.case.score.record[before:])
            return
        if played:
            assert ("turn" in names) or self.case.score.now.due, (
                f"no end is told of {self.case.score.last_turn}"
            )
            assert ("over" in names) == self.case.over, f"{names}, but the ending is {self.case.score.ending}"
        if (played and self.case.asked != "decline") or (
            "taken-back" in names and self.case.asked != "take-back"
        ):
            self._check_readings(at, played)

    def _take_in(self, event: Object) -> None:
        match event["event"]:
            case "step":
                self.case.score.step(event)
            case "turn":
                self.case.score.turn(event)
            case "redone":
                self.case.score.redo(event["ply"])
            case "game":
                self.case.score.begin(event)
                self.case.paused = self.case.mismatched = False
                self.case.undoing_since = None
                self.case.counting_since = event["t"]
            case "over":
                self._end(event)
            case "power":
                self.case.blind = self.case.mismatched = False
                self.case.undoing_since = None
                self.case.counting_since = self.case.powered = event["t"]
            case "continued":
                self.case.score.go_on(event)
                self.case.may_redo = False
            case "end-undone":
                assert self.case.table.has_failed_since(event["t"] - LAG), f"{event}, but it was hands"
                self.case.score.undo_end(event)
                self.case.may_redo = False
            case "paused" | "resumed":
                self.case.paused = event["event"] == "paused"
                self.case.counting_since = event["t"]
            case "fault" | "fault-cleared":
                if event["part"] == "sensors":
                    self.case.blind = event["event"] == "fault"
                    failed = self.case.table.has_failed_since(event["t"] - LAG)
                    assert not self.case.blind or failed, f"{event}, but it was hands"
                    self.case.counting_since = event["t"]
            case "mismatch":
                lit = {point: kind for kind in light.DIFFERENCES for point in event[kind]}
                assert lit, event
                self.case.mismatched = True
                self.case.lit |= lit
            case "restored":
                assert self.case.mismatched, event
                self.case.mismatched = False
            case "lifted":
                assert NOTHING in self.case.felt(event["point"], event["t"]), event
            case "put-back":
                assert self.case.felt(event["point"], event["t"]) - {NOTHING}, event
            case unknown:
                raise AssertionError(f"there is no event {unknown}")

    def _take_back(self, event: Object, *, goes_on: bool) -> None:
        """Judge what was taken back; if it `goes_on`, other steps take the place of what had counted."""
        if self.case.may_have_matched(event["t"]):
            self.case.score.matched()
        of_the_last = (
            self.case.score.starts[-1:] <= [event["ply"]] and event["ply"] >= self.case.score.answered
        )
        self.case.score.take_back(event["ply"])
        if self.case.asked == "take-back":
            self.case.undoing_since = event["t"]
            self.case.may_redo = False
        elif not of_the_last and goes_on:
            since, until = event["t"] - THOUGHT_OVER + LAG, event["t"] - LAG
            is_sound = not self.case.table.has_failed_since(event["t"] - THOUGHT_OVER)
            stirred = sorted(self.case.stirred(since, until))
            assert not (stirred and is_sound), f"{event}, but hands were still at {stirred}"
        elif not of_the_last:
            assert self.case.wishes.take_back, f"{event}, but nothing older may be taken back"
            frame = frame_of(self.case.score.now, self.case.colours)
            stood, before = self.case.stood(frame, event["t"]), self.case.stood_before(frame, event["t"])
            least = OLDER - ANNOUNCED - TOLERANCE
            may_count = stood >= OLDER - TOLERANCE or before >= least
            may_count = may_count or (stood >= SLIDING - TOLERANCE and self._was_older(event["t"], least))
            assert may_count, f"{event}, but the board stood so for {max(stood, before)} s only"

    def _was_older(self, at: float, least: float) -> bool:
        """Return whether the board had stood as longer ago, so that turns were put forward from there."""
        frames = {frame_of(moment, self.case.colours) for moment in self.case.score.record[:-1]}
        return any(self.case.stood_before(frame, at) >= least for frame in frames)

    def _end(self, event: Object) -> None:
        self.case.paused = False
        self.case.counts[f"games ended: {event['reason']}"] += 1
        if not self.case.score.end(event):
            return
        asked = {"resigned": "resign", "agreed": "draw", "abandoned": "new-game"}.get(event["reason"])
        if asked != self.case.asked:
            assert event["reason"] == "abandoned", event
            assert self.case.score.steps, event
            for point in POINTS:
                assert NOTHING in self.case.felt(point, event["t"]), f"{event}, but {point} is not empty"

    def _check_redone(self, at: float, record: list[plain.MillMoment]) -> None:
        """Judge what was redone: `record` are the positions from that before on."""
        was, *_, now = record
        turns = 1 + sum(not moment.due for moment in record[1:-1])
        if self.case.asked == "redo":
            assert turns == 1, f"{turns} turns were redone at {at}"
            assert not now.due or not self.case.score.undone, "a turn was redone in part"
            self.case.undoing_since, self.case.may_redo = at, False
            return
        assert not self.case.paused
        assert turns > 1, f"redone at {at}, but that is one turn and could be played"
        stood = self.case.stood(frame_of(now, self.case.colours), at)
        assert stood >= LANDING - TOLERANCE, f"redone at {at}, but the board stood so for {stood} s only"
        if self.case.undoing_since is not None:
            for point, reading in zip(POINTS, frame_of(was, self.case.colours), strict=True):
                felt = self.case.table.possible(point, self.case.undoing_since - LAG, at)
                assert reading in felt, f"redone at {at}, but {point} never stood as it was taken back"
        self.case.undoing_since, self.case.committed = None, at

    def _is_beginning(self, at: float, played: list[str], felt: list[frozenset[str]]) -> bool:
        """Return whether hands played the steps before a pause, and did after it whatever is off now.

        A removal that is due belongs to the beginning, and so does a reply, which may not have counted yet.
        """
        table, now, colours = self.case.table, self.case.score.now, self.case.colours
        wanted = dict(zip(POINTS, frame_of(now, colours), strict=True))
        off = {point for point, those in zip(POINTS, felt, strict=True) if wanted[point] not in those}
        since = self.case.committed - LAG
        ended = max(
            (
                min(table.first(point, wanted[point], since), at - table.stood(point, wanted[point], at, LAG))
                for point in {point for text in played for point, _ in touched(text)} - off
            ),
            default=at,
        )
        for _ in POINTS:
            late = off & table.changed_since(ended + PACE - FRAME, at)
            ended = max([ended, *(table.last_change(point) for point in off - late)])
        before = [frozenset({wanted[p]}) if p in late else f for p, f in zip(POINTS, felt, strict=True)]
        return off == late or bool(begun(now, colours, before, self.case.changed(since, at) - late))

    def _check_readings(self, at: float, played: list[str]) -> None:
        """Rule 2."""
        now = self.case.score.now
        assert not self.case.paused
        felt = [self.case.table.possible(point, at - LAG, at) for point in POINTS]
        wanted = frame_of(now, self.case.colours)
        stands = all(reading in those for reading, those in zip(wanted, felt, strict=True))
        replied: object = stands
        if not stands:
            changed = self.case.changed(self.case.committed - LAG, at)
            replied = begun(now, self.case.colours, felt, changed)
            is_part = all(those & {reading, NOTHING} for reading, those in zip(wanted, felt, strict=True))
            is_cleared = (is_part and _may_be_over(now)) or self._is_cleared_after(felt, changed)
            is_beginning = self._is_beginning(at, played, felt)
            assert replied or is_cleared or is_beginning or len(changed) > FEW_CHANGES, (
                f"{played} at {at}, but the readings are not of {plain.position_text(now)}"
            )
        for text in played:
            for point, filled in touched(text):
                read = self.case.table.possible(point, self.case.committed - LAG, at)
                assert read - {NOTHING} if filled else NOTHING in read, f"{text} at {at}: {point} read {read}"
        if played and self.case.undoing_since is not None:
            stirred = self.case.table.changed_at >= self.case.undoing_since - LAG
            assert stirred or self.case.table.mux_dead, (
                f"{played} at {at}, but nothing was touched since the take-back"
            )
            self.case.undoing_since = None
        if self.case.table.all_sound and replied:
            self._check_waits(at, played)
        self.case.committed = at

    def _is_cleared_after(self, felt: list[frozenset[str]], changed: frozenset[str]) -> bool:
        """Return whether more turns may have ended the game, and pieces been taken off since."""
        now, colours = self.case.score.now, self.case.colours
        anything = frozenset().union(*felt, frame_of(now, colours))
        before = [those | anything if NOTHING in those else those for those in felt]
        ways = begun(now, colours, before, changed)
        return any(way.complete and _may_be_over(reduce(plain.play, way.turn, now)) for way in ways)

    def _check_waits(self, at: float, played: list[str]) -> None:
        before = self.case.score.record[-len(played) - 1 : -1]
        for moment, text in zip(before, played, strict=True):
            origin, target = ends(text)
            point = target or origin
            if point is None:
                continue
            others = {s for s in plain.legal_steps(moment) if ends(s)[0] == origin and ends(s)[1] != target}
            wait = REMOVAL if target is None else SLIDING if others else LANDING
            stood = max(self.case.table.stood(point, r, at, LAG) for r in self.case.felt(point, at))
            wait += DEBOUNCE if at - stood > self.case.powered else 0  # the first reading is accepted at once
            assert stood >= wait - TOLERANCE, f"{text} at {at} after {stood} s, not {wait} s"


def _may_be_over(moment: plain.MillMoment) -> bool:
    """Return whether the game has ended, or ends by a removal that is due: then the board may be cleared."""
    if plain.outcome(moment) is not None or not moment.due:
        return plain.outcome(moment) is not None
    return any(_may_be_over(plain.play(moment, step)) for step in plain.legal_steps(moment))
