"""The controls of a game: what buttons and pages can ask of it, as opposed to moves on the board."""

from __future__ import annotations

from firmware_host.config.compatibility import incompatibility
from firmware_host.errors import RequestError
from firmware_host.games.game import Player, Reason, Rules, legal_turns
from firmware_host.i18n import Message
from firmware_host.play import events as ev
from firmware_host.play.availability import declining_steps, unavailable_reason
from firmware_host.play.masking import Masking
from firmware_host.play.session import Session


class GameControls:
    """The controls of a session's games; all raise RequestError if they are not possible now."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def unavailable_reason(self, request: str) -> Message | None:
        """Return why the request with this public name is not possible now; None if it is.

        The last turn can always be taken back on the board, so where the sensors could miss that, it can be
        requested even if the settings don't allow taking back.
        """
        session = self._session
        return unavailable_reason(
            session.game,
            request,
            paused=session.paused,
            may_take_back=session.may_take_back or session.reconciler.doubts.is_last_turn_ambiguous,
            may_redo=session.timeline.can_redo,
        )

    def new_game(self, rules: Rules) -> None:
        """Abandon the game, if it is not over, and begin one by `rules` once the board is clear."""
        session = self._session
        reason = incompatibility(rules, session.sensor_model.alphabet, session.game.rules.layout)
        if reason is not None:
            raise RequestError(reason)
        if session.game.outcome is None and session.game.ply:
            self._declare(Reason.ABANDONED, None)
        session.reporter.end_mismatch()
        session.paused = False
        session.begin(rules)
        session.judge_again()

    def take_back(self) -> None:
        """Go back to before the last turn began; the light leads the pieces there."""
        self._require("take-back")
        session = self._session
        session.clear_gesture.confirm_take_backs()
        session.timeline.go_back(session.game.last_turn)
        # A mismatch does not end here: it changes, unless the board happens to match the earlier position.
        session.rebase(undoing=session.stable)
        session.judge_again()

    def redo(self) -> None:
        """Go forward over the next turn that was taken back; the light leads the pieces there."""
        self._require("redo")
        session = self._session
        session.clear_gesture.confirm_take_backs()
        session.timeline.redo()
        session.rebase(undoing=session.stable)
        session.judge_again()

    def decline(self) -> None:
        """Decline the removal that is due."""
        self._require("decline")
        self._session.advance(declining_steps(self._session.game.position))
        self._session.judge_again()

    def resign(self, player: Player | None = None) -> None:
        """Resign for `player`; None for the player to move."""
        self._require("resign")
        loser = player or self._session.game.position.to_move
        self._declare(Reason.RESIGNED, loser.other)

    def agree_draw(self) -> None:
        """End the game drawn by agreement."""
        self._require("draw")
        self._declare(Reason.AGREED, None)

    def choose(self, text: str | None) -> None:
        """Allow only the turn `text` now, such as one of a computer opponent; None allows any legal one."""
        self._require("choose")
        session = self._session
        chosen = None
        if text is not None:
            rules = session.game.rules
            turns = {rules.turn_text(turn.steps): turn.steps for turn in legal_turns(session.game.position)}
            if text not in turns:
                reason = Message("refused.not-legal", {"turn": text})
                raise RequestError(f"{text!r} is not a legal turn now", reason)
            chosen = turns[text]
        session.reconciler.choose(chosen)
        session.judge_again()

    def confirm(self, text: str) -> None:
        """Play steps at points whose sensor is masked: one of the session's `confirmable` or `overlooked`."""
        self._require("confirm")
        session = self._session
        overlooked = session.overlooked.get(text)
        steps = overlooked or session.confirmable.get(text)
        if steps is None:
            raise RequestError(Message("refused.not-confirmable", {"turn": text}))
        session.reporter.end_mismatch()
        if overlooked:
            session.timeline.go_back(session.game.last_turn)
        session.advance(steps)
        session.judge_again()

    def mask(self, point: str) -> None:
        """Ignore the sensor at `point` from now on."""
        self._use_masking(self._session.masking.mask(point))

    def unmask(self, point: str) -> None:
        """Trust the sensor at `point` again."""
        self._use_masking(self._session.masking.unmask(point))

    def pause(self) -> None:
        """Ignore the board until `resume`, or until the game ends."""
        self._require("pause")
        self._session.paused = True
        self._session.clear_gesture.interrupt()
        self._session.timeline.add(ev.Paused())

    def resume(self) -> None:
        """Follow the board again; its changes in the meantime count as made now."""
        self._require("resume")
        self._session.paused = False
        self._session.timeline.add(ev.Resumed())
        self._session.judge_again()

    def _declare(self, reason: Reason, winner: Player | None) -> None:
        """End the game by the players' decision."""
        session = self._session
        session.reporter.end_mismatch()
        session.timeline.declare(reason, winner)
        session.paused = False
        session.judge_again()

    def _use_masking(self, masking: Masking) -> None:
        """Go on with other sensors masked."""
        session = self._session
        session.timeline.add(*masking.changes_since(session.masking))
        session.masking = masking
        session.stable = masking.model.observe(session.frame)
        session.reconciler.use_sensors(masking.model)
        session.judge_again()

    def _require(self, request: str) -> None:
        reason = self.unavailable_reason(request)
        if reason is not None:
            raise RequestError(reason)
