"""The games of one board as they go on, with the events and states that they go through.

The session decides what changes and why, and the rules what may.

Invariants: events are in the order in which they happened, and no state between two calls is left out; the
game is always a beginning of `furthest`, or all of it, with the same positions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from firmware_host.errors import IllegalStepError, NotationError
from firmware_host.games.game import Game, Outcome, Player, Reason, Rules, Step
from firmware_host.play import events as ev


class GameTimeline:
    """Game after game, the first of which starts with `begin` or `go_on`."""

    def __init__(self) -> None:
        self._states: list[Game] = []
        self._events: list[ev.Event] = []

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
    def undone_turns(self) -> tuple[str, ...]:
        """The texts of the turns that can be redone, the next one first; the last may be unfinished."""
        furthest = self._furthest
        ends = pairwise((self.game.ply, *self._ends_of_undone()))
        return tuple(furthest.rules.turn_text(furthest.steps[start:end]) for start, end in ends)

    def add(self, *events: ev.Event) -> None:
        """Add events that do not change the game."""
        self._events += events

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

    def begin(self, rules: Rules, first: Player) -> None:
        """Begin a game by `rules`."""
        self._change(Game.begin(rules, rules.start(first)))
        self.add(ev.GameBegun(rules.describe(), first))

    def go_on(self, game: Game, furthest: Sequence[str] = ()) -> None:
        """Continue a game that was played before.

        `furthest` are the texts of all steps of the game with those that can be redone. They are ignored if
        they are not of this game.
        """
        self._change(game, _extended(game, furthest))
        self.add(ev.GameContinued(game.rules.describe(), game.ply))

    def play(self, steps: Iterable[Step]) -> None:
        """Play legal steps, which may end a turn and the game.

        Steps that were taken back can be redone until one is played that differs.
        """
        for step in steps:
            by = self.game.position.to_move
            self._play(step)
            self.add(ev.StepPlayed(step.text, by))
            if not self.game.mid_turn:
                self.add(ev.TurnPlayed(self.game.turn_texts()[-1], by))
        self._add_end()

    def go_back(self, ply: int) -> None:
        """Take back all steps after the first `ply`."""
        self._change(self.game.back_to(ply), self._furthest)
        self.add(ev.TakenBack(ply))

    def redo(self, ply: int | None = None) -> None:
        """Go forward over steps that were taken back until `ply` of them are played, or to the turn's end."""
        to = self._ends_of_undone()[0] if ply is None else ply
        self._change(self._furthest.back_to(to), self._furthest)
        self.add(ev.Redone(to))
        self._add_end()

    def declare(self, reason: Reason, winner: Player | None) -> None:
        """End the game by the players' decision."""
        self._change(self.game.declare(Outcome(reason, winner)))
        self._add_end()

    def clear(self, record: Game) -> None:
        """End the game because its board was cleared: as `record`, and abandoned if that is not over."""
        undone = record is not self.game
        self._change(record)
        if record.outcome is None:
            self.declare(Reason.ABANDONED, None)
        elif undone:
            self._add_end()

    def _play(self, step: Step) -> None:
        ply, furthest = self.game.ply, self._furthest
        if furthest.steps[ply : ply + 1] == (step,):
            self._change(furthest.back_to(ply + 1), furthest)
        else:
            self._change(self.game.play(step))

    def _change(self, game: Game, furthest: Game | None = None) -> None:
        """Go on with `game`, and with nothing to be redone unless `furthest` has more."""
        self._game = game
        self._furthest = furthest or game
        self._states.append(game)

    def _ends_of_undone(self) -> list[int]:
        """Return the ply at the end of each turn that can be redone."""
        furthest = self._furthest
        starts = (*furthest.turn_starts, furthest.ply)
        return sorted({start for start in starts if start > self.game.ply})

    def _add_end(self) -> None:
        outcome = self.game.outcome
        if outcome is not None:
            self.add(ev.GameOver(outcome.winner, outcome.reason, self.game.ply))


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
