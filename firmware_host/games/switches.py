"""The switches of the mill family: every way in which its rule sets differ, as one frozen value.

A `Switches` that exists can be played: each value is one of those its switch knows, and both players'
pieces fit the points together. A setting is written `switch=value`, as the command line takes it.
"""

from __future__ import annotations

import difflib
import reprlib
from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from firmware_host.errors import NotationError

OUTER_POINTS = 16
ALL_POINTS = 24


def _switch(default: Any, *values: Any) -> Any:
    return field(default=default, metadata={"values": values})


def _no_or_yes() -> Any:
    return field(default=False, metadata={"values": (False, True)})


@dataclass(frozen=True, slots=True)
class Switches:
    """One value for each switch; raises NotationError where they cannot be played."""

    pieces: int = _switch(9, *range(3, 13))
    """Pieces of each player."""
    diagonals: bool = _no_or_yes()
    """Whether the four diagonal lines exist."""
    points: Literal["all", "outer"] = _switch("all", "all", "outer")
    """Where one may stand; a line that loses its inner point makes no mill, but still joins the other two."""
    flying: Literal["never", "own", "both"] = _switch("own", "never", "own", "both")
    """Who may move to any empty point: who has three on the board and none in hand, or then both."""
    captures: Literal["one", "per-mill"] = _switch("one", "one", "per-mill")
    """How many removals a step earns that closes several mills at once."""
    protection: Literal["unless-all", "always", "unless-three", "none"] = _switch(
        "unless-all", "unless-all", "always", "unless-three", "none"
    )
    """When a piece in a mill is safe: unless all are in mills, always, unless there are just three, never."""
    removal: Literal["must", "may"] = _switch("must", "must", "may")
    """Whether a removal can be declined."""
    move_while_placing: bool = _no_or_yes()
    """Whether a piece on the board may be moved while its player has pieces in hand."""
    first: Literal["white", "black", "lot"] = _switch("white", "white", "black", "lot")
    """Who starts."""
    repetition: int = _switch(3, 0, 3)
    """How often a position must occur to be a draw; 0: that is none."""
    quiet: int = _switch(100, 0, 100)
    """How many steps in a row without a placement or removal are a draw; 0: that is none."""
    full_board: Literal["draw", "first-loses"] = _switch("draw", "draw", "first-loses")
    """What happens when the last placement fills the board."""

    def __post_init__(self) -> None:
        for name, values in _VALUES.items():
            if getattr(self, name) not in values.values():
                raise _unknown_value(name, _text(getattr(self, name)))
        room = OUTER_POINTS if self.points == "outer" else ALL_POINTS
        if 2 * self.pieces > room:
            raise NotationError(
                f"pieces={self.pieces} for each player do not fit the {room} points of points={self.points}; "
                f"at most {room // 2} do"
            )

    def changed(self, settings: Iterable[str]) -> Switches:
        """These switches with `settings` (each `switch=value`, the last of a switch counts) set over them.

        Raises NotationError for a text that is no setting and for switches that cannot be played together.
        """
        return replace(self, **dict(parse_setting(setting) for setting in settings))

    def settings_over(self, base: Switches) -> tuple[str, ...]:
        """The settings that make these switches out of `base`, in the order of the switches."""
        return tuple(
            f"{name}={_text(getattr(self, name))}"
            for name in _VALUES
            if getattr(self, name) != getattr(base, name)
        )


def _text(value: object) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)


_VALUES: dict[str, dict[str, Any]] = {
    switch.name: {_text(value): value for value in switch.metadata["values"]} for switch in fields(Switches)
}
"""The values of each switch by their texts."""


def choices() -> dict[str, list[str]]:
    """The texts of the values that each switch can have."""
    return {name: list(values) for name, values in _VALUES.items()}


def texts_of(switches: Switches) -> dict[str, str]:
    """The text of the value that each switch has."""
    return {name: _text(getattr(switches, name)) for name in _VALUES}


def parse_setting(text: str) -> tuple[str, Any]:
    """The switch and value that `switch=value` names; raises NotationError, with the nearest known name."""
    name, equals, value = text.partition("=")
    if not equals:
        raise NotationError(
            f"{reprlib.repr(text)} is no setting; one is written switch=value, as flying=never"
        )
    if name not in _VALUES:
        known = ", ".join(_VALUES)
        raise NotationError(
            f"there is no switch {reprlib.repr(name)}{suggestion(name, _VALUES)}; there are {known}"
        )
    if value not in _VALUES[name]:
        raise _unknown_value(name, value)
    return name, _VALUES[name][value]


def suggestion(text: str, known: Iterable[str]) -> str:
    """` (did you mean X?)` for the known word nearest to `text`, or nothing where none is near."""
    near = difflib.get_close_matches(text[:40].lower(), list(known), n=1)
    return f" (did you mean {near[0]}?)" if near else ""


def _unknown_value(name: str, value: str) -> NotationError:
    known = ", ".join(_VALUES[name])
    hint = suggestion(value, filter(str.isalpha, _VALUES[name]))
    return NotationError(f"{name} cannot be {reprlib.repr(value)}{hint}; it is one of {known}")
