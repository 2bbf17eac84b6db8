"""The tokens of records of games: tags, numbers of turns, turns, results, comments, annotations, variations.

Invariants: each character of a text belongs to one token, to a blank or to a line of another program's own,
which begins with %. A text that is none of these is a token as well, a fault with its reason, and so is a
comment that is never closed: it ends before the tags of the next game, of which it takes nothing.
A byte-order mark and Ctrl-Z, which stay behind where files were joined, are blanks. The work grows with the
length of a text alone, whatever is in it.
"""

from __future__ import annotations

import enum
import re
import reprlib
from collections.abc import Iterator

from firmware_host.frozen import frozen


class TokenKind(enum.Enum):
    """The kinds of tokens."""

    TAG = "tag"
    NUMBER = "number"
    """The number of a turn, or of a point in a list that has numbers for points."""
    TURN = "turn"
    """A turn or a part of one."""
    RESULT = "result"
    COMMENT = "comment"
    ANNOTATION = "annotation"
    """An opinion of a turn: `!`, `?!` or `$6`."""
    OPEN = "open"
    CLOSE = "close"
    FAULT = "fault"


@frozen
class TextPlace:
    """A place in a text; its first line and column are 1."""

    line: int
    column: int

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}"


@frozen
class Token:
    """A token: its kind, its place, and its text."""

    kind: TokenKind
    place: TextPlace
    text: str
    """A tag's name, a number's digits, a comment without braces, the reason of a fault, or all of it."""
    value: str = ""
    """The value of a tag, the dots of a number, or the first character of a fault."""
    begins_line: bool = False
    """True for a tag or a fault with only blanks before it on its line."""

    @property
    def is_of_tag(self) -> bool:
        """True for a tag, or a text that begins like one."""
        return self.kind is TokenKind.TAG or (self.kind is TokenKind.FAULT and self.value == "[")


_BLANK = r"[\s\ufeff\x1a]"
_END = rf"(?= {_BLANK} | [;{{}}()\[] | \Z )"
_DOTS = rf"{_BLANK}*[.\u2026](?:{_BLANK}*[.\u2026])*"
_TOKEN = re.compile(
    rf"""
    (?P<blank> {_BLANK}+ | ^%[^\n]* )
    | ; (?P<remark> [^\n]* )
    | \[ \s* (?P<tag> [A-Za-z0-9_]+ ) \s* " (?P<value> (?: [^"\\\n] | \\. )* ) " \s* \]
    | (?P<result> 1-0 | 0-1 | 1/2-1/2 | \* ) {_END}
    | (?P<number> [0-9]+ ) (?: (?P<dots> {_DOTS} ) | {_END} | (?= [!?$] ) )
    | (?P<annotation> [!?]{{1,2}} | \$[0-9]{{1,3}} ) (?! [0-9!?] )
    | (?P<open> \( )
    | (?P<close> \) )
    | (?P<turn> [A-Za-z0-9+/][^\s;{{}}()\[\]"!?$.\u2026\ufeff\x1a]* )
    """,
    re.VERBOSE | re.MULTILINE,
)
_TAG_LINE = re.compile(r'^\ufeff?[^\S\n]*\[\s*[A-Za-z0-9_]+\s*"', re.MULTILINE)
_FAULTY_RUN = re.compile(rf"(?: (?! {_BLANK} | [;{{(] ) . )+ | .", re.VERBOSE | re.DOTALL)


def tokens(text: str) -> Iterator[Token]:
    """Yield the tokens of a text, whose lines end with line feeds."""
    at, line, line_start = 0, 1, 0
    begins_line = True
    closing = -1
    while at < len(text):
        place = TextPlace(line, at - line_start + 1)
        token: Token | None
        if text[at] == "{":
            if closing < at:  # one search is enough for all comments before the brace that it finds
                closing = _found_or_end(text, "}", at)
            token, end = _comment(text, at, closing, place, begins_line)
        elif found := _TOKEN.match(text, at):
            end = found.end()
            token = None if found.lastgroup == "blank" else _token(found, place, begins_line)
        else:
            end = _fault_end(text, at)
            token = _fault(text[at:end], place, begins_line)
        if token is not None:
            yield token
            begins_line = False
        if breaks := text.count("\n", at, end):
            line, line_start = line + breaks, text.rindex("\n", at, end) + 1
            begins_line = not text[line_start:end].strip(" \t\ufeff\x1a")
        at = end


def _comment(text: str, at: int, closing: int, place: TextPlace, begins_line: bool) -> tuple[Token, int]:
    """Return the comment that begins at `at`, or a fault, and its end; `closing` is the next closing brace.

    A brace behind the tags of another game is that of a comment of that game.
    """
    if tags := _TAG_LINE.search(text, at + 1, closing):
        closing = tags.start()
    elif closing < len(text):
        return Token(TokenKind.COMMENT, place, text[at + 1 : closing]), closing + 1
    return _fault("{", place, begins_line), closing


def _found_or_end(text: str, what: str, at: int) -> int:
    """Return where a text is found from `at` on; the end if it isn't."""
    found = text.find(what, at)
    return len(text) if found < 0 else found


def _token(found: re.Match[str], place: TextPlace, begins_line: bool) -> Token:
    if found["tag"]:
        value = re.sub(r'\\(["\\])', r"\1", found["value"])
        return Token(TokenKind.TAG, place, found["tag"], value, begins_line)
    if found["number"]:
        dots = re.sub(rf"{_BLANK}", "", found["dots"] or "").replace("\u2026", "...")
        return Token(TokenKind.NUMBER, place, found["number"], dots)
    if found["remark"] is not None:
        return Token(TokenKind.COMMENT, place, found["remark"].translate(_BRACES))
    return Token(TokenKind[(found.lastgroup or "").upper()], place, found[0])


_BRACES = str.maketrans("{}", "()")
"""A comment to the end of the line may have braces, which one in braces may not."""


def _fault_end(text: str, at: int) -> int:
    """Return the end of the text from `at` that belongs to none of the tokens."""
    if text[at] == "[":
        return _found_or_end(text, "\n", at)
    run = _FAULTY_RUN.match(text, at)
    return at + 1 if run is None else run.end()


def _fault(text: str, place: TextPlace, begins_line: bool) -> Token:
    if text[0] == "[":
        why = 'a tag is [Name "value"], on one line, with \\" for a quotation mark in the value'
    elif text[0] == "{":
        why = "the comment that begins here is never closed: write } at its end"
    else:
        why = f"{reprlib.repr(text)} is not a tag, number, turn, result, comment or annotation: remove it"
    return Token(TokenKind.FAULT, place, why, text[0], begins_line)
