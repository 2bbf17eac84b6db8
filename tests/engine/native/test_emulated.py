"""The program that tests the library on other processors, on this one."""

import shutil

import pytest

from tests.engine.native.emulated import computed

pytestmark = pytest.mark.ci("engine")


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_library_without_python_computes_what_is_known():
    lines = computed(["cc"]).splitlines()
    assert [line.partition(" hash")[0] for line in lines[:3]] == [
        "3-3 174485 35303 352 depth 26",
        "4-3 84303 3660 775017 depth 10",
        "3-4 126377 0 819253 depth 11",
    ]
    assert lines[3:6] == ["wrong 0", "planted 1 at 485", "perft 255024"]
