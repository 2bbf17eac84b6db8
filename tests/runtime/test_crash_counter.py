"""The count of crashes from start to start, and the events that reset it."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.runtime.crash_counter import (
    CRASH_WINDOW_S,
    KILLED,
    MAX_CRASHES,
    MAX_PAUSE_S,
    MIN_PAUSE_S,
    CrashCounter,
)


class RestartingMachine:
    """A machine that restarts the program whenever it ends, some seconds later, and keeps its record."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.now = 1000.0

    def start(self, after_s: float = 3.0) -> tuple[CrashCounter, str | None]:
        """The record of a new run, and the crash for which it does not play."""
        self.now += after_s
        crashes = CrashCounter(self.folder)
        crash = crashes.begin(self.now, "14:05")
        return crashes, None if crash is None else crash.text

    def crash(self, text: str, times: int = 1, every_s: float = 3.0) -> list[str | None]:
        """Run and crash `times` times; return the reason that kept each run from playing."""
        kept = []
        for _ in range(times):
            crashes, why = self.start(every_s)
            kept.append(why)
            crashes.crashed(text, self.now, "14:05")
        return kept


def test_after_three_crashes_it_does_not_play_and_says_which_was_the_last(tmp_path: Path) -> None:
    machine = RestartingMachine(tmp_path)
    assert machine.crash("it broke", MAX_CRASHES) == [None] * MAX_CRASHES
    assert machine.start()[1] == "it broke"


def test_a_run_that_never_said_how_it_ended_was_killed(tmp_path: Path) -> None:
    machine = RestartingMachine(tmp_path)
    assert [machine.start()[1] for _ in range(MAX_CRASHES + 1)] == [None] * MAX_CRASHES + [KILLED]


def test_crashes_that_are_far_apart_are_not_counted_together(tmp_path: Path) -> None:
    machine = RestartingMachine(tmp_path)
    assert machine.crash("now and then", 20, every_s=CRASH_WINDOW_S / 2 + 1) == [None] * 20


def test_a_run_that_stays_well_or_ends_as_it_should_begins_anew(tmp_path: Path) -> None:
    for ending in (CrashCounter.stayed_well, CrashCounter.ended):
        machine = RestartingMachine(tmp_path)
        machine.crash("it broke", MAX_CRASHES - 1)
        ending(machine.start()[0])
        assert machine.crash("it broke", MAX_CRASHES - 1) == [None] * (MAX_CRASHES - 1)
        machine.start()[0].ended()


def test_it_is_tried_again_after_a_pause_that_grows_and_one_more_crash_is_too_many(tmp_path: Path) -> None:
    machine = RestartingMachine(tmp_path)
    machine.crash("it broke", MAX_CRASHES)
    pauses = []
    for _ in range(6):
        crashes, why = machine.start()
        assert why == "it broke"
        pauses.append(crashes.pause_s)
        crashes.try_again()
        machine.now += pauses[-1]
        crashes.crashed("it broke", machine.now, "14:05")
    assert pauses == [MIN_PAUSE_S * 2**n for n in range(4)] + [MAX_PAUSE_S] * 2
    crashes, _ = machine.start()
    crashes.try_again()
    crashes.stayed_well()
    assert machine.crash("later", MAX_CRASHES - 1) == [None] * (MAX_CRASHES - 1)


def test_a_run_that_is_killed_while_it_is_tried_again_is_one_too_many(tmp_path: Path) -> None:
    machine = RestartingMachine(tmp_path)
    machine.crash("it broke", MAX_CRASHES)
    machine.start()[0].try_again()
    assert machine.start(600)[1] == KILLED


def test_the_power_wipes_it_and_a_terminal_counts_nothing(tmp_path: Path) -> None:
    machine = RestartingMachine(tmp_path / "gone")
    assert machine.crash("it broke", 10) == [None] * 10, "there is no such folder"
    assert CrashCounter.of({"RUNTIME_DIRECTORY": f"{tmp_path}:/other"}).begin(0, "") is None
    assert (tmp_path / "crashes.json").exists()
    for _ in range(10):
        assert CrashCounter.of({}).begin(0, "") is None


@given(
    st.binary(max_size=200) | st.sampled_from([b"[]", b'{"runs": 1}', b'{"runs":1,"tries":"x","crashes":[]}'])
)
def test_half_a_record_is_none(tmp_path_factory: object, told: bytes) -> None:
    folder = tmp_path_factory.mktemp("run")  # type: ignore[attr-defined]
    (folder / "crashes.json").write_bytes(told)
    assert CrashCounter(folder).begin(0, "") is None


def test_a_line_on_the_page_stays_a_line(tmp_path: Path) -> None:
    machine = RestartingMachine(tmp_path)
    machine.crash("first\nsecond " + "x" * 1000, MAX_CRASHES)
    why = machine.start()[1]
    assert why is not None
    assert why.startswith("first second xxx")
    assert len(why) == 300
