"""Compiling the engine's library, and doing without it."""

import ctypes
import shutil

import pytest

from firmware_host.engine import native
from firmware_host.engine.native.compiling import compile_library, sources


def test_compiling_without_a_compiler_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "/nowhere/cc -O1")
    reason = compile_library(native.SOURCES, tmp_path / "libmw.so")
    assert reason is not None
    assert reason.startswith("/nowhere/cc: ")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_compiling_a_wrong_source_gives_the_compilers_words(tmp_path, monkeypatch):
    monkeypatch.delenv("CC", raising=False)
    (tmp_path / "wrong.c").write_text("int wrong(void) { return missing; }\n")
    reason = compile_library(tmp_path, tmp_path / "libmw.so")
    assert reason is not None
    assert "missing" in reason


@pytest.mark.ci("engine")
@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_compiled_library_has_the_version_of_this_program(tmp_path, monkeypatch):
    monkeypatch.delenv("CC", raising=False)
    target = tmp_path / native.LIBRARY.name
    assert compile_library(native.SOURCES, target) is None
    assert ctypes.CDLL(str(target)).mw_abi() == native.ABI


def test_sources_are_those_of_the_engine():
    assert [path.rpartition("/")[2] for path in sources(native.SOURCES)] == [
        "certificate_build.c",
        "certificate_check.c",
        "placing_build.c",
        "search.c",
        "tables_build.c",
        "tables_check.c",
        "tables_space.c",
    ]


def test_library_that_is_no_library_is_not_used(tmp_path):
    (tmp_path / "libmw.so").write_text("nothing")
    assert native.load(tmp_path / "libmw.so") is None
