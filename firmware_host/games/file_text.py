"""The text of files that other programs have written, whatever they wrote it in.

Invariants: nothing is guessed in silence: each line that is not UTF-8 is read as Latin-1, the set of
characters of PGN, and noted; joined files may differ from line to line. Lines end with line feeds.
"""

from __future__ import annotations

import codecs
import re

from firmware_host.errors import NotationError
from firmware_host.frozen import frozen

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_SAVE_IT = "Save it as UTF-8 text."


@frozen
class FileText:
    """The text of a file, and the numbers of the lines that were read as Latin-1."""

    text: str
    latin_lines: tuple[int, ...] = ()


def decode_file(content: bytes) -> FileText:
    """Return the text in the content of a file. Raise NotationError, with the line, if it is not a text."""
    if content.startswith(_UTF_16):
        try:
            return FileText(_with_line_feeds(content.decode("utf-16")))
        except UnicodeDecodeError as error:
            raise NotationError(f"this begins like UTF-16 text, but it isn't. {_SAVE_IT}") from error
    if (at := content.find(0)) >= 0:
        line = content.count(b"\n", 0, at) + 1
        raise NotationError(f"line {line}: a zero byte: this isn't text, or has another encoding. {_SAVE_IT}")
    content = content.removeprefix(codecs.BOM_UTF8)
    try:
        return FileText(_with_line_feeds(content.decode()))
    except UnicodeDecodeError:
        pass
    texts: list[str] = []
    latin: list[int] = []
    for number, written in enumerate(re.split(b"\r\n|\r|\n", content), 1):
        try:
            texts.append(written.decode())
        except UnicodeDecodeError:
            texts.append(written.decode("latin-1"))
            latin.append(number)
    return FileText("\n".join(texts), tuple(latin))


def _with_line_feeds(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")
