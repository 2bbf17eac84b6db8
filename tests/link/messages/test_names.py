"""Names of boards side by side: none can be taken for another board's."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.link.messages import names
from firmware_host.link.published import Rooms
from firmware_host.link.topics import CARD
from firmware_host.settings import MAX_BOARD_NAME
from tests.support.examples import few

REAL, OTHER = "H" * 16, "X" * 16
IMITATIONS = {
    "filler": "Kitchen\u3164",
    "blank braille": "Kitchen\u2800",
    "joiner": "Kit\u034fchen",
    "selector": "Kitchen\ufe0f",
    "filler of Hangul": "Kitchen\u115f",
    "Cyrillic": "K\u0456tchen",
    "dotless": "K\u0131tchen",
    "fullwidth": "\uff2bitchen",
    "case and blanks": " kIT  CHEN ",
    "l for i": "Kltchen",
    "digit": "K1tchen",
    "sign": "Kitchen.",
    "accent": "Kitche\u0301n",
    "mark": "Kitchen (HHHH)",
    "mark in fullwidth": "Kitchen \uff08HHHH\uff09",
    "mark in angles": "Kitchen \u2039HHHH\u203a",
    "mark of pieces": "Kitchen \u239dHHHH\u23a0",
}


def called(rooms: Rooms, board: str, name: str) -> None:
    rooms.receive(CARD.at(board=board), json.dumps({"v": 1, "name": name}).encode())


@pytest.mark.parametrize("name", IMITATIONS.values(), ids=IMITATIONS.keys())
def test_a_name_like_another_is_told_apart(name: str) -> None:
    rooms = Rooms()
    called(rooms, REAL, "Kitchen")
    called(rooms, OTHER, name)
    real, other = (rooms.label_of(board) for board in (REAL, OTHER))
    assert real in ("Kitchen", "Kitchen (HHHH)")
    assert other.endswith(" (XXXX)") or not other.startswith("Kitchen (")
    assert names.skeleton(other) != names.skeleton(real)
    assert "(HHHH)" not in other
    called(rooms, OTHER, "")
    assert rooms.label_of(REAL) == "Kitchen", "nobody is marked without a reason"


@pytest.mark.parametrize(("real", "like"), [("Basil", "8a5i1"), ("Zoo", "200"), ("Table 2", "Table Z")])
def test_names_of_digits_like_letters_are_both_marked(real: str, like: str) -> None:
    rooms = Rooms()
    called(rooms, REAL, real)
    called(rooms, OTHER, like)
    assert [rooms.label_of(board) for board in (REAL, OTHER)] == [f"{real} (HHHH)", f"{like} (XXXX)"]


def test_a_mark_is_whole_if_other_boards_begin_alike() -> None:
    rooms, alike = Rooms(), "HHHH" + "Y" * 12
    called(rooms, REAL, "\u041a\u0443\u0445\u043d\u044f")
    called(rooms, alike, "Attic")
    assert rooms.label_of(REAL) == f"\u041a\u0443\u0445\u043d\u044f ({REAL})"
    assert rooms.label_of(alike) == "Attic"
    called(rooms, OTHER, "attic")
    assert rooms.label_of(alike) == f"Attic ({alike})"


@pytest.mark.parametrize("name", ["Küche", "Señor Ñandú", "Ação", "Straße 7", "Tom’s board", "Ærø – 2nd"])
def test_names_in_the_languages_of_the_page_are_plain(name: str) -> None:
    assert names.label(names.board_name(name), REAL) == name


@pytest.mark.parametrize("name", ["", "()", "\u3164", REAL, REAL.lower(), "HHHH HHHH HHHH HHHH", "0" * 16])
def test_no_name_is_like_the_own_name_of_a_board(name: str) -> None:
    assert names.board_name(name) == ""


def test_a_long_name_keeps_its_mark() -> None:
    name = "\u041a" * 60
    assert names.label(name, REAL, 30) == "\u041a" * 23 + " (HHHH)"
    assert names.label("x" * 60, REAL, 30) == "x" * 30


@few(200)
@given(st.text(max_size=MAX_BOARD_NAME))
def test_a_boards_name_shows_no_bracket_and_nothing_unseen(text: str) -> None:
    name = names.board_name(text)
    assert not set(name) & set("()[]{}<>\u3164\u115f\u1160\u2800\u034f\ufe0f")
    assert name == unicodedata.normalize("NFKC", name) == names.board_name(name)
    assert name == name.strip()


def test_accents_pile_up_on_no_letter() -> None:
    assert names.board_name("K" + "\u0301" * 38) == "\u1e30" + "\u0301" * 3
    assert names.readable("K\u0336\u0336\u0336\u0336i") == "K\u0336\u0336\u0336i"
    for name in ("Tiếng Việt", "שָׁלוֹם", "ที่นี่", "हिन्दी"):
        assert names.readable(name) == unicodedata.normalize("NFKC", name)
