"""`make check` finds the tests that a changed file reaches."""

from __future__ import annotations

import pytest

from tests.check import PROJECT, READERS, chosen
from tests.support.matrix import CI, sampled


@pytest.mark.parametrize(
    ("changed", "test"),
    sampled(
        [
            ("firmware_host/tracking/reconciler.py", "tests/tracking/test_reconciler.py"),
            ("hardware/bus/pi.py", "tests/hardware/bus/test_pi.py"),
            ("tests/support/games/morris.py", "tests/games/morris/test_fen.py"),
            ("tests/web/page/test_page.py", "tests/web/page/test_page.py"),
            ("firmware_host/web/static/words/de.json", "tests/web/words"),
            ("systemd/install.sh", "tests/systemd"),
        ],
        1,
        others=CI,
    ),
)
def test_chosen_names_what_a_change_reaches(changed: str, test: str) -> None:
    assert test in chosen({changed}, depth=0)


def test_chosen_reaches_further_with_depth() -> None:
    changed = {"firmware_host/tracking/reconciler.py"}
    assert set(chosen(changed, depth=0)) < set(chosen(changed, depth=1)) < set(chosen(changed, depth=9))


def test_chosen_is_empty_for_files_that_nothing_reads() -> None:
    assert chosen({"README.md", "LICENSE"}, depth=0) == []


def test_readers_name_files_and_tests_that_exist() -> None:
    for start, tests in READERS:
        assert list(PROJECT.glob(f"{start}*")), start
        assert all((PROJECT / test).exists() for test in tests), start
