"""The digests of the virtual Pi's inputs change with the code, and with nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.virtual_pi.inputs import BUILT_FROM, changed, digest, digests, parse

CODE = '"""A module."""\nLIMIT = 3\n"""A limit."""\n\n\ndef double(x):\n    """Double."""\n    return 2 * x\n'


def digest_of(folder: Path, code: str, name: str = "module.py") -> str:
    (folder / name).write_text(code)
    return digest(folder / name)


@pytest.mark.parametrize(
    "edited",
    [
        CODE.replace("A module", "Another text"),
        CODE.replace("A limit", "Another text"),
        CODE.replace("Double", "Return twice the number"),
        CODE.replace("return 2", "return  2") + "# a comment\n",
    ],
)
def test_digest_of_python_ignores_text_and_layout(tmp_path: Path, edited: str) -> None:
    assert edited != CODE
    assert digest_of(tmp_path, edited) == digest_of(tmp_path, CODE)


@pytest.mark.parametrize(
    "edited", [CODE.replace("2", "4"), CODE.replace("LIMIT = 3", "LIMIT = '3'"), CODE.replace("x", "y")]
)
def test_digest_of_python_follows_its_code(tmp_path: Path, edited: str) -> None:
    assert digest_of(tmp_path, edited) != digest_of(tmp_path, CODE)


def test_digest_of_other_files_follows_every_byte(tmp_path: Path) -> None:
    assert digest_of(tmp_path, "a\n", "run.sh") != digest_of(tmp_path, "a \n", "run.sh")


def test_changed_names_edited_new_and_missing_files() -> None:
    assert changed({"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"}) == ["b", "c", "d"]


def test_digests_cover_drivers_service_and_dependencies() -> None:
    found = digests()
    assert {"hardware/bus/pi.py", "systemd/install.sh", "tests/virtual_pi/boot.sh", BUILT_FROM} <= set(found)
    assert not [
        path for path in found if path.endswith(".md") or "/passed/" in path or path.startswith("sim/")
    ]
    assert parse("".join(f"{value} {path}\n" for path, value in found.items())) == found
