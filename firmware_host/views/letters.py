"""The widths of texts on paper, so that they fit where they are printed.

Invariants: a text is at most as wide as it is here in any of the fonts that a card names, of which
DejaVu Sans and Verdana are the widest. Widths are shares of the letters' size.
"""

from __future__ import annotations

_WIDTHS = (
    ("iíl", 0.29),
    ("j.,:;'|!¡’·", 0.36),
    (" \u00a0ItrfJ()-/“”„", 0.42),
    ("csz", 0.55),
    ("CEFLPSTYZÉÊk", 0.7),
    ("ABDGHKNOQRUVXÁÄÀÂÃÓÔÕÖÚÜMw+=<>", 0.87),
    ("mW%@", 1.08),
)
"""Letters that are narrower or wider than most, with their widths."""
_OF = {letter: width for letters, width in _WIDTHS for letter in letters}
_USUAL = 0.64


def text_width(text: str) -> float:
    """Return the width of a line of text."""
    return sum(_OF.get(letter, _USUAL) for letter in text)


def wrapped(text: str, width: float) -> list[str]:
    """Return the lines of a text that is to be no wider; a word that is wider has a line of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
