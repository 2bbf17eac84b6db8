"""The verifying of a game by the records of both its boards, for somebody who doesn't play it.

Invariants: a verified game has ended, both boards have published the same of it, its turns are legal, and
its name and its sides come from the roll that both have opened. A record alone proves nothing: a board may
write what it likes of itself, but not for the other one.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable

from firmware_host.errors import FarError
from firmware_host.far.record import SeatRecord, common_turns, game_name, opens, replayed, white_of
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player, Reason

_DIGEST_LENGTH = 20


@frozen
class FarGame:
    """A game of two boards that has ended, and is verified."""

    room: str
    name: str
    white: str
    """The name of White's board."""
    black: str
    game: Game
    used_ms: tuple[int, ...]
    """The time that each turn took, as measured by the board that played it."""

    @property
    def unique_name(self) -> str:
        """A name that no other game has: other boards, turns or ends give another one.

        The name on the wire comes from the two numbers of the roll alone, which others can copy.
        """
        end = self.game.outcome
        about = (
            *(self.game.rules.describe(), self.white, self.black, *self.game.turn_texts()),
            "" if end is None else f"{end.reason}:{end.winner}",
        )
        digest = base64.b32encode(hashlib.sha256("\n".join(about).encode()).digest()).decode()
        return f"{self.room}/{self.name}/{digest[:_DIGEST_LENGTH]}"


def verified(
    room: str, one: SeatRecord, other: SeatRecord, replay: Callable[[SeatRecord], Game] = replayed
) -> FarGame | None:
    """Return the game of two records; None while it hasn't ended on both boards.

    `replay` returns the game of a record, which may be known already. Raises FarError if they contradict each
    other, the rules, or the roll.
    """
    if not (one.game and other.game) or one.round != other.round:
        return None
    check_sides(room, one, other)
    game, others = replay(one), replay(other)
    if one.stamp != other.stamp:
        _check_may_agree(one, other)
        return None
    if game.outcome is None or others.outcome is None:
        return None
    _check_end(game)
    times, boards = {one.board: one.used_ms, other.board: other.used_ms}, (one.white, one.black)
    starts = game.turn_starts[: len(one.turns)]
    movers = (boards[game.positions[start].to_move is Player.BLACK] for start in starts)
    used = tuple(times[board][index] for index, board in enumerate(movers))
    return FarGame(room, one.game, one.white, one.black, game, used)


def check_sides(room: str, one: SeatRecord, other: SeatRecord) -> None:
    """Raise FarError unless two records are those of the two boards of one game."""
    if {one.board, other.board} != {one.white, one.black} or one.board == other.board:
        raise FarError("the records aren't those of the two boards that play")
    if _identity(one) != _identity(other):
        raise FarError("the records name different games, rules or sides")
    numbers = {record.board: record.roll.nonce for record in (one, other)}
    if not all(record.roll.nonce and opens(record.roll) for record in (one, other)):
        raise FarError("a number of the roll for White isn't the one that its board committed to")
    if one.white != white_of(numbers) or one.game != game_name(room, one.round, numbers):
        raise FarError("the sides or the name of the game don't follow from the roll for White")


def _identity(record: SeatRecord) -> tuple[str, str, str, str]:
    return record.game, record.rules, record.white, record.black


def _check_may_agree(one: SeatRecord, other: SeatRecord) -> None:
    """Raise FarError for records of which neither can be an older state of the other."""
    if one.takes_back != other.takes_back:
        return
    common = common_turns(one.turns, other.turns)
    if common < min(len(one.turns), len(other.turns)):
        raise FarError(f"the records have different games from turn {common + 1} on")
    if one.declared and other.declared and one.declared != other.declared:
        raise FarError("the records declare different ends of the game")


def _check_end(game: Game) -> None:
    """Raise FarError for a declared end with a winner that its reason doesn't have."""
    declared = game.declared
    if declared is None or declared.reason is Reason.ABANDONED:
        return
    if (declared.winner is None) is not (declared.reason is Reason.AGREED):
        raise FarError(f"the end that the records declare ({declared.reason}) has the wrong winner")
