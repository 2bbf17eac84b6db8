"""The games of one board as they go on, with the events and states that they go through.

The session decides what changes and why, and the rules what may.

Invariants: events are in the order in which they happened, and no state between two calls is left out; the
game is always a beginning of `furthest`, or all of it, with the same positions.

A lifted piece or a mismatch is reported once, when it begins and when it ends. While a take-back waits for
the board to rest, nothing begins or ends: the board still differs from the game.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Sequence
from itertools import chain, pairwise, repeat

from firmware_host.errors import IllegalStepError, NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Outcome, Player, Position, Reason, Rules, Step
from firmware_host.games.layout import Point
from firmware_host.play import events as ev
from firmware_host.ports import NOTHING, Frame
from firmware_host.settings import Microseconds
from firmware_host.tracking.verdict import InProgress, Mismatch, TakingBack, Unchanged, Undecided


class ChangeKind(enum.Enum):
    """The ways in which a game changes."""

    PLAYED = "played"
    """One more step was played."""
    REVISED = "revised"
    """Hands took steps back, and are still at the turn they belong to."""
    JUMPED = "jumped"
    """The game went to another place, was ended, or is another one."""


@frozen
class GameChange:
    """A game after a change, with all that can be redone."""

    game: Game
    furthest: Game
    how: ChangeKind
    stood: Microseconds | None = None
    """The time since which the step that was played has stood; None if no reading shows it."""


@frozen
class Checkpoint:
    """A state of a timeline that it can be restored to."""

    game: Game
    furthest: Game
    ended: tuple[Game, Game] | None


class GameTimeline:
    """Game after game, the first of which starts with `begin` or `go_on`."""

    def __init__(self) -> None:
        self._states: list[Game] = []
        self.changes: list[GameChange] = []
        """The changes of the game, in order, until somebody has taken them away."""
        self._events: list[ev.Event] = []
        self._ended: tuple[Game, Game] | None = None
        """The game before its end was declared, and its `furthest`, while that can be undone."""

    @property
    def game(self) -> Game:
        """The current game, or the last one."""
        return self._game

    @property
    def furthest(self) -> Game:
        """The game with all steps that were taken back and can be redone."""
        return self._furthest

    @property
    def can_redo(self) -> bool:
        """True if something that was taken back can be redone."""
        return self._furthest.ply > self.game.ply

    @property
    def can_undo(self) -> bool:
        """True if the declared end of a game can be undone: until a step of the next one is played."""
        return self._ended is not None

    @property
    def ended(self) -> Game | None:
        """The game before its end was declared, while that can be undone."""
        return None if self._ended is None else self._ended[0]

    @property
    def checkpoint(self) -> Checkpoint:
        """The present state, for `restore`."""
        return Checkpoint(self._game, self._furthest, self._ended)

    @property
    def undone_turns(self) -> tuple[str, ...]:
        """The texts of the turns that can be redone, the next one first; the last may be unfinished."""
        furthest = self._furthest
        ends = pairwise((self.game.ply, *self._ends_of_undone()))
        return tuple(furthest.rules.turn_text(furthest.steps[start:end]) for start, end in ends)

    def add(self, *events: ev.Event, records: bool = False) -> None:
        """Add events that do not change the game; with `records`, they change what is stored with it."""
        self._events += events
        if records:
            self._states.append(self._game)

    def take_events(self) -> tuple[ev.Event, ...]:
        """Return the events since the last call, in order."""
        events = tuple(self._events)
        self._events.clear()
        return events

    def take_states(self) -> tuple[Game, ...]:
        """Return the states that the games went through since the last call, in order."""
        states = tuple(self._states)
        self._states.clear()
        return states

    def begin(self, rules: Rules, first: Player, at: Position | None = None) -> None:
        """Begin a game by `rules`, or in the position `at`; only leaving a game for this can be undone."""
        if self._ended is not None and not _is_left(self._game):
            self._ended = None
        start = rules.start(first) if at is None else at
        self._change(Game.begin(rules, start))
        self.add(ev.GameBegun(rules.describe(), start.to_move))
        if at is not None:
            self.add(ev.PositionSetUp(str(at)))

    def go_on(self, game: Game, furthest: Sequence[str] = ()) -> None:
        """Continue a game that was played before.

        `furthest` are the texts of all steps of the game with those that can be redone. They are ignored if
        they are not of this game.
        """
        self._change(game, _extended(game, furthest))
        self.add(ev.GameContinued(game.rules.describe(), game.ply))

    def play(self, steps: Iterable[Step], stood: Iterable[Microseconds | None] = ()) -> None:
        """Play legal steps, which may end a turn and the game; `stood` are the times since which they stand.

        Steps that were taken back can be redone until one is played that differs.
        """
        self._ended = None
        for step, since in zip(steps, chain(stood, repeat(None)), strict=False):
            by = self.game.position.to_move
            self._play(step, since)
            self.add(ev.StepPlayed(step.text, by))
            if not self.game.mid_turn:
                self.add(ev.TurnPlayed(self.game.turn_texts()[-1], by))
        self._add_end()

    def go_back(self, ply: int, *, revises: bool = False, forgets: bool = False) -> None:
        """Take back all steps after the first `ply`; `revises` if the last turn goes on.

        They can be redone, unless the game `forgets` them.
        """
        how = ChangeKind.REVISED if revises else ChangeKind.JUMPED
        self._change(self.game.back_to(ply), None if forgets else self._furthest, how=how)
        self.add(ev.TakenBack(ply))

    def redo(self, ply: int | None = None) -> None:
        """Go forward over steps that were taken back until `ply` of them are played, or to the turn's end."""
        to = self._ends_of_undone()[0] if ply is None else ply
        self._change(self._furthest.back_to(to), self._furthest)
        self.add(ev.Redone(to))
        self._add_end()

    def declare(self, reason: Reason, winner: Player | None) -> None:
        """End the game by the players' decision, which can be undone."""
        self._ended = self.game, self._furthest
        self._change(self.game.declare(Outcome(reason, winner)))
        self._add_end()

    def undo_end(self) -> None:
        """Go on with the game whose end was declared, as if it had not been."""
        game, furthest = self._ended or (self._game.back_to(self._game.ply), self._furthest)
        self._ended = None
        self._change(game, furthest)
        self.add(ev.EndUndone(game.rules.describe(), game.ply))

    def restore(self, checkpoint: Checkpoint) -> None:
        """Go back to that state of the current game, as if nothing had been played since then."""
        is_shorter = checkpoint.game.ply < self._game.ply
        self._change(checkpoint.game, checkpoint.furthest, how=ChangeKind.REVISED)
        self._ended = checkpoint.ended
        if is_shorter:
            self.add(ev.TakenBack(checkpoint.game.ply))

    def amend_end(self, ended: Game, outcome: Outcome) -> None:
        """Record that the game before this one, `ended`, whose board was cleared, ended as `outcome` says.

        The current game begins again.
        """
        rules, first = self._game.rules, self._game.positions[0].to_move
        self._change(ended)
        self.add(ev.EndUndone(ended.rules.describe(), ended.ply))
        self.declare(outcome.reason, outcome.winner)
        self.begin(rules, first)

    def clear(self, record: Game) -> None:
        """End the game because its board was cleared: as `record`, and abandoned if that is not over."""
        undone = record is not self.game
        if undone:
            self._change(record)
        if record.outcome is None:
            self.declare(Reason.ABANDONED, None)
        elif undone:
            self._add_end()

    def _play(self, step: Step, stood: Microseconds | None) -> None:
        ply, furthest = self.game.ply, self._furthest
        if furthest.steps[ply : ply + 1] == (step,):
            self._change(furthest.back_to(ply + 1), furthest, how=ChangeKind.PLAYED, stood=stood)
        else:
            self._change(self.game.play(step), how=ChangeKind.PLAYED, stood=stood)

    def _change(
        self,
        game: Game,
        furthest: Game | None = None,
        *,
        how: ChangeKind = ChangeKind.JUMPED,
        stood: Microseconds | None = None,
    ) -> None:
        """Go on with `game`, and with nothing to be redone unless `furthest` has more."""
        self._game = game
        self._furthest = furthest or game
        self._states.append(game)
        self.changes.append(GameChange(game, self._furthest, how, stood))

    def _ends_of_undone(self) -> list[int]:
        """Return the ply at the end of each turn that can be redone."""
        furthest = self._furthest
        starts = (*furthest.turn_starts, furthest.ply)
        return sorted({start for start in starts if start > self.game.ply})

    def _add_end(self) -> None:
        outcome = self.game.outcome
        if outcome is not None:
            self.add(ev.GameOver(outcome.winner, outcome.reason, self.game.ply))


def _is_left(game: Game) -> bool:
    """Return whether `game` was left for another one, or its board cleared, or it never had a step."""
    return game.declared.reason is Reason.ABANDONED if game.declared else not game.ply


def _extended(game: Game, texts: Sequence[str]) -> Game:
    """Return `game` with the rest of `texts`, the steps of a game, or as it is if that is another game."""
    if game.outcome is not None or [step.text for step in game.steps] != list(texts[: game.ply]):
        return game
    furthest = game
    try:
        for text in texts[game.ply :]:
            furthest = furthest.play(furthest.position.legal_step(text))
    except (IllegalStepError, NotationError):
        return game
    return furthest


def _vacated(verdict: Unchanged) -> frozenset[Point]:
    match verdict:
        case InProgress():
            return verdict.points
        case Undecided():
            return verdict.vacated
        case _:
            return frozenset()


class VerdictReporter:
    """Adds the events of successive verdicts to a timeline."""

    def __init__(self, timeline: GameTimeline) -> None:
        self._timeline = timeline
        self._lifted: frozenset[Point] = frozenset()
        self._mismatch: Mismatch | None = None

    def report(self, verdict: Unchanged, stable: Frame) -> None:
        """Add the events by which `verdict`, about the `stable` readings, differs from the one before."""
        if isinstance(verdict, TakingBack):
            return
        if isinstance(verdict, Mismatch):
            if verdict != self._mismatch:
                self._timeline.add(ev.MismatchFound(verdict.missing, verdict.extra, verdict.wrong))
            self._mismatch = verdict
            return
        self.end_mismatch()
        lifted = _vacated(verdict)
        changed = sorted(lifted ^ self._lifted, key=lambda point: point.index)
        back = [point for point in changed if point not in lifted and stable[point.index] != NOTHING]
        self._timeline.add(*map(ev.PutBack, back))
        self._timeline.add(*(ev.PieceLifted(point) for point in changed if point in lifted))
        self._lifted = lifted

    def end_mismatch(self) -> None:
        """Add the end of a mismatch, if there is one."""
        if self._mismatch is not None:
            self._timeline.add(ev.Restored())
            self._mismatch = None

    def forget_lifted(self, played: Iterable[Point] | None = None) -> None:
        """Start again without lifted pieces, or without those of the points where a turn was played."""
        self._lifted = frozenset() if played is None else self._lifted.difference(played)
