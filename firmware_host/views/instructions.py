"""The instruction: one sentence that says what to do now, and why, as a message that can be translated.

The player whom it addresses is part of its key, because languages differ in what that changes.

Invariants: the instruction agrees with the status of the snapshot, names points and no rule set, and mentions
lit pieces only where they are lit even without hints.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import reduce

from firmware_host.games.game import Game, Outcome, Piece, Player, Position, Reason, Step
from firmware_host.games.layout import Point
from firmware_host.i18n import Message
from firmware_host.play.asking.options import PHONE, PHONE_IN, PHONE_OUT, WORKSHOP
from firmware_host.play.controller import Controller
from firmware_host.play.faults import STOPPING_PART
from firmware_host.play.session import Session, shown_end
from firmware_host.play.switching_off import OffStage
from firmware_host.ports import NOTHING
from firmware_host.tracking.verdict import InProgress, Mismatch, TakingBack, Undecided
from firmware_host.views.far import asked_by_room, correction, far_advice, far_sentence, far_turn, over
from firmware_host.views.hints import beside, hint_advice
from firmware_host.views.reasons import (
    MAX_NAMED,
    Correction,
    explain,
    holding,
    number,
    point_names,
    removable,
    stack_name,
    taking_back,
    undecided,
)

NO_POWER = Message("no-power")
"""The instruction for a board whose plug is pulled."""

_OF_ONE_PLAYER = (Reason.FEW_PIECES, Reason.BLOCKED, Reason.START_COVERED, Reason.RESIGNED, Reason.TIME)
"""The reasons whose text depends on the loser."""


_TO_PHONE = {PHONE_IN: Message("workshop.phone-in"), PHONE_OUT: Message("workshop.phone-out")}
"""The sentence while lights show whether a phone is let in."""


def instruction(controller: Controller) -> Message:
    """Return the instruction for a board now."""
    if STOPPING_PART in controller.faults:
        return Message("cannot-feel", {"text": controller.faults[STOPPING_PART]})
    if controller.off.holds_game:
        return _going_off(controller)
    if controller.asks.holds_game:
        return _asking(controller)
    return game_instruction(controller)


def game_instruction(controller: Controller) -> Message:
    """Return the instruction of the game, whatever a menu asks in the meantime."""
    session = controller.session
    if taught := controller.lesson.sentence() or controller.puzzles.sentence():
        return taught
    if (end := shown_end(session)) is not None:
        return over(controller, _end(end))
    if session.seats.has_far and (far := far_sentence(controller)) is not None:
        return far
    if session.paused:
        return Message("paused")
    if session.must_clear:
        return Message("clear-first")
    what = _due(session)
    if session.confirmable:
        return Message("confirm-moves", {"what": what, "points": _unconfirmed_points(session)})
    return what


def advice(controller: Controller) -> Message | None:
    """Return what to add below the instruction: the way on from an error, or what a beginner may ask now."""
    if controller.off.holds_game:
        return None
    if controller.asks.asking is not None:
        return None if controller.asks.holds_game else _asking_result(controller)
    return game_advice(controller)


def game_advice(controller: Controller) -> Message | None:
    """Return what to add below the instruction of the game, whatever a menu asks in the meantime."""
    session = controller.session
    if STOPPING_PART in controller.faults or session.game.outcome is not None or session.paused:
        return None
    if isinstance(session.verdict, Mismatch) and not session.must_clear and any(session.stable):
        if game_instruction(controller).key == "lay-out":
            return None
        found = _explanation(session, session.verdict)
        return found.then if found else _failed_part(controller)
    taking = _which_may_be_taken(session)
    hint = None if session.must_clear else hint_advice(controller)
    return beside(taking, hint) or far_advice(controller) or taking


def _failed_part(controller: Controller) -> Message | None:
    """Return what to check if one chip or wire would explain what doesn't match the game."""
    session = controller.session
    masked = session.sensor_model.masked
    return controller.outages.failed_part(session.stable, session.expected_frame(), masked)


def _going_off(controller: Controller) -> Message:
    """Return how to stop the machine from being switched off, or that it is too late."""
    is_counting = controller.off.stage is OffStage.COUNTING
    return Message("going-off") if is_counting else Message("going-off.wanted")


def _asking(controller: Controller) -> Message:
    """Return how to answer the menu that is lit."""
    asking, setting_up = controller.asks.asking, controller.asks.setting_up
    if asking is not None and setting_up is not None:
        return setting_up.sentence(asking)
    if asking is not None and asking.question == PHONE:
        is_anywhere = len(asking.options) > 1
        points = {"points": point_names(asking.options)}
        return Message("workshop.touch-any") if is_anywhere else Message("phone.touch", points)
    if asking is not None and asking.question in _TO_PHONE:
        return _TO_PHONE[asking.question]
    if asking is not None and asking.question == WORKSHOP and asking.sure is None:
        return Message("workshop.touch", {"points": point_names(asking.lit)})
    if asking is None or asking.sure is None:
        return Message("asking") if asking is None else asked_by_room(controller, asking) or Message("asking")
    return Message("asking.sure", {"points": point_names([asking.sure])})


def _asking_result(controller: Controller) -> Message:
    """Return how to say how the last game ended, whose board was cleared."""
    asking = controller.asks.asking
    return Message("advice.result") if asking is None or asking.sure is None else _asking(controller)


def _which_may_be_taken(session: Session) -> Message | None:
    """Return the pieces that may be taken, while one has to be; None if that is all, and they are many."""
    position = session.game.position
    if session.is_others_turn or not position.removal_due:
        return None
    if isinstance(session.verdict, Undecided | TakingBack):
        return None
    steps = [step for step in position.legal_steps() if step.origin is not None]
    theirs = sum(piece is not None and piece.owner is not position.to_move for piece in position.standing)
    points = {"points": removable(session)}
    if len(steps) < theirs:
        return Message("advice.removes-safe", points)
    return Message("advice.removes", points) if len(steps) <= MAX_NAMED else None


def _due(session: Session) -> Message:
    """Return what to do with the pieces."""
    game, verdict = session.game, session.verdict
    if lacking := _not_laid_out(session):
        return Message("lay-out", {"what": _all_of(_stacks(game.position, lacking))})
    if isinstance(verdict, Mismatch):
        if not any(session.stable):
            return Message("empty-board")
        found = _explanation(session, verdict)
        return (found and found.why) or _correction(session, verdict)
    if isinstance(verdict, Undecided):
        return undecided(verdict.points, verdict.by)
    if isinstance(verdict, TakingBack):
        return taking_back(_turn_from(game, verdict.to), verdict.points if verdict.lacking else frozenset())
    lifted = verdict.points if isinstance(verdict, InProgress) else frozenset()
    if session.is_others_turn and (chosen := session.chosen) and lifted <= {step.origin for step in chosen}:
        return _carry_out(game, chosen, is_far=session.seats.has_far)
    if game.position.removal_due:
        again = {"points": point_names(lifted), "others": removable(session)}
        return Message("wrong.put-back-take", again) if lifted & _landed(game) else _removal(game)
    bound = session.seats.bound(game.rules)
    return _hold(game, verdict, bound) if isinstance(verdict, InProgress) and lifted else _turn(session)


def _unconfirmed_points(session: Session) -> tuple[str, ...]:
    """Return the points of the moves that the sensors may have missed, which have to be confirmed."""
    steps = {step for steps in session.confirmable.values() for step in steps}
    touched = {point for step in steps for point in (step.origin, step.target) if point is not None}
    # Even without masks, a sensor misses changes on top of a stack that is higher than it can tell.
    return point_names(session.masking.points & touched or touched)


def _end(outcome: Outcome) -> Message:
    winner, reason = outcome.winner, outcome.reason
    if winner is None:
        return Message("over.nobody", {"why": Message(f"why.{reason}")})
    loser = winner.other
    why = Message(f"why.{reason}.{loser}") if reason in _OF_ONE_PLAYER else Message(f"why.{reason}")
    return Message(f"over.{winner}", {"why": why})


def _carry_out(game: Game, chosen: tuple[Step, ...], *, is_far: bool) -> Message:
    """Return how hands carry out what is left of the turn that this or another board has chosen."""
    player, first = game.position.to_move, chosen[0]
    what = _chosen_text(game, chosen)
    if is_far:
        return far_turn(what, () if first.target else point_names(_removed(chosen)))
    if any(piece.kind for piece in game.rules.box):
        return Message(f"board-plays.{player}.other", {"what": what})
    if first.target is None:
        return Message(f"board-plays.{player}.take", {"points": point_names(_removed(chosen))})
    if first.origin is None:
        return Message(f"board-plays.{player}.place", {"what": what})
    return Message(f"board-plays.{player}.move", {"what": what})


def _chosen_text(game: Game, chosen: tuple[Step, ...]) -> Message | str:
    """Return what is left of a turn in words, or in its notation if it has several landings."""
    first, removed = chosen[0], _removed(chosen)
    if first.target is None or sum(step.target is not None for step in chosen) > 1:
        return game.rules.turn_text(chosen)
    what: Message | str = first.target.name
    if first.origin is not None:
        what = Message("board-plays.from-to", {"from": first.origin.name, "points": first.target.name})
    return Message("board-plays.taking", {"what": what, "points": point_names(removed)}) if removed else what


def _removed(steps: Iterable[Step]) -> list[Point]:
    return [step.origin for step in steps if step.origin is not None and step.target is None]


def _correction(session: Session, verdict: Mismatch) -> Message:
    """Return how to make the board match the game, and in another's turn also which turn that is."""
    turn = _chosen_text(session.game, session.chosen) if session.is_others_turn and session.chosen else None
    is_far = session.seats.has_far and session.is_others_turn
    return correction(_repair(session, verdict), turn, is_far=is_far)


def _explanation(session: Session, verdict: Mismatch) -> Correction | None:
    """Return why the board doesn't match the game: what was requested comes before its pieces."""
    if session.reconciler.take_backs.is_requested:
        then = Message("wrong.set-then", {"what": _repair(session, verdict)})
        return Correction(Message("wrong.set"), then)
    return None if session.is_others_turn else explain(session)


def _repair(session: Session, verdict: Mismatch) -> Message:
    """Return how to make the board match the game, the lowest pieces of stacks first."""
    stacks, box = session.game.position.stacks, session.game.rules.box
    parts = list(_put_back({point: _gone(session, point) for point in verdict.missing}, box))
    alone = {point for point in verdict.extra if not stacks[point.index]}
    if alone:
        parts.append(Message("repair.take-away", {"points": point_names(alone)}))
    if verdict.extra - alone:
        parts.append(Message("repair.take-off", {"points": point_names(verdict.extra - alone)}))
    if verdict.wrong and not any(piece.kind for piece in box):
        parts.append(Message("repair.change-colour", {"points": point_names(verdict.wrong)}))
    elif verdict.wrong:
        belong = ((point.name, stack_name(stacks[point.index])) for point in sorted(verdict.wrong, key=str))
        parts += [Message("repair.belongs", {"points": (name,), "piece": piece}) for name, piece in belong]
    return _all_of(parts)


def _put_back(gone: Mapping[Point, tuple[Piece, ...]], box: Mapping[Piece, int]) -> Iterator[Message]:
    """Yield the pieces to put back, each stack as a whole."""
    order = {piece: number for number, piece in enumerate(box)}
    lacking = {*gone.values()} - {()}
    for pieces in sorted(lacking, key=lambda pieces: (len(pieces), [order[piece] for piece in pieces])):
        points = [point for point, lost in gone.items() if lost == pieces]
        lost, *others = pieces
        if others:
            yield Message(
                "repair.put-back.stack", {"points": point_names(points), "piece": stack_name(pieces)}
            )
        else:
            yield Message(f"repair.put-back.{lost}.{number(points)}", {"points": point_names(points)})


def _all_of(parts: Iterable[Message]) -> Message:
    *first, last = parts
    if not first:
        return last
    before = reduce(lambda one, other: Message("repair.comma", {"first": one, "second": other}), first)
    return Message("repair.and", {"first": before, "second": last})


def _not_laid_out(session: Session) -> frozenset[Point]:
    """Return the points that lack pieces before the first turn, if nothing else is wrong."""
    game, verdict = session.game, session.verdict
    if game.ply:
        return frozenset()
    if session.stable and not any(session.stable):
        stacks = zip(game.rules.layout.points, game.position.stacks, strict=True)
        return frozenset(point for point, stack in stacks if stack)
    there = zip(session.stable, session.expected_frame(), strict=False)
    is_clear = not any(found for found, wanted in there if wanted == NOTHING)
    if isinstance(verdict, Mismatch) and is_clear and not verdict.extra | verdict.wrong:
        return verdict.missing
    return frozenset()


def _stacks(position: Position, points_of: Collection[Point]) -> Iterator[Message]:
    """Yield the stacks that belong on these points."""
    for stack in dict.fromkeys(position.stacks):
        points = [point for point in points_of if position.stacks[point.index] == stack]
        if points:
            yield Message("lay-out.stack", {"points": point_names(points), "piece": stack_name(stack)})


def _gone(session: Session, point: Point) -> tuple[Piece, ...]:
    """Return the pieces that were taken from the top of the stack on `point`."""
    stack, read = session.game.position.stacks[point.index], session.stable[point.index]
    left = [n for n in range(len(stack)) if session.sensor_model.reading(stack[:n], point.index) == read]
    return stack[max(left, default=0) :]


def _hold(game: Game, verdict: InProgress, bound: Collection[Player]) -> Message:
    standing, player = game.position.standing, game.position.to_move
    theirs = {p for p in verdict.points if (piece := standing[p.index]) and piece.owner is not player}
    own = verdict.points - theirs
    again = theirs & _landed(game)
    begun = {piece.owner for fit in verdict.fits if (piece := fit.turn.steps[0].piece)}
    reconsiders = bool(again) and player not in begun
    if any(piece.kind for piece in game.rules.box):
        return _hold_of_kind(game.position, own, theirs, again, reconsiders=reconsiders)
    other = player.other
    if other in bound and again and not own:
        return Message("others-piece", {"points": point_names(again)})
    if reconsiders:
        return Message(f"thinks-again.{other}", {"points": point_names(again)})
    if own:
        return Message(f"holds.{player}", {"points": point_names(own)})
    if again:
        return Message(f"may-think-again.{other}", {"points": point_names(again)})
    return Message(f"takes.{player}.{number(theirs)}", {"points": point_names(theirs)})


def _hold_of_kind(
    position: Position, own: Collection[Point], theirs: set[Point], again: set[Point], *, reconsiders: bool
) -> Message:
    """Return the same for a game with rings and balls, of which balls are vaulted."""
    player = position.to_move
    other = player.other
    if reconsiders:
        return Message(f"thinks-again.{other}.of-kind", {"points": point_names(again)})
    if own:
        return holding(position, own)
    if _relocates(position):
        return Message(f"relocating.{player}.{number(theirs)}", {"points": point_names(theirs)})
    if again:
        return Message(f"may-think-again.{other}.of-kind", {"points": point_names(again)})
    return Message(f"vaults.{player}.{number(theirs)}", {"points": point_names(theirs)})


def _turn_from(game: Game, ply: int) -> str:
    """Return the text of the turn, or the rest of one, that was played from `ply` on."""
    end = next((start for start in game.turn_starts if start > ply), game.ply)
    return game.rules.turn_text(game.steps[ply:end])


def _removal(game: Game) -> Message:
    player = game.position.to_move
    landed = _landed(game)
    may_decline = any(not (step.origin or step.target) for step in game.position.legal_steps())
    if not landed:
        return Message(f"may-remove.{player}") if may_decline else Message(f"removes.{player}")
    at = {"points": point_names(landed)}
    return Message(f"may-remove.{player}.at", at) if may_decline else Message(f"removes.{player}.at", at)


def _landed(game: Game) -> set[Point]:
    """Return the points on which the pieces of the last turn were put down."""
    return {step.target for step in game.steps[game.last_turn :] if step.target is not None}


def _turn(session: Session) -> Message:
    position = session.game.position
    player = position.to_move
    if session.reconciler.is_bound:
        return Message("board-thinks")
    if session.chosen is not None:
        return Message(f"does-turn.{player}", {"turn": session.game.rules.turn_text(session.chosen)})
    steps = position.legal_steps()
    if of_kind := _of_kind(position, steps):
        return of_kind
    places = any(step.origin is None and step.target for step in steps)
    moves = any(step.origin and step.target for step in steps)
    in_hand = {"count": position.in_hand(player)}
    if places and moves:
        return Message(f"places-or-moves.{player}", in_hand)
    return Message(f"places.{player}", in_hand) if places else Message(f"moves.{player}")


def _of_kind(position: Position, steps: Iterable[Step]) -> Message | None:
    """Return what to do if only pieces of one kind can move, in a game that has several; otherwise None."""
    player = position.to_move
    pieces = {step.piece for step in steps if step.piece is not None}
    if _relocates(position):
        return Message(f"relocates.{player}")
    if pieces and all(piece.flat for piece in pieces):
        return _rings(position, steps)
    return Message(f"balls.{player}") if pieces and all(piece.kind for piece in pieces) else None


def _rings(position: Position, steps: Iterable[Step]) -> Message:
    player = position.to_move
    from_supply = {step.origin is None for step in steps}
    if from_supply == {False}:
        return Message(f"rings-move.{player}")
    count = {"count": position.in_hand(player)}
    return (
        Message(f"rings.{player}", count) if False in from_supply else Message(f"rings-lay.{player}", count)
    )


def _relocates(position: Position) -> bool:
    """Return True if the player to move still has to relocate vaulted pieces of the opponent."""
    player = position.to_move
    return any(
        piece.owner is not player and step.target for step in position.legal_steps() if (piece := step.piece)
    )
