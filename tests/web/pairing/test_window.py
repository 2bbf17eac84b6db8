"""The window for pairing: its codes, and when it ends."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.web.pairing.window import CODE_DIGITS, OPEN_FOR, PairingWindow


def test_a_code_is_read_in_two_groups_and_entered_in_any() -> None:
    window = PairingWindow()
    code = window.open(0).code
    first, second = code.split(" ")
    assert len(first + second) == CODE_DIGITS
    assert (first + second).isdigit()
    for entered in (code, first + second, f" {first}-{second} "):
        assert window.matches(entered, 1)


@given(st.text() | st.integers(0, 99_999_999).map("{:08}".format))
def test_no_other_text_is_the_code(entered: str) -> None:
    window = PairingWindow()
    code = window.open(0).code
    plain = "".join(entered.split()).replace("-", "")
    assert window.matches(entered, 1) == (plain == code.replace(" ", ""))


@pytest.mark.parametrize("entered", ["", " ", "-", "00000000"])
def test_no_text_is_the_code_of_a_closed_window(entered: str) -> None:
    window = PairingWindow()
    assert not window.matches(entered, 0)
    window.open(0)
    window.close()
    assert not window.matches(entered, 0)


def test_no_more_than_the_whole_time_is_left_of_a_new_window() -> None:
    now = 7637.746189766141
    assert now + OPEN_FOR - now > OPEN_FOR  # as numbers are rounded
    assert PairingWindow().open(now).left_s == OPEN_FOR


def test_a_window_ends_by_itself_with_its_code() -> None:
    window = PairingWindow()
    code = window.open(1000).code
    pairing = window.current(1000 + OPEN_FOR - 1)
    assert pairing is not None
    assert (pairing.code, pairing.left_s) == (code, 1)
    assert window.current(1000 + OPEN_FOR) is None
    assert not window.matches(code, 1000 + OPEN_FOR)
    assert not window.matches(code, 1000)  # nor later, whatever the clock says


def test_each_window_has_a_code_of_its_own() -> None:
    window = PairingWindow()
    codes = [window.open(0).code for _ in range(50)]
    assert len(set(codes)) == 50
    assert [window.matches(code, 1) for code in codes] == [False] * 49 + [True]
