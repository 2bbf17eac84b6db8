"""One board's seat in a far game: what its own player and its wood do, and the record that this makes.

Every change returns another seat. `judging` has the changes that the other board's record makes.

Invariants: a seat is stored before it is published, and all that is stored survives a power cut. While the
boards disagree nothing is played, and nothing is overwritten until a player decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import Any

from firmware_host.errors import FarError, NotationError
from firmware_host.far.parsing import (
    BOARD_LENGTH,
    ROOM_LENGTH,
    is_count,
    is_digits,
    is_name,
    is_roll,
    record_of,
)
from firmware_host.far.record import (
    ASKING,
    DRAW,
    MAX_TURNS,
    NO_ROLL,
    TAKE_BACK,
    Offer,
    Roll,
    SeatRecord,
    begun,
    committed,
    game_name,
    white_of,
    with_turn,
)
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Outcome, Player, Reason, Rules
from firmware_host.games.rulesets import parse_rules
from firmware_host.i18n import Message


@frozen(slots=False)
class FarSeat:
    """The seat of `board` against the board `other` in a room."""

    board: str
    other: str
    room: str
    rules: Rules
    round: int = 1
    nonce: str = ""
    """This board's number of the roll; empty until its player is ready."""
    others_roll: Roll = NO_ROLL
    game: Game | None = None
    """None until White is rolled."""
    used_ms: tuple[int, ...] = ()
    carried: int = 0
    edition: int = 0
    declared: Outcome | None = None
    offer: Offer | None = None
    offers: int = 0
    """The number of the last offer made here."""
    declined: int = 0
    declined_at: Mapping[str, int] = field(default_factory=dict)
    """The numbers of turns at which an offer of each kind was declined there."""
    asked: int = 0
    """The number of the other player's last offer that was put to this one."""
    asked_at: Mapping[str, int] = field(default_factory=dict)
    """The numbers of turns at which an offer of each kind was put to this player: one in a turn."""
    refused: str = ""
    is_asking: bool = False
    """True while this board asks its player something else than a turn."""
    theirs: SeatRecord | None = None
    """The other board's last record that was not out of date."""
    trouble: Message | None = None
    """The reason why the boards disagree; None if they don't."""

    # ---- the state -------------------------------------------------------------------------------------

    @property
    def player(self) -> Player | None:
        """The player of this board; None before the roll."""
        if self.game is None:
            return None
        return Player.WHITE if self.white == self.board else Player.BLACK

    @property
    def white(self) -> str:
        """The board that plays White, once that is rolled."""
        return white_of(_numbers(self))

    @cached_property
    def turns(self) -> tuple[str, ...]:
        """The turns of the game."""
        return () if self.game is None else self.game.turn_texts()

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game: by the rules before all, otherwise as declared."""
        return None if self.game is None else self.game.position.outcome or self.declared

    @property
    def may_play(self) -> bool:
        """True if it is this player's turn, and nothing hinders it."""
        going_on = self.game is not None and self.outcome is None and self.trouble is None
        return going_on and self.game is not None and self.game.position.to_move is self.player

    @property
    def is_agreed(self) -> bool:
        """True if the other board is known to have the same game, in the same edition."""
        return self.theirs is not None and self.game is not None and self.theirs.stamp == self.record.stamp

    @property
    def theirs_to_answer(self) -> Offer | None:
        """The other player's offer that waits for an answer here."""
        offer = None if self.theirs is None else self.theirs.offer
        if offer is None or not self.declined < offer.number == self.asked or self.outcome is not None:
            return None
        played = [ply for ply in range(offer.at, len(self.turns)) if self.mover(ply) is self.player]
        is_possible = offer.what == DRAW or offer.to < len(self.turns)
        return offer if is_possible and not played and self.is_agreed else None

    def mover(self, index: int) -> Player:
        """Return the player of the turn with this index; players take turns."""
        if self.game is None:
            raise FarError("no game has begun")
        first = self.game.positions[0].to_move
        return first if index % 2 == 0 else first.other

    @cached_property
    def record(self) -> SeatRecord:
        """The record to publish."""
        roll = Roll(
            committed(self.nonce) if self.nonce else "", self.nonce if self.others_roll.commit else ""
        )
        record = SeatRecord(
            *(self.board, self.rules.describe(), self.round, roll, bool(self.nonce)),
            refused=self.refused,
            declined=self.declined,
        )
        if self.game is None:
            return record
        white = self.white
        return replace(
            record,
            game=game_name(self.room, self.round, _numbers(self)),
            white=white,
            black=self.other if white == self.board else self.board,
            turns=self.turns,
            used_ms=self.used_ms,
            carried=self.carried,
            takes_back=self.edition,
            declared=self.declared,
            offer=self.offer,
            doing=ASKING if self.is_asking else "",
        ).sealed_hash()

    # ---- before a game ---------------------------------------------------------------------------------

    def ready(self, nonce: str) -> FarSeat:
        """Return the seat of a player who is ready; `nonce` are 32 random hexadecimal digits.

        After a game this begins the next one. Raises FarError until both boards have its end.
        """
        if self.game is None:
            return self if self.nonce else replace(self, nonce=nonce)._begun()
        if self.outcome is None or not self.is_agreed:
            raise FarError(Message("link.not-over"))
        kept = FarSeat(self.board, self.other, self.room, self.rules, offers=self.offers)
        return replace(kept, round=self.round + 1, nonce=nonce, declined=self.declined, asked=self.asked)

    def with_roll(self, roll: Roll) -> FarSeat:
        """Return the seat once it knows the other board's part in the roll, which may begin the game."""
        return replace(self, others_roll=roll)._begun()

    def _begun(self) -> FarSeat:
        if self.game is not None or not (self.nonce and self.others_roll.nonce):
            return self
        return replace(self, game=begun(self.rules))

    # ---- what this player and this wood do -------------------------------------------------------------

    def play(self, turn: str, used_ms: int) -> FarSeat:
        """Return the seat after this player's `turn`; raise FarError if it isn't possible."""
        if not self.may_play:
            raise FarError(Message("link.not-yours"))
        if len(self.turns) >= MAX_TURNS:
            raise FarError(f"a far game has {MAX_TURNS} turns at most; agree on its end")
        return self.with_turn(turn, used_ms).carry(len(self.turns) + 1)

    def carry(self, count: int) -> FarSeat:
        """Return the seat once `count` turns stand on this board's wood."""
        count = min(count, len(self.turns))
        return self if count == self.carried else replace(self, carried=count)

    def revise(self) -> FarSeat:
        """Return the seat without this player's last turn, to play another one.

        Raises FarError if the other board has carried it out or answered it.
        """
        last = len(self.turns) - 1
        if last < 0 or self.mover(last) is not self.player or self.trouble or self.outcome:
            raise FarError(Message("link.no-revision"))
        if self.theirs is not None and self.theirs.carried > last and self.is_agreed:
            raise FarError(Message("link.no-revision"))
        return self.back_to(last, self.edition + 1)

    def offer_draw(self) -> FarSeat:
        """Return the seat with the offer of a draw; a draw that is offered already is accepted."""
        waiting = self.theirs_to_answer
        if waiting is not None and waiting.what == DRAW:
            return self.accept()
        return self._offering(DRAW, len(self.turns))

    def offer_take_back(self, to: int | None = None) -> FarSeat:
        """Return the seat with the offer to go back to the first `to` turns; None: to before one's last."""
        if to is None:
            own = (index for index in reversed(range(len(self.turns))) if self.mover(index) is self.player)
            to = next(own, 0)
        if not 0 <= to < len(self.turns):
            raise FarError(Message("link.no-offer"))
        return self._offering(TAKE_BACK, to)

    def _offering(self, what: str, to: int) -> FarSeat:
        if self.game is None or self.outcome or self.trouble or self.offer:
            raise FarError(Message("link.no-offer"))
        if what in declined_now(self):
            raise FarError(Message("link.declined"))
        offer = Offer(what, self.offers + 1, len(self.turns), to)
        return replace(self, offer=offer, offers=offer.number)

    def accept(self) -> FarSeat:
        """Return the seat after the other player's offer is accepted; raise FarError if there is none."""
        offer = self._answered()
        if offer.what == DRAW:
            return self.declare(Outcome(Reason.AGREED, None))
        return free_to_ask(self.back_to(offer.to, self.edition + 1))

    def decline(self) -> FarSeat:
        """Return the seat after the other player's offer is declined; raise FarError if there is none."""
        return replace(self, declined=self._answered().number)

    def _answered(self) -> Offer:
        offer = self.theirs_to_answer
        if offer is None or self.trouble:
            raise FarError(Message("link.no-question"))
        return offer

    def resign(self) -> FarSeat:
        """Return the seat after this player gave up."""
        if self.player is None or self.outcome is not None:
            raise FarError(Message("link.not-playing"))
        return self.declare(Outcome(Reason.RESIGNED, self.player.other))

    def declare(self, outcome: Outcome) -> FarSeat:
        """Return the seat with a declared end; offers end with it."""
        return replace(self, declared=outcome, offer=None)

    # ---- for judging -----------------------------------------------------------------------------------

    def with_turn(self, turn: str, used_ms: int) -> FarSeat:
        """Return the seat after one more turn, of either player; raise FarError if it isn't legal."""
        if self.game is None or self.game.position.outcome is not None:
            raise FarError(Message("link.illegal", {"turn": turn}))
        return replace(self, game=with_turn(self.game, turn), used_ms=(*self.used_ms, used_ms))

    def back_to(self, count: int, edition: int) -> FarSeat:
        """Return the seat with the first `count` turns alone, in another edition; it ends this offer."""
        if self.game is None:
            return self
        return replace(
            self,
            game=self.game.back_to(self.game.turn_starts[count]),
            used_ms=self.used_ms[:count],
            carried=min(self.carried, count),
            edition=edition,
            offer=None,
        )


def free_to_ask(seat: FarSeat) -> FarSeat:
    """Return the seat once both players agree on a take-back, after which either may offer anything again."""
    return replace(seat, asked_at={}, declined_at={})


def declined_now(seat: FarSeat) -> list[str]:
    """Return the kinds of offers that the other player has declined since the last turn."""
    return [what for what, at in seat.declined_at.items() if at >= len(seat.turns)]


def _numbers(seat: FarSeat) -> dict[str, str]:
    return {seat.board: seat.nonce, seat.other: seat.others_roll.nonce}


def kept(seat: FarSeat) -> dict[str, Any]:
    """Return what is stored of a seat, for `restored`."""
    return {
        "record": seat.record.as_dict(),
        "other": seat.other,
        "room": seat.room,
        "nonce": seat.nonce,
        "roll": {"commit": seat.others_roll.commit, "nonce": seat.others_roll.nonce},
        "offers": seat.offers,
        "declined_at": dict(seat.declined_at),
        "asked": seat.asked,
        "asked_at": dict(seat.asked_at),
    }


_KEPT = frozenset(("record", "other", "room", "nonce", "roll", "offers"))


def restored(stored: object, rules: Rules) -> FarSeat:
    """Return the seat that was stored.

    Raises FarError if that isn't the form of a seat, or doesn't give the record that was stored with it.
    """
    parts = _stored_parts(stored)
    record, roll = record_of(parts["record"]), parts["roll"]
    seat = FarSeat(record.board, parts["other"], parts["room"], rules, record.round, parts["nonce"])
    if seat.other == seat.board:
        raise FarError("a stored seat must be against another board")
    seat = replace(seat, offers=parts["offers"], declined=record.declined).with_roll(Roll(**roll))
    seat = replace(
        seat,
        declined_at=dict(parts.get("declined_at", {})),
        asked=parts.get("asked", record.declined),
        asked_at=dict(parts.get("asked_at", {})),
    )
    for turn, used in zip(record.turns, record.used_ms, strict=True):
        seat = seat.with_turn(turn, used)
    seat = replace(
        seat.carry(record.carried), edition=record.takes_back, declared=record.declared, offer=record.offer
    )
    if seat.record != replace(record, refused="", doing=""):
        raise FarError("the members of a stored seat don't fit one another")
    return seat


def stored_rules(stored: object) -> Rules:
    """Return the rules of a stored seat; raise FarError if they can't be read."""
    try:
        return parse_rules(record_of(_stored_parts(stored)["record"]).rules)
    except NotationError as error:
        raise FarError(f"the rules of a stored seat can't be read: {error}") from error


def _stored_parts(stored: object) -> Mapping[str, Any]:
    """Return the members of a stored seat; raise FarError unless each can be one of its own kind."""
    if not isinstance(stored, Mapping) or not stored.keys() >= _KEPT:
        raise FarError(f"a stored seat must be an object with {', '.join(sorted(_KEPT))}")
    is_right = (
        (stored["other"] == "" or is_name(stored["other"], BOARD_LENGTH))
        and is_name(stored["room"], ROOM_LENGTH)
        and is_digits(stored["nonce"], 32)
        and is_roll(stored["roll"])
        and is_count(stored["offers"])
        and is_count(stored.get("asked", 0))
        and all(_are_counts(stored.get(name, {})) for name in ("declined_at", "asked_at"))
    )
    if not is_right:
        raise FarError("a member of a stored seat isn't what it must be")
    return stored


def _are_counts(stored: object) -> bool:
    """Return whether a member gives numbers by names."""
    return isinstance(stored, Mapping) and all(
        isinstance(name, str) and is_count(count) for name, count in stored.items()
    )
