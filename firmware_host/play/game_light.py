"""The light of the game, which lies under that of the parts beside it.

Invariants: a board without a light for the players, as one that sleeps, isn't dark like one without power.
"""

from __future__ import annotations

from firmware_host.games.game import Game
from firmware_host.lights.scene import Scene, clear_board_scene, compose, resting_scene
from firmware_host.play.asking.menu import AskMenu
from firmware_host.play.hint_light import HintTracker
from firmware_host.play.rest import RestDepth, RestTracker
from firmware_host.play.session import Session
from firmware_host.tracking.verdict import Settled


class GameLight:
    """The light of one board's game."""

    def __init__(self, session: Session, rest: RestTracker, asks: AskMenu, hints: HintTracker) -> None:
        self._session, self._rest, self._asks, self._hints = session, rest, asks, hints

    def scene(self, accepted: Game, *, shows_moves: bool) -> Scene:
        """Return the light of the game, of which as much is confirmed as is `accepted`."""
        session, game = self._session, self._session.game
        if session.paused or self._rest.depth is RestDepth.ASLEEP:
            return resting_scene(game, accepted, asleep=True)
        if session.must_clear:
            return clear_board_scene(game.rules.layout, session.stable)
        is_ready = isinstance(session.verdict, Settled) and game.outcome is None
        is_dim = self._rest.depth is RestDepth.DIM or self._hints.shrugs_until is not None
        if is_dim and is_ready:
            return resting_scene(game, accepted, asleep=False)
        is_asking = self._asks.asking is not None
        scene = compose(
            game,
            session.verdict,
            hints=shows_moves,
            chosen=session.reconciler.allowed,
            leads=session.is_others_turn,
            accepted=accepted,
            known=None if is_asking else self._hints.known,
        )
        return scene if is_asking else session.sides.with_white(scene, game, session.verdict)
