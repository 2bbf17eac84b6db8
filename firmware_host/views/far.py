"""The sentences about the other board of a far game."""

from __future__ import annotations

from typing import Any

from firmware_host.i18n import Message
from firmware_host.play.asking.asking import Asking
from firmware_host.play.asking.options import BEGIN, OFFER
from firmware_host.play.controller import Controller
from firmware_host.play.other_board import FarStatus
from firmware_host.settings import MEET
from firmware_host.tracking.verdict import Settled

_WAITING = {
    FarStatus.SENT: Message("far.sent"),
    FarStatus.ARRIVED: Message("far.arrived"),
    FarStatus.STANDS: Message("far.stands"),
    FarStatus.AWAY: Message("far.away"),
    FarStatus.ASKING: Message("far.asking"),
}
"""The sentences for while the other board's player is to move."""


def far_sentence(controller: Controller) -> Message | None:
    """Return the sentence if the other board decides what is done next; None if hands here do."""
    session, far = controller.session, controller.controls.far
    if far.holds_game:
        return Message("far.disagree")
    waits = session.reconciler.is_bound and not (session.paused or session.must_clear)
    if not waits or not isinstance(session.verdict, Settled):
        return None
    if session.game.ply == 0 and far.status in (FarStatus.SENT, FarStatus.ARRIVED, FarStatus.STANDS):
        return Message("far.first")
    return _WAITING[far.status]


def asked_by_room(controller: Controller, asking: Asking) -> Message | None:
    """Return how to answer a question about the other board; None for any other."""
    at = {option.does: (point.name,) for point, option in asking.lit.items()}
    if asking.question == MEET:
        count = next(iter(at), "").partition(":")[2]
        return Message("asking.meet", {"count": count})
    if asking.question == BEGIN and "ready" in at:
        return Message("asking.begin", {"points": at["ready"]})
    room = controller.controls.far.room.report
    if asking.question != OFFER or room is None or not {"accept", "decline"} <= at.keys():
        return None
    slots = {"points": at["accept"], "others": at["decline"]}
    if room.question == "draw":
        return Message("asking.offer.draw", slots)
    return Message("asking.offer.take-back", slots)


def over(controller: Controller, what: Message) -> Message:
    """Return how the game ended, which is `what`, and how the next one begins."""
    room = controller.controls.far.room.report
    stage = None if room is None else room.stage
    if stage == "ready":
        return Message("over.next.ready", {"what": what})
    if stage == "over" and controller.session.seats.has_far:
        return Message("over.next.far", {"what": what})
    return Message("over.next", {"what": what})


def far_advice(controller: Controller) -> Message | None:
    """Return how a game with the board in the same room begins; None if that isn't the next thing to do."""
    session, room = controller.session, controller.controls.far.room.report
    if room is None or session.seats.has_far or session.game.ply:
        return None
    if room.stage in ("waiting", "over"):
        return Message("far.waiting")
    return Message("far.ready") if room.stage == "ready" else None


def far_turn(what: Message | str, taken: tuple[str, ...]) -> Message:
    """Return how hands carry out the other board's turn `what`, of which only `taken` pieces may be left."""
    return Message("far.takes", {"points": taken}) if taken else Message("far.plays", {"what": what})


def correction(repair: Message, turn: Message | str | None, *, is_far: bool) -> Message:
    """Return how to `repair` the board, and which `turn` was chosen by the board or, if `is_far`, another."""
    if turn is None:
        return Message("far.repair", {"what": repair}) if is_far else Message("repair", {"what": repair})
    slots = {"turn": turn, "what": repair}
    return Message("far.repair-first", slots) if is_far else Message("board-repair", slots)


def far_dict(controller: Controller) -> dict[str, Any] | None:
    """Return the public form of what is known of the other board and of the link; None without both."""
    far = controller.controls.far
    room = far.room.as_dict()
    if not far.is_on and not room:
        return None
    led = {"led": far.led} if far.led else {}
    return {"status": far.status.value if far.is_on else None, **led, **room}
