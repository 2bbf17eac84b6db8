"""The evidence on one board: its true table, its game so far, and the state of the hands."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from tests.fuzz.oracle import light
from tests.fuzz.oracle.handiwork import frame_of, touched
from tests.fuzz.oracle.plain_rules import MillMoment
from tests.fuzz.oracle.score import MillScore
from tests.fuzz.oracle.table import POINTS, Frame, OracleTable
from tests.fuzz.oracle.wishes import Wishes

LAG = 0.026
"""Debounce, two frames and a bounce: a reading that counts at t was there within LAG before t."""
LANDING, SLIDING, REMOVAL = 0.04, 0.24, 0.3
OLDER, ANNOUNCED = 3.0, 2.0
"""The last ANNOUNCED of the time for which an older position has to stand, light says what is to come."""
REST = 1.1
TOLERANCE = 1e-6


@dataclass
class JudgedCase:
    """The evidence, which `referee` gathers and the judges read."""

    table: OracleTable
    wishes: Wishes
    colours: bool
    score: MillScore = field(default_factory=MillScore)
    counts: Counter[str] = field(default_factory=Counter)
    paused: bool = False
    blind: bool = False
    """True while a fault stops play."""
    mismatched: bool = False
    lit: dict[str, str] = field(default_factory=dict)
    """The points reported as differing since the board last matched the game, and how they differed last."""
    answered: bool = False
    """True if hands have answered some of that since, or done something else there."""
    knocked: bool = False
    """True if pieces were knocked since the board last matched the game."""
    questioned: Frame | None = None
    """The frame in which the board asked which turn was played, since it last matched the game."""
    lit_before: light.Cues = field(default_factory=set)
    """The cues at the last check."""
    right_at: float = 0.0
    """The last time at which the board was seen to match the game."""
    asked: str = ""
    """The request in the last command, if it was not refused."""
    undoing_since: float | None = None
    """The time of a requested take-back after which no step was accepted."""
    may_redo: bool = False
    """True if the board surely matched the game after a take-back by request, or a find."""
    committed: float = 0.0
    """The time of the last accepted steps."""
    counting_since: float = 0.0
    """The time at which the board began to watch again, after a request, a pause or a fault."""
    powered: float = 0.0

    @property
    def over(self) -> bool:
        """True if the game has ended."""
        return self.score.ending is not None

    @property
    def thought_over(self) -> list[MillMoment]:
        """The positions from which the last turn may be done in another way, the latest first."""
        score = self.score
        return score.within_last_turn if self.may_have_matched(self.table.now) else score.thought_over

    def may_have_matched(self, at: float) -> bool:
        """Return whether the board can have matched the game since the power is on, or since a take-back.

        After a power cut it has if a broken sensor showed that. Then the last turn may be thought over.
        """
        since, wanted = self.powered, frame_of(self.score.now, self.colours)
        if not self.score.found:
            since = max(since, max(self.committed, self.undoing_since or 0.0) - LAG)
        may_think = self.table.has_failed_since(since - LAG) if self.score.found else self.wishes.take_back
        return may_think and self.fits(wanted, since, at)

    def felt(self, point: str, at: float) -> frozenset[str]:
        """Return the readings of a point that can count at `at`."""
        return self.table.possible(point, at - LAG, at)

    def stood(self, frame: Frame, at: float) -> float:
        """Return the longest time for which the board can have read as `frame` at `at`."""
        return min(self.table.stood(p, r, at, LAG) for p, r in zip(POINTS, frame, strict=True))

    def stood_before(self, frame: Frame, at: float) -> float:
        """Return the longest time for which the board can have read as `frame` before hands went on."""
        left = [time - TOLERANCE for time in self.table.changes_since(self.committed) if time <= at]
        return max((self.stood(frame, time) for time in left), default=0.0)

    def stirred(self, since: float, until: float) -> set[str]:
        """Return the points that can first have read as something else between two times.

        Hands that slide a piece may have been noticed as soon as they began.
        """
        table = self.table
        times = {time for time in table.changes_since(since) if time <= until}
        return {
            point
            for point in POINTS
            for time in times
            if table.possible(point, time, time) - table.possible(point, time - TOLERANCE, time - TOLERANCE)
        }

    def fits(self, frame: Frame, since: float, until: float) -> bool:
        """Return whether the sensors can have read `frame`, each at some time between `since` and `until`."""
        return all(r in self.table.possible(p, since, until) for p, r in zip(POINTS, frame, strict=True))

    def changed(self, since: float, until: float) -> frozenset[str]:
        """Return the points that were touched since then, or do not read as they should."""
        wanted = zip(POINTS, frame_of(self.score.now, self.colours), strict=True)
        off = {p for p, then in wanted if self.table.possible(p, until - LAG, until) != {then}}
        return self.table.changed_since(since, until) | off

    def acts(self) -> dict[str, int]:
        """Return how often hands can have acted at each point since the board matched the game.

        Of the last turn, which may be thought over, each point was touched once more.
        """
        again = {point for step in self.score.last_turn for point, _ in touched(step)}
        since = self.right_at - LAG
        return {p: max(1, self.table.acts_since(p, since)) + (p in again) for p in POINTS}

    def rested(self, seconds: float) -> Frame | None:
        """Return the frame of a board that has been left alone for `seconds`; None if it was not."""
        return self.table.rested(seconds) if self.table.now - self.counting_since >= seconds else None

    def stands_right(self) -> bool:
        """Return whether hands count, and the board's readings surely match the game."""
        frame = self.table.rested(LAG)
        return frame == frame_of(self.score.now, self.colours) and not (
            self.over or self.paused or self.blind
        )

    def matched(self) -> None:
        """Note that the board matches the game now."""
        self.lit, self.answered, self.knocked, self.right_at = {}, False, False, self.table.now
        self.questioned = None
        if self.wishes.take_back or self.score.found:
            self.score.matched()

    def wished(self, cues: light.Cues) -> light.Cues:
        """Return those of the cues that the settings allow."""
        return {cue for cue in cues if self.wishes.hints or cue[1] not in light.HINTS}
