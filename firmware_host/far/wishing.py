"""The wishes of players here, as changes of their seat, and the report by which the board knows the room.

Invariants: a wish that the rules of a seat don't allow is refused with words. A wish is carried out once: one
that the board made before its link began is not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from firmware_host.errors import FarError
from firmware_host.far.judging import take_theirs
from firmware_host.far.seat import FarSeat
from firmware_host.games.game import Outcome, Player, Reason
from firmware_host.i18n import Message


class WishReader:
    """Tells which wishes are new in the states of a board."""

    def __init__(self) -> None:
        self._last: int | None = None
        """The number of the last wish; None until a state has it."""

    @property
    def done(self) -> int:
        """The number of the last wish that the board made, for the report."""
        return self._last or 0

    def new_wish(self, state: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """Return the wish that is new in a state; None if there is none.

        A board shows its wishes only while a link reports a room, or that it has none.
        """
        far = state.get("far") or {}
        if "wish" not in far:
            return None
        wish = far["wish"] or {"number": 0}
        before, self._last = self._last, int(wish["number"])
        return None if before in (None, self._last) or not self._last else wish


def granted(seat: FarSeat, wish: str, nonce: str, *, may_claim: bool = False) -> FarSeat:
    """Return the seat once its player has what they `wish`; raise FarError if that isn't possible.

    `nonce` are 32 random hexadecimal digits. With `may_claim` the other board has been away for so long that
    the game can be ended.
    """
    deeds: dict[str, Callable[[], FarSeat]] = {
        "ready": lambda: seat.ready(nonce),
        "draw": seat.offer_draw,
        "take-back": seat.offer_take_back,
        "accept": seat.accept,
        "decline": seat.decline,
        "take-theirs": lambda: take_theirs(seat),
        "claim-draw": lambda: _claimed(seat, None, may_claim=may_claim),
        "claim-win": lambda: _claimed(seat, seat.player, may_claim=may_claim),
    }
    if wish not in deeds:
        raise FarError(Message("link.no-room"))
    return deeds[wish]()


def _claimed(seat: FarSeat, winner: Player | None, *, may_claim: bool) -> FarSeat:
    if not may_claim or seat.game is None or seat.outcome is not None:
        raise FarError(Message("link.no-claim"))
    return seat.declare(Outcome(Reason.AGREED if winner is None else Reason.ABANDONED, winner))


def room_report(
    seat: FarSeat | None,
    *,
    is_connected: bool,
    may_claim: bool = False,
    done: int = 0,
    refused: Message | None = None,
    message: tuple[int, str] | None = None,
) -> dict[str, Any]:
    """Return the request that reports the room of a seat, None before its rules are known, to its board.

    `message` is the last phrase of the other player, after its number.
    """
    offer = None if seat is None else seat.theirs_to_answer
    return {
        "do": "room",
        "stage": _stage(seat) if is_connected else "unconnected",
        "question": None if offer is None else offer.what,
        "may_claim": may_claim and seat is not None and seat.game is not None,
        "done": done,
        "refused": None if refused is None else refused.as_dict(),
        "trouble": None if seat is None or seat.trouble is None else seat.trouble.as_dict(),
        "message": None if message is None else {"number": message[0], "phrase": message[1]},
    }


def _stage(seat: FarSeat | None) -> str:
    if seat is None or not seat.other:
        return "alone"
    if seat.game is None:
        return "ready" if seat.nonce else "waiting"
    return "playing" if seat.outcome is None else "over"
