"""The choice of the person who begins the next game, if the people don't stay as they sit.

The two people sit at two corners of the board. The one in the lower right corner has White in the first game.

Invariants: only a game in which something was played decides about the next; a lot decides about each after
the first. Names and seats go with the people, so all of them change sides together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from firmware_host.games.game import Game, Player
from firmware_host.games.layout import Layout, Point
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Scene
from firmware_host.play import events as ev
from firmware_host.play.seats import HERE, PlayerNames, Seats
from firmware_host.play.timeline import GameTimeline
from firmware_host.tracking.verdict import Mismatch, Settled, Unchanged

BY_RULES: Literal["rules"] = "rules"


def changes_sides(starts: str, last: Game, first: Player, draw_lot: Callable[[], Player]) -> bool:
    """Return whether the people change sides for a game that `first` begins, after the game `last`.

    `starts` is one of STARTS; `draw_lot` returns either player, by chance.
    """
    if starts == "lot":
        return draw_lot() is not first
    if starts == BY_RULES or not last.ply:
        return False
    begins = last.positions[0].to_move.other
    if starts == "loser" and last.outcome is not None and last.outcome.winner is not None:
        begins = last.outcome.winner.other
    return begins is not first


def corner_of_white(layout: Layout, *, turned: bool) -> Point:
    """Return the corner at which White sits: the lower right one, or the upper left if they have `turned`."""
    way = -1 if turned else 1
    return max(layout.points, key=lambda point: way * (point.x - point.y))


class Sides:
    """The sides of the two people at one board, with the seats and names that go with them."""

    names = PlayerNames()
    """The names of the players."""
    turned = False
    """True if the people have changed sides since the first game."""
    _changed_after: Game | None = None  # the game after which they changed sides for this one

    def __init__(self, starts: str, seats: Seats, timeline: GameTimeline) -> None:
        self.starts = starts
        """The way to choose the person who begins: one of STARTS."""
        self.seats = seats
        """The players of both sides."""
        self._timeline = timeline

    def take(self, seats: Seats) -> None:
        """Have both sides played by `seats` from now on. Players who exchange sides keep their names."""
        if seats != self.seats:
            exchanged = seats == Seats(self.seats.black, self.seats.white)
            self.seats = seats
            self._timeline.add(ev.SeatsChanged(**seats.as_dict()))
            if exchanged and self.names != self.names.exchanged:
                self.call(self.names.exchanged)

    def call(self, names: PlayerNames) -> None:
        """Call the players by `names` from now on, in the record of the game as well unless it is over."""
        self.names = names
        self._timeline.add(ev.PlayersNamed(names.white, names.black), records=True)

    def leave(self, players: frozenset[Player]) -> None:
        """Have people at the board play the sides of `players`, whose names go with them."""
        self._change(self.seats.changed(dict.fromkeys(players, HERE)), self.names.without(players))

    def choose_for(self, first: Player, last: Game, draw_lot: Callable[[], Player]) -> None:
        """Have the people change sides for a game that `first` begins, if `starts` says so after `last`."""
        self._changed_after = None
        if changes_sides(self.starts, last, first, draw_lot):
            self._swap()
            self._changed_after = last

    def undo(self, game: Game) -> None:
        """Have the people sit as they did in `game`, if they changed sides after it."""
        changed, self._changed_after = self._changed_after, None
        if changed is not None and changed.positions[0] is game.positions[0]:
            self._swap()

    def _swap(self) -> None:
        self.turned = not self.turned
        self._change(Seats(self.seats.black, self.seats.white), self.names.exchanged)

    def _change(self, seats: Seats, names: PlayerNames) -> None:
        self.take(seats)
        if names != self.names:
            self.call(names)

    def with_white(self, scene: Scene, game: Game, verdict: Unchanged) -> Scene:
        """Return `scene` with the corner of White lit, before a game for which people may have changed sides.

        Where pieces have to be set up first, they hide it once they stand.
        """
        if self.starts == BY_RULES or game.ply or game.is_set_up or game.outcome is not None:
            return scene
        is_waiting = isinstance(verdict, Mismatch) and not verdict.extra | verdict.wrong
        if is_waiting != any(game.position.stacks) or not (is_waiting or verdict == Settled()):
            return scene
        corner = corner_of_white(game.rules.layout, turned=self.turned)
        return Scene({**scene.cues, corner: frozenset({Cue.WHITE})}, scene.to_move)
