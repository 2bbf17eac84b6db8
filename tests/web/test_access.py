import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.web.access import CODE_DIGITS, PairingCode, stored_code, temporary_code

SECRET = bytes(range(32))


def test_a_code_is_read_in_two_groups_and_entered_in_any() -> None:
    code = PairingCode(SECRET)
    first, second = code.text.split(" ")
    assert len(first + second) == CODE_DIGITS
    assert (first + second).isdigit()
    for entered in (code.text, first + second, f" {first}-{second} "):
        assert code.matches(entered)


@given(st.text() | st.integers(0, 99_999_999).map("{:08}".format))
def test_no_other_text_is_the_code(entered: str) -> None:
    code = PairingCode(SECRET)
    plain = "".join(entered.split()).replace("-", "")
    assert code.matches(entered) == (plain == code.text.replace(" ", ""))


@given(st.text())
def test_only_the_cookie_is_the_cookie(value: str) -> None:
    code = PairingCode(SECRET)
    assert code.matches_cookie(code.cookie)
    assert code.matches_cookie(value) == (value == code.cookie)


def test_neither_code_nor_cookie_tells_the_secret_or_the_other() -> None:
    code = PairingCode(SECRET)
    assert SECRET.hex() not in code.cookie
    assert not code.matches(code.cookie)
    assert not code.matches_cookie(code.text)


def test_each_secret_has_a_code_of_its_own() -> None:
    assert len({temporary_code().text for _ in range(50)}) == 50


def test_what_was_kept_lets_in_after_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "state" / "page.key"
    first = stored_code(path)
    again = stored_code(path)
    assert (again.text, again.cookie) == (first.text, first.cookie)
    assert first.is_stored
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("spoilt", [b"", b"00", b"\xff\xfe", b"zz" * 32, b"00" * 33])
def test_a_spoilt_file_is_replaced(tmp_path: Path, spoilt: bytes) -> None:
    path = tmp_path / "page.key"
    path.write_bytes(spoilt)
    path.chmod(0o600)
    first = stored_code(path)
    assert stored_code(path).cookie == first.cookie
    assert path.read_bytes() != spoilt


def test_a_secret_that_others_could_read_is_none(tmp_path: Path) -> None:
    path = tmp_path / "page.key"
    first = stored_code(path)
    path.chmod(0o640)
    assert stored_code(path).cookie != first.cookie
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_where_nothing_can_be_written_the_code_is_for_this_run(unprivileged: Path) -> None:
    unprivileged.chmod(0o500)
    assert not stored_code(unprivileged / "page.key").is_stored


def test_where_a_file_is_in_the_way_of_the_folder_the_code_is_for_this_run(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    assert not stored_code(tmp_path / "state" / "page.key").is_stored
