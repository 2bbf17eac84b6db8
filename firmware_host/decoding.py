"""Decode JSON objects that a page or a script sent into the arguments of the function that handles them.

The keyword-only parameters of a handler are the members of its request. An annotation says what a member must
be, a default makes it optional, and a trailing underscore is left out of its name:

    Turn = Annotated[str, Must('the text of a turn, such as "d6-d5"', is_text)]

    def confirm(controller: Controller, *, turn: Turn) -> None: ...

A handler that checks its members itself takes them by `**`, and names them:

    def set_(controller: Controller, **values: Annotated[object, Members(PREFERENCES)]) -> None: ...

Invariants: values are never guessed or coerced, so that `true` is not a number; the first fault is raised, in
words that say what would be right.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cache
from inspect import Parameter, signature
from typing import Any, get_type_hints

from firmware_host.errors import MillwrightError
from firmware_host.frozen import frozen


@frozen
class Must:
    """The values that a member can have, and how they are decoded.

    `text` completes the error `"member" must be ...`, which ends with the wrong value if it `quotes` it.
    """

    text: str
    accepts: Callable[[Any], bool]
    convert: Callable[[Any], Any] = lambda value: value
    quotes: bool = False


@frozen
class Members:
    """The optional members of a request whose handler checks them itself."""

    names: Collection[str]


def decode(
    handler: Callable[..., object], members: Mapping[str, Any], request: str, error: type[MillwrightError]
) -> dict[str, Any]:
    """Return `members` as keyword arguments for `handler`.

    Raises `error`, which names the `request`, for a member that is unknown, missing or not what it must be.
    """
    parameters = _parameters(handler)
    for key in members:
        if key not in parameters:
            others = ", ".join(name for name in parameters if name != request)
            raise error(f"{request!r} takes no {key!r}; it takes {others or 'nothing else'}")
    arguments = {}
    for key, (name, must, required) in parameters.items():
        if key in members:
            value = members[key]
            if must is not None and not must.accepts(value):
                raise error(f'"{key}" must be {must.text}{f", not {value!r}" if must.quotes else ""}')
            arguments[name] = value if must is None else must.convert(value)
        elif required:
            raise error(f'"{request}" needs "{key}"')
    return arguments


def is_number(value: object) -> bool:
    """Return True for a number of JSON."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_text(value: object) -> bool:
    """Return True for a string of JSON."""
    return isinstance(value, str)


def is_object(value: object) -> bool:
    """Return True for an object of JSON."""
    return isinstance(value, Mapping)


def is_true(value: object) -> bool:
    """Return True for `true` alone."""
    return value is True


@cache
def _parameters(handler: Callable[..., object]) -> Mapping[str, tuple[str, Must | None, bool]]:
    """Return, for each member, the parameter's name, what it must be, and whether it is required."""
    hints = get_type_hints(handler, include_extras=True)
    found: dict[str, tuple[str, Must | None, bool]] = {}
    for one in signature(handler).parameters.values():
        meant = getattr(hints.get(one.name), "__metadata__", ())
        if one.kind is Parameter.KEYWORD_ONLY:
            must = next((part for part in meant if isinstance(part, Must)), None)
            found[one.name.rstrip("_")] = one.name, must, one.default is Parameter.empty
        for part in meant:
            if isinstance(part, Members):
                found |= {name: (name, None, False) for name in part.names}
    return found
