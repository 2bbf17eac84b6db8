"""The names of boards as people see them side by side: nobody's can be taken for another's.

    shown = readable(text)                     # as it arrives
    name = board_name(text)                    # of a board
    alike = skeleton(name) == skeleton(other)  # may be taken for each other
    alone = label(name, board)                 # `Kitchen`, or `Кухня (7Q2K)`
    beside_others = marked(name, board)        # `Kitchen (7Q2K)`

A name is shown alone if it is plain: all of its letters are those of Latin alphabets, which this module can
compare. Any other name is marked with the beginning of its board's own name, and so are names that look
alike. UTS 39 lists thousands of characters that look like others; its tables in Python are a megabyte to load
and years old, and a mark tells boards apart whatever their names are made of.

Invariants: a readable text has no character that isn't seen, and no pile of accents that covers its
neighbours. A board's name has no brackets, in which its mark stands.
"""

from __future__ import annotations

import unicodedata

from firmware_host.far.parsing import BOARD_LENGTH, is_name

SHORT_MARK = 4
"""The letters of a board's own name that part boards, unless others begin alike."""

MAX_ACCENTS = 3
"""The most accents on one letter that are shown; no language writes more."""
_UNSEEN = frozenset(
    chr(code)
    for first, last in (
        *((0x034F, 0x034F), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180B, 0x180F), (0x2800, 0x2800)),
        *((0x3164, 0x3164), (0xFE00, 0xFE0F), (0xFFA0, 0xFFA0), (0xE0100, 0xE01EF)),
    )
    for code in range(first, last + 1)
)
"""The characters that Python takes for printable although they are ignorable by default, or blank."""
_QUOTES = frozenset("\u2018\u2019\u201a\u201c\u201d\u201e")
_ANGLES = frozenset("<>\u2039\u203a\u00ab\u00bb")
_BRACKETS = frozenset(("Ps", "Pe", "Pi", "Pf"))
_PIECES_OF_BRACKETS = range(0x239B, 0x23AF)
_PLAIN = frozenset("ßẞæÆøØœŒłŁđĐðÐþÞ\u2013\u2014\u00b7") | _QUOTES
"""Letters and signs that can't be taken apart, and aren't ASCII."""
_ALIKE = str.maketrans(
    {"i": "l", "1": "l", "|": "l", "!": "l", "0": "o", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "p"}
    | {"5": "s", "2": "z", "8": "b", "æ": "ae", "œ": "oe"}
)
_ALIKE_PAIRS = (("rn", "m"), ("vv", "w"))
_ALIKE_DIGITS = str.maketrans("018", "OIB")


def readable(text: str) -> str:
    """Return a line as it is shown: its characters in their usual form, and those that are seen alone."""
    usual = unicodedata.normalize("NFKC", text)
    seen = "".join(" " if one in _UNSEEN or one.isspace() else one for one in usual)
    return " ".join(without_piles(seen).split())


def without_piles(text: str) -> str:
    """Return a text with `MAX_ACCENTS` accents on a letter at most."""
    kept: list[str] = []
    for one in text:
        last = kept[-MAX_ACCENTS:]
        if len(last) < MAX_ACCENTS or not all(map(_is_accent, (one, *last))):
            kept.append(one)
    return "".join(kept)


def board_name(text: str) -> str:
    """Return the name of a board that calls itself so; empty for one like the own name of a board."""
    name = "".join(" " if _is_bracket(one) else one for one in readable(text))
    letters = "".join(one for one in name.upper() if one.isalnum()).translate(_ALIKE_DIGITS)
    return "" if is_name(letters, BOARD_LENGTH) else " ".join(name.split())


def skeleton(name: str) -> str:
    """Return a text that is equal for names which people may take for the same."""
    apart = unicodedata.normalize("NFKD", name).casefold()
    letters = "".join(one for one in apart if one.isalnum() or one in "|!").translate(_ALIKE)
    for pair, one in _ALIKE_PAIRS:
        letters = letters.replace(pair, one)
    return letters


def is_plain(name: str) -> bool:
    """Return whether all characters of a name are those of Latin alphabets, as `skeleton` compares them."""
    return all(one in _PLAIN or unicodedata.normalize("NFD", one)[0].isascii() for one in name)


def marked(name: str, board: str, length: int = SHORT_MARK, most: int | None = None) -> str:
    """Return a name, in `most` characters if that is given, with the beginning of its board's own name."""
    mark = f" ({board[:length]})"
    return name[: None if most is None else most - len(mark)].strip() + mark


def label(name: str, board: str, most: int | None = None) -> str:
    """Return the name of a board that is shown beside no other; an empty one stays empty."""
    return name[:most].strip() if is_plain(name) else marked(name, board, most=most)


def _is_accent(one: str) -> bool:
    return unicodedata.category(one) in ("Mn", "Me")


def _is_bracket(one: str) -> bool:
    is_bracket = unicodedata.category(one) in _BRACKETS and one not in _QUOTES
    return is_bracket or one in _ANGLES or ord(one) in _PIECES_OF_BRACKETS
