"""The tokens of records: comments that never end, and the work that they cost."""

from __future__ import annotations

import re
from typing import Any, SupportsIndex

import pytest

from firmware_host.games import record_tokens
from firmware_host.games.record_tokens import TextPlace, Token, TokenKind, tokens

UNCLOSED = "the comment that begins here is never closed: write } at its end"
GAMES = {
    "never closed": '[A "x"]\n\n1. d6 {oops\n\n',
    "closed at the end alone": '[A "x"]\n\n1. d6 {oops f4\n\n',
    "closed": '[A "x"]\n\n1. d6 {well} f4 {done}\n\n',
    "closed in the next game": '[A "x"]\n\n1. d6 {oops\n\n[A "y"]\n\n1. d6} f4\n\n',
}


class SearchedText(str):
    """A text that counts the characters through which it is searched."""

    searched = 0

    def find(self, what: str, start: SupportsIndex | None = 0, end: SupportsIndex | None = None, /) -> int:
        found = super().find(what, start, end)
        self.searched += (len(self) if found < 0 else found) - int(start or 0)
        return found


class CountedPattern:
    """A pattern that adds what it searches to the count of its text."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self._pattern = pattern

    def search(self, text: SearchedText, at: int, end: int) -> Any:
        found = self._pattern.search(text, at, end)
        text.searched += (end if found is None else found.end()) - at
        return found


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
def test_tokens_of_a_text_cost_work_in_its_length(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(record_tokens, "_TAG_LINE", CountedPattern(record_tokens._TAG_LINE))
    text = SearchedText(game * 500 + "}")
    found = list(tokens(text))
    assert len(found) >= 2000
    assert text.searched < 3 * len(text)
    assert record_tokens._TOKEN.match("{closed}") is None, "comments are searched for in one place"


def test_a_comment_that_is_not_closed_ends_before_the_next_tags() -> None:
    found = list(tokens('1. d6 {oops\n[A "x"]\n{fine} {never'))
    assert [(one.kind, one.place, one.text) for one in found[2:]] == [
        (TokenKind.FAULT, TextPlace(1, 7), UNCLOSED),
        (TokenKind.TAG, TextPlace(2, 1), "A"),
        (TokenKind.COMMENT, TextPlace(3, 1), "fine"),
        (TokenKind.FAULT, TextPlace(3, 8), UNCLOSED),
    ]


def test_a_text_may_begin_with_a_comment() -> None:
    assert list(tokens("{}")) == [Token(TokenKind.COMMENT, TextPlace(1, 1), "")]
