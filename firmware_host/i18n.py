"""Messages for people: a catalogue key with arguments, and its text in each language.

A `Message` carries no words of any language, except quotations: what an operating system, a library or the
builder's own file wrote. Where wording depends on a colour or a number, that is part of the key.

Invariants: a key that a catalogue lacks falls back to English, and one that no catalogue has is shown as it
is, because a missing translation must never stop a board. A catalogue is read when it is first needed; the
page reads the same files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import cache
from importlib.resources import files
from typing import Any, TypeAlias

from firmware_host.frozen import frozen

ENGLISH = "en"
LANGUAGES = (ENGLISH, "es", "pt", "de")

_PLACEHOLDER = re.compile(r"\{([a-z]+)\}")

Arg: TypeAlias = "str | int | tuple[str, ...] | Message"
"""A text that is shown as it is, a count, a list of point names, or a message within a message."""


@frozen
class Message:
    """A message for people: the `key` of its text, and the arguments for its placeholders, by name."""

    key: str
    args: Mapping[str, Arg] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """Return the public form: `{"key": "holds.white", "slots": {"points": ["d6"]}}`."""
        return {"key": self.key, "slots": {name: _public(arg) for name, arg in self.args.items()}}

    @classmethod
    def of(cls, public: Mapping[str, Any]) -> Message:
        """Return the message of a public form, as `as_dict` returns it."""
        slots = {name: _argument(value) for name, value in public["slots"].items()}
        return cls(str(public["key"]), slots)

    def map_texts(self, change: Callable[[str], str]) -> Message:
        """Return a copy with `change` applied to every text among the arguments, nested messages included."""
        return replace(self, args={name: _mapped(arg, change) for name, arg in self.args.items()})


_AND = Message("list.and")


def _mapped(arg: Arg, change: Callable[[str], str]) -> Arg:
    if isinstance(arg, Message):
        return arg.map_texts(change)
    return change(arg) if isinstance(arg, str) else arg


def _argument(value: Any) -> Arg:
    if isinstance(value, Mapping):
        return Message.of(value)
    return tuple(value) if isinstance(value, list) else value


def _public(arg: Arg) -> object:
    if isinstance(arg, Message):
        return arg.as_dict()
    return list(arg) if isinstance(arg, tuple) else arg


@cache
def catalogue(language: str) -> Mapping[str, str]:
    """Return the texts of one of LANGUAGES by key, for all pages."""
    folder = files("firmware_host") / "web" / "static" / "words"
    own = sorted(part.name for part in folder.iterdir() if f".{part.name}".endswith(f".{language}.json"))
    return {key: text for name in own for key, text in json.loads((folder / name).read_text("utf-8")).items()}


def translate(message: Message, language: str) -> str:
    """Return the text of `message` in one of LANGUAGES."""
    text = catalogue(language).get(message.key) or catalogue(ENGLISH).get(message.key, message.key)
    args = message.args

    # In one pass, so that braces in an argument, as in a driver's error, are not taken for placeholders.
    def fill(placeholder: re.Match[str]) -> str:
        name = placeholder[1]
        return _text(args[name], language) if name in args else placeholder[0]

    return _PLACEHOLDER.sub(fill, text)


def to_english(message: Message | str) -> str:
    """Return the English text, for terminals, logs and simple clients; a plain text is returned as it is."""
    return message if isinstance(message, str) else translate(message, ENGLISH)


def _text(arg: Arg, language: str) -> str:
    if isinstance(arg, Message):
        return translate(arg, language)
    if isinstance(arg, tuple):
        *most, last = arg or ("",)
        return f"{', '.join(most)} {translate(_AND, language)} {last}" if most else last
    return str(arg)
