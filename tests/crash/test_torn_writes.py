"""The power is cut at each moment of a recorded life, and what was not synced is lost, torn or mixed up.

The layer under the disk (`tests/crash/disk_layer.c`) records what SQLite does; `recording.py` says what a
disk may hold afterwards. In each such state the file must be whole and have everything reported until then.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random

import pytest

from firmware_host.errors import DamagedStoreError
from tests.crash.lives import Lives, Promises, Told, disk_layer, opened, texts
from tests.crash.recording import Operation, RecordedDisk, recorded

pytestmark = pytest.mark.ci("examples")


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    layer = disk_layer(tmp_path_factory.mktemp("layer"))
    if layer is None:
        pytest.skip("there is no C compiler (cc), which builds the layer under the disk")
    lives = Lives(layer)
    yield lives
    lives.close()


def recorded_life(
    lives: Lives, folder: Path, seed: int, actions: int
) -> tuple[dict[str, bytes], list[Operation]]:
    """Return the contents of the folder before a life, its operations and its reports."""
    folder.mkdir(exist_ok=True)
    before = {file.name: file.read_bytes() for file in folder.iterdir() if not file.name.endswith("-shm")}
    log = folder.parent / f"log-{seed}"
    _, end = lives.live(folder / "games.db", seed, log=str(log), actions=actions)
    assert end == 0
    return before, list(recorded(log))


def cut_everywhere(
    tmp_path: Path,
    before: dict[str, bytes],
    life: list[Operation],
    promised: Promises,
    ways: int,
) -> int:
    """Cut the power after each operation, in `ways` ways; return the number of cuts."""
    disk, told, luck, cuts = RecordedDisk(before), list[Told](), Random(1), 0
    for operation in life:
        if operation.kind == "N":
            told.append(json.loads(operation.data))
        disk.do(operation)
        for _ in range(ways):
            folder = tmp_path / "cut"
            found_after_a_power_cut(disk, luck, folder)
            promises = deepcopy(promised)
            promises.hear(told)
            with opened(folder / "games.db") as file:
                promises.check(file)
            cuts += 1
    return cuts


def found_after_a_power_cut(disk: RecordedDisk, luck: Random, folder: Path) -> None:
    """Fill `folder` with what may be on the disk after a power cut, and nothing else."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in disk.after_a_power_cut(luck).items():
        (folder / name).write_bytes(data)


def promised_so_far(tmp_path: Path) -> Promises:
    """Promises of earlier lives, which ended properly and lost nothing."""
    promises = Promises()
    if (tmp_path / "board").exists():
        shutil.copytree(tmp_path / "board", tmp_path / "copy", dirs_exist_ok=True)
        with opened(tmp_path / "copy" / "games.db") as file:
            promises.check(file)
    return promises


def told_in(life: list[Operation]) -> list[Told]:
    return [json.loads(operation.data) for operation in life if operation.kind == "N"]


def test_a_new_file_loses_nothing_that_was_told(lives: Lives, tmp_path: Path) -> None:
    before, life = recorded_life(lives, tmp_path / "board", seed=1, actions=12)
    assert before == {}
    assert sum(told["event"] == "step" for told in told_in(life) if "event" in told) > 5
    assert cut_everywhere(tmp_path, before, life, Promises(), ways=2) > 100


def test_nor_does_one_that_is_gone_on_with(lives: Lives, tmp_path: Path) -> None:
    recorded_life(lives, tmp_path / "board", seed=2, actions=10)
    promised = promised_so_far(tmp_path)
    before, second = recorded_life(lives, tmp_path / "board", seed=3, actions=12)
    assert before
    assert cut_everywhere(tmp_path, before, second, promised, ways=2) > 100


@pytest.mark.long
@pytest.mark.parametrize("seed", range(10, 20))
def test_nor_do_many_lives_in_many_ways(lives: Lives, tmp_path: Path, seed: int) -> None:
    for number in range(3):
        promised = promised_so_far(tmp_path)
        before, life = recorded_life(lives, tmp_path / "board", seed=10 * seed + number, actions=30)
        if number:
            cut_everywhere(tmp_path, before, life, promised, ways=10)


def test_what_a_killed_program_left_unsynced_is_made_sure_of_before_it_is_gone_on_with(
    lives: Lives, tmp_path: Path
) -> None:
    """The next program reads it as if it were on the disk; the power fails once it has been reported."""
    luck, unsynced = Random(1), 0
    for operation in range(24, 60):
        folder = tmp_path / str(operation) / "board"
        folder.mkdir(parents=True)
        log, next_log = folder.parent / "log", folder.parent / "next-log"
        _, end = lives.live(folder / "games.db", 5, log=str(log), operation=operation)
        assert end == -9
        disk = RecordedDisk({})
        for done in recorded(log):
            disk.do(done)
        promised = Promises()
        promised.hear(told_in(list(recorded(log))))
        shutil.copytree(folder, folder.parent / "copy")  # reading it syncs its log
        with opened(folder.parent / "copy" / "games.db") as file:
            promised.check(file)
        if not promised.games or not promised.games[-1].steps:
            continue
        unsynced += len(promised.games[-1].steps) > len(kept_after_a_power_cut(disk, tmp_path))
        _, end = lives.live(folder / "games.db", 6, log=str(next_log), actions=0)
        assert end == 0
        for done in recorded(next_log):
            disk.do(done)
            if done.kind == "N" and json.loads(done.data).get("event") == "continued":
                break
        else:
            raise AssertionError("no game was gone on with")
        for _ in range(6):
            found_after_a_power_cut(disk, luck, tmp_path / "cut")
            with opened(tmp_path / "cut" / "games.db") as file:
                deepcopy(promised).check(file)
    assert unsynced, "some were killed between writing and syncing"


def kept_after_a_power_cut(disk: RecordedDisk, tmp_path: Path) -> list[str]:
    """The steps of the last game in what is surely on the disk."""
    folder = tmp_path / "sure"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    for name, data in disk.surely().items():
        (folder / name).write_bytes(data)
    with opened(folder / "games.db") as file:
        last = file.last()
        return [] if last is None else texts(last)


def test_the_recording_would_show_a_promise_that_was_made_too_early(lives: Lives, tmp_path: Path) -> None:
    """The same life without any sync: a report is lost, or the file is damaged."""
    before, life = recorded_life(lives, tmp_path / "board", seed=4, actions=12)
    unsynced = [operation for operation in life if operation.kind not in "SD"]
    with pytest.raises((AssertionError, DamagedStoreError)):
        cut_everywhere(tmp_path, before, unsynced, Promises(), ways=2)
