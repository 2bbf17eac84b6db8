"""The options of a family of games: all differences between its rule sets, as one frozen value.

Any options that exist can be played: each value is one of those its option allows, and options that depend on
each other fit. A setting is written `option=value`, as the command line takes it.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import field, fields, replace
from typing import Any, Literal, Self

from firmware_host.errors import NotationError
from firmware_host.frozen import frozen
from firmware_host.i18n import Message

OUTER_POINTS = 16
ALL_POINTS = 24
MIN_PIECES = 3
"""The pieces of a mill: a player with fewer has lost; one with exactly as many on the board may fly."""
_SIDES = ("white", "black")


def option(default: Any, *values: Any) -> Any:
    """Return a field for an option: one of `values`, with `default` unless it is set."""
    return field(default=default, metadata={"values": values})


def boolean_option() -> Any:
    """Return a field for an option that is `no` unless it is set."""
    return field(default=False, metadata={"values": (False, True)})


def first_player_option() -> Any:
    """Return the field for the starting player."""
    return option("white", "white", "black", "lot")


def repetition_option() -> Any:
    """Return the field for the number of occurrences of a position that make a draw; 0 disables the rule."""
    return option(3, 0, 3)


@frozen
class OptionSet:
    """The base of every family's options; raises NotationError for a value that is not allowed."""

    def __post_init__(self) -> None:
        for name, values in values_of(type(self)).items():
            if getattr(self, name) not in values.values():
                raise _unknown_value(name, _text(getattr(self, name)), values)

    def changed(self, settings: Iterable[str]) -> Self:
        """Return these options with `settings` applied (each `option=value`; the last of an option counts).

        Raises NotationError for a text that is not a setting and for options that do not go together.
        """
        return replace(self, **dict(parse_setting(setting, type(self)) for setting in settings))

    def settings_over(self, base: Self) -> tuple[str, ...]:
        """Return the settings that turn `base` into these options, in the order of the options."""
        return tuple(
            f"{name}={_text(getattr(self, name))}"
            for name in values_of(type(self))
            if getattr(self, name) != getattr(base, name)
        )


def _text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def values_of(family: type[OptionSet]) -> Mapping[str, Mapping[str, Any]]:
    """Return the values of each option of a family by their texts."""
    return {one.name: {_text(value): value for value in one.metadata["values"]} for one in fields(family)}


def choices(*families: type[OptionSet]) -> dict[str, list[str]]:
    """Return the texts of the values that each option of `families` can have."""
    known: dict[str, list[str]] = {}
    for family in families:
        for name, values in values_of(family).items():
            known.setdefault(name, []).extend(value for value in values if value not in known.get(name, ()))
    return known


def texts_of(switches: OptionSet) -> dict[str, str]:
    """Return the text of each option's value."""
    return {name: _text(getattr(switches, name)) for name in values_of(type(switches))}


def parse_setting(text: str, *families: type[OptionSet]) -> tuple[str, Any]:
    """Return the option and value that `option=value` names in one of `families`.

    Raises NotationError, with the nearest known name.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise NotationError(f"{reprlib.repr(text)} is not a setting; write switch=value, such as first=black")
    known: dict[str, dict[str, Any]] = {}
    for family in families:
        for one, values in values_of(family).items():
            known.setdefault(one, {}).update(values)
    if name not in known:
        raise NotationError(
            f"there is no switch {reprlib.repr(name)}{suggestion(name, known)}; there are {', '.join(known)}"
        )
    if value not in known[name]:
        raise _unknown_value(name, value, known[name])
    return name, known[name][value]


def suggestion(text: str, known: Iterable[str]) -> str:
    """Return ` (did you mean X?)` for the known word nearest to `text`, or an empty text if none is near."""
    import difflib  # here, since it delays each start otherwise

    near = difflib.get_close_matches(text[:40].lower(), list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _unknown_value(name: str, value: str, values: Mapping[str, Any]) -> NotationError:
    hint = suggestion(value, filter(str.isalpha, values))
    return NotationError(f"{name} cannot be {reprlib.repr(value)}{hint}; it is one of {', '.join(values)}")


@frozen
class MorrisOptions(OptionSet):
    """The options of the mill family; raises NotationError if they do not go together."""

    pieces: int = option(9, *range(3, 13))
    """The number of pieces of each player."""
    diagonals: bool = boolean_option()
    """True if the four diagonal lines exist."""
    points: Literal["all", "outer"] = option("all", "all", "outer")
    """The points in use; a line that loses its inner point makes no mill, but still joins the other two."""
    flying: Literal["never", "own", "both"] = option("own", "never", "own", "both")
    """The players who may move anywhere: one with three on the board and none in hand, or then both."""
    captures: Literal["one", "per-mill"] = option("one", "one", "per-mill")
    """The number of removals for a step that closes several mills at once."""
    protection: Literal["unless-all", "always", "unless-three", "none"] = option(
        "unless-all", "unless-all", "always", "unless-three", "none"
    )
    """The protection of pieces in mills: unless all are in mills, always, unless there are three, none."""
    removal: Literal["must", "may"] = option("must", "must", "may")
    """Removals must be made, or may be declined."""
    move_while_placing: bool = boolean_option()
    """True if a piece on the board may be moved while its player has pieces in hand."""
    first: Literal["white", "black", "lot"] = first_player_option()
    """The starting player."""
    repetition: int = repetition_option()
    """The number of occurrences of a position that make a draw; 0 disables the rule."""
    quiet: int = option(100, 0, 100)
    """The number of steps in a row without a placement or removal that make a draw; 0 disables the rule."""
    full_board: Literal["draw", "first-loses"] = option("draw", "draw", "first-loses")
    """The result if the last placement fills the board."""
    odds: str = option("even", "even", *(f"{side}:-{count}" for side in _SIDES for count in range(1, 4)))
    """The handicap: a player who has one to three pieces fewer to place, as `white:-1`."""

    def pieces_of(self, black: int) -> int:
        """Return the number of pieces of White, or with 1 of Black."""
        side, _, fewer = self.odds.partition(":")
        return self.pieces + (int(fewer) if side == _SIDES[black] else 0)

    def __post_init__(self) -> None:
        super(MorrisOptions, self).__post_init__()  # noqa: UP008 - slots replace the class
        room = OUTER_POINTS if self.points == "outer" else ALL_POINTS
        if 2 * self.pieces > room:
            raise NotationError(
                f"pieces={self.pieces} for each player do not fit the {room} points of points={self.points}; "
                f"at most {room // 2} do",
                Message("refused.too-many-pieces", {"count": self.pieces, "due": room // 2}),
            )
        fewest = min(self.pieces_of(black) for black in (0, 1))
        if fewest < MIN_PIECES:
            raise NotationError(
                f"odds={self.odds} with pieces={self.pieces} leaves {fewest} pieces; "
                f"a player with fewer than {MIN_PIECES} has lost",
                Message("refused.too-few-pieces", {"count": fewest, "due": MIN_PIECES}),
            )


@frozen
class MitsudomoeOptions(OptionSet):
    """The options of Mitsudomoe; raises NotationError if they do not go together."""

    first: Literal["white", "black", "lot"] = first_player_option()
    """The starting player."""
    repetition: int = repetition_option()
    """The number of occurrences of a position that make a draw; 0 disables the rule."""
