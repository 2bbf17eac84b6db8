"""On a disk that is full, read-only or cannot sync, play goes on, says so, and all is kept in the end.

Here SQLite itself is refused what it asks the system for, by a layer beneath it (`tests/crash/disk_layer.c`).
"""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.crash.lives import Lives, Promises, disk_layer, opened
from tests.crash.player import START
from tests.support.matrix import CI, sampled

FULL, READ_ONLY, NO_SYNC, SLOW, WELL = "F", "R", "I", "S", ""


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    layer = disk_layer(tmp_path_factory.mktemp("layer"))
    if layer is None:
        pytest.skip("there is no C compiler (cc), which builds the layer under the disk")
    lives = Lives(layer)
    yield lives
    lives.close()


@pytest.mark.parametrize("fault", sampled([FULL, READ_ONLY, NO_SYNC], others=CI))
@pytest.mark.parametrize("since", sampled([0, 4], others=CI))
def test_what_a_bad_disk_did_not_take_is_kept_when_it_is_mended(
    lives: Lives, tmp_path: Path, fault: str, since: int
) -> None:
    path = tmp_path / "games.db"
    told, end = lives.live(path, 5, actions=20, faults={since: fault, 12: WELL})
    assert end == 0
    names = [line.get("event") for line in told]
    assert names.count("fault") == names.count("fault-cleared") == 1
    broken = names[names.index("fault") : names.index("fault-cleared")]
    assert broken.count("step") > 3, "play went on"
    texts = [line["text"] for line in told if line.get("event") == "fault"]
    assert texts[0].startswith("games aren't being saved: games.db: ")
    promises = Promises(disk_may_fail=True)
    promises.hear(told)
    with opened(path) as file:
        promises.check(file)


@pytest.mark.ci("programs")
def test_a_disk_that_takes_its_time_loses_nothing_and_is_no_fault(lives: Lives, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    told, end = lives.live(path, 6, actions=6, faults={2: SLOW})
    assert end == 0
    promises = Promises()
    promises.hear(told)
    with opened(path) as file:
        promises.check(file)


@pytest.mark.parametrize("fault", [FULL, READ_ONLY])
@pytest.mark.parametrize("killed", sampled([False, True], others=CI))
@pytest.mark.parametrize("index_lost", sampled([False, True], others=CI))
def test_the_last_game_goes_on_though_the_disk_was_bad_before_the_program_began(
    lives: Lives, tmp_path: Path, fault: str, killed: bool, index_lost: bool
) -> None:
    path = tmp_path / "games.db"
    promises = Promises(disk_may_fail=True)
    end_of_it = {"boundary": "told", "times": 9} if killed else {}
    told, end = lives.live(path, 8, actions=7, **end_of_it)
    assert end == (-signal.SIGKILL if killed else 0)
    promises.hear(told)
    if index_lost:
        Path(f"{path}-shm").unlink(missing_ok=True)
    shutil.copytree(tmp_path, tmp_path / "before")  # when it is read, nothing of the log is left
    with opened(tmp_path / "before" / "games.db") as file:
        promises.check(file)
    assert promises.games[-1].steps
    told, end = lives.live(path, 8, actions=20, faults={START: fault, 12: WELL})
    assert end == 0
    assert "continued" in [line.get("event") for line in told]
    promises.hear(told)
    with opened(path) as file:
        promises.check(file)
