"""The games of one board as they go on, with the events and states that they go through.

The session decides what changes and why, and the rules what may.

Invariants: events are in the order in which they happened, and no state between two calls is left out.
"""

from __future__ import annotations

from collections.abc import Iterable

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

    def go_on(self, game: Game) -> None:
        """Continue a game that was played before."""
        self._change(game)
        self.add(ev.GameContinued(game.rules.describe(), game.ply))

    def play(self, steps: Iterable[Step]) -> None:
        """Play legal steps, which may end a turn and the game."""
        for step in steps:
            by = self.game.position.to_move
            self._change(self.game.play(step))
            self.add(ev.StepPlayed(step.text, by))
            if not self.game.mid_turn:
                self.add(ev.TurnPlayed(self.game.turn_texts()[-1], by))
        self._add_end()

    def go_back(self, ply: int) -> None:
        """Take back all steps after the first `ply`."""
        self._change(self.game.back_to(ply))
        self.add(ev.TakenBack(ply))

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

    def _change(self, game: Game) -> None:
        self._game = game
        self._states.append(game)

    def _add_end(self) -> None:
        outcome = self.game.outcome
        if outcome is not None:
            self.add(ev.GameOver(outcome.winner, outcome.reason, self.game.ply))
