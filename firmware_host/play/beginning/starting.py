"""The choice of the person who begins the next game, if the people don't stay as they sit.

The two people sit at two corners of the board. The one in the lower right corner has White in the first game.

Invariants: only a game in which something was played decides about the next; a lot decides about each after
the first. Names
and seats go with the people, so all of them change sides together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from firmware_host.games.game import Game, Player
from firmware_host.games.layout import Layout, Point
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Scene
from firmware_host.play import events as ev
from firmware_host.play.seats import PlayerNames, Seats
from firmware_host.tracking.verdict import Mismatch, Settled

if TYPE_CHECKING:
    from firmware_host.play.session import Session

BY_RULES: Literal["rules"] = "rules"

TURNED_KEY = "turned"
"""The name under which is stored that the people have changed sides."""


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

    def __init__(self, starts: str) -> None:
        self.starts = starts
        """The way to choose the person who begins: one of STARTS."""
        self.turned = False
        """True if the people have changed sides since the first game."""
        self._changed_after: Game | None = None  # the game after which they changed sides for this one

    def choose(self, session: Session, last: Game) -> None:
        """Have the people change sides, if it is the other's turn to begin after the game `last`."""
        self._changed_after = None
        first = session.game.positions[0].to_move
        if changes_sides(self.starts, last, first, session.draw_lot):
            self._change(session)
            self._changed_after = last

    def undo(self, session: Session, game: Game) -> None:
        """Have the people sit as they did in `game`, if they changed sides after it."""
        changed, self._changed_after = self._changed_after, None
        if changed is not None and changed.positions[0] is game.positions[0]:
            self._change(session)

    def _change(self, session: Session) -> None:
        self.turned = not self.turned
        seats, names = session.seats, session.names
        if seats.white != seats.black:
            session.seats = Seats(white=seats.black, black=seats.white)
            session.timeline.add(ev.SeatsChanged(**session.seats.as_dict()))
        if names.white != names.black:
            session.names = PlayerNames(white=names.black, black=names.white)
            session.timeline.add(ev.PlayersNamed(session.names.white, session.names.black), records=True)


def with_white(scene: Scene, session: Session) -> Scene:
    """Return `scene` with the corner of White lit, before a game for which people may have changed sides.

    Where pieces have to be set up first, they hide it once they stand.
    """
    game, verdict = session.game, session.verdict
    if session.sides.starts == BY_RULES or game.ply or game.is_set_up or game.outcome is not None:
        return scene
    is_waiting = isinstance(verdict, Mismatch) and not verdict.extra | verdict.wrong
    if is_waiting != any(game.position.stacks) or not (is_waiting or verdict == Settled()):
        return scene
    corner = corner_of_white(game.rules.layout, turned=session.sides.turned)
    return Scene({**scene.cues, corner: frozenset({Cue.WHITE})}, scene.to_move)
