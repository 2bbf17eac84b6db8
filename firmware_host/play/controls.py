"""The controls of a game: what buttons and pages can ask of it, as opposed to moves on the board."""

from __future__ import annotations

from collections.abc import Mapping

from firmware_host.config.compatibility import incompatibility
from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Outcome, Player, Position, Reason, Rules, Step, legal_turns
from firmware_host.i18n import Message
from firmware_host.play import events as ev
from firmware_host.play.masking import Masking
from firmware_host.play.other_board import FarPlay
from firmware_host.play.seats import PlayerNames, SeatHolder, Seats, last_own_turn
from firmware_host.play.session import Session, follow_again, lead_pieces


def unavailable_reason(
    game: Game,
    request: str,
    *,
    paused: bool,
    may_take_back: bool,
    may_redo: bool,
    may_undo: bool,
    bound: frozenset[Player] = frozenset(),
) -> Message | None:
    """Return why the request with this public name is not possible now; None if it is.

    `bound` are the players whose turns are chosen by somebody who is not at the board.
    """
    over = game.declared if request == "take-back" else game.outcome
    match request:
        case "undo":
            return None if may_undo else Message("refused.no-undo")
        case "resume":
            return None if paused else Message("refused.not-paused")
        case "take-back" if not may_take_back:
            return Message("refused.no-take-back")
        case _ if over is not None:
            return Message("refused.over")
        case "take-back" if not game.ply:
            return Message("refused.no-turn")
        case "redo" if not may_redo:
            return Message("refused.no-redo")
        case "decline" if not declining_steps(game.position):
            return Message("refused.no-removal")
        case "decline" if game.position.to_move in bound:
            return Message("refused.not-here")
        case "draw" if bound:
            return Message("refused.no-draw")
        case "pause" if paused:
            return Message("refused.paused")
    return None


def declining_steps(position: Position) -> tuple[Step, ...]:
    """Return the step that declines a removal, if one is due and the rules allow that; otherwise nothing."""
    if not position.removal_due:
        return ()
    return tuple(step for step in position.legal_steps() if not (step.origin or step.target))


class GameControls:
    """The controls of a session's games; all raise RequestError if they are not possible now."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.far = FarPlay(session)
        """The other board of a far game."""
        self._left: tuple[Game, Seats, PlayerNames] | None = None
        """The game that was left for a new one, with its players, who come back if that is undone."""

    def unavailable_reason(self, request: str) -> Message | None:
        """Return why the request with this public name is not possible now; None if it is.

        The last turn can always be taken back on the board, so where the sensors could miss that, it can be
        requested even if the settings don't allow taking back.
        """
        session = self._session
        return self.far.objection(request) or unavailable_reason(
            session.game,
            request,
            paused=session.paused,
            may_take_back=session.may_take_back or session.reconciler.doubts.is_last_turn_ambiguous,
            may_redo=session.timeline.can_redo,
            may_undo=session.timeline.can_undo,
            bound=self._bound,
        )

    def new_game(
        self,
        rules: Rules,
        seats: Mapping[Player, SeatHolder] | None = None,
        names: PlayerNames | None = None,
        *,
        at: Position | None = None,
    ) -> None:
        """Abandon the game, if it is not over, and begin one by `rules` once the board is clear.

        `seats` are the sides that others than before will play, and `names` what the players are called if
        that changes. With `at`, the game begins in that position.
        """
        session = self._session
        reason = incompatibility(rules, session.sensor_model.alphabet, session.game.rules.layout)
        if reason is None and at is not None and at.outcome is not None:
            reason = Message("refused.set-up-over")
        reason = reason or self.far.objection("new-game")
        if reason is not None:
            raise RequestError(reason)
        self._require_program(seats or {})
        if session.game.outcome is None and session.game.ply:
            self._left = session.game, session.seats, session.sides.names
            self._declare(Reason.ABANDONED, None)
        session.reporter.end_mismatch()
        session.paused = False
        self.take_seats(seats or {})
        session.begin(rules, at=at, as_they_sit=bool(seats) or names is not None)
        if names is not None:
            session.sides.call(names)
        session.judge_again()

    def take_seats(self, seats: Mapping[Player, SeatHolder]) -> None:
        """Have these sides played by others from now on, whatever is going on."""
        session = self._session
        self._require_program(seats)
        changed = session.seats.changed(seats)
        if changed != session.seats:
            session.take_seats(changed)
            session.judge_again()

    def _require_program(self, seats: Mapping[Player, SeatHolder]) -> None:
        if self._session.program is None and any(seat.external for seat in seats.values()):
            raise RequestError(Message("refused.no-program"))

    def take_back(self) -> None:
        """Go back to before the last turn that people chose; the light leads the pieces there.

        The turns that others chose in answer to it are taken back with it.
        """
        self._require("take-back")
        session = self._session
        session.timeline.go_back(last_own_turn(session.game, self._bound))
        lead_pieces(session)

    def redo(self) -> None:
        """Go forward over the next turn that was taken back, and the answers of others to it.

        The light leads the pieces there.
        """
        self._require("redo")
        session = self._session
        session.timeline.redo()
        while session.timeline.can_redo and session.game.position.to_move in self._bound:
            session.timeline.redo()
        lead_pieces(session)

    def decline(self) -> None:
        """Decline the removal that is due."""
        self._require("decline")
        self._session.advance(declining_steps(self._session.game.position))
        self._session.judge_again()

    def resign(self, player: Player | None = None) -> None:
        """Resign for `player`; None for the player to move, or for the only one who is here."""
        self._require("resign")
        loser = player or self._session.game.position.to_move
        if player is None and self._bound == {loser}:
            loser = loser.other
        if self._session.seats.at(loser).far:
            raise RequestError(Message("refused.far-resigns"))
        self._declare(Reason.RESIGNED, loser.other)

    def lose_on_time(self, player: Player) -> None:
        """End the game because the time of `player` is up.

        The other wins: in no game of ours a side is left that cannot win by any sequence.
        """
        self._declare(Reason.TIME, player.other)

    def agree_draw(self) -> None:
        """End the game drawn by agreement."""
        self._require("draw")
        self._declare(Reason.AGREED, None)

    def name_result(self, winner: Player | None) -> None:
        """Say how the last game ended, whose board was cleared; None for a draw.

        Pieces that were set down in the meantime to say so are no part of the next game, which begins again.
        """
        session = self._session
        ended = session.cleared
        if ended is None:
            raise RequestError(Message("refused.no-result"))
        session.reporter.end_mismatch()
        reason = Reason.AGREED if winner is None else Reason.RESIGNED
        session.sides.undo(ended)
        session.timeline.amend_end(ended, Outcome(reason, winner))
        first = session.game.positions[0].to_move
        session.sides.choose_for(first, ended.declare(Outcome(reason, winner)), session.draw_lot)
        session.follow_game()
        session.judge_again()

    def undo_end(self) -> None:
        """Go on with the game whose end was declared: resigned, agreed, cleared or left for another.

        Pieces that were cleared have to come back; the empty board doesn't end the game again before.
        """
        self._require("undo")
        session = self._session
        session.reporter.end_mismatch()
        session.paused = False
        session.timeline.undo_end()
        session.sides.undo(session.game)
        self._call_back_players()
        session.follow_game(found=True)
        session.clear_gesture.follow_request(empty=not any(session.stable))
        session.judge_again()

    def choose(self, text: str | None) -> None:
        """Allow only the turn `text` now, such as one of a computer opponent; None takes that back."""
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
        session.choose(chosen)
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
        follow_again(self._session)

    def _call_back_players(self) -> None:
        """Seat and name the players of the game that goes on, if others were to play the one after it."""
        session = self._session
        left, self._left = self._left, None
        if left is None or left[0].positions[0] is not session.game.positions[0]:
            return
        _, seats, names = left
        if seats != session.seats:
            session.take_seats(seats)
        if names != session.sides.names:
            session.sides.call(names)

    @property
    def _bound(self) -> frozenset[Player]:
        return self._session.seats.bound(self._session.game.rules)

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
