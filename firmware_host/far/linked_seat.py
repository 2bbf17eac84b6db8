"""A seat with its board on one side and the other board's messages on the other: all that a link decides.

A program around it has the clock, the disk and the network: it passes on the board's states and the messages,
and carries out what is due. `sim/pair` does so in virtual time, and `millwright link` on a real board.

Invariants: a seat is saved before it is published, and before its board has to follow it. A turn of hands
rests for a moment before it is taken over, so that a knock or a change of mind stays on this board.

No two clocks are ever compared: the time that a far player's turn took is measured by that player's own
board. The time in which hands carry that turn out is free up to ten seconds, and only beyond that is
charged.

As long as this board doesn't know that both agree, its record is repeated, and a board that does know
answers, so that nothing that the wire loses stops a game. Records that are behind are answered once a
second at most, and repeated ones only long after the last publication, so that no answer is answered unless
messages take seconds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from firmware_host.errors import FarError
from firmware_host.far.board_link import BoardState, Request, has_begun, taken_over, wishes
from firmware_host.far.judging import Judgement, judge
from firmware_host.far.parsing import is_count, parse_record
from firmware_host.far.record import LEFT, SeatRecord
from firmware_host.far.sealing import sealed
from firmware_host.far.seat import FarSeat, kept, restored, stored_rules
from firmware_host.games.game import Rules
from firmware_host.games.time_control import TimeControl
from firmware_host.settings import Microseconds

MIN_INTERVAL: Microseconds = 1_000_000
"""The least time between two publications of the same record."""
REPEAT_AFTER: Microseconds = 15_000_000
"""The time after which a record is repeated without any news."""
_ANSWER_AFTER: Microseconds = REPEAT_AFTER - 2 * MIN_INTERVAL
"""The time since this board's last publication after which a repeated record is no answer to it."""


class RecordPublisher:
    """The times at which one board's record is published."""

    def __init__(self) -> None:
        self._published: SeatRecord | None = None
        self._at: Microseconds = 0
        self._is_wanted = False

    def forget(self) -> None:
        """Publish at once, since the wire may have forgotten the record: after each connection."""
        self._published = None

    def note(self, judgement: Judgement, now: Microseconds, *, is_repeated: bool) -> None:
        """Take into account what became of the other board's record, and whether it came before."""
        lacks_answer = is_repeated and now - self._at >= _ANSWER_AFTER
        self._is_wanted |= judgement is Judgement.BEHIND or lacks_answer

    def due(self, seat: FarSeat) -> Microseconds | None:
        """Return the time from which the record has to be published; None if it needn't be."""
        if seat.record != self._published:
            return 0
        if self._is_wanted:
            return self._at + MIN_INTERVAL
        return None if seat.is_agreed else self._at + REPEAT_AFTER

    def publish(self, seat: FarSeat, now: Microseconds) -> None:
        """Note that the record was published at `now`."""
        self._published, self._at, self._is_wanted = seat.record, now, False


FREE_TO_CARRY: Microseconds = 10_000_000
"""The time to carry out the other player's turn that is not charged."""
TOLERANCE_MS = 2_000
"""The most by which a reported time may exceed the time that passed here."""
CLAIM_FLAG_AFTER_MS = 5_000
"""The time beyond the limit, by the estimate here, after which a flag may be claimed for the other player."""


def used_ms(lit: Microseconds, carried: Microseconds, landed: Microseconds) -> int:
    """Return the time of a turn that `landed`, after the far turn was `lit` and `carried` out."""
    free = min(carried - lit, FREE_TO_CARRY)
    return max(landed - lit - free, 0) // 1000


def is_doubtful(reported_ms: int, waited_ms: int) -> bool:
    """Return whether a reported time is longer than the wait for that turn here can explain."""
    return reported_ms > waited_ms + TOLERANCE_MS


def left_ms(control: TimeControl, times_ms: tuple[int, ...]) -> int:
    """Return what is left to a player, at the beginning of a turn, after turns of these times."""
    if control.is_per_turn:
        return control.turn_s * 1000
    left = control.first_s * 1000
    for time in times_ms:
        left += control.turn_s * 1000 - time
    return left


def may_claim_flag(left: int, waited_ms: int) -> bool:
    """Return whether the other player's time is up beyond doubt, with `left` before a turn of `waited_ms`."""
    return waited_ms - left >= CLAIM_FLAG_AFTER_MS


Save = Callable[[Mapping[str, Any]], None]


class LinkedSeat:
    """A seat that follows its board, and what both sides need next."""

    def __init__(
        self, seat: FarSeat, key: bytes, save: Save, *, led: int | None = 0, rest: Microseconds = 0
    ) -> None:
        """Begin with `seat`, whose messages have `key`.

        `led` is the edition to which the board was led last, None before it has begun the game of this round,
        and `rest` the time for which a turn of hands must not change to be taken over.
        """
        self.seat = seat
        self._key, self._save, self._led, self._rest = key, save, led, rest
        self._publisher = RecordPublisher()
        self._turns: tuple[str, ...] | None = None
        self._turns_since: Microseconds = 0
        self._lit_at: Microseconds = 0
        self._carried_at: Microseconds = 0
        self._board: BoardState | None = None
        self._leads_to = seat.round, seat.edition
        self._is_new = True
        """True until the board has been led since it was connected."""
        self._refused: tuple[Request, FarSeat, BoardState | None] | None = None

    @classmethod
    def restored(
        cls, stored: Mapping[str, Any], rules: Rules, key: bytes, save: Save, *, rest: Microseconds = 0
    ) -> LinkedSeat:
        """Return what was saved; raise FarError if that isn't its form."""
        seat, led = _parts(stored)
        return cls(restored(seat, rules), key, save, led=led, rest=rest)

    def save(self) -> None:
        """Save all that has to survive a power cut."""
        self._save({"seat": kept(self.seat), "led": self._led})

    def take(self, seat: FarSeat) -> None:
        """Go on as `seat` once that is saved; if it can't be saved, this raises what the disk does."""
        before = self.seat
        # After the last game, the board still has its turns.
        led = self._led if seat.round == before.round else None
        is_lasting = replace(seat.record, doing=before.record.doing) != before.record
        if is_lasting or seat.other != before.other:
            self._save({"seat": kept(seat), "led": led})
        self.seat, self._led = seat, led

    # ---- the other board -------------------------------------------------------------------------------

    def receive(self, message: bytes, now: Microseconds, *, was_away: bool | None = False) -> Judgement:
        """Judge a message; raise FarError if it can't be read or isn't sealed with the room's key."""
        return self.judge(parse_record(message, self._key), now, was_away=was_away)

    def judge(self, record: SeatRecord, now: Microseconds, *, was_away: bool | None = False) -> Judgement:
        """Judge a record that was sealed with the room's key.

        If that seat is free, the board of this record takes it. `was_away` says that the other player
        may have claimed the game, None that nobody knows.
        """
        mine = self.seat
        if not mine.other and record.board != mine.board:
            mine = replace(mine, other=record.board)
        seat, judgement = judge(mine, record, was_away=was_away)
        self.take(seat)
        self._publisher.note(judgement, now, is_repeated=record == mine.theirs)
        if len(seat.turns) > len(mine.turns):
            self._lit_at = now
        return judgement

    def publish_again(self) -> None:
        """Have the record published, since the wire may have forgotten it: after each connection."""
        self._publisher.forget()

    def record_due(self, now: Microseconds) -> SeatRecord | None:
        """Return the record to publish now, which counts as published; None if none is due."""
        due = self._publisher.due(self.seat)
        if due is None or due > now:
            return None
        self._publisher.publish(self.seat, now)
        return self.seat.record

    def message_due(self, now: Microseconds) -> bytes | None:
        """Return the message of the record to publish now, with the seal of the room alone."""
        record = self.record_due(now)
        return None if record is None else sealed(record.as_dict(), self._key)

    def farewell(self) -> SeatRecord:
        """Return the record of a board that has left the room, where it may come back."""
        return replace(self.seat.record, doing=LEFT)

    # ---- this board ------------------------------------------------------------------------------------

    def follow(self, board: BoardState, now: Microseconds, *, is_away: bool) -> list[Request] | None:
        """Take over what hands have done, and return the requests that bring the board to the seat's game.

        Once the board shows what came of them, even if there are none, `has_led` has to be called; if it
        refuses one, `has_refused` instead. None means that it is left alone for now: a turn rests, or a
        request was refused.
        """
        if self._turns is None:
            self._lit_at = max(self._lit_at, now)
        if board.turns != self._turns:
            self._turns, self._turns_since = board.turns, now
        if self._led is None and has_begun(self.seat, board):
            self._led = self.seat.edition
        seat = taken_over(self.seat, board, self._used_ms(), led=self._led)
        if seat.turns != self.seat.turns:
            if now < self._turns_since + self._rest:
                return None
            if self._led == self.seat.edition:
                self._led = seat.edition  # hands are the ones who took back
        elif seat.carried > self.seat.carried:
            self._carried_at = self._turns_since
        self.take(seat)
        wanted = list(wishes(self.seat, board, led=self._led, is_away=is_away, is_new=self._is_new))
        self._board, self._leads_to = board, (self.seat.round, self.seat.edition)
        return None if any(self._refused == (one, self.seat, board) for one in wanted) else wanted

    def has_led(self) -> None:
        """Note that the board shows the outcome of all that `follow` returned last.

        It is led on to changes that the other board has made since then. Before White is rolled there is
        nothing to lead to, and it still shows the game before.
        """
        self._is_new = False
        round_, edition = self._leads_to
        is_this_game = round_ == self.seat.round and self.seat.game is not None
        if is_this_game and self._led != edition and self.seat.trouble is None:
            self._led = edition
            self.save()

    def lose_board(self) -> None:
        """Note that the connection to the board has ended: it may come back as it was a moment before."""
        self._is_new = True

    def has_refused(self, request: Request) -> None:
        """Note that the board refuses a request, which waits until the board or the seat changes."""
        self._refused = request, self.seat, self._board

    def due(self) -> Microseconds | None:
        """Return the time from which something may be due without any news; None if nothing is.

        A turn that rests is due when it has rested.
        """
        published = self._publisher.due(self.seat)
        times = [] if published is None else [published]
        if self._rest and self._turns is not None and self._turns != self.seat.turns:
            times.append(self._turns_since + self._rest)
        return min(times, default=None)

    def _used_ms(self) -> int:
        """Return the time of a turn that has just come to its board: carrying out the other's is free."""
        lit = self._lit_at
        return used_ms(lit, max(self._carried_at, lit), max(self._turns_since, lit))


def stored_seat(stored: object) -> FarSeat:
    """Return the seat that a `LinkedSeat` saved; raise FarError if it can't be restored."""
    seat, _ = _parts(stored)
    return restored(seat, stored_rules(seat))


def _parts(stored: object) -> tuple[object, int | None]:
    """Return the seat, and the edition that its board was led to; raise FarError without them."""
    if not isinstance(stored, Mapping) or "seat" not in stored or "led" not in stored:
        raise FarError('a stored seat needs "seat" and "led"')
    led = stored["led"]
    if led is not None and not is_count(led):
        raise FarError('"led" of a stored seat must be a count, or null')
    return stored["seat"], led
