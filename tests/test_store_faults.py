"""On a disk that is full, read-only or cannot sync, play goes on, says so, and all is kept in the end.

Here SQLite itself is refused what it asks the system for, by a layer beneath it (`killing/disk_layer.c`).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from killing.lives import Lives, Promises, disk_layer, opened

FULL, READ_ONLY, NO_SYNC, SLOW, WELL = "F", "R", "I", "S", ""


@pytest.fixture(scope="module")
def lives(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lives]:
    layer = disk_layer(tmp_path_factory.mktemp("layer"))
    if layer is None:
        pytest.skip("there is no C compiler (cc), which builds the layer under the disk")
    lives = Lives(layer)
    yield lives
    lives.close()


@pytest.mark.parametrize("fault", [FULL, READ_ONLY, NO_SYNC])
@pytest.mark.parametrize("since", [0, 4])
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
    assert texts[0].startswith("nothing is kept now: games.db: ")
    promises = Promises(disk_may_fail=True)
    promises.hear(told)
    with opened(path) as file:
        promises.check(file)


def test_a_disk_that_takes_its_time_loses_nothing_and_is_no_fault(lives: Lives, tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    told, end = lives.live(path, 6, actions=6, faults={2: SLOW})
    assert end == 0
    promises = Promises()
    promises.hear(told)
    with opened(path) as file:
        promises.check(file)
