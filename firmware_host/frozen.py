"""The decorator of values: dataclasses whose fields are set once, when a value is made.

Invariants: a value can be hashed, and equals those of its class with equal fields. That no field is set later
is proved by mypy, and not checked by Python as in `dataclass(frozen=True)`. Such checks make a class take
half as long again to import, and a start imports nearly two hundred; a value takes three times as long to
make, and a frame makes many.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform, overload

_T = TypeVar("_T")


@overload
def frozen(cls: type[_T], /) -> type[_T]: ...


@overload
def frozen(
    *, eq: bool = True, kw_only: bool = False, slots: bool = True
) -> Callable[[type[_T]], type[_T]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(
    cls: type[_T] | None = None, /, *, eq: bool = True, kw_only: bool = False, slots: bool = True
) -> type[_T] | Callable[[type[_T]], type[_T]]:
    """Make a dataclass of a class; without `eq`, only the same value is equal, and its hash is its own."""
    make = dataclass(eq=eq, unsafe_hash=eq, kw_only=kw_only, slots=slots)
    return make if cls is None else make(cls)
