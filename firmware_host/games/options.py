"""The switches of a family of games: every way in which its rule sets differ, as one frozen value.

Switches that exist can be played: each value is one of those its switch knows, and what must fit together
does. A setting is written `switch=value`, as the command line takes it.
"""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, Self

from firmware_host.errors import NotationError
from firmware_host.i18n import Message

OUTER_POINTS = 16
ALL_POINTS = 24


def option(default: Any, *values: Any) -> Any:
    """A field of switches: one of `values`, `default` where nothing is set."""
    return field(default=default, metadata={"values": values})


def boolean_option() -> Any:
    """A field of switches that is no where nothing is set."""
    return field(default=False, metadata={"values": (False, True)})


def first_player_option() -> Any:
    """Who starts."""
    return option("white", "white", "black", "lot")


def repetition_option() -> Any:
    """How often a position must occur to be a draw; 0: that is none."""
    return option(3, 0, 3)


@dataclass(frozen=True, slots=True)
class OptionSet:
    """What every family's switches can do; raises NotationError for a value that its switch does not know."""

    def __post_init__(self) -> None:
        for name, values in values_of(type(self)).items():
            if getattr(self, name) not in values.values():
                raise _unknown_value(name, _text(getattr(self, name)), values)

    def changed(self, settings: Iterable[str]) -> Self:
        """These switches with `settings` (each `switch=value`, the last of a switch counts) set over them.

        Raises NotationError for a text that is no setting and for switches that cannot be played together.
        """
        return replace(self, **dict(parse_setting(setting, type(self)) for setting in settings))

    def settings_over(self, base: Self) -> tuple[str, ...]:
        """The settings that make these switches out of `base`, in the order of the switches."""
        return tuple(
            f"{name}={_text(getattr(self, name))}"
            for name in values_of(type(self))
            if getattr(self, name) != getattr(base, name)
        )


def _text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


def values_of(family: type[OptionSet]) -> Mapping[str, Mapping[str, Any]]:
    """The values of each switch of a family by their texts."""
    return {one.name: {_text(value): value for value in one.metadata["values"]} for one in fields(family)}


def choices(*families: type[OptionSet]) -> dict[str, list[str]]:
    """The texts of the values that each switch of `families` can have."""
    known: dict[str, list[str]] = {}
    for family in families:
        for name, values in values_of(family).items():
            known.setdefault(name, []).extend(value for value in values if value not in known.get(name, ()))
    return known


def texts_of(switches: OptionSet) -> dict[str, str]:
    """The text of the value that each switch has."""
    return {name: _text(getattr(switches, name)) for name in values_of(type(switches))}


def parse_setting(text: str, *families: type[OptionSet]) -> tuple[str, Any]:
    """The switch and value that `switch=value` names in one of `families`.

    Raises NotationError, with the nearest known name.
    """
    name, equals, value = text.partition("=")
    if not equals:
        raise NotationError(
            f"{reprlib.repr(text)} is no setting; one is written switch=value, as first=black"
        )
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
    """` (did you mean X?)` for the known word nearest to `text`, or nothing where none is near."""
    near = difflib.get_close_matches(text[:40].lower(), list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _unknown_value(name: str, value: str, values: Mapping[str, Any]) -> NotationError:
    hint = suggestion(value, filter(str.isalpha, values))
    return NotationError(f"{name} cannot be {reprlib.repr(value)}{hint}; it is one of {', '.join(values)}")


@dataclass(frozen=True, slots=True)
class MorrisOptions(OptionSet):
    """One value for each switch of the mill family; raises NotationError where they cannot be played."""

    pieces: int = option(9, *range(3, 13))
    """Pieces of each player."""
    diagonals: bool = boolean_option()
    """Whether the four diagonal lines exist."""
    points: Literal["all", "outer"] = option("all", "all", "outer")
    """Where one may stand; a line that loses its inner point makes no mill, but still joins the other two."""
    flying: Literal["never", "own", "both"] = option("own", "never", "own", "both")
    """Who may move to any empty point: who has three on the board and none in hand, or then both."""
    captures: Literal["one", "per-mill"] = option("one", "one", "per-mill")
    """How many removals a step earns that closes several mills at once."""
    protection: Literal["unless-all", "always", "unless-three", "none"] = option(
        "unless-all", "unless-all", "always", "unless-three", "none"
    )
    """When a piece in a mill is safe: unless all are in mills, always, unless there are just three, never."""
    removal: Literal["must", "may"] = option("must", "must", "may")
    """Whether a removal can be declined."""
    move_while_placing: bool = boolean_option()
    """Whether a piece on the board may be moved while its player has pieces in hand."""
    first: Literal["white", "black", "lot"] = first_player_option()
    """Who starts."""
    repetition: int = repetition_option()
    """How often a position must occur to be a draw; 0: that is none."""
    quiet: int = option(100, 0, 100)
    """How many steps in a row without a placement or removal are a draw; 0: that is none."""
    full_board: Literal["draw", "first-loses"] = option("draw", "draw", "first-loses")
    """What happens when the last placement fills the board."""

    def __post_init__(self) -> None:
        super(MorrisOptions, self).__post_init__()  # by name: a class with slots is another than was written
        room = OUTER_POINTS if self.points == "outer" else ALL_POINTS
        if 2 * self.pieces > room:
            raise NotationError(
                f"pieces={self.pieces} for each player do not fit the {room} points of points={self.points}; "
                f"at most {room // 2} do",
                Message("refused.too-many-pieces", {"count": self.pieces, "due": room // 2}),
            )
