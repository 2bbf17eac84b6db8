"""The comparison of builds: the grades, the sorting of differences, and a run that goes on."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from tests.fuzz.compare import __main__ as compare
from tests.fuzz.compare.grading import AMBIGUOUS, BETTER, SAME, WORSE, compared, grade
from tests.fuzz.episodes.episode import EpisodeResult
from tests.support.paths import PROJECT

RIGHT: dict[str, Any] = {
    "wrong": False,
    "conventional": False,
    "lost": 0,
    "status": "ready",
    "mended": False,
    "why": "",
    "wrong_s": 0.0,
    "late_s": 0.2,
}


def result(*, ambiguous: bool = False, **changed: Any) -> EpisodeResult:
    return EpisodeResult(RIGHT | changed, ambiguous=ambiguous)


@pytest.mark.parametrize(
    ("found", "wanted"),
    [
        (result(), "right"),
        (result(late_s=1.5), "late"),
        (result(wrong_s=0.4), "wrong for a while"),
        (result(status="undecided", mended=True), "asked"),
        (result(status="undecided", mended=True, ambiguous=True), "right"),
        (result(status="mismatch", mended=True), "to be corrected, no sentence"),
        (result(status="mismatch", mended=True, why="Clear d6."), "to be corrected"),
        (result(lost=2, mended=True), "lost"),
        (result(wrong=True, mended=True), "wrong"),
        (result(wrong=True, conventional=True, mended=True), "right"),
        (EpisodeResult(broken="AssertionError"), "broken"),
        (EpisodeResult(), None),
    ],
    ids=str,
)
def test_grade_of_a_result(found: EpisodeResult, wanted: str | None) -> None:
    assert grade(found) == wanted


def test_differences_are_better_worse_or_ambiguous() -> None:
    late = result(late_s=1.5)
    assert compared(late, result())[0] == BETTER
    assert compared(result(), late)[0] == WORSE
    assert compared(late, late)[0] == SAME
    assert compared(late, result(ambiguous=True))[0] == AMBIGUOUS


def test_report_names_the_episodes_of_each_difference() -> None:
    at = {"habit": "regret", "sensors": "polarity", "rules": "standard", "seed": 17}
    line = {"episode": at, "how": WORSE, "grades": ["right", "wrong"], "ambiguous": False}
    told = compare.report([line])
    assert "worse: 1\n      1 regret: right -> wrong\n          regret polarity standard 17" in told


def test_run_goes_on_after_the_episodes_of_its_journal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = tmp_path / "compare.jsonl"
    arguments = [str(PROJECT), "--habits", "plain", "--sensors", "polarity", "--journal", str(journal)]
    assert compare.main([*arguments, "--hands", "1"]) == 0
    monkeypatch.setattr(compare.Build, "begin", None)
    assert compare.main([*arguments, "--hands", "1"]) == 0
    assert len(journal.read_text("utf-8").splitlines()) == 1
    assert capsys.readouterr().out.count("1 right") == 2


def test_both_builds_are_given_the_same_episode(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[tuple[Path, object]] = []

    class RecordingBuild:
        def __init__(self, folder: Path) -> None:
            self.folder = folder

        def __enter__(self) -> RecordingBuild:
            return self

        def __exit__(self, *_: object) -> None: ...

        def begin(self, episode: object) -> None:
            begun.append((self.folder, episode))

        def result(self) -> EpisodeResult:
            return result(late_s=9.0 if self.folder.name == "old" else 0.1)

    monkeypatch.setattr(compare, "Build", RecordingBuild)
    options = argparse.Namespace(
        habits="plain", rules="standard", sensors="presence", hands=1, seed=4, minutes=1.0, journal=None,
        folders=[Path("old"), Path("new")],
    )  # fmt: skip
    (line,) = compare.play(options)
    assert [folder.name for folder, _ in begun] == ["old", "new"]
    assert begun[0][1] == begun[1][1]
    assert (line["how"], line["grades"]) == (BETTER, ["late", "right"])
    assert json.dumps(line)
