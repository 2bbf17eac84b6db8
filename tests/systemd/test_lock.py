"""The locks fit pyproject.toml and every target, and are renewed from it."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.support.paths import PROJECT
from tests.support.systemd.files import load_lock
from tests.support.systemd.wheels import make_wheel

lock = load_lock()


def copy_project(folder: Path) -> Path:
    (folder / "systemd").mkdir(parents=True)
    for name in ("pyproject.toml", *lock.LOCKS):
        shutil.copy(PROJECT / name, folder / name)
    return folder


def replace(path: Path, before: str, after: str) -> None:
    text = path.read_text("utf-8")
    assert before in text
    path.write_text(text.replace(before, after), "utf-8")


def locked(version: str, machine: str, name: str = lock.SERVICE) -> dict:
    return lock.Lock.read(PROJECT / name).on(lock.Target.parse(version, machine))


# ---- the locks and pyproject.toml ------------------------------------------------------------------------


def test_locks_fit_pyproject() -> None:
    assert lock.problems(PROJECT) == []


@pytest.mark.parametrize(
    ("before", "after", "name"),
    [
        ('"click>=8.1"', '"click>=99"', "click>=99"),
        ('"click>=8.1"', '"click>=8.0"', "click>=8.0"),
        ('"click>=8.1",', '"click>=8.1", "trio",', "trio"),
        ('"click>=8.1",', "", "click>=8.1"),
        (
            "gpiod>=2.2.2,<3; platform_machine == 'aarch64'",
            "gpiod>=2.2.2,<3",
            "gpiod for Python 3.11 on x86_64",
        ),
        ('["hatchling"]', '["hatchling>=1"]', "hatchling>=1"),
    ],
)
def test_changed_requirement_asks_for_make_lock(tmp_path: Path, before: str, after: str, name: str) -> None:
    project = copy_project(tmp_path)
    replace(project / "pyproject.toml", before, after)
    found = lock.problems(project)
    assert [text for text in found if name in text]
    assert all("Run `make lock`" in text for text in found)


@pytest.mark.parametrize(
    ("before", "after", "problem"),
    [
        ("gpiod==2.", "gpioz==2.", "it has no gpiod for Python 3.13 on aarch64"),
        ("uvicorn==0.54.", "uvicorn==0.55.", "it has uvicorn 0.55."),
        ("click==", "trio==", "it has no click for Python 3.11 on armv7l"),
    ],
)
def test_edited_lock_is_found_out(tmp_path: Path, before: str, after: str, problem: str) -> None:
    project = copy_project(tmp_path)
    replace(project / lock.SERVICE, before, after)
    assert [text for text in lock.problems(project) if problem in text]


def test_missing_lock_asks_for_make_lock(tmp_path: Path) -> None:
    project = copy_project(tmp_path)
    (project / lock.BUILD).unlink()
    with pytest.raises(lock.LockError, match="make lock"):
        lock.problems(project)


def test_list_refuses_a_lock_that_is_out_of_date(tmp_path: Path, monkeypatch, capsys) -> None:
    project = copy_project(tmp_path)
    replace(project / "pyproject.toml", "starlette>=0.40", "starlette>=0.41")
    monkeypatch.setattr(lock, "PROJECT", project)
    assert lock.main(["list", "3.11", "arm64"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "starlette>=0.41" in said.err
    assert "make lock" in said.err


# ---- their contents --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", lock.LOCKS)
def test_lock_has_versions_markers_and_hashes_only(name: str) -> None:
    text = (PROJECT / name).read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    pin = r"[a-z0-9-]+==[\w.]+( ; [^/\\]+)? \\"
    assert [
        line for line in lines if not re.fullmatch(rf"{pin}|    --hash=sha256:[0-9a-f]{{64}}( \\)?", line)
    ] == []
    assert "://" not in text
    assert lock.Lock.read(PROJECT / name).text() == text
    assert all(entry.hashes for entry in lock.Lock.read(PROJECT / name).entries)


COMPILED = {"gpiod", "adafruit-blinka-raspberry-pi5-neopixel"}


def test_only_64_bit_pis_take_compiled_packages() -> None:
    assert COMPILED & locked("3.11", "aarch64").keys() == COMPILED
    assert COMPILED & locked("3.13", "arm64").keys() == COMPILED
    for machine in ("armhf", "armv6l", "amd64"):
        assert COMPILED & locked("3.11", machine).keys() == COMPILED & locked("3.13", machine).keys() == set()


@pytest.mark.parametrize("target", lock.TARGETS, ids=lambda target: f"{target.version}-{target.machine}")
def test_package_contains_the_pure_files_of_each_target(target) -> None:
    packaged = locked("3.11", "armhf")
    theirs = lock.Lock.read(PROJECT / lock.SERVICE).on(target)
    assert {name: one.hashes for name, one in theirs.items() if name not in COMPILED} == {
        name: one.hashes for name, one in packaged.items()
    }


def test_debian_package_leaves_out_blinka_and_nothing_else(capsys) -> None:
    names = {}
    for options in ([], ["--packaged"]):
        assert lock.main(["list", *options, "3.11", "armhf"]) == 0
        names[bool(options)] = set(re.findall(r"^([a-z0-9-]+)==", capsys.readouterr().out, re.MULTILINE))
    assert names[False] - names[True] == lock.NOT_PACKAGED.keys()
    assert {"adafruit-circuitpython-pixelbuf", "gpiozero", "pyserial"} < names[True]


@pytest.mark.parametrize(
    ("machine", "is_32_bit", "known_as"),
    [
        ("aarch64", True, "armv7l"),
        ("aarch64", False, "aarch64"),
        ("armv6l", True, "armv6l"),
        ("x86_64", False, "x86_64"),
    ],
)
def test_own_target_is_that_of_python_and_not_of_the_kernel(
    monkeypatch, machine, is_32_bit, known_as
) -> None:
    monkeypatch.setattr(lock.platform, "machine", lambda: machine)
    monkeypatch.setattr(lock.sys, "maxsize", 2**31 - 1 if is_32_bit else 2**63 - 1)
    assert lock.Target.own().machine == known_as


def test_unknown_target_is_refused() -> None:
    with pytest.raises(lock.LockError, match="no locked files for mips"):
        lock.Target.parse("3.11", "mips")
    with pytest.raises(lock.LockError, match=r"3\.9 is not a Python"):
        lock.Target.parse("3.9", "arm64")


# ---- renewing --------------------------------------------------------------------------------------------


def described(name: str, *tags: str, **more: str) -> dict:
    wheels = [
        {"url": f"https://a.test/{name}-1.0-{tag}.whl", "hashes": {"sha256": f"{number:064}"}}
        for number, tag in enumerate(tags)
    ]
    return {"name": name, "version": "1.0", "wheels": wheels, **more}


def test_entry_without_a_wheel_for_a_target_is_refused() -> None:
    tags = [f"cp3{minor}-cp3{minor}-manylinux_2_28_aarch64" for minor in (11, 13)]
    with pytest.raises(lock.LockError) as refused:
        lock.entry(described("fast", *tags))
    assert (
        "fast 1.0 has no wheel for Python 3.11 on armv7l, Python 3.11 on x86_64, Python 3.11 on armv6l"
        in str(refused.value)
    )
    assert "aarch64" not in str(refused.value)
    assert len(lock.entry(described("fast", *tags, marker="platform_machine == 'aarch64'")).hashes) == 2
    with pytest.raises(lock.LockError, match="no wheel"):
        lock.entry({"name": "source", "version": "1.0", "sdist": {}})


@pytest.mark.ci("programs")
def test_renew_keeps_versions_unless_asked_to_upgrade(tmp_path: Path, monkeypatch) -> None:
    offered = tmp_path / "offered"
    offered.mkdir()
    for name in ("alpha", "beta", "builder"):
        for version in ("1.0", "1.1"):
            make_wheel(offered, name, version)
    # uv takes them from this folder alone.
    monkeypatch.setenv("UV_OFFLINE", "1")
    monkeypatch.setenv("UV_FIND_LINKS", str(offered))
    monkeypatch.setenv("UV_CACHE_DIR", str(tmp_path / "cache"))

    def renewed(dependencies: str, *options: str) -> dict[str, str]:
        (tmp_path / "pyproject.toml").write_text(
            f'[build-system]\nrequires = ["builder"]\n[project]\ndependencies = [{dependencies}]\n'
            "[project.optional-dependencies]\nlink = []\ncross = []\n"
            "pio = [\"beta; platform_machine == 'aarch64'\"]\n"
        )
        lock.renew(tmp_path, *options)
        assert lock.problems(tmp_path) == []
        return {entry.name: entry.version for entry in lock.Lock.read(tmp_path / lock.SERVICE).entries}

    (tmp_path / "systemd").mkdir()
    assert renewed('"alpha<1.1"') == {"alpha": "1.0", "beta": "1.1"}
    assert renewed('"alpha"') == {"alpha": "1.0", "beta": "1.1"}
    assert "beta" not in lock.Lock.read(tmp_path / lock.SERVICE).on(lock.Target("3.13", "x86_64"))
    assert renewed('"alpha"', "--upgrade") == {"alpha": "1.1", "beta": "1.1"}
    with pytest.raises(lock.LockError, match="uv cannot resolve"):
        renewed('"alpha>2"')
