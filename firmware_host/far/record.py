"""The record of one seat: all that a board publishes of a far game.

Invariants: equal hashes mean equal games, since the hash is chained over the rules, the game, both boards and
every turn. Within one edition the turns of a record only grow and an end stays; whatever takes turns away
begins another edition, with a higher number.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from dataclasses import replace
from itertools import takewhile
from typing import Any

from firmware_host.errors import FarError, IllegalStepError, NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Outcome, Player, Rules
from firmware_host.games.rulesets import parse_rules
from firmware_host.i18n import Message

GAME_LENGTH = 10
"""The length of the name of a game, in base32 digits."""
VERSION = 1
"""The version of the protocol."""

MAX_TURNS = 800
"""The most turns of one record, which keeps it below the limit of a message."""

DRAW, TAKE_BACK = "draw", "take-back"
"""The kinds of offers."""

ASKING, LEFT = "asking", "left"
"""The states of a board that does something other than play."""


@frozen
class Roll:
    """One board's part in the roll for White: a commitment, and later the number it commits to."""

    commit: str = ""
    nonce: str = ""


NO_ROLL = Roll()


@frozen
class Offer:
    """An offer of one player, which stands until it is answered, or the other plays another turn."""

    what: str
    number: int
    """Counts the offers of its board in this room."""
    at: int
    """The number of turns played when it was made."""
    to: int
    """The number of turns that would be left of the game."""


@frozen
class SeatRecord:
    """A record as one board has published it."""

    board: str
    rules: str
    round: int = 1
    roll: Roll = NO_ROLL
    ready: bool = False
    game: str = ""
    white: str = ""
    black: str = ""
    turns: tuple[str, ...] = ()
    used_ms: tuple[int, ...] = ()
    """The time that each turn took, as measured by the board that played it."""
    hash: str = ""
    carried: int = 0
    """The number of turns that stand on this board's wood."""
    takes_back: int = 0
    """The edition: how often turns were taken away from the game."""
    declared: Outcome | None = None
    offer: Offer | None = None
    declined: int = 0
    """The number of the other board's last offer that was declined here."""
    refused: str = ""
    """The stamp of the other board's record that this board refuses; empty if it refuses none."""
    doing: str = ""
    """ASKING while the board asks its player something else than a turn, LEFT once it has left the room."""

    @property
    def stamp(self) -> str:
        """A text that is equal for records that agree."""
        end = "" if self.declared is None else f"{self.declared.reason}:{self.declared.winner}"
        return f"{self.round}.{self.takes_back}.{self.hash}.{end}"

    def as_dict(self) -> dict[str, Any]:
        """Return the members of the message, without its mac."""
        offer = None if self.offer is None else {name: getattr(self.offer, name) for name in OFFER_MEMBERS}
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            "v": VERSION,
            "roll": {"commit": self.roll.commit, "nonce": self.roll.nonce},
            "turns": list(self.turns),
            "used_ms": list(self.used_ms),
            "declared": None if self.declared is None else self.declared.as_dict(),
            "offer": offer,
        }

    def sealed_hash(self) -> SeatRecord:
        """Return this record with the hash of its game."""
        return replace(self, hash=chained_hash(self))


OFFER_MEMBERS = ("what", "number", "at", "to")
_PLAIN = (
    *("board", "rules", "round", "ready", "game", "white", "black", "hash", "carried"),
    *("takes_back", "declined", "refused", "doing"),
)


def chained_hash(record: SeatRecord) -> str:
    """Return the hash of a record's game: 16 hexadecimal digits."""
    return chain((record.rules, record.white, record.black, record.game, *record.turns))


def chain(texts: Iterable[str]) -> str:
    """Return the hash of texts, each hashed with the digest of those before it."""
    digest = b""
    for text in texts:
        digest = hashlib.sha256(digest + text.encode()).digest()
    return digest.hex()[:16]


# ---- turns by the rules of this program -----------------------------------------------------------------
# The replaying of turns by the rules of this program.
#
# Invariants: a turn is exactly one whole turn, legal where it stands, and written as the rules write it.
# Turns that were replayed before cost nothing again.


def begun(rules: Rules) -> Game:
    """Return a game of two boards before its first turn."""
    return Game.begin(rules, rules.start(rules.first or Player.WHITE))


def with_turn(before: Game, turn: str) -> Game:
    """Return a game after one more turn; raise FarError if that isn't legal."""
    game = before
    try:
        for step in game.rules.parse_turn(turn):
            game = game.play(game.position.legal_step(step.text))
    except (NotationError, IllegalStepError) as error:
        raise FarError(Message("link.illegal", {"turn": turn})) from error
    is_one = len(game.turn_starts) == len(before.turn_starts) + 1 and not game.mid_turn
    if not is_one or game.turn_texts()[-1] != turn:
        raise FarError(Message("link.illegal", {"turn": turn}))
    return game


def common_turns(some: tuple[str, ...], others: tuple[str, ...]) -> int:
    """Return the number of turns with which both begin."""
    pairs = zip(some, others, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def replayed(record: SeatRecord, before: tuple[SeatRecord, Game] | None = None) -> Game:
    """Return the game of a record, with its end; raise FarError if the rules don't allow it.

    `before` is a record with its game, whose turns need not be replayed if this one begins with them.
    """
    game = _known_part(record, *before) if before is not None else None
    if game is None:
        try:
            game = begun(parse_rules(record.rules))
        except NotationError as error:
            raise FarError(f"the record's rules can't be played here: {error}") from error
    known = len(game.turn_starts) - 1
    for number, turn in enumerate(record.turns[known:], start=known + 1):
        if game.position.outcome is not None:
            raise FarError(f"the record goes on with turn {number}, {turn}, although the game was over")
        try:
            game = with_turn(game, turn)
        except FarError as error:
            raise FarError(f"turn {number} of the record, {turn}, isn't legal") from error
    if record.declared is None or game.position.outcome is not None:
        return game
    return game.declare(record.declared)


def _known_part(record: SeatRecord, before: SeatRecord, game: Game) -> Game | None:
    """Return the game up to the last turn that both records have; None if they have other rules."""
    if record.rules != before.rules:
        return None
    return game.back_to(game.turn_starts[common_turns(record.turns, before.turns)])


# ---- the roll for White ---------------------------------------------------------------------------------
# The roll for White: both boards commit to a number before either shows it.
#
# Invariants: neither board can choose its number after it has seen the other's. Both compute the same player
# and the same name of the game.


NONCE_BYTES = 16


def committed(nonce: str) -> str:
    """Return the commitment to a number of 32 hexadecimal digits."""
    return hashlib.sha256(bytes.fromhex(nonce)).hexdigest()


def opens(roll: Roll) -> bool:
    """Return whether the number of a roll is the one that it committed to."""
    return committed(roll.nonce) == roll.commit


def white_of(numbers: dict[str, str]) -> str:
    """Return which of two boards plays White, given their numbers."""
    first, second = sorted(numbers)
    odd = (int(numbers[first], 16) ^ int(numbers[second], 16)) & 1
    return second if odd else first


def game_name(room: str, round_: int, numbers: dict[str, str]) -> str:
    """Return the name of the game that begins with these numbers."""
    text = f"{room}/{round_}/" + "/".join(numbers[board] for board in sorted(numbers))
    return base64.b32encode(hashlib.sha256(text.encode()).digest()).decode()[:GAME_LENGTH]
