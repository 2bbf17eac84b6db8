import os
import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.web.code import DIGITS, Code, kept, passing

SECRET = bytes(range(32))


def test_a_code_is_read_in_two_groups_and_entered_in_any() -> None:
    code = Code(SECRET)
    first, second = code.shown.split(" ")
    assert len(first + second) == DIGITS
    assert (first + second).isdigit()
    for entered in (code.shown, first + second, f" {first}-{second} "):
        assert code.is_right(entered)


@given(st.text() | st.integers(0, 99_999_999).map("{:08}".format))
def test_no_other_text_is_the_code(entered: str) -> None:
    code = Code(SECRET)
    plain = "".join(entered.split()).replace("-", "")
    assert code.is_right(entered) == (plain == code.shown.replace(" ", ""))


@given(st.text())
def test_only_the_cookie_is_the_cookie(value: str) -> None:
    code = Code(SECRET)
    assert code.is_cookie(code.cookie)
    assert code.is_cookie(value) == (value == code.cookie)


def test_neither_code_nor_cookie_tells_the_secret_or_the_other() -> None:
    code = Code(SECRET)
    assert SECRET.hex() not in code.cookie
    assert not code.is_right(code.cookie)
    assert not code.is_cookie(code.shown)


def test_each_secret_has_a_code_of_its_own() -> None:
    assert len({passing().shown for _ in range(50)}) == 50


def test_what_was_kept_lets_in_after_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "state" / "page.key"
    first = kept(path)
    again = kept(path)
    assert (again.shown, again.cookie) == (first.shown, first.cookie)
    assert first.is_kept
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("spoilt", [b"", b"00", b"\xff\xfe", b"zz" * 32, b"00" * 33])
def test_a_spoilt_file_is_replaced(tmp_path: Path, spoilt: bytes) -> None:
    path = tmp_path / "page.key"
    path.write_bytes(spoilt)
    path.chmod(0o600)
    first = kept(path)
    assert kept(path).cookie == first.cookie
    assert path.read_bytes() != spoilt


def test_a_secret_that_others_could_read_is_none(tmp_path: Path) -> None:
    path = tmp_path / "page.key"
    first = kept(path)
    path.chmod(0o640)
    assert kept(path).cookie != first.cookie
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes anywhere")
def test_where_nothing_can_be_written_the_code_is_for_this_run(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert not kept(tmp_path / "page.key").is_kept


def test_where_a_file_is_in_the_way_of_the_folder_the_code_is_for_this_run(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    assert not kept(tmp_path / "state" / "page.key").is_kept
