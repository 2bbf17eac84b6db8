"""The decorator of values: dataclasses whose fields are set once, when a value is made.

Invariants: a value can be hashed, and equals those of its class with equal fields. That no field is set later
is proved by mypy, and not checked by Python as in `dataclass(frozen=True)`, which would have a value take
three times as long to make; and a frame makes many.

A start imports nearly two hundred classes of values. So `dataclass` makes only what differs from class to
class: it compiles each method that it makes, and with all of them a class takes three times as long.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from types import NotImplementedType
from typing import Any, TypeVar, dataclass_transform, overload

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

    def make(cls: type[_T]) -> type[_T]:
        cls.__doc__ = cls.__doc__ or cls.__name__  # or `dataclass` would describe the signature
        value = dataclass(eq=False, repr=False, kw_only=kw_only, slots=slots)(cls)
        _add(value, __repr__=_described)
        if eq:
            _compare_by_fields(value)
        return value

    return make if cls is None else make(cls)


def _add(cls: type[object], **methods: Callable[..., object]) -> None:
    """Give a class these methods, except those that it defines itself."""
    for name, method in methods.items():
        if name not in vars(cls):
            setattr(cls, name, method)


def _described(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _compare_by_fields(cls: type[Any]) -> None:
    names = [one.name for one in fields(cls) if one.compare]
    compared: Callable[[object], object] = attrgetter(*names) if names else type

    def equal(self: object, other: object) -> bool | NotImplementedType:
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def hashed(self: object) -> int:
        return hash(compared(self))

    _add(cls, __eq__=equal, __hash__=hashed)
