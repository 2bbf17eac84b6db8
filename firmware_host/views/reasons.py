"""The reason why a board doesn't match its game, and the way on, as messages that can be translated.

Only what hands do often is explained: a piece placed, moved or taken when or where the rules don't allow it.
Anything else is described point by point (`instructions`).

Invariants: a reason is given only where the readings leave no other; it needs pieces of one kind for each
player, one on each point.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Literal

from firmware_host.frozen import frozen
from firmware_host.games.game import Piece, Player, Position, Step
from firmware_host.games.layout import Point
from firmware_host.i18n import Arg, Message
from firmware_host.play.session import Session
from firmware_host.tracking.verdict import Mismatch

MAX_NAMED = 4
"""The most points that a sentence names one by one."""


@frozen
class Correction:
    """The reason why a board doesn't match, and what to do next."""

    why: Message | None
    """None if a description of the points says enough."""
    then: Message

    @property
    def messages(self) -> tuple[Message, ...]:
        """The messages in the order in which they are read."""
        return tuple(filter(None, (self.why, self.then)))


def explain(session: Session) -> Correction | None:
    """Return the explanation of a board that doesn't match its game; None if there is no simple one."""
    game, verdict = session.game, session.verdict
    if not isinstance(verdict, Mismatch) or verdict.wrong or any(piece.kind for piece in game.rules.box):
        return None
    if session.reconciler.take_backs.is_requested:
        return None
    left, found = sorted(verdict.missing, key=str), sorted(verdict.extra, key=str)
    match left, found:
        case [origin], []:
            return _taken(session, origin)
        case [], [target]:
            return _placed(session, target, _owner(session, target))
        case [origin], [target]:
            return _moved(session, origin, target)
        case _:
            return None


def _owner(session: Session, point: Point) -> Player | None:
    """Return the owner of the piece that stands on `point`, if the sensor tells."""
    piece = session.sensor_model.visible(session.stable[point.index], session.game.rules.box)
    return None if piece is None else piece.owner


def _taken(session: Session, point: Point) -> Correction | None:
    """Explain a piece that is gone, and should not be."""
    position, piece = session.game.position, session.game.position.standing[point.index]
    player = position.to_move
    if piece is None:
        return None
    slots = {"points": (point.name,)}
    if position.removal_due:
        then = Message("wrong.put-back-take", {"points": (point.name,), "others": removable(session)})
        if piece.owner is player:
            return Correction(Message(f"wrong.own.{player}"), then)
        is_safe = all(step.origin is not point for step in position.legal_steps())
        return Correction(Message("wrong.safe", slots) if is_safe else _not_chosen(session), then)
    if piece.owner is not player:
        return Correction(Message("wrong.no-capture"), Message("wrong.put-back", slots))
    return _lifted(session, point)


def _lifted(session: Session, point: Point) -> Correction | None:
    """Explain a missing piece of the player to move, if it has nowhere to go."""
    moves = [step for step in session.game.position.legal_steps() if step.origin]
    if not moves:
        return Correction(None, Message("wrong.place-first"))
    if all(step.origin is not point for step in moves):
        return Correction(None, Message("wrong.blocked"))
    return None


def _placed(session: Session, point: Point, owner: Player | None) -> Correction | None:
    """Explain a piece that stands where none should; `owner` is None if the sensor doesn't tell."""
    game, position = session.game, session.game.position
    player = position.to_move
    other = player.other
    slots = {"points": (point.name,)}
    if position.removal_due:
        then = Message("wrong.clear-take", {"points": (point.name,), "others": removable(session)})
        return Correction(Message(f"wrong.first-take.{player}"), then)
    if game.ply and owner is not player and point in _captured_before_reply(session):
        return Correction(Message("wrong.captured", slots), Message("wrong.captured-then", slots))
    if owner is other and game.ply:
        return Correction(Message(f"wrong.moved-already.{other}"), Message(f"wrong.clear.{player}", slots))
    if not position.in_hand(player):
        return Correction(Message(f"wrong.none-left.{player}"), Message("wrong.clear-move", slots))
    return None


def _captured_before_reply(session: Session) -> set[Point]:
    """Return the points from which the turn before the last one took a piece."""
    game = session.game
    begun = max((start for start in game.turn_starts if start < game.last_turn), default=game.last_turn)
    steps = game.steps[begun : game.last_turn]
    return {step.origin for step in steps if step.origin is not None and step.target is None}


def _moved(session: Session, origin: Point, target: Point) -> Correction | None:
    """Explain a piece that went from `origin` to `target`, as far as the readings tell."""
    position, piece = session.game.position, session.game.position.standing[origin.index]
    player = position.to_move
    other = player.other
    if piece is None or _owner(session, target) not in (None, piece.owner):
        return None  # another piece stands there
    slots = {"points": (target.name,), "from": (origin.name,)}
    if position.removal_due:
        then = Message(
            "wrong.return-take",
            {"points": (target.name,), "from": (origin.name,), "others": removable(session)},
        )
        return Correction(Message(f"wrong.first-take.{player}"), then)
    if piece.owner is not player:
        return Correction(Message(f"wrong.moved-already.{other}"), Message(f"wrong.return.{player}", slots))
    legal, steps = position.legal_steps(), due_steps(session)
    if not any(step.origin for step in legal):
        return Correction(Message(f"wrong.place-first.{player}"), Message("wrong.return-place", slots))
    is_far = all((step.origin, step.target) != (origin, target) for step in legal)
    why = Message("wrong.too-far", slots) if is_far else _not_chosen(session)
    if why is None:
        return None  # a legal move, but it wasn't a hand that made it
    reach = point_names(step.target for step in steps if step.origin is origin and step.target)
    if reach:
        return Correction(
            why, Message("wrong.return-reach", {"from": (origin.name,), "others": any_of(reach)})
        )
    return Correction(why, Message("wrong.return-other", {"from": (origin.name,)}))


def _not_chosen(session: Session) -> Message | None:
    """Return that another turn was chosen, if one was: nothing else forbids a legal step."""
    return None if session.chosen is None else Message("wrong.not-chosen")


def removable(session: Session) -> Arg:
    """Return the points from which a piece may be taken now: one of them is enough."""
    due = due_steps(session)
    return any_of(point_names(step.origin for step in due if step.target is None and step.origin))


def due_steps(session: Session) -> Sequence[Step]:
    """Return the steps that hands may play now: of a turn that was chosen, the next one."""
    legal = session.game.position.legal_steps()
    return legal if session.chosen is None else session.chosen[:1]


def any_of(names: tuple[str, ...]) -> Arg:
    """Return the names as alternatives; of many, only that they are lit."""
    if len(names) > MAX_NAMED:
        return Message("any-lit")
    return one_of(names)


def one_of(names: Sequence[str]) -> Arg:
    """Return all of the names as alternatives."""
    *first, last = names
    if not first:
        return last
    before: Arg = first[0]
    for name in first[1:]:
        before = Message("repair.comma", {"first": before, "second": name})
    return Message("either", {"first": before, "second": last})


def point_names(points: Iterable[Point]) -> tuple[str, ...]:
    """Return the names of points in their order."""
    return tuple(sorted(point.name for point in points))


def stack_name(stack: Sequence[Piece | str]) -> Message:
    """Return the name of the pieces of a stack, the lowest first."""
    *lower, top = stack
    what = Message(f"piece.{top}")
    for beneath in reversed(lower):
        what = Message(f"on.{beneath}", {"piece": what})
    return what


def holding(position: Position, own: Iterable[Point]) -> Message:
    """Return what to do with the rings and balls that the player to move has lifted."""
    player = position.to_move
    flat = {piece.flat for point in own if (piece := position.standing[point.index])}
    held = "both" if len(flat) > 1 else "ring" if True in flat else "ball"
    return Message(f"holds.{player}.{held}", {"points": point_names(own)})


def undecided(points: frozenset[Point], player: Player | None) -> Message:
    """Return the question of which of `points` ends the last turn, or that of `player`."""
    slots = {"points": point_names(points)}
    if player is None:
        return Message("undecided.many", slots)
    return Message(f"undecided.{number(points)}.{player}", slots)


def taking_back(turn: str, points: frozenset[Point]) -> Message:
    """Return what leaving the board so leads to; `points` lack the pieces that were captured there."""
    if points:
        return Message(f"taking-back.lacking.{number(points)}", {"turn": turn, "points": point_names(points)})
    return Message("taking-back", {"turn": turn})


def number(points: Collection[Point]) -> Literal["one", "many"]:
    """Return the part of a key that is for one point or for several."""
    return "one" if len(points) == 1 else "many"
