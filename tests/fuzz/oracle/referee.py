"""The judge of the board's lines, by the plain rules and the table.

Checked after each command. Times are the board's own; `LAG` is debounce, two frames and a bounce, so that a
reading which counts at t was there within LAG before t. Rule 3 is in `mending.py`.

1. Every `step` is legal in the plain rules from the position that the events so far make, and by its player;
   `turn` comes when the turn is over, with its text; `over` comes with the step that ends the game by the
   rules, with its winner and reason, or with the request or the cleared board that ends it. A state's
   position text, player to move, moves and outcome are the plain rules' own.
2. When steps are accepted, or hands take some back, the readings within LAG can have been those of the
   position after them, or of hands in the midst of a run of legal turns from it: no turn is accepted that no
   hands with the same readings could have made. With polarity and sound sensors the readings are what hands
   did.
   Besides,
   - each point where an accepted step set a piece down can have read as something, and each that it opened
     can have read as nothing, at some time since the commit before (less LAG);
   - where all sensors are sound, each piece that was set down has stood for its wait (40 ms, or 240 ms if it
     could have gone elsewhere), each that was removed has been away for 300 ms, reply or not;
   - turns before the last are taken back only when the board has stood so for three seconds;
   - after a take-back that was asked for, nothing is accepted before a piece was touched;
   - what was taken back is redone by hands only as a board that has stood so for 40 ms, after more than one
     turn, and once it can have read as the game went back to; by request one turn at a time;
   - nothing is accepted while the game is paused.
4. The lights follow from the position and the hands. On a board that stands right the last turn's landings
   and every step that is legal; in a `mismatch` what differs; at the end the winner's pieces. When nothing
   has moved for REST, the status itself must follow: the position's own frame is `ready` or `remove`; a frame
   of hands in the midst of a run of turns (or of the last one, thought over) lights how each such turn goes
   on, and none that is complete is left unaccepted, but those of which several explain the board: it is
   `undecided`, and the points that were touched are lit; any other is a `mismatch`, unless the board stands
   as it did after an older step: that is taken back, and announced by light for the last two seconds, or
   after steps that may be redone: they are. On the way to these it may wait for a second. Where pieces were
   knocked, or a board is half corrected, a turn may also be reported as a mismatch. No light is on without a
   cue, and no cue is dark but those whose pattern goes out for a moment.
5. Each line is a JSON object; times do not go back, and pass only with `wait` and `slide`.

Each broken rule is an AssertionError with the evidence.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from tests.fuzz.oracle import light
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import FEW_CHANGES, Way, begun, ends, frame_of, gone_from, touched, turn_text
from tests.fuzz.oracle.score import Object, Score
from tests.fuzz.oracle.table import NOTHING, POINTS, Command, Frame, Table
from tests.fuzz.oracle.wishes import Wishes

LAG = 0.026
DEBOUNCE = 0.01
LANDING, SLIDING, REMOVAL = 0.04, 0.24, 0.3
ILLEGAL = 0.25
LIFTED = 1.0
"""The time for which a point must be empty before its changed placement counts as taken back."""
OLDER, ANNOUNCED = 3.0, 2.0
"""The last ANNOUNCED of the time for which an older position has to stand, light says what is to come."""
PACE = 0.08
"""The least time hands take from one piece to the next."""
REST = 1.1
OLDER_REST = 3.1
ON_THE_WAY = 1.6
"""Longer than the board waits for the rest of what was taken back."""
STEADY = 1.2
"""A light that would flash more than twice a second is held back, and a strip that failed tried again, but
not for longer."""
TOLERANCE = 1e-6
IN_PLAY = ("ready", "remove", "lifted", "mismatch", "undecided")
GOES_DARK = {"movable", "destination"}
"""Cues that a theme may let go out for a moment, when Black is to move."""


@dataclass
class Referee:
    """Follows one board; `judge` receives each command and the board's lines."""

    table: Table
    wishes: Wishes
    colours: bool
    score: Score = field(default_factory=Score)
    counts: Counter[str] = field(default_factory=Counter)
    paused: bool = False
    last_state: Object = field(default_factory=dict)
    _blind: bool = False
    """True while a fault stops play."""
    _mismatched: bool = False
    _lit: frozenset[str] = frozenset()
    """The points reported as differing since the board last matched the game."""
    _answered: bool = False
    """True if hands have answered some of that since."""
    _knocked: bool = False
    """True if pieces were knocked since the board last matched the game."""
    _lit_before: light.Cues = field(default_factory=set)
    """The cues at the last check."""
    _right_at: float = 0.0
    """The last time at which the board was seen to match the game."""
    _asked: str = ""
    _undoing_since: float | None = None
    """The time of a requested take-back after which no step was accepted."""
    _may_redo: bool = False
    """True if the board surely matched the game after a take-back by request, or a find."""
    _committed: float = 0.0
    _time: float = 0.0
    _counting_since: float = 0.0
    """The time at which the board began to watch again, after a request, a pause or a fault."""
    _powered: float = 0.0
    _stirred: float = 0.0
    """The time of the last event."""
    _unplugged: bool = False
    """The lights due when the strip lost its light; it is sent nothing before these change."""

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.score.ending is not None

    def judge(self, command: Command, said: list[Object]) -> None:
        """Check all that the board said after `command`."""
        assert all(isinstance(one, dict) and "t" in one for one in said), said
        for one in said:
            assert self._time - TOLERANCE <= one["t"] <= self.table.now + TOLERANCE, one
            self._time = max(self._time, one["t"])
        refused = any("error" in one for one in said)
        if said and "state" not in said[-1]:
            self._stirred = self.table.now
        self._follow_strip(command)
        self._asked = "" if refused else str(command.get("do", ""))
        if self._asked:
            self._counting_since = self.table.now
        self._knocked |= "knock" in command or "fault" in command or "repair" in command
        events = [one for one in said if "event" in one]
        for _, together in groupby(events, key=lambda one: one["t"]):
            self._follow(list(together))
        if self._asked or command.get("power") == "on":
            self.table.refill(self.score.now.rules.pieces)
        for one in said:
            if "state" in one:
                self.last_state = one["state"]
                self._check_state(one["state"])
        self._look_for_answers()

    def _look_for_answers(self) -> None:
        wanted = dict(zip(POINTS, frame_of(self.score.now, self.colours), strict=True))
        now = self.table.now
        self._answered |= any(wanted[p] in self.table.possible(p, now, now) for p in self._lit)

    def _stands_right_again(self) -> None:
        self._lit, self._answered, self._knocked, self._right_at = frozenset(), False, False, self.table.now

    # ---- events ------------------------------------------------------------------------------------------

    def _follow(self, events: list[Object]) -> None:
        """Take in what happened at one moment, and check that the readings allow it."""
        at, names = events[0]["t"], [event["event"] for event in events]
        before = fewest = len(self.score.steps)
        for event in events:
            self.counts[f"event {event['event']}"] += 1
            self._take_in(event)
            fewest = min(fewest, len(self.score.steps))
        played = self.score.steps[fewest:]
        if "game" in names or "continued" in names:
            return
        if "redone" in names:
            assert not {"step", "taken-back"} & set(names), names
            assert ("over" in names) == self.over, f"{names}, but the ending is {self.score.ending}"
            self._check_redone(at, self.score.record[before:])
            return
        if played:
            assert ("turn" in names) or self.score.now.due, f"no end is told of {self.score.last_turn}"
            assert ("over" in names) == self.over, f"{names}, but the ending is {self.score.ending}"
        if (played and self._asked != "decline") or ("taken-back" in names and self._asked != "take-back"):
            self._check_readings(at, played)

    def _take_in(self, event: Object) -> None:
        match event["event"]:
            case "step":
                self.score.step(event)
            case "turn":
                self.score.turn(event)
            case "taken-back":
                self._take_back(event)
            case "redone":
                self.score.redo(event["ply"])
            case "game":
                self.score.begin(event)
                self.paused = self._mismatched = False
                self._undoing_since = None
            case "over":
                self._end(event)
            case "power":
                self._blind = self._mismatched = False
                self._undoing_since = None
                self._counting_since = self._powered = event["t"]
            case "continued":
                self.score.go_on(event)
                self._may_redo = False
            case "paused" | "resumed":
                self.paused = event["event"] == "paused"
                self._counting_since = event["t"]
            case "fault" | "fault-cleared":
                if event["part"] == "sensors":
                    self._blind = event["event"] == "fault"
                    assert not self._blind or not self.table.all_sound, f"{event}, but it was hands"
                    self._counting_since = event["t"]
            case "mismatch":
                lit = [*event["missing"], *event["extra"], *event["wrong"]]
                assert lit, event
                self._mismatched = True
                self._lit |= frozenset(lit)
            case "restored":
                assert self._mismatched, event
                self._mismatched = False
            case "lifted":
                assert NOTHING in self._felt(event["point"], event["t"]), event
            case "put-back":
                assert self._felt(event["point"], event["t"]) - {NOTHING}, event
            case unknown:
                raise AssertionError(f"there is no event {unknown}")

    def _felt(self, point: str, at: float) -> frozenset[str]:
        return self.table.possible(point, at - LAG, at)

    def _take_back(self, event: Object) -> None:
        of_the_last = self.score.starts[-1:] <= [event["ply"]] and event["ply"] >= self.score.answered
        self.score.take_back(event["ply"])
        if self._asked == "take-back":
            self._undoing_since = event["t"]
            self._may_redo = False
        elif not of_the_last:
            assert self.wishes.take_back, f"{event}, but nothing older may be taken back"
            stood = self._stood(frame_of(self.score.now, self.colours), event["t"])
            assert stood >= OLDER - TOLERANCE, f"{event}, but the board stood so for {stood} s only"

    def _stood(self, frame: Frame, at: float) -> float:
        return min(self.table.stood(p, r, at, LAG) for p, r in zip(POINTS, frame, strict=True))

    def _end(self, event: Object) -> None:
        self.paused = False
        self.counts[f"games ended: {event['reason']}"] += 1
        if not self.score.end(event):
            return
        asked = {"resigned": "resign", "agreed": "draw", "abandoned": "new-game"}.get(event["reason"])
        if asked != self._asked:
            assert event["reason"] == "abandoned", event
            assert self.score.steps, event
            for point in POINTS:
                assert NOTHING in self._felt(point, event["t"]), f"{event}, but {point} is not empty"

    def _check_redone(self, at: float, record: list[plain.Moment]) -> None:
        """Judge what was redone: `record` are the positions from that before on."""
        was, *_, now = record
        turns = 1 + sum(not moment.due for moment in record[1:-1])
        if self._asked == "redo":
            assert turns == 1, f"{turns} turns were redone at {at}"
            assert not now.due or not self.score.undone, "a turn was redone in part"
            self._undoing_since, self._may_redo = at, False
            return
        assert not self.paused
        assert turns > 1, f"redone at {at}, but that is one turn and could be played"
        stood = self._stood(frame_of(now, self.colours), at)
        assert stood >= LANDING - TOLERANCE, f"redone at {at}, but the board stood so for {stood} s only"
        if self._undoing_since is not None:
            for point, reading in zip(POINTS, frame_of(was, self.colours), strict=True):
                felt = self.table.possible(point, self._undoing_since - LAG, at)
                assert reading in felt, f"redone at {at}, but {point} never stood as it was taken back"
        self._undoing_since, self._committed = None, at

    def _check_readings(self, at: float, played: list[str]) -> None:
        """Rule 2."""
        now = self.score.now
        assert not self.paused
        felt = [self.table.possible(point, at - LAG, at) for point in POINTS]
        wanted = frame_of(now, self.colours)
        stands = all(reading in those for reading, those in zip(wanted, felt, strict=True))
        if not stands:
            changed = self._changed(self._committed - LAG, at)
            replied = begun(now, self.colours, felt, changed)
            assert replied, f"{played} at {at}, but the readings are not of {plain.position_text(now)}"
        for text in played:
            for point, filled in touched(text):
                read = self.table.possible(point, self._committed - LAG, at)
                assert read - {NOTHING} if filled else NOTHING in read, f"{text} at {at}: {point} read {read}"
        if played and self._undoing_since is not None:
            stirred = self.table.changed_at >= self._undoing_since - LAG
            assert stirred or self.table.mux_dead, (
                f"{played} at {at}, but nothing was touched since the take-back"
            )
            self._undoing_since = None
        if self.table.all_sound:
            self._check_waits(at, played)
        self._committed = at

    def _changed(self, since: float, until: float) -> frozenset[str]:
        """The points that were touched since then, or do not read as they should."""
        wanted = zip(POINTS, frame_of(self.score.now, self.colours), strict=True)
        off = {p for p, then in wanted if self.table.possible(p, until - LAG, until) != {then}}
        return self.table.changed_since(since, until) | off

    def _check_waits(self, at: float, played: list[str]) -> None:
        before = self.score.record[-len(played) - 1 : -1]
        for moment, text in zip(before, played, strict=True):
            origin, target = ends(text)
            point = target or origin
            if point is None:
                continue
            others = {s for s in plain.legal_steps(moment) if ends(s)[0] == origin and ends(s)[1] != target}
            wait = REMOVAL if target is None else SLIDING if others else LANDING
            stood = max(self.table.stood(point, r, at, LAG) for r in self._felt(point, at))
            wait += DEBOUNCE if at - stood > self._powered else 0  # the first reading is accepted at once
            assert stood >= wait - TOLERANCE, f"{text} at {at} after {stood} s, not {wait} s"

    # ---- states ------------------------------------------------------------------------------------------

    def _check_state(self, state: Object) -> None:
        status, now = state["status"], self.score.now
        if self._stands_right():
            self.score.found_again()
            self._stands_right_again()
            self._may_redo = True
        self.counts[f"status {status}"] += 1
        assert state["position"] == plain.position_text(now), plain.position_text(now)
        assert state["to_move"] == now.to_move
        assert state["held"] == self.table.held, self.table.held
        assert state["outcome"] == self.score.ending, self.score.ending
        assert (status == "fault") == self._blind
        if not self._blind:
            assert (status == "over") == self.over
            assert (status == "paused") == (self.paused and not self.over)
        if status in IN_PLAY:
            assert (status == "mismatch") == self._mismatched
        cues = {(point, cue) for point, those in state["cues"].items() for cue in those}
        self._check_differences(state)
        self._check_moves(state)
        self._check_cues(status, cues)
        if status in (*IN_PLAY, "taking-back"):
            self._check_at_rest(status, cues)
        self._check_leds(state)
        self._lit_before = cues

    def _check_differences(self, state: Object) -> None:
        """Check that each reported difference can have been read, and that each certain one is reported."""
        said = {p: kind for kind in light.DIFFERENCES for p in state[kind]}
        assert len(said) == sum(len(state[kind]) for kind in light.DIFFERENCES)
        assert bool(said) == (state["status"] == "mismatch"), said
        if not said:
            return
        cues = {(point, cue) for point, those in state["cues"].items() for cue in those}
        assert light.told_differences(cues) == said
        for point, wanted in zip(POINTS, frame_of(self.score.now, self.colours), strict=True):
            felt = self._felt(point, self.table.now)
            allowed = {light.difference(wanted, reading) for reading in felt}
            if self._may_be_a_brush(point):
                allowed.add(None)
            assert said.get(point) in allowed, f"{point} is told {said.get(point)}, but it is {allowed}"

    def _may_be_a_brush(self, point: str) -> bool:
        """Return whether the reading may be too recent to be reported yet."""
        since = self.table.now - (REST if self.score.undone or self._lit else ILLEGAL) - LAG
        return since <= self._counting_since or len(self.table.possible(point, since, self.table.now)) > 1

    def _check_moves(self, state: Object) -> None:
        told = state["moves"]
        assert told == sorted(set(told))
        if self.over:
            assert not told
        elif state["status"] in ("mismatch", "clear", "undecided", "taking-back") or self._stands_right():
            legal = plain.legal_steps(self.score.now)
            if not self.score.now.due:
                legal = {turn_text(turn) for turn in plain.whole_turns(self.score.now)}
            assert told == sorted(legal), set(told) ^ legal

    def _stands_right(self) -> bool:
        """Return whether hands count, and the board's readings surely match the game."""
        frame = self.table.rested(LAG)
        return frame == frame_of(self.score.now, self.colours) and not (
            self.over or self.paused or self._blind
        )

    def _check_cues(self, status: str, cues: light.Cues) -> None:
        meanings = {meaning for _, meaning in cues}
        match status:
            case "fault" | "paused":
                assert not cues, cues
            case "over" if not self.score.steps and meanings == {"clear"}:
                pass
            case "over":
                assert cues == light.at_the_end(self.score), cues ^ light.at_the_end(self.score)
            case "clear":
                assert meanings <= {"clear"}, cues
                for point in POINTS:
                    felt = self._felt(point, self.table.now)
                    assert felt - {NOTHING} if (point, "clear") in cues else NOTHING in felt, point
            case "mismatch":
                assert meanings <= set(light.DIFFERENCES), cues
            case "undecided":
                assert "unclear" in meanings, cues
                assert meanings <= {"unclear", "lifted"}, cues
            case "taking-back":
                self._check_announced(cues)
            case _ if self._stands_right():
                right = self._wished(light.on_a_board_that_stands_right(self.score))
                assert cues == right, cues ^ right
            case _:
                allowed = light.at_any_time(self.score, self.colours)
                if not cues <= allowed:
                    allowed |= self._on_runs()
                if self.table.now - self.table.changed_at < REST:
                    allowed |= self._lit_before  # a dead end is reported a little later
                assert cues <= allowed, cues - allowed

    def _on_runs(self) -> light.Cues:
        """Return the cues that may be lit if several turns may have begun, where the readings are certain."""
        now, score = self.table.now, self.score
        felt = [self.table.possible(point, now - LAG, now) for point in POINTS]
        changed = self._changed(self._right_at - LAG, now)
        other = replace(
            score.now, to_move=plain.OTHER[score.now.to_move], due=0
        )  # both hands are on the board
        moments = [score.now, *score.thought_over, other]
        found = [way for m in moments for way in begun(m, self.colours, felt, changed)]
        return light.next_in(found) | {(point, "destination") for way in found for point in way.landed()}

    def _check_announced(self, cues: light.Cues) -> None:
        """An older position is lit where it differs, for the last part of the time that it has to stand."""
        assert self.wishes.take_back, cues
        wanted = frame_of(self.score.now, self.colours)
        older = [frame_of(moment, self.colours) for moment in self.score.record[:-1]]
        lit = {point for point, _ in cues}
        since = self.table.now - REST - LAG  # a difference is reported a little later
        assert {meaning for _, meaning in cues} == {"take-back"}, cues
        told = [
            frame
            for frame in older
            if self.table.fits(frame, since, self.table.now)
            and lit == {p for p, then, now in zip(POINTS, wanted, frame, strict=True) if then != now}
        ]
        assert told, f"{cues} is lit, but there is no such older position"
        if self.table.changed_at > since:
            return
        stood = max(self._stood(frame, self.table.now) for frame in told)
        assert stood >= OLDER - ANNOUNCED - TOLERANCE, f"announced after {stood} s"
        rested = self.table.now - self.table.changed_at
        assert rested <= OLDER + 2 * LAG, f"announced for {rested} s, and not taken back"

    def _check_at_rest(self, status: str, cues: light.Cues) -> None:
        """Check the lines for a board that nobody has touched for some time."""
        frame, score = self._rested(REST), self.score
        if frame is None:
            return
        self.counts["at rest"] += 1
        wanted = frame_of(score.now, self.colours)
        felt, gone = [frozenset({reading}) for reading in frame], gone_from(wanted, frame)
        changed = self._changed(self._right_at - LAG, self.table.now)
        own = begun(score.now, self.colours, felt, changed)
        again = [way for m in score.thought_over for way in begun(m, self.colours, felt, changed)]
        undone = frame in [frame_of(moment, self.colours) for moment in score.thought_over]
        if frame == wanted:
            assert status == self._due_status(), f"{status} on a board that stands right"
        elif self._rested(ON_THE_WAY) is None and self._is_on_the_way(frame):
            return
        elif status == "taking-back":
            assert self._rested(OLDER_REST) is None, "it is announced, but not taken back"
        elif status == "undecided":
            self._check_undecided(cues, gone, changed, own + again)
        elif status == "mismatch":
            counts = self._ought_to_count(own or again, undone=undone)
            assert not counts or self._undoing_since is not None, f"mismatch with {own + again} begun"
            self._check_not_older(frame, gone)
        elif undone and not own:
            raise AssertionError("the last turn was undone, but is not taken back")
        else:
            self._check_not_redone(frame)
            assert own or again, f"{status} on a board that no hands left so"
            assert status == ("lifted" if gone else self._due_status()), f"{status} with {own + again} begun"
            self._check_begun(cues, frame, own, again)

    def _check_undecided(
        self, cues: light.Cues, gone: set[str], changed: frozenset[str], found: list[Way]
    ) -> None:
        """Several runs explain the board, and the points are lit at which hands did some of them."""
        if len(changed) <= FEW_CHANGES:
            assert len({way.turn for way in found}) > 1, f"undecided, but there is only {found}"
        assert {point for point, cue in cues if cue == "lifted"} == gone, cues
        unclear = {point for point, cue in cues if cue == "unclear"}
        assert unclear <= changed | gone, f"{unclear} was not touched"

    def _ought_to_count(self, found: list[Way], *, undone: bool) -> bool:
        """Return whether hands did one of these in order, without knocks or corrections."""
        if self._answered or self._knocked or self._counting_since > self._right_at:
            return False
        return undone or any(way.turns == 1 and self._was_in_order(way) for way in found)

    def _was_in_order(self, way: Way) -> bool:
        """Return whether each piece was lifted before it was put down."""
        for step, stage in zip(way.turn, way.done, strict=True):
            origin, target = ends(step)
            if not origin or not target or stage < 2:
                continue
            if self.table.last_change(origin) > self.table.last_change(target):
                return False
        return True

    def _rested(self, seconds: float) -> Frame | None:
        return self.table.rested(seconds) if self.table.now - self._counting_since >= seconds else None

    def _due_status(self) -> str:
        return "remove" if self.score.now.due else "ready"

    def _is_on_the_way(self, frame: Frame) -> bool:
        """Return whether the rest of the take-back may follow."""
        wanted = frame_of(self.score.now, self.colours)
        later = [frame_of(moment, self.colours) for moment in self.score.later]
        return any(all(map(_is_either, frame, wanted, then)) for then in later)

    def _check_not_redone(self, frame: Frame) -> None:
        if self._may_redo and self._rested(OLDER_REST) == frame:
            later = [frame_of(moment, self.colours) for moment in self.score.later]
            assert frame not in later, "it stands as after steps that may be redone, and they are not"

    def _check_not_older(self, frame: Frame, gone: set[str]) -> None:
        self._check_not_redone(frame)
        wanted = frame_of(self.score.now, self.colours)
        clearing = len(gone) >= 3 and all(r in ("", w) for r, w in zip(frame, wanted, strict=True))
        undoing = self._undoing_since is not None
        if clearing or not any(frame) or undoing or not self.wishes.take_back:
            return
        if self._answered or self._knocked or not self._was_human_pace(frame):
            return
        if self._rested(OLDER_REST) == frame:
            older = [frame_of(moment, self.colours) for moment in self.score.record[:-1]]
            assert frame not in older, (
                f"it stands as after step {older.index(frame)}, which is not taken back"
            )

    def _was_human_pace(self, frame: Frame) -> bool:
        """Return whether the points that differ changed one after the other, as by hands."""
        wanted = frame_of(self.score.now, self.colours)
        differ = [p for p, then, now in zip(POINTS, wanted, frame, strict=True) if then != now]
        times = sorted(map(self.table.last_change, differ))
        return all(after - before > PACE + LAG for before, after in pairwise(times))

    def _check_begun(self, cues: light.Cues, frame: Frame, own: list[Way], again: list[Way]) -> None:
        complete = [way for way in own or again if way.complete and way.turns < 3]
        assert not complete, f"{complete} was not accepted"
        wanted = frame_of(self.score.now, self.colours)
        allowed = light.on_begun_turns(self.score, wanted, frame, own + again)
        assert cues <= allowed, f"{cues - allowed} is lit"
        due = {(point, "lifted") for point in gone_from(wanted, frame)}
        if not again and not self._may_redo and len(gone_from(wanted, frame)) == 1:
            due |= light.next_in(
                own
            )  # where hands overlap, or put turns forward, more than one thing is next
        due = self._wished(due)
        assert due <= cues, f"{due - cues} is not lit"

    def _wished(self, cues: light.Cues) -> light.Cues:
        """Those of the cues that are wished for."""
        return {cue for cue in cues if self.wishes.hints or cue[1] not in light.HINTS}

    # ---- light -------------------------------------------------------------------------------------------

    def _follow_strip(self, command: Command) -> None:
        if "leds" in command.get("fault", {}):
            self._unplugged = True
        elif "repair" in command:
            self._unplugged = False
            self._stirred = self.table.now

    def _check_leds(self, state: Object) -> None:
        lit, cues = set(state["leds"]), state["cues"]
        if self._unplugged:
            assert not lit
            return
        steady = self.table.now - max(self._stirred, self.table.changed_at) >= STEADY
        if steady and self.table.all_sound:
            assert lit <= set(cues), f"{lit - set(cues)} is lit without a cue"
            for point in set(cues) - lit:
                assert set(cues[point]) & GOES_DARK, f"{point} is dark, but has {cues[point]}"


def _is_either(reading: str, one: str, other: str) -> bool:
    return reading in (one, other)
