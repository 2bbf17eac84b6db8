"""The clocks of one game as a value: the time that each turn began with, and when time did not run.

A turn is charged from its beginning to its end, less the waits in between. Its end is the end of hands, not
the moment at which the board was sure of it, so what the board waits is charged to nobody.

**Invariants:** time is an argument, and never measured. Each turn begins where the one before it ended, so
that the sum of all charges is the time that has passed, less the waits. A turn that goes on, because it was
revised, goes on from its own beginning. Going back or forward in the game restores the times of that turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import pairwise, takewhile
from typing import Any

from firmware_host.errors import NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player
from firmware_host.games.time_control import TimeControl, TimeControls
from firmware_host.settings import Microseconds

_SECOND: Microseconds = 1_000_000


@frozen
class TurnStart:
    """The clocks as a turn begins, after the first `ply` steps of the game."""

    ply: int
    mover: Player
    left: Mapping[Player, Microseconds]
    """The time left of each player who has a clock."""
    begun: Microseconds
    """The time from which the turn is charged."""
    used: Microseconds = 0
    """The time charged to it before that, such as before a power cut."""
    is_free: bool = False
    """True if it costs no time: the first turn of a game, and those that are not chosen at the board."""

    @property
    def left_at_start(self) -> Microseconds | None:
        """The time that its player had left as it was `begun`; None without a clock."""
        left = self.left.get(self.mover)
        return None if left is None else left - self.used


@frozen
class GameClock:
    """The clocks of a game."""

    controls: TimeControls
    turns: tuple[TurnStart, ...]
    """The turns of the game in their order, the present one, and those that can be redone."""
    at: int = 0
    """The index of the present turn."""
    waits: tuple[tuple[Microseconds, Microseconds], ...] = ()
    """The times in which nothing ran, from one time to another, since the turn before the present one."""
    waits_since: Microseconds | None = None
    """The time since which nothing runs; None while time runs."""
    is_revised: bool = False
    """True if the present turn had ended, and goes on because hands revise it."""

    @classmethod
    def begin(cls, controls: TimeControls, first: Player, now: Microseconds) -> GameClock:
        """Return the clocks of a game that begins `now`, whose first turn is free."""
        timed = {player: controls.at(player) for player in Player}
        left = {player: control.first_s * _SECOND for player, control in timed.items() if control is not None}
        return cls(controls, (TurnStart(0, first, left, now, is_free=True),))

    @property
    def turn(self) -> TurnStart:
        """The present turn."""
        return self.turns[self.at]

    @property
    def running(self) -> Player | None:
        """The player whose time runs; None if none does."""
        turn = self.turn
        stands = turn.is_free or self.waits_since is not None or turn.mover not in turn.left
        return None if stands else turn.mover

    def charged(self, now: Microseconds) -> Microseconds:
        """Return what the present turn has cost until `now`."""
        return self._charged(self.turn, now)

    def left(self, player: Player, now: Microseconds) -> Microseconds | None:
        """Return the time that `player` has left `now`, below 0 if it is up; None without a clock."""
        left = self.turn.left.get(player)
        if left is None or player is not self.turn.mover:
            return left
        return left - self.charged(now)

    def reaches(self, rest: Microseconds, now: Microseconds) -> Microseconds | None:
        """Return when the running clock has only `rest` left if nothing happens; None if none runs."""
        left = None if self.running is None else self.left(self.running, now)
        return None if left is None else now + left - rest

    @property
    def times_after_turns(self) -> Iterator[Microseconds | None]:
        """The time that the player of each turn had left after it, up to the present turn."""
        for turn, following in pairwise(self.turns[: self.at + 1]):
            yield following.left.get(turn.mover)

    # ---- changes ---------------------------------------------------------------------------------------

    def wait(self, since: Microseconds) -> GameClock:
        """Return the clocks standing still from `since` on."""
        return self if self.waits_since is not None else replace(self, waits_since=since)

    def go_on(self, now: Microseconds) -> GameClock:
        """Return the clocks running again from `now` on."""
        if self.waits_since is None:
            return self
        return replace(self, waits=(*self.waits, (self.waits_since, now)), waits_since=None)

    def end_turn(
        self, ply: int, mover: Player, at: Microseconds, *, last: int, is_free: bool, earns: bool = True
    ) -> GameClock:
        """Return the clocks after the present turn has ended `at` that time, and that of `mover` has begun.

        `ply` is the number of steps by now, and `last` that of the game with all that can be redone. `earns`
        says that the turn which has ended earns its player an increment; others than people earn none.
        """
        turn = self.turn
        at = max(at, turn.begun)
        left = dict(turn.left)
        control = self.controls.at(turn.mover)
        if control is not None:
            rest = turn.left[turn.mover] - self._charged(turn, at)
            left[turn.mover] = _for_next(control, rest, earns=earns)
        begun = TurnStart(ply, mover, left, at, is_free=is_free)
        undone = (later for later in self.turns[self.at + 1 :] if ply < later.ply <= last)
        waits = tuple((since, until) for since, until in self.waits if until > turn.begun)
        return replace(
            self,
            turns=(*self.turns[: self.at + 1], begun, *undone),
            at=self.at + 1,
            waits=waits,
            is_revised=False,
        )

    def revise(self, ply: int, now: Microseconds) -> GameClock:
        """Return the clocks after hands took back steps to that number: the turn they belong to goes on.

        If that is not the last turn, since the last one was taken back already, its times are restored.
        """
        at = self._turn_of(ply)
        if at == self.at:
            return self
        return replace(self, at=at, is_revised=True) if at >= self._revisable_from else self.jump(ply, now)

    @property
    def _revisable_from(self) -> int:
        return self.at if self.is_revised else self.at - 1

    def jump(self, ply: int, now: Microseconds) -> GameClock:
        """Return the clocks after the game went to another number of steps, with the times of then."""
        at = self._turn_of(ply)
        restored = replace(self.turns[at], begun=now, used=0)
        return replace(
            self,
            turns=(*self.turns[:at], restored, *self.turns[at + 1 :]),
            at=at,
            waits=(),
            waits_since=None if self.waits_since is None else now,
            is_revised=False,
        )

    def resume(self, now: Microseconds, used: Microseconds | None = None) -> GameClock:
        """Return the clocks, which were left for a while, going on `now` where they stood.

        `used` is what the present turn has cost, if that is known from elsewhere.
        """
        used = self.charged(now if self.waits_since is None else self.waits_since) if used is None else used
        going_on = replace(self.turn, begun=now, used=used)
        return replace(
            self,
            turns=(*self.turns[: self.at], going_on, *self.turns[self.at + 1 :]),
            waits=(),
            waits_since=None,
            is_revised=True,
        )

    # ---- the sums --------------------------------------------------------------------------------------

    def _turn_of(self, ply: int) -> int:
        """Return the index of the turn that begins after that number of steps, or goes on there."""
        return max(len(list(takewhile(lambda turn: turn.ply <= ply, self.turns))) - 1, 0)

    def _charged(self, turn: TurnStart, until: Microseconds) -> Microseconds:
        if turn.is_free:
            return 0
        waits: Iterable[tuple[Microseconds, Microseconds]] = self.waits
        if self.waits_since is not None:
            waits = (*waits, (self.waits_since, until))
        waited = sum(max(0, min(end, until) - max(since, turn.begun)) for since, end in waits)
        return turn.used + max(0, until - turn.begun - waited)


def _for_next(control: TimeControl, left: Microseconds, *, earns: bool) -> Microseconds:
    """Return the time that a player has for the next turn, of which `left` is over from this one."""
    if control.is_per_turn:
        return control.turn_s * _SECOND
    return left + (control.turn_s * _SECOND if earns else 0)


# ---- the stored form ------------------------------------------------------------------------------------
# The stored form of clocks: what outlasts a power cut.
#
# The times of all turns are stored, so that a turn can be taken back after a cut as well, and what the
# present turn has cost. Times are milliseconds.


def kept_clock(clock: GameClock, now: Microseconds) -> dict[str, Any]:
    """Return what is stored of `clock`."""
    turns = [[turn.ply, *(_ms(turn.left.get(player)) for player in Player)] for turn in clock.turns]
    return {
        "control": str(clock.controls),
        "turns": turns,
        "ply": clock.turn.ply,
        "used": _ms(clock.charged(now)),
    }


def restored_clock(
    kept: object, game: Game, furthest: Game, free: Collection[Player], now: Microseconds
) -> GameClock | None:
    """Return the clocks that were `kept` of `game`; None if there were none, or they are not of this game.

    `furthest` is the game with all that can be redone, and `free` are the players whose turns cost nothing.
    """
    if not isinstance(kept, Mapping):
        return None
    try:
        controls = TimeControls.parse(kept["control"])
        turns = tuple(_turn(entry, furthest, free, now) for entry in kept["turns"])
        at = max(index for index, turn in enumerate(turns) if turn.ply <= game.ply)
        used = int(kept["used"]) * 1000 if turns[at].ply == kept["ply"] else 0
    except (NotationError, LookupError, TypeError, ValueError, AttributeError):
        return None  # another version has written it, or it is of another game
    return GameClock(controls, turns, at).resume(now, used)


def was_running(kept: object) -> bool:
    """Return whether the clocks that were `kept` had begun to run, so that people have to resume them."""
    turns = kept.get("turns") if isinstance(kept, Mapping) else None
    return isinstance(turns, list) and len(turns) > 1


def _turn(entry: Any, furthest: Game, free: Collection[Player], now: Microseconds) -> TurnStart:
    ply, *times = entry
    if ply not in (*furthest.turn_starts, furthest.ply):
        raise ValueError(f"no turn begins after {ply} steps")
    mover = furthest.positions[ply].to_move
    left = {player: int(ms) * 1000 for player, ms in zip(Player, times, strict=True) if ms is not None}
    return TurnStart(ply, mover, left, now, is_free=not ply or mover in free)


def _ms(time: Microseconds | None) -> int | None:
    return None if time is None else round(time / 1000)
