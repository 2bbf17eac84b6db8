"""The clocks of one board: they follow its games, and say when a player's time is low or up.

Time runs from the end of the first turn on, for the player to move, unless that side is played by others. It
stands while the game is paused, while the board asks, while its sensors fail or it has to be cleared, and
once the board has not matched the game for a minute; until then, a wrong board would be a time-out.

**Invariants:** time is an argument. The flag falls once in a turn, and only after hands that were in time
have had their dwell, so that a turn which ended in time is never lost. After a power cut the clocks stand
where they were stored last, which is at each event and every SAVE_INTERVAL.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player
from firmware_host.games.records import CLOCK_TIMES_TAG, clock_times_text
from firmware_host.games.rulesets import LESSONS
from firmware_host.games.time_control import TimeControls
from firmware_host.lights.bars import LOW, NO_BAR, Bar, bar_of, next_step
from firmware_host.lights.scene import Scene
from firmware_host.play import events as ev
from firmware_host.play.controls import GameControls
from firmware_host.play.game_clock import GameClock, kept_clock, restored_clock
from firmware_host.play.part import PlayPart
from firmware_host.play.preferences import PreferenceValues
from firmware_host.play.session import Session
from firmware_host.play.stored_settings import CLOCK_KEY
from firmware_host.play.timeline import ChangeKind, GameChange
from firmware_host.settings import STRICT, Microseconds
from firmware_host.tracking.verdict import Mismatch

LOW_TIMES: tuple[Microseconds, ...] = (LOW, 10_000_000)
"""The times left at which a clock is reported to be low."""
MISMATCH_PATIENCE: Microseconds = 60_000_000
"""The time for which clocks run on although the board does not match the game."""
SAVE_INTERVAL: Microseconds = 5_000_000
"""The longest time of a running clock that a power cut can take back."""
_FLAG_WAIT: Microseconds = 50_000
"""The wait before the flag counts: a frame that shows a turn just in time may still be on its way."""
_DWELL_LIMIT: Microseconds = 1_500_000
"""The longest time that hands which were in time need to be understood; longer than any dwell."""
_SECOND: Microseconds = 1_000_000
_NOWHERE = -1
"""The index of no turn."""


@frozen
class ClockReading:
    """The clocks at one moment."""

    controls: TimeControls
    left: Mapping[Player, Microseconds]
    """The time left of each player who has a clock; never below 0."""
    running: Player | None
    """The player whose time runs."""
    flag: Player | None
    """The player whose time is up; if it is that of both, of the player to move."""
    is_strict: bool


class ClockTracker(PlayPart):
    """The clocks of one board's games."""

    deadline: Microseconds | None = None
    """The time at which something may happen although no reading changes; None if nothing will."""

    bar_leds = 0
    """The LEDs of each side bar, which show the time left; 0 without bars."""

    must_store = False
    """True if a running clock was not stored for SAVE_INTERVAL."""

    def __init__(self, session: Session, controls: GameControls, must_stand: Callable[[], bool]) -> None:
        """Follow the games of `session`; `must_stand` returns whether something else stops the clocks."""
        self.clock: GameClock | None = None
        """The clocks of the present game; None without any."""
        self.controls = TimeControls()
        """The time controls of the next game."""
        self.is_strict = False
        """True if a game is lost as soon as the player's time is up; otherwise that is only shown."""
        self._session, self._game_controls, self._must_stand = session, controls, must_stand
        self._kept: object = None
        self._now: Microseconds = 0
        self._game: Game | None = None
        self._stood: dict[int, Microseconds] = {}
        """By the number of a step: since when it has stood."""
        self._left: tuple[Game, GameClock | None] | None = None
        """The game before this one, and its clocks, for the case that it goes on."""
        self._mismatch_since: Microseconds | None = None
        self._reported: tuple[int, set[Microseconds]] = _NOWHERE, set()
        """The present turn, and the times left that it has reached and that are reported."""
        self._running: Player | None = None
        self._timed: object = None
        """The turns whose times are in `_times`."""
        self._times = ""
        self._saved: dict[str, Any] | None = None
        self._saved_state: object = None
        self.saved_at: Microseconds = 0
        """The time at which the clocks were stored last."""

    @property
    def is_running(self) -> bool:
        """True while the time of a player runs."""
        return self._running is not None

    @property
    def tags(self) -> dict[str, str]:
        """The tags of the game's record: which clocks it is played with, and their times after each turn."""
        clock = self.clock
        if clock is None:
            return {}
        if not clock.at:
            return clock.controls.tags
        turns = clock.turns, clock.at
        if turns != self._timed:
            times = (None if time is None else time // 1000 for time in clock.times_after_turns)
            self._timed, self._times = turns, clock_times_text(times)
        return {**clock.controls.tags, CLOCK_TIMES_TAG: self._times}

    def read(self, now: Microseconds) -> ClockReading | None:
        """Return the clocks `now`; None without any."""
        clock = self.clock
        if clock is None:
            return None
        left = {player: clock.left(player, now) for player in Player}
        shown = {player: max(time, 0) for player, time in left.items() if time is not None}
        mover = clock.turn.mover
        flag = next((player for player in (mover, mover.other) if shown.get(player) == 0), None)
        return ClockReading(clock.controls, shown, clock.running, flag, self.is_strict)

    def add_light(self, scene: Scene) -> Scene:
        """Return `scene` with the clocks: on the bars, or without them by the pace of the lights."""
        clock = self.clock
        if clock is None:
            return scene
        if self.bar_leds:
            white, black = (_bar(clock, player, self.bar_leds, self._now) for player in Player)
            return replace(scene, bars=(white, black))
        left = None if clock.running is None else clock.left(clock.running, self._now)
        return replace(scene, hurries=left is not None and left <= LOW)

    def _next_bar(self, clock: GameClock, mover: Player, now: Microseconds) -> Microseconds | None:
        """Return when the bar of the player whose time runs changes."""
        left, control = clock.left(mover, now), clock.controls.at(mover)
        if not self.bar_leds or left is None or control is None:
            return None
        return (
            clock.reaches(next_step(left, control.first_s * _SECOND, self.bar_leds), now)
            if left > 0
            else None
        )

    def restore(self, stored: Mapping[str, Any]) -> None:
        """Go on with the clocks of the first game, once it is followed."""
        self._kept = stored.get(CLOCK_KEY)

    def to_store(self) -> Mapping[str, Any]:
        """Return the clocks; None without any.

        While one runs, that changes with each turn and every SAVE_INTERVAL, so that few lifts cost a write;
        once its time is up, with each turn.
        """
        clock = self.clock
        state = None if clock is None else (clock.turns, clock.at, clock.running)
        if state != self._saved_state or self.must_store:
            self._saved_state, self.saved_at = state, self._now
            self._saved = None if clock is None else kept_clock(clock, self._now)
        return {CLOCK_KEY: self._saved}

    # ---- following -------------------------------------------------------------------------------------

    def on_preferences(self, values: PreferenceValues, _before: PreferenceValues | None) -> None:
        """Have the next game played with the clocks that people have chosen."""
        self.controls = TimeControls.parse(values.play.clock)
        self.is_strict = values.play.clock_flag == STRICT

    def on_frame(self, now: Microseconds) -> None:
        """Follow the game up to `now`, and end it if time is up where that loses it."""
        self._now, stands = now, self._must_stand()
        flagged = self._keep_time(now, stands=stands)
        if flagged is not None and self.is_strict:
            self._game_controls.lose_on_time(flagged)
            self._keep_time(now, stands=stands)
        due = None if self.clock is None else _save_due(self.clock, self._running, self.saved_at)
        self.must_store = due is not None and now >= due

    def _keep_time(self, now: Microseconds, *, stands: bool) -> Player | None:
        """Follow the game, and return the player whose time has just run out.

        `stands` says that something other than the game keeps the clocks from running.
        """
        changes = self._session.timeline.changes
        for change in changes:
            self._change(change, now)
        changes.clear()
        game = self._session.game
        if game.ply == 0 and self._agreed_for(game) != (self.clock and self.clock.controls):
            self._begin(game, now)
        if self.clock is not None:
            self._let_run(self.clock, now, stands=stands or _is_held_up(self._session, game))
        self._report_running(now)
        flagged = self._report_low(now)
        self.deadline = self._next_due(now)
        return flagged

    def _change(self, change: GameChange, now: Microseconds) -> None:
        game, before = change.game, self._game
        self._game = game
        if before is None or game.positions[0] is not before.positions[0]:
            self._change_game(before, game, change.furthest, now)
        elif change.how is ChangeKind.PLAYED:
            self._play(change, now)
        elif game.ply != before.ply:
            self._stood = {ply: time for ply, time in self._stood.items() if ply <= game.ply}
            self._go_to(game.ply, now, revises=change.how is ChangeKind.REVISED)

    def _go_to(self, ply: int, now: Microseconds, *, revises: bool) -> None:
        if self.clock is not None:
            self.clock = self.clock.revise(ply, now) if revises else self.clock.jump(ply, now)
            self._reported = _NOWHERE, set()

    def _change_game(self, before: Game | None, game: Game, furthest: Game, now: Microseconds) -> None:
        """Begin the clocks of another game, or go on with those of the one before."""
        left, self._left = self._left, None
        if before is not None:
            self._left = before, None if self.clock is None else self.clock.wait(now)
        self._stood.clear()
        self._reported = _NOWHERE, set()
        self.clock = None
        if left is not None and left[0].positions[0] is game.positions[0]:
            self.clock = None if left[1] is None else left[1].resume(now)
        elif before is None and game.ply:
            self.clock = restored_clock(self._kept, game, furthest, self._free, now)
        elif not game.ply:
            self._begin(game, now)

    def _begin(self, game: Game, now: Microseconds) -> None:
        self._reported = _NOWHERE, set()
        controls = self._agreed_for(game)
        self.clock = None if controls is None else GameClock.begin(controls, game.position.to_move, now)

    def _agreed_for(self, game: Game) -> TimeControls | None:
        """Return the time controls of a game that begins; None if there is no clock, as in a lesson."""
        return None if self.controls.is_none or game.rules.name in LESSONS else self.controls

    def _play(self, change: GameChange, now: Microseconds) -> None:
        game = change.game
        self._stood[game.ply] = now if change.stood is None else min(change.stood, now)
        if self.clock is None or game.mid_turn:
            return
        begun = self.clock.turn.ply
        ended = max(time for ply, time in self._stood.items() if ply > begun)
        self._stood = {ply: time for ply, time in self._stood.items() if ply > begun}
        mover, free = game.position.to_move, self._free
        earns = self.clock.turn.mover not in free
        self.clock = self.clock.end_turn(
            game.ply, mover, ended, last=change.furthest.ply, is_free=mover in free, earns=earns
        )

    @property
    def _free(self) -> frozenset[Player]:
        """The players whose turns neither cost time nor earn any, since others choose them."""
        return self._session.seats.bound(self._session.game.rules)

    # ---- running ---------------------------------------------------------------------------------------

    def _let_run(self, clock: GameClock, now: Microseconds, *, stands: bool) -> None:
        """Let the clock run, or stand, as is due since the last look at it."""
        if not isinstance(self._session.verdict, Mismatch):
            self._mismatch_since = None
        elif self._mismatch_since is None:
            self._mismatch_since = now
        patience = None if self._mismatch_since is None else self._mismatch_since + MISMATCH_PATIENCE
        if self._session.game.position.outcome is not None:
            self.clock = clock.wait(clock.turn.begun)
        elif stands:
            self.clock = clock.wait(now)
        elif patience is not None and now >= patience:
            self.clock = clock.wait(patience)
        else:
            self.clock = clock.go_on(now)

    def _report_running(self, now: Microseconds) -> None:
        """Report a clock that has begun to run, or that none runs any more."""
        running = None if self.clock is None else self.clock.running
        before, self._running = self._running, running
        if running is not None and before is None:
            self._report("start", running, now)
        elif before is not None and running is None and self.clock is not None:
            self._report("stop", before, now)

    def _report_low(self, now: Microseconds) -> Player | None:
        """Report each low time that is reached, and return the player whose time is up."""
        clock = self.clock
        if clock is None or clock.running is None:
            return None
        left = clock.left(clock.running, now) or 0
        reached = self._reported_in(clock)
        for low in LOW_TIMES:
            if left <= low and low not in reached:
                reached.add(low)
                if left > 0:
                    self._report("low", clock.running, now)
        due = self._flag_due(clock, now)
        if 0 in reached or due is None or now < due:
            return None
        reached.add(0)
        self._report("flag", clock.running, now)
        return clock.running

    def _reported_in(self, clock: GameClock) -> set[Microseconds]:
        """Return the low times that the present turn has reached; those it began with are not reported."""
        at, reached = self._reported
        if at != clock.at:
            begun_with = clock.turn.left_at_start or 0
            reached = {low for low in (*LOW_TIMES, 0) if begun_with <= low}
            self._reported = clock.at, reached
        return reached

    def _flag_due(self, clock: GameClock, now: Microseconds) -> Microseconds | None:
        """Return when the flag of the running clock falls, after the dwell of hands that were in time."""
        up = clock.reaches(0, now)
        if up is None:
            return None
        due = up + self._session.timing.debounce_ms * 1000 + _FLAG_WAIT
        pending = self._session.reconciler.deadline
        return due if pending is None or now < due else max(due, min(pending, up + _DWELL_LIMIT))

    def _report(self, what: str, player: Player, now: Microseconds) -> None:
        left = None if self.clock is None else self.clock.left(player, now)
        seconds = max(0, round((left or 0) / _SECOND))
        self._session.timeline.add(ev.ClockChanged(what, player, seconds))

    def _next_due(self, now: Microseconds) -> Microseconds | None:
        clock = self.clock
        if clock is None or clock.running is None:
            return None
        _, reached = self._reported
        dues: list[Microseconds | None] = [clock.reaches(low, now) for low in LOW_TIMES if low not in reached]
        if 0 not in reached:
            dues.append(self._flag_due(clock, now))
        if self._mismatch_since is not None:
            dues.append(self._mismatch_since + MISMATCH_PATIENCE)
        bar, save = self._next_bar(clock, clock.running, now), _save_due(clock, self._running, self.saved_at)
        return min((due for due in (*dues, bar, save) if due is not None), default=None)


def _bar(clock: GameClock, player: Player, leds: int, now: Microseconds) -> Bar:
    left, control = clock.left(player, now), clock.controls.at(player)
    if left is None or control is None:
        return NO_BAR
    whole = control.first_s * _SECOND
    return bar_of(left, whole, leds, runs=clock.running is player)


def _is_held_up(session: Session, game: Game) -> bool:
    return session.paused or session.must_clear or game.outcome is not None


def _save_due(clock: GameClock, running: Player | None, saved_at: Microseconds) -> Microseconds | None:
    """Return when a `running` clock is stored again; None without one, or if its time was up then."""
    left = None if running is None else clock.left(running, saved_at)
    return None if left is None or left <= 0 else saved_at + SAVE_INTERVAL
