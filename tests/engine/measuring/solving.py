"""The results of all openings of two turns, proved with the tables of all sectors.

    millwright tables --dir FOLDER build --all
    python -m tests.engine.measuring.solving --tables FOLDER --journal openings.jsonl \\
        --write tests/data/openings.txt

An opening is drawn if it is proved for both players that they need not lose from it. If there is no such
proof for one of them, which is only said after all replies were tried, the other is proved to win. Openings
that the board's symmetries make of each other are solved once. As soon as all openings with the same first
turn are solved, the replies that were found are walked by the code that checks certificates, which shares
nothing with the search.

A line is printed, and noted in the journal, for each opening and each check; with the journal, a run that was
broken off goes on. Memory that runs out ends the run with an error: begun again, it has what it needs for the
openings that are left. `--write` writes the results after each part.

With `--compare N` it solves N random positions after each number of placements instead, the last first, and
compares the results with those of the tables that `build --placing` has made. It ends with 1 if one differs.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time
from collections import Counter
from collections.abc import Sequence, Set
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import groupby
from pathlib import Path
from typing import Any

from firmware_host.engine.certificate import Certificate, certificate_bytes
from firmware_host.engine.solving.certifying import Findings, Placing, Prover, audit, open_prover
from firmware_host.engine.solving.folder import TableFolder, open_tables
from firmware_host.engine.table_file import SectorTable
from firmware_host.engine.table_rules import Sector
from firmware_host.engine.tables import Tables
from firmware_host.games.morris.position import MorrisPosition, MorrisRules
from firmware_host.games.rulesets import DEFAULT, rule_set
from firmware_host.games.values import Result
from tests.engine.measuring.openings import Opening, classes, game_of
from tests.fuzz.journal import played
from tests.support.engine.placing import random_states

Goal = tuple[int, bool]
"""A player, 0 for White, and whether that player has to win."""
_PROOFS: dict[Result, list[Goal]] = {
    Result.DRAW: [(0, False), (1, False)],
    Result.WIN: [(0, True)],
    Result.LOSS: [(1, True)],
}
"""The goals that prove a result for White."""
_HEADER = """\
# The result for White of openings by `standard`, by best play of both. A line stands for all that the board's
# symmetries make of it. "yes" says that the replies that prove it were checked as well. Made by
# python -m tests.engine.measuring.solving --tables FOLDER --journal FILE --write tests/data/openings.txt
# WHITE BLACK | openings | result | checked
"""


def working(stage: int, done: int, total: int) -> bool:
    """Let a proof go on."""
    return False


@dataclass(eq=False)
class Solver:
    """Proofs about positions while pieces are placed, which know all that was solved before."""

    rules: MorrisRules
    tables: TableFolder
    memory: int | None = None
    """The bytes that each of up to four proofs may take; all that is free if None."""
    _resources: ExitStack = field(default_factory=ExitStack)
    _sectors: dict[Sector, SectorTable | None] = field(default_factory=dict)
    _provers: dict[Goal, Prover] = field(default_factory=dict)

    @classmethod
    def of(cls, tables: Path, settings: Sequence[str] = (), memory: int | None = None) -> Solver:
        """Return a solver by `standard` with these settings, whose tables are somewhere in a folder."""
        rules = rule_set(DEFAULT, settings)
        assert isinstance(rules, MorrisRules)
        return cls(rules, TableFolder.of(rules.options, tables), memory)

    def __enter__(self) -> Solver:
        """Return the solver itself."""
        return self

    def __exit__(self, *failure: object) -> None:
        """Give the memory back."""
        self._resources.close()

    def reaches(self, goal: Goal, start: Placing) -> bool:
        """Return whether the player of a goal reaches it; raise TableError."""
        return self._prover(goal).reaches(start, working)

    def result(self, start: Placing) -> Result:
        """Return the result for White; raise TableError."""
        if not self.reaches((0, False), start):
            return Result.LOSS
        return Result.DRAW if self.reaches((1, False), start) else Result.WIN

    def findings(self, starts: Sequence[Placing]) -> dict[Goal, Findings]:
        """Check the replies that prove the results of positions with equally many placements."""
        proved: dict[Goal, list[Placing]] = {}
        for start in starts:
            for goal in _PROOFS[self.result(start)]:
                proved.setdefault(goal, []).append(start)
        return {goal: self._checked(goal, some) for goal, some in proved.items()}

    def _checked(self, goal: Goal, starts: Sequence[Placing]) -> Findings:
        options, (player, wins) = self.rules.options, goal
        turns = self._prover(goal).replies(starts, working)
        assert turns is not None, "one of two proofs about the same position is wrong"
        certificate = Certificate(memoryview(b"".join(certificate_bytes(options, player, turns))))
        return audit(options, self._sector, certificate, working, starts=starts, wins=wins)

    @cached_property
    def known(self) -> Tables:
        """The tables, for positions in which all pieces are placed."""
        return open_tables(self.tables.path.parent)

    def _prover(self, goal: Goal) -> Prover:
        if goal not in self._provers:
            player, wins = goal
            self._provers[goal] = self._resources.enter_context(
                open_prover(self.rules.options, self._sector, player, wins=wins, max_memory=self.memory)
            )
        return self._provers[goal]

    def _sector(self, sector: Sector) -> SectorTable | None:
        if sector not in self._sectors:
            self._sectors[sector] = self.tables.open(sector)
        return self._sectors[sector]


def placing(turns: Opening, rules: MorrisRules) -> Placing:
    """Return the position after an opening."""
    position = game_of(turns, rules).position
    assert isinstance(position, MorrisPosition)
    return Placing.of(position.rules, position.state)


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the work: openings with the same first turn."""

    white: str
    black: tuple[str, ...]
    check: bool
    """True if they are to be checked, otherwise they are to be solved."""


def parts(rules: MorrisRules) -> list[Part]:
    """Return all parts: each opening, and a check after those with the same first turn."""
    found = []
    for white, each in groupby(classes(rules), lambda opening: opening[0]):
        black = tuple(one for _white, one in each)
        found += [Part(white, (one,), check=False) for one in black]
        found.append(Part(white, black, check=True))
    return found


@dataclass(frozen=True, slots=True)
class SolverSetting:
    """The settings of the rules, the folder of all tables, and the memory of a proof."""

    rules: tuple[str, ...]
    tables: Path
    memory: int | None


@cache
def _solver(setting: SolverSetting) -> Solver:
    return Solver.of(setting.tables, setting.rules, setting.memory)


def done(part: Part, setting: SolverSetting) -> dict[str, Any]:
    """Return what the journal keeps of a part."""
    solver, began = _solver(setting), time.process_time()
    starts = [placing((part.white, black), solver.rules) for black in part.black]
    found: dict[str, Any] = {}
    if part.check:
        findings = solver.findings(starts)
        found["wrong"] = sum(one.wrong for one in findings.values())
        found["replies"] = sum(one.entries for one in findings.values())
    else:
        found["result"] = solver.result(starts[0]).value
    return {
        **found,
        "seconds": round(time.process_time() - began, 1),
        "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
        "load": round(os.getloadavg()[0], 1),
    }


def differing(solver: Solver, placed: int, count: int) -> list[Placing]:
    """Return those of some random positions after `placed` placements whose results in the tables differ."""
    found = []
    for state in random_states(solver.rules, placed, count):
        start, known = Placing.of(solver.rules, state), solver.known.probe(solver.rules, state)
        assert known is not None, f"the tables with {placed} pieces placed are missing"
        if solver.result(start) is not (known.result.reversed if state.black else known.result):
            found.append(start)
    return found


def compare(solver: Solver, count: int) -> None:
    """Print for each number of placements how many positions differ from the tables."""
    wrong = 0
    for placed in reversed(range(2 * solver.rules.options.pieces)):
        began, found = time.process_time(), differing(solver, placed, count)
        wrong += len(found)
        seconds = time.process_time() - began
        sys.stdout.write(f"{placed} placed: {count} positions, {len(found)} differ, {seconds:.1f} s\n")
        sys.stdout.flush()
    if wrong:
        raise SystemExit(1)


def write(path: Path, rules: MorrisRules, results: dict[Opening, Result], checked: Set[Opening]) -> None:
    """Write the results of openings to a file."""
    lines = (
        f"{' '.join(one)} | {len(members):2} | {results[one]} | {'yes' if one in checked else 'no'}\n"
        for one, members in classes(rules).items()
        if one in results
    )
    path.write_text(_HEADER + "".join(lines), "ascii")


def _given(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=Path, required=True, help="folder with the tables of all sectors")
    parser.add_argument("--journal", type=Path, help="file that keeps what was done")
    parser.add_argument("--write", type=Path, metavar="FILE", help="file for the results")
    parser.add_argument("--memory", type=int, metavar="MB", help="of each of up to four proofs")
    parser.add_argument(
        "--compare", type=int, metavar="N", help="compare N positions of each layer with tables"
    )
    parser.add_argument("--set", action="append", default=[], metavar="SWITCH=VALUE")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    """Solve and check, and print a line for each part, and the number of openings with each result."""
    given = _given(arguments)
    memory = None if given.memory is None else given.memory * 10**6
    setting = SolverSetting(tuple(given.set), given.tables, memory)
    if given.compare:
        with Solver.of(setting.tables, setting.rules, setting.memory) as solver:
            compare(solver, given.compare)
        return
    rules = _solver(setting).rules
    results: dict[Opening, Result] = {}
    checked: set[Opening] = set()
    for part, found in played(parts(rules), partial(done, setting=setting), 1, given.journal):
        openings = [(part.white, black) for black in part.black]
        if not part.check:
            results[openings[0]] = Result(found["result"])
        elif found["wrong"]:
            raise SystemExit(f"{part.white}: {found['wrong']} faults; the search or its check is wrong")
        else:
            checked.update(openings)
        if given.write:
            write(given.write, rules, results, checked)
        figures = ", ".join(f"{name} {value}" for name, value in found.items())
        sys.stdout.write(f"{part.white} {' '.join(part.black)}: {figures}\n")
        sys.stdout.flush()
    counts = Counter[Result]()
    for one, members in classes(rules).items():
        counts[results[one]] += len(members)
    sys.stdout.write(", ".join(f"{count} {result}" for result, count in sorted(counts.items())) + "\n")


if __name__ == "__main__":
    main()
