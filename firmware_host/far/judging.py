"""The judging of the other board's record: it is adopted as far as the rules allow, or refused with a reason.

Invariants: a turn is adopted only from the board whose player made it, and only if it is legal here. Judging
the same record twice changes nothing the second time, and one that is out of date never takes anything back.
A record that can be neither adopted nor out of date is a disagreement: this board names it in its own record,
so that the other board knows of it as well.
"""

from __future__ import annotations

import enum
from dataclasses import replace

from firmware_host.errors import FarError
from firmware_host.far.record import DRAW, TAKE_BACK, Offer, Roll, SeatRecord, common_turns, opens
from firmware_host.far.seat import FarSeat, free_to_ask
from firmware_host.games.game import Outcome, Reason
from firmware_host.i18n import Message

MAX_JUMP = 1000
"""The most editions by which a record of the same game may be ahead: those that never arrived here."""


class Judgement(enum.Enum):
    """The ways in which a record is judged."""

    AGREED = "agreed"
    """Both boards have the same."""
    ADOPTED = "adopted"
    """It had more than this board, and this board has it now."""
    BEHIND = "behind"
    """It lacks what this board has, which should publish its own record again."""
    DISAGREE = "disagree"
    """The boards have different games; a player has to decide."""
    IGNORED = "ignored"
    """It is not of the other board."""


def judge(mine: FarSeat, theirs: SeatRecord, *, was_away: bool | None = False) -> tuple[FarSeat, Judgement]:
    """Return the seat after the other board's record, and what became of that.

    `was_away` says that this board may have been away long enough for the other player to claim the game; it
    is None if nobody knows.
    Raises FarError for a record that counts its editions as no board does: adopting them, or deciding about
    them, would lead to numbers that can't be written any more.
    """
    if theirs.board != mine.other:
        return mine, Judgement.IGNORED
    if theirs.round == mine.round and theirs.takes_back > mine.edition + MAX_JUMP:
        raise FarError(
            f"a record is {theirs.takes_back - mine.edition} editions ahead; the limit is {MAX_JUMP}"
        )
    try:
        return _judged(mine, theirs, was_away=was_away)
    except FarError as error:
        refused = replace(mine, theirs=theirs, refused=theirs.stamp, trouble=error.message)
        return refused, Judgement.DISAGREE


def _judged(mine: FarSeat, theirs: SeatRecord, *, was_away: bool | None) -> tuple[FarSeat, Judgement]:
    if theirs.rules != mine.rules.describe():
        raise FarError(Message("link.other-rules", {"rules": theirs.rules}))
    if theirs.round != mine.round:
        return _of_another_round(mine, theirs)
    seat = _rolled(mine, theirs.roll)
    if seat.game is None or not theirs.game:
        return _before_the_game(mine, seat, theirs)
    own = seat.record
    if (theirs.game, theirs.white, theirs.black) != (own.game, own.white, own.black):
        raise FarError(Message("link.other-game"))
    after, judgement = _compared(seat, theirs, was_away=was_away)
    if judgement in (Judgement.AGREED, Judgement.ADOPTED):
        after = replace(after, theirs=theirs, refused="", trouble=None)
        after = _asked(_answered(after, theirs), theirs.offer)
        return after, judgement if after.record == mine.record else Judgement.ADOPTED
    if theirs.refused and theirs.refused == mine.record.stamp:
        return replace(after, theirs=theirs, trouble=Message("link.refused-there")), Judgement.DISAGREE
    return after, judgement


def take_theirs(seat: FarSeat) -> FarSeat:
    """Return the seat with the other board's game, to end a disagreement.

    Raises FarError if there is none, or if their game can't be played by the rules.
    """
    theirs = seat.theirs
    if seat.trouble is None or theirs is None or seat.game is None:
        raise FarError(Message("link.nothing-to-take"))
    # The editions of other rounds are not bounded.
    if (theirs.round, theirs.game) != (seat.round, seat.record.game):
        raise FarError(Message("link.nothing-to-take"))
    game = replace(seat, trouble=None, offer=None).back_to(0, max(seat.edition, theirs.takes_back) + 1)
    for turn, used in zip(theirs.turns, theirs.used_ms, strict=True):
        game = game.with_turn(turn, used)
    return replace(game, declared=theirs.declared, refused="")


# ---- before a game ---------------------------------------------------------------------------------------


def _of_another_round(mine: FarSeat, theirs: SeatRecord) -> tuple[FarSeat, Judgement]:
    if theirs.round < mine.round:
        return mine, Judgement.BEHIND
    if theirs.round > mine.round + 1 or mine.outcome is None:
        raise FarError(Message("link.other-game"))
    return replace(mine, trouble=None, refused=""), Judgement.AGREED  # it waits for this player to be ready


def _rolled(mine: FarSeat, roll: Roll) -> FarSeat:
    """Return the seat with what it learns of the other board's roll."""
    known = mine.others_roll
    if roll.nonce and not (mine.nonce and opens(roll)):
        raise FarError(Message("link.roll"))
    if known.commit and roll.commit != known.commit:
        if roll.commit:
            raise FarError(Message("link.roll"))
        return mine  # published before that player was ready
    return mine if known.nonce else mine.with_roll(roll)


def _before_the_game(mine: FarSeat, seat: FarSeat, theirs: SeatRecord) -> tuple[FarSeat, Judgement]:
    if theirs.refused and theirs.refused == mine.record.stamp:
        return replace(seat, trouble=Message("link.refused-there")), Judgement.DISAGREE
    if theirs.game and seat.game is None:
        raise FarError(Message("link.other-game"))
    if seat.record != mine.record:
        return seat, Judgement.ADOPTED
    is_behind = seat.game is not None or (bool(mine.nonce) and theirs.ready and not theirs.roll.nonce)
    return seat, Judgement.BEHIND if is_behind else Judgement.AGREED


# ---- in a game -------------------------------------------------------------------------------------------


def _compared(mine: FarSeat, theirs: SeatRecord, *, was_away: bool | None) -> tuple[FarSeat, Judgement]:
    """Return the seat after a record of the same game."""
    if theirs.takes_back < mine.edition:
        return mine, Judgement.BEHIND
    count = len(theirs.turns)
    if theirs.takes_back > mine.edition:
        seat = _taken_back(mine, theirs)
    elif count < len(mine.turns) and theirs.turns == mine.turns[:count]:
        return mine, Judgement.BEHIND
    else:
        seat = mine
    seat = _with_their_turns(seat, theirs)
    if theirs.declared is None and seat.declared is not None:
        return seat, Judgement.BEHIND if seat.record == mine.record else Judgement.ADOPTED
    return _with_their_end(seat, theirs.declared, was_away=was_away), Judgement.AGREED


def _with_their_turns(seat: FarSeat, theirs: SeatRecord) -> FarSeat:
    """Return the seat after the turns of a record that it lacks, all of which the other player made."""
    count = len(seat.turns)
    if theirs.turns[:count] != seat.turns:
        number = 1 + common_turns(seat.turns, theirs.turns)
        raise FarError(Message("link.differs", {"number": number}))
    seat = _with_their_times(seat, theirs)
    for index in range(count, len(theirs.turns)):
        if seat.mover(index) is seat.player:
            raise FarError(Message("link.not-theirs", {"turn": theirs.turns[index]}))
        seat = seat.with_turn(theirs.turns[index], theirs.used_ms[index])
    return seat


def _taken_back(mine: FarSeat, theirs: SeatRecord) -> FarSeat:
    """Return the seat without the turns that the other board took away, in its edition.

    It may revise its own last turn until that is carried out or answered here, and take back what this player
    offered to take back.
    """
    common = common_turns(mine.turns, theirs.turns)
    last = len(mine.turns) - 1
    if common > last:
        return replace(mine, edition=theirs.takes_back)  # what it took back never arrived here
    if common == last and mine.mover(last) is not mine.player and mine.carried <= last:
        return mine.back_to(last, theirs.takes_back)
    offer = mine.offer
    if offer is not None and offer.what == TAKE_BACK and common >= offer.to:
        return free_to_ask(mine.back_to(offer.to, theirs.takes_back))
    raise FarError(Message("link.took-back", {"turn": mine.turns[common]}))


def _with_their_times(seat: FarSeat, theirs: SeatRecord) -> FarSeat:
    """Return the seat with the times that the other board measured: it may play the same turn again."""
    pairs = enumerate(zip(seat.used_ms, theirs.used_ms, strict=False))
    times = (own if seat.mover(n) is seat.player else other for n, (own, other) in pairs)
    return replace(seat, used_ms=tuple(times))


def _with_their_end(seat: FarSeat, declared: Outcome | None, *, was_away: bool | None) -> FarSeat:
    """Return the seat with the end that the other player declared; raise FarError if that wasn't theirs."""
    if declared is None or declared == seat.declared:
        return seat
    if seat.declared is not None:
        raise FarError(Message("link.result"))
    gave_up = declared == Outcome(Reason.RESIGNED, seat.player)
    offered = seat.offer is not None and seat.offer.what == DRAW
    agreed = declared == Outcome(Reason.AGREED, None) and offered
    is_claim = declared.reason in (Reason.ABANDONED, Reason.TIME, Reason.AGREED)
    if gave_up or agreed or (is_claim and was_away):
        return seat.declare(declared)
    if is_claim and was_away is None:
        raise FarError(Message("link.claim-undated"))
    raise FarError(Message("link.result"))


def _asked(seat: FarSeat, offer: Offer | None) -> FarSeat:
    """Return the seat once an offer is put to this player, if it is the first of its kind in a turn."""
    if offer is None or offer.number <= seat.asked or seat.asked_at.get(offer.what, -1) >= len(seat.turns):
        return seat
    return replace(seat, asked=offer.number, asked_at={**seat.asked_at, offer.what: len(seat.turns)})


def _answered(seat: FarSeat, theirs: SeatRecord) -> FarSeat:
    """Return the seat without an offer that the other player has declined, or answered with a turn."""
    offer = seat.offer
    if offer is None:
        return seat
    if any(seat.mover(index) is not seat.player for index in range(offer.at, len(seat.turns))):
        return replace(seat, offer=None)
    if theirs.declined < offer.number:
        return seat
    return replace(seat, offer=None, declined_at={**seat.declined_at, offer.what: len(seat.turns)})
