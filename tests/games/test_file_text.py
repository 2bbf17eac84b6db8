"""The text of files in each encoding that programs write, and errors for what is no text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import NotationError
from firmware_host.games.file_text import decode_file

UMLAUT = '[White "M\u00fcller"]\n'


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_decode_file_unicode_is_read_as_it_is(encoding: str) -> None:
    found = decode_file(UMLAUT.encode(encoding))
    assert found.text == UMLAUT
    assert found.latin_lines == ()


def test_decode_file_other_lines_are_latin_1_and_named() -> None:
    found = decode_file(b"[Event]\r\n" + UMLAUT.encode("latin-1") + UMLAUT.encode() + b"\xff")
    assert found.text == f"[Event]\n{UMLAUT}{UMLAUT}\u00ff"
    assert found.latin_lines == (2, 4)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("last", [b"", b"\xe9"])
def test_decode_file_lines_end_with_line_feeds(end: str, last: bytes) -> None:
    assert decode_file(f"a{end}b{end}{end}c".encode() + last).text.startswith("a\nb\n\nc")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"ab\n\x00", "line 2: a zero byte"),
        (b"\xff\xfea", "begins like UTF-16"),
        (b"\x89PNG\r\n\x1a\n\x00", "line 3"),
    ],
)
def test_decode_file_that_is_no_text_is_an_error(content: bytes, words: str) -> None:
    with pytest.raises(NotationError, match=words):
        decode_file(content)


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\x00\ufeff")))
def test_decode_file_of_utf_8_is_the_identity(text: str) -> None:
    assert decode_file(text.encode()).text == text


@given(st.binary(max_size=60).filter(lambda content: 0 not in content))
def test_decode_file_keeps_the_number_of_lines(content: bytes) -> None:
    if not content.startswith((b"\xff\xfe", b"\xfe\xff")):
        ends = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").count(b"\n")
        assert decode_file(content).text.count("\n") == ends
