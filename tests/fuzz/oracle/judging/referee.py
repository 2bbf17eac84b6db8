"""The judge of the board's lines, by the plain rules and the table.

Checked after each command. Times are the board's own; `LAG` is debounce, two frames and a bounce, so that a
reading which counts at t was there within LAG before t. Rule 3 is in `mending.py`.

1. Every `step` is legal in the plain rules from the position that the events so far make, and by its player;
   `turn` comes when the turn is over, with its text; `over` comes with the step that ends the game by the
   rules, with its winner and reason, or with the request or the cleared board that ends it. A cleared game
   goes on only when a sensor that was at fault has just been repaired. A state's position text, player to
   move, moves and outcome are the plain rules' own.
2. When steps are accepted, or hands take some back, the readings within LAG can have been those of the
   position after them, or of hands in the midst of a run of legal turns from it: no turn is accepted that no
   hands with the same readings could have made. With polarity and sound sensors the readings are what hands
   did.
   Besides,
   - each point where an accepted step set a piece down can have read as something, and each that it opened
     can have read as nothing, at some time since the commit before (less LAG);
   - where all sensors are sound, each piece that was set down has stood for its wait (40 ms, or 240 ms if it
     could have gone elsewhere), each that was removed has been away for 300 ms, reply or not;
   - turns before the last are taken back only when the board has stood so for three seconds, or for one, and
     hands are in the midst of a run of turns from there;
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
   as it did after an older step, before at most as many turns as points differ: that is taken back, and
   announced by light for the last two seconds, or after steps that may be redone: they are. On the way to
   these it may wait for a second. Where pieces were knocked, or a board is half corrected, or half put back
   after a question, a turn may also be reported as a mismatch. No light is on without a cue, and no cue is
   dark but those that show by going out for a moment that Black is to move.
5. Each line is a JSON object; times do not go back, and pass only with `wait` and `slide`.

Each broken rule is an AssertionError with the evidence.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from tests.fuzz.oracle import light
from tests.fuzz.oracle.handiwork import frame_of
from tests.fuzz.oracle.judging.case import TOLERANCE, JudgedCase
from tests.fuzz.oracle.judging.events import EventJudge
from tests.fuzz.oracle.judging.states import StateJudge
from tests.fuzz.oracle.plain_rules import BLACK
from tests.fuzz.oracle.score import MillScore, Object
from tests.fuzz.oracle.table import POINTS, Command, OracleTable
from tests.fuzz.oracle.wishes import Wishes

STEADY = 1.2
"""A light that would flash more than twice a second is held back, and a strip that failed tried again, but
not for longer."""
SHOWS_PLAYER = {"movable", "destination", "resting"}
"""Cues that show the player to move by their light: Black's goes out for a moment, White's never does."""


class Referee:
    """Follows one board; `judge` receives each command and the board's lines."""

    def __init__(self, table: OracleTable, wishes: Wishes, *, colours: bool) -> None:
        """`colours`: the sensors report owners."""
        self.case = JudgedCase(table, wishes, colours)
        self.last_state: Object = {}
        self._events = EventJudge(self.case)
        self._states = StateJudge(self.case)
        self._time = 0.0
        self._stirred = 0.0
        """The time of the last event."""
        self._unplugged = False
        """True if the strip lost its light, after which it is sent nothing."""

    @property
    def score(self) -> MillScore:
        """The game so far."""
        return self.case.score

    @property
    def counts(self) -> Counter[str]:
        """The numbers of events and statuses."""
        return self.case.counts

    @property
    def colours(self) -> bool:
        """True if the sensors report owners."""
        return self.case.colours

    @property
    def paused(self) -> bool:
        """True while hands are ignored."""
        return self.case.paused

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.case.over

    def judge(self, command: Command, said: list[Object]) -> None:
        """Check all that the board said after `command`."""
        assert all(isinstance(one, dict) and "t" in one for one in said), said
        for one in said:
            assert self._time - TOLERANCE <= one["t"] <= self.case.table.now + TOLERANCE, one
            self._time = max(self._time, one["t"])
        refused = any("error" in one for one in said)
        if said and "state" not in said[-1]:
            self._stirred = self.case.table.now
        self._follow_strip(command)
        self.case.asked = "" if refused else str(command.get("do", ""))
        if self.case.asked:
            self.case.counting_since = self.case.table.now
        self.case.knocked |= "knock" in command or "fault" in command or "repair" in command
        events = [one for one in said if "event" in one]
        for _, together in groupby(events, key=lambda one: one["t"]):
            self._events.follow(list(together))
        begun = any(event["event"] == "game" for event in events)
        if self.case.asked or begun or command.get("power") == "on":
            self.case.table.refill(self.case.score.now.rules.pieces)
        for one in said:
            if "state" in one:
                self.last_state = one["state"]
                self._states.check(one["state"])
                self._check_leds(one["state"])
        self._look_for_answers()

    def _look_for_answers(self) -> None:
        wanted = dict(zip(POINTS, frame_of(self.case.score.now, self.case.colours), strict=True))
        now = self.case.table.now
        self.case.answered |= any(
            light.difference(wanted[point], reading) != told
            for point, told in self.case.lit.items()
            for reading in self.case.table.possible(point, now, now)
        )

    def _follow_strip(self, command: Command) -> None:
        if "leds" in command.get("fault", {}):
            self._unplugged = True
        elif "repair" in command:
            self._unplugged = False
            self._stirred = self.case.table.now

    def _check_leds(self, state: Object) -> None:
        lit, cues = set(state["leds"]), state["cues"]
        if self._unplugged:
            assert not lit
            return
        steady = self.case.table.now - max(self._stirred, self.case.table.changed_at) >= STEADY
        if steady and self.case.table.all_sound:
            assert lit <= set(cues), f"{lit - set(cues)} is lit without a cue"
            for point in set(cues) - lit:
                assert set(cues[point]) & SHOWS_PLAYER, f"{point} is dark, but has {cues[point]}"
                assert state["to_move"] == BLACK, f"{point} is dark, but White is to move"
