"""Play the same random hands on two builds: `python -m tests.fuzz.compare FOLDER [FOLDER]`.

Each folder holds a program, such as a worktree of an older commit. Without the second one, it is compared
with the program of this folder; a folder and itself are one build, which is only graded. Every hand is an
episode on a board of its own, by a position and deeds that depend on its seed alone, so that both builds are
given exactly the same lines. Each runs in a process of its own.

Printed are, by habit and sensors, how many hands had which grade on both, and the differences as *better* (on
the second), *worse* and *ambiguous* (the oracle finds several readings), with the episodes to replay them:

    python -m tests.fuzz.compare --replay "regret polarity standard 17" FOLDER

prints the lines of an episode, and what each build made of it. With `--journal FILE` the episodes that were
played are kept there, and a run that was broken off goes on. The command returns 1 if anything is worse.
"""

from __future__ import annotations

import argparse
import itertools
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.fuzz.compare.grading import AMBIGUOUS, BETTER, WORSE, compared, grade
from tests.fuzz.episodes.catalogue import HABITS, INCIDENTS, can_be_played
from tests.fuzz.episodes.episode import Episode, EpisodeResult
from tests.support.paths import PROJECT

SHOWN = 8
"""The episodes that are printed of each difference."""


class Build:
    """A program in a folder, which plays episodes in a process of its own."""

    def __init__(self, folder: Path) -> None:
        self._process = subprocess.Popen(  # noqa: S603 - this interpreter
            [sys.executable, "-m", "tests.fuzz.compare.worker", str(folder.resolve())],
            cwd=PROJECT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def __enter__(self) -> Build:
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()

    def begin(self, episode: Episode) -> None:
        """Have an episode played."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asdict(episode)) + "\n")
        self._process.stdin.flush()

    def result(self) -> EpisodeResult:
        """The result of the episode that was begun."""
        assert self._process.stdout is not None
        return EpisodeResult(**json.loads(self._process.stdout.readline()))


def episodes(options: argparse.Namespace) -> Iterator[Episode]:
    """Return the episodes of a run: all habits by the first seed, then by the next."""
    names = {"all": list(HABITS), "incidents": list(INCIDENTS)}.get(options.habits, options.habits.split(","))
    rules, sensors = options.rules.split(","), options.sensors.split(",")
    for number in range(options.hands):
        for name, kind, rule_set in itertools.product(names, sensors, rules):
            if can_be_played(name, kind, rule_set):
                yield Episode(name, kind, rule_set, options.seed + number)


def play(options: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """Yield the line of the journal of each episode; those that it has are not played again."""
    known = {tuple(line["episode"].values()): line for line in _read(options.journal)}
    until = time.monotonic() + 60 * options.minutes
    with ExitStack() as stack:
        folders = dict.fromkeys(folder.resolve() for folder in options.folders)
        builds = [stack.enter_context(Build(folder)) for folder in folders]
        for episode in episodes(options):
            if (found := known.get(tuple(asdict(episode).values()))) is not None:
                yield found
                continue
            if time.monotonic() > until:
                return
            for build in builds:
                build.begin(episode)
            results = [build.result() for build in builds]
            how, *grades = compared(results[0], results[-1])
            line = {
                "episode": asdict(episode),
                "how": how,
                "grades": grades,
                "ambiguous": results[0].ambiguous or results[-1].ambiguous,
            }
            if options.journal is not None:
                with options.journal.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(line) + "\n")
            yield line


def report(lines: Sequence[dict[str, Any]]) -> str:
    """Return the grades by habit, and the differences with their episodes."""
    told: list[str] = []
    key = lambda line: (line["episode"]["habit"], line["episode"]["sensors"])  # noqa: E731 - for both calls
    for (habit, sensors), group in itertools.groupby(sorted(lines, key=key), key=key):
        pairs = Counter(tuple(line["grades"]) for line in group if line["grades"][-1] is not None)
        cells = [f"{n} {one if one == two else f'{one} -> {two}'}" for (one, two), n in pairs.most_common()]
        told.append(f"{habit:22}{sensors:10}" + ", ".join(cells))
    for how in (BETTER, WORSE, AMBIGUOUS):
        found = [line for line in lines if line["how"] == how]
        told.append(f"\n{how}: {len(found)}")
        by = Counter((line["episode"]["habit"], *line["grades"]) for line in found)
        for (habit, one, two), number in by.most_common():
            where = [
                line["episode"]
                for line in found
                if (line["episode"]["habit"], *line["grades"]) == (habit, one, two)
            ]
            told.append(f"  {number:5} {habit}: {one} -> {two}")
            told += [f"          {' '.join(map(str, at.values()))}" for at in where[:SHOWN]]
    return "\n".join(told)


def replay(text: str, folders: Sequence[Path]) -> str:
    """Return the lines of an episode, and what each build made of it."""
    habit, sensors, rules, seed = text.split()
    told: list[str] = []
    for folder in dict.fromkeys(folder.resolve() for folder in folders):
        with Build(folder) as build:
            build.begin(Episode(habit, sensors, rules, int(seed)))
            result = build.result()
        if not told:
            told += result.script
        told.append(f"{folder}: {grade(result)} {result.judgement} {result.broken}")
    return "\n".join(told)


def main(arguments: Sequence[str] | None = None) -> int:
    """Compare and print; 1 if anything is worse."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.compare")
    parser.add_argument(
        "folders", nargs="+", type=Path, help="the older build, and the newer one [default: this]"
    )
    parser.add_argument("--hands", type=int, default=100, help="of each habit, kind of sensors and rule set")
    parser.add_argument("--habits", default="all", help="some by name, or `incidents`; [default: all]")
    parser.add_argument("--sensors", default="presence,polarity", help="also `pieces`, for mitsudomoe")
    parser.add_argument("--rules", default="standard", help="rule sets")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--minutes", type=float, default=1e6, help="the time after which no episode is begun")
    parser.add_argument("--journal", type=Path, help="file that keeps the episodes that were played")
    parser.add_argument("--replay", help="an episode: its habit, sensors, rules and seed")
    options = parser.parse_args(arguments)
    options.folders = [*options.folders, PROJECT][:2]
    if options.replay:
        _tell(replay(options.replay, options.folders))
        return 0
    lines = list(play(options))
    _tell(report(lines))
    return int(any(line["how"] == WORSE for line in lines))


def _read(journal: Path | None) -> list[dict[str, Any]]:
    if journal is None or not journal.exists():
        return []
    return [json.loads(line) for line in journal.read_text(encoding="utf-8").splitlines()]


def _tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's output


if __name__ == "__main__":
    sys.exit(main())
