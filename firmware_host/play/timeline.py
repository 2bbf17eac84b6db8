"""The games of one board as they go on, and what is told of them.

Rule kept here: whatever becomes of a game is told in the order in which it came, and each state that it went
through can be taken and kept. Who changes it and why is the session's; what may happen, the rules'.
"""

from __future__ import annotations

from collections.abc import Iterable

from firmware_host.games.game import Game, Outcome, Player, Reason, Rules, Step
from firmware_host.play import events as ev


class Course:
    """Game after game; `take_events` says what happened, `take_states` through what it went."""

    def __init__(self) -> None:
        """Nothing is played yet: begin with `begin` or `go_on`."""
        self._states: list[Game] = []
        self._happened: list[ev.Event] = []

    @property
    def game(self) -> Game:
        """The game that is played, or was played last."""
        return self._game

    def tell(self, *events: ev.Event) -> None:
        """Have told what happened beside the game."""
        self._happened += events

    def take_events(self) -> tuple[ev.Event, ...]:
        """What happened since the last call, in order."""
        happened = tuple(self._happened)
        self._happened.clear()
        return happened

    def take_states(self) -> tuple[Game, ...]:
        """The states that the game, or game after game, went through since the last call, in order."""
        states = tuple(self._states)
        self._states.clear()
        return states

    def begin(self, rules: Rules, first: Player) -> None:
        """Begin a game by `rules`."""
        self._change(Game.begin(rules, rules.start(first)))
        self.tell(ev.GameBegun(rules.describe(), first))

    def go_on(self, game: Game) -> None:
        """Go on with a game that was played before."""
        self._change(game)
        self.tell(ev.GameContinued(game.rules.describe(), game.ply))

    def play(self, steps: Iterable[Step]) -> None:
        """Go on by legal steps, with which a turn, and the game, may end."""
        for step in steps:
            by = self.game.position.to_move
            self._change(self.game.play(step))
            self.tell(ev.StepPlayed(step.text, by))
            if not self.game.mid_turn:
                self.tell(ev.TurnPlayed(self.game.turn_texts()[-1], by))
        self._tell_end()

    def go_back(self, ply: int) -> None:
        """Take back all that was played since that ply."""
        self._change(self.game.back_to(ply))
        self.tell(ev.TakenBack(ply))

    def declare(self, reason: Reason, winner: Player | None) -> None:
        """End the game as the players have it, and not the rules."""
        self._change(self.game.declare(Outcome(reason, winner)))
        self._tell_end()

    def clear(self, record: Game) -> None:
        """End the game because its board was cleared: it ends as `record`, abandoned if it was not over."""
        undone = record is not self.game
        self._change(record)
        if record.outcome is None:
            self.declare(Reason.ABANDONED, None)
        elif undone:
            self._tell_end()

    def _change(self, game: Game) -> None:
        self._game = game
        self._states.append(game)

    def _tell_end(self) -> None:
        outcome = self.game.outcome
        if outcome is not None:
            self.tell(ev.GameOver(outcome.winner, outcome.reason, self.game.ply))
