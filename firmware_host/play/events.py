"""Events: what happens on a board, each reported once.

The public form of an event is that of the headless board: `event` names it, points and players are names.
"""

from __future__ import annotations

from dataclasses import fields
from typing import Any, ClassVar

from firmware_host.frozen import frozen
from firmware_host.games.game import Player, Reason
from firmware_host.games.layout import Point


@frozen
class Event:
    """An event, with its `name` in the public form."""

    name: ClassVar[str]

    def as_dict(self) -> dict[str, Any]:
        """Return the public form, such as `{"event": "lifted", "point": "d6"}`."""
        return {"event": self.name, **{f.name: _public(getattr(self, f.name)) for f in fields(self)}}


def _public(value: object) -> object:
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, frozenset):
        return sorted(map(str, value))
    return str(value)


@frozen
class GameBegun(Event):
    """A game began by `rules`; the player `first` starts."""

    name = "game"
    rules: str
    first: Player


@frozen
class GameContinued(Event):
    """The last game goes on from after its first `ply` steps."""

    name = "continued"
    rules: str
    ply: int


@frozen
class PositionSetUp(Event):
    """The game that began last begins in this position, which was set up."""

    name = "set-up"
    position: str


@frozen
class StepPlayed(Event):
    """A step was played."""

    name = "step"
    text: str
    by: Player


@frozen
class TurnPlayed(Event):
    """A turn was completed."""

    name = "turn"
    text: str
    by: Player


@frozen
class GameOver(Event):
    """A game ended after `ply` steps, including those that clearing the board seemed to take back."""

    name = "over"
    winner: Player | None
    reason: Reason
    ply: int


@frozen
class PieceLifted(Event):
    """A piece was lifted that may move or be removed."""

    name = "lifted"
    point: Point


@frozen
class PutBack(Event):
    """A lifted piece was put back where it was."""

    name = "put-back"
    point: Point


@frozen
class MismatchFound(Event):
    """The board does not match the game, or not in the same way as before."""

    name = "mismatch"
    missing: frozenset[Point]
    extra: frozenset[Point]
    wrong: frozenset[Point]


@frozen
class Restored(Event):
    """The board matches the game again."""

    name = "restored"


@frozen
class TakenBack(Event):
    """The game went back to the position after its first `ply` steps."""

    name = "taken-back"
    ply: int


@frozen
class Redone(Event):
    """The game went forward over what was taken back, to the position after its first `ply` steps."""

    name = "redone"
    ply: int


@frozen
class EndUndone(Event):
    """The declared end of a game by `rules` was undone; it goes on after its first `ply` steps."""

    name = "end-undone"
    rules: str
    ply: int


@frozen
class Paused(Event):
    """The board is not followed until the game is resumed."""

    name = "paused"


@frozen
class Resumed(Event):
    """The board is followed again."""

    name = "resumed"


@frozen
class AskOpened(Event):
    """The board asks `question` by light; hands don't count for the game then, except with `result`."""

    name = "ask"
    question: str


@frozen
class AskAnswered(Event):
    """A point was touched, or named by a request, that offers what `does` names."""

    name = "answer"
    point: Point
    does: str


@frozen
class AskClosed(Event):
    """The board asks nothing any more."""

    name = "ask-closed"


@frozen
class SeatsChanged(Event):
    """From now on these play the two sides."""

    name = "seats"
    white: str
    black: str


@frozen
class FarReported(Event):
    """A link has reported this of the other board."""

    name = "far"
    status: str


@frozen
class PhraseReceived(Event):
    """The player at the other board has sent this phrase."""

    name = "phrase"
    phrase: str


@frozen
class PlayersNamed(Event):
    """From now on the players are called this; an empty name stands for none."""

    name = "names"
    white: str
    black: str


@frozen
class TurnChosen(Event):
    """An engine, or somebody else who is not at the board, chose a turn that hands have to carry out."""

    name = "chosen"
    text: str
    by: Player


@frozen
class HintFound(Event):
    """The light shows `by` where a turn that wins, draws or loses begins, as far as that is proved.

    If nothing is, it shows where a turn begins that is `suggested`.
    """

    name = "hint"
    by: Player
    wins: frozenset[Point]
    draws: frozenset[Point]
    loses: frozenset[Point]
    unknown: frozenset[Point]
    suggested: frozenset[Point]


@frozen
class Masked(Event):
    """The sensor of a point is ignored until it is unmasked."""

    name = "masked"
    point: Point


@frozen
class Unmasked(Event):
    """The sensor of a point is trusted again."""

    name = "unmasked"
    point: Point


@frozen
class ClockChanged(Event):
    """A clock did `what`: time began to run (`start`) or stopped (`stop`), is `low`, or is up (`flag`).

    `player` is the one whose time it is; `seconds` are those that are left.
    """

    name = "clock"
    what: str
    player: Player
    seconds: int


@frozen
class Switching(Event):
    """The way to switch the machine off reached a `stage`, or was left: `on`."""

    name = "off"
    stage: str


@frozen
class SoundBegun(Event):
    """A part of the board begins to play the sound of a cue."""

    name = "sound"
    what: str


@frozen
class SpeechUttered(Event):
    """The board says `text`, which boards with speech of this `level` or a higher one speak."""

    name = "said"
    level: str
    text: str


CLOCK, PACE, ENGINE, SUPPLY, BUTTON, CARE = "clock", "pace", "engine", "supply", "button", "care"
WIFI = "wifi"
SOUND, SPEECH, FILES, SET_UP = "sound", "speech", "files", "set-up"
WARNING_PARTS = frozenset((CLOCK, PACE, ENGINE, SUPPLY, BUTTON, CARE, WIFI, SOUND, SPEECH, FILES, SET_UP))
"""Parts whose fault is a warning: the board works, though not as well as it should."""


@frozen
class FaultFound(Event):
    """A part of the board does not work, or not well, for the reason in `text`.

    Parts are `sensors`, `leds`, `disk`, `games`, and those of WARNING_PARTS.
    """

    name = "fault"
    part: str
    text: str


@frozen
class FaultCleared(Event):
    """A part of the board works again."""

    name = "fault-cleared"
    part: str
