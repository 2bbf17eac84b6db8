"""What happens on the board, told once each, in the words of the headless board.

An event's `as_dict` is its public form: `event` names it, points and players are their names.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, ClassVar

from firmware_host.games.game import Player, Reason
from firmware_host.games.layout import Point


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened; `name` is what the public form calls it."""

    name: ClassVar[str]

    def as_dict(self) -> dict[str, Any]:
        """The public form."""
        return {"event": self.name, **{f.name: _public(getattr(self, f.name)) for f in fields(self)}}


def _public(value: object) -> object:
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    return str(value)


@dataclass(frozen=True, slots=True)
class GameBegun(Event):
    """A new game, by which rules, and who starts."""

    name = "game"
    rules: str
    first: Player


@dataclass(frozen=True, slots=True)
class GameContinued(Event):
    """The game that was played last goes on, as it stood after its first `ply` steps."""

    name = "continued"
    rules: str
    ply: int


@dataclass(frozen=True, slots=True)
class StepPlayed(Event):
    """A step was committed."""

    name = "step"
    text: str
    by: Player


@dataclass(frozen=True, slots=True)
class TurnPlayed(Event):
    """A turn is over."""

    name = "turn"
    text: str
    by: Player


@dataclass(frozen=True, slots=True)
class GameOver(Event):
    """A game ended after `ply` steps; those that clearing the board seemed to take back are counted."""

    name = "over"
    winner: Player | None
    reason: Reason
    ply: int


@dataclass(frozen=True, slots=True)
class PieceLifted(Event):
    """A piece was lifted that may be lifted."""

    name = "lifted"
    point: Point


@dataclass(frozen=True, slots=True)
class PutBack(Event):
    """A lifted piece stands again where it stood."""

    name = "put-back"
    point: Point


@dataclass(frozen=True, slots=True)
class MismatchFound(Event):
    """The board stands wrong, or wrong in another way than before."""

    name = "mismatch"
    missing: frozenset[Point]
    extra: frozenset[Point]
    wrong: frozenset[Point]


@dataclass(frozen=True, slots=True)
class Restored(Event):
    """The board stands right again."""

    name = "restored"


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    """The game went back to after its first `ply` steps."""

    name = "taken-back"
    ply: int


@dataclass(frozen=True, slots=True)
class Paused(Event):
    """Hands do not count until the game is resumed."""

    name = "paused"


@dataclass(frozen=True, slots=True)
class Resumed(Event):
    """Hands count again."""

    name = "resumed"


@dataclass(frozen=True, slots=True)
class Masked(Event):
    """The sensor of a point is not believed until it is unmasked."""

    name = "masked"
    point: Point


@dataclass(frozen=True, slots=True)
class Unmasked(Event):
    """The sensor of a point is believed again."""

    name = "unmasked"
    point: Point


@dataclass(frozen=True, slots=True)
class FaultFound(Event):
    """A part of the board (`sensors`, `leds`, `disk`, `games`) does not work; why, in English."""

    name = "fault"
    part: str
    text: str


@dataclass(frozen=True, slots=True)
class FaultCleared(Event):
    """A part of the board works again."""

    name = "fault-cleared"
    part: str
