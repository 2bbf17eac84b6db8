"""The settings of all tests: few and fixed Hypothesis examples without deadlines (`make test-long`: many
random ones), the place of their files, and how workers share them."""

import gc
import os
import pwd
import shutil
import tempfile
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

from tests.support.reasons import require_reason

settings.register_profile("board", deadline=None, derandomize=True, max_examples=25)
settings.register_profile("many", deadline=None, max_examples=400)
settings.load_profile("board")

MEMORY = Path("/dev/shm")  # noqa: S108 - each makes a folder of its own there
ROOM = 1 << 30
# Tests that take longest; begun first, since one left alone at the end would keep a core idle.
LONGEST = ("tests/soak/", "tests/fuzz/", "tests/crash/test_kill.py", "tests/hardware/doctor/test_stacks.py")
# Folders whose tests share something: tables that are solved.
SHARERS = ("tests/engine/solving/",)


def pytest_configure(config: pytest.Config) -> None:
    """Have fixed examples be the same in each run, and keep the files of tests in memory.

    Files stay there if there is room, unless TMPDIR names a folder. They are some megabytes, and are synced
    thousands of times, each of which would wait for the disk. Tests simulate the loss of unsynced data
    themselves.
    """
    if config.getoption("hypothesis_profile", None) in {None, "board"}:
        fix_examples()
    if "TMPDIR" not in os.environ and is_roomy(MEMORY):
        os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)


def fix_examples() -> None:
    """Have Hypothesis choose examples without the numbers and texts in the modules that are loaded.

    Which modules are depends on the tests that the same worker ran before, so a property could fail in one
    run of many. Hypothesis has no setting for it (seen in 6.170).
    """
    no_constants = providers._local_constants  # nothing was tried yet, so none were collected
    assert not len(no_constants)
    providers._get_local_constants = lambda: no_constants


def is_roomy(folder: Path) -> bool:
    """Return whether there is room for files, including programs."""
    if not os.access(folder, os.W_OK):
        return False
    disk = os.statvfs(folder)
    return disk.f_bavail * disk.f_frsize > ROOM and not disk.f_flag & os.ST_NOEXEC


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem() -> Generator[None, Any, Any]:
    """Refuse a test that waits for CI without a reason."""
    made = yield
    for item in made if isinstance(made, list) else ():
        require_reason(item)
    return made


def pytest_collection() -> None:
    """Search for no garbage while thousands of tests are collected: there is hardly any."""
    gc.disable()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Have later searches leave out what was collected, which stays."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the longest tests; those of the page, which conftest.py there puts first, come next."""
    items.sort(key=lambda item: not item.nodeid.startswith(LONGEST))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One worker more than there are cores, since tests wait for browsers and other programs."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Have tests stay with one worker that share what is costly to make.

    Those are the tests of a module of the page, which share boards and pages, and the tests in SHARERS. All
    others go one by one, in their order. Marks of groups cannot say so: with pytest 9.2, xdist 3.8 knows of
    none.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Sharing(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            if nodeid.startswith("tests/web/"):
                return nodeid.partition("::")[0]
            return next((folder for folder in SHARERS if nodeid.startswith(folder)), nodeid)

    config.option.loadscopereorder = False
    return Sharing(config, log)


@pytest.fixture
def unprivileged(tmp_path: Path) -> Iterator[Path]:
    """Run the test without root's rights, which would let it read and write anything; its own folder."""
    if os.geteuid() != 0:
        yield tmp_path
        return
    nobody = pwd.getpwnam("nobody").pw_uid
    folder = Path(tempfile.mkdtemp())  # nobody may not enter the folders of root's tests
    os.chown(folder, nobody, -1)
    os.setresuid(nobody, nobody, 0)
    try:
        yield folder
    finally:
        os.setresuid(0, 0, 0)
        shutil.rmtree(folder)


@pytest.fixture
def started(tmp_path: Path) -> Iterator[object]:
    """Starts `millwright run` for the test, as `real_programs` says."""
    from tests.support.real_board import real_programs  # which reads the whole program

    with real_programs(tmp_path) as start:
        yield start
