"""Play the cases of `grid_cases` over all their delays: `python -m tests.fuzz.grid [case ...]`.

`case` is the number of a finding or the name of a case; without one all are played. For each case and kind of
sensors it prints the number of cells (one for each choice of delays), how many the board decided right and
wrong, and how many it left open; of cells that are ambiguous by the oracle the same (`amb.`). A cell is right
if the board is ready in the position that was meant, wrong if it is ready in another one or has lost steps.

With `--journal FILE` the cells that were played are kept there, and a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.fuzz.actors.deeds import Deed, HabitualHand, Script, actions_of, hand
from tests.fuzz.actors.lines import LATE_S, HandJudgement
from tests.fuzz.actors.sloppy import SloppyBoard
from tests.fuzz.cases import INCIDENT_CASES
from tests.fuzz.grid_cases import CASES as SLOPPY_CASES
from tests.fuzz.grid_cases import At, GridCase
from tests.fuzz.journal import played
from tests.fuzz.oracle import plain_rules as plain

CASES = (*SLOPPY_CASES, *INCIDENT_CASES)
DECIDED_S = 1.0
"""A board that has two readings decides for neither before it has rested for this time."""
LOOKS_MS = (30, 100, 200)
"""The times after a landing at which the board is checked."""
KINDS = ("right", "wrong", "open", "amb.right", "amb.wrong", "amb.open")
ACCEPTED_LAG_MS = 25
"""Debouncing, two frames, and a bounce."""
BLOCK = 100
"""Cells of a block, which is played by one process."""
SHOWN = 3
"""The number of cells of a block that are printed if they are wrong or open."""


@dataclass(frozen=True)
class Cell:
    """The result of a case with some delays."""

    delays: Mapping[str, int]
    judgement: HandJudgement
    late: bool
    """True if it counted later than the case demands, or a destination was lit under a piece."""
    hasty: bool | None = None
    """True if one of two readings was decided for too soon, False if not; None if only one is right."""

    @property
    def decision(self) -> str:
        """`right`, `wrong` or `open`."""
        if self.hasty is not None:
            return "wrong" if self.hasty else "right"
        if self.judgement.wrong or self.judgement.lost or self.judgement.wrong_s:
            return "wrong"
        return "open" if self.judgement.mended or self.late else "right"

    @property
    def kind(self) -> str:
        """The decision, and whether the oracle allows any."""
        return f"amb.{self.decision}" if self.judgement.ambiguous else self.decision


def delays_of(case: GridCase) -> Iterator[dict[str, int]]:
    """Every choice of delays, in milliseconds."""
    ranges = [range(first, last + 1, step) for first, last, step in case.spans.values()]
    for chosen in itertools.product(*ranges):
        yield dict(zip(case.spans, chosen, strict=True))


def hand_of(case: GridCase, delays: Mapping[str, int]) -> HabitualHand:
    """Return the hand of a case with some delays; if it must count soon, the board is checked on the way."""
    deeds = [Deed(_seconds(at, delays), dict(line)) for at, line in case.lines]
    if case.within_ms is not None:
        landed = deeds[-1].at
        deeds += [Deed(landed + late / 1000, {"show": True}) for late in LOOKS_MS]
    lasts = max(deed.at for deed in deeds) + case.lasts_ms / 1000
    return HabitualHand(
        tuple(sorted(deeds, key=lambda deed: deed.at)),
        case.meant,
        lasts=lasts,
        back=case.back,
        wrong=case.wrong,
        via=case.via,
        due=tuple(_seconds(at, delays) for at in case.due),
        lenient=case.lenient,
        blind=case.blind,
        chosen=case.chosen,
        ends_game=case.ends_game,
    )


def _seconds(at: At, delays: Mapping[str, int]) -> float:
    return sum(delays[part] if isinstance(part, str) else part for part in at) / 1000


def play_cell(case: GridCase, sensors: str, delays: Mapping[str, int]) -> Cell:
    """Play a case with some delays on a new board."""
    with TemporaryDirectory() as folder:
        store = Path(folder) / "games.db" if case.cuts_power else None
        board = SloppyBoard(case.rules, sensors, 1, case.start, solo=bool(case.chosen), store=store)
        try:
            begin(board, case)
            plan = hand_of(case, delays)
            landed = board.lines.now + max(deed.at for deed in plan.deeds if "show" not in deed.line)
            judgement = board.play(plan)
            late = case.within_ms is not None and _is_late(board, case, landed)
            late = late or (bool(case.due) and judgement.late_s > LATE_S)
            hasty = _is_hasty(board, judgement, landed) if case.two_readings else None
            return Cell(delays, judgement, late, hasty)
        finally:
            board.close()


def _is_hasty(board: SloppyBoard, judgement: HandJudgement, landed: float) -> bool:
    """Return whether another position than the meant one counts, and was decided for before it had rested."""
    decided = board.lines.steps_at[-1] if board.lines.steps_at else 0.0
    soon = landed < decided < landed + DECIDED_S
    return bool(judgement.lost) or (judgement.status != "undecided" and judgement.mended and soon)


def begin(board: SloppyBoard, case: GridCase) -> None:
    """Play the turns before the hand, without haste, and let the board rest."""
    script, moment = Script(), board.moment
    for step in case.played:
        for action in actions_of([step], moment.to_move):
            script.act(action)
            script.wait(0.6)
        moment = plain.play(moment, step)
    script.wait(case.rests_ms / 1000)
    if script.at:
        before = board.play(hand(script, case.played), judged=False)
        assert not before.mended, before


def _is_late(board: SloppyBoard, case: GridCase, landed: float) -> bool:
    """Return whether the last step counted too late, or a destination was lit under its piece."""
    limit = landed + ((case.within_ms or 0) + ACCEPTED_LAG_MS) / 1000
    under = any(
        "destination" in state["cues"].get(case.lines[-1][1]["put"], [])
        for at, state in board.lines.states
        if at > limit
    )
    return under or not board.lines.steps_at or board.lines.steps_at[-1] > limit


# ---- the measurement -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Block:
    """Some cells of a case with one kind of sensors: from number `first` on, and each `every`th only."""

    case: str
    sensors: str
    first: int
    every: int


def play_block(block: Block) -> dict[str, Any]:
    """Play a block, and return how many cells were of which kind, and some that were wrong or open."""
    (case,) = chosen_cases([block.case])
    last = block.first + BLOCK * block.every
    cells = itertools.islice(delays_of(case), block.first, last, block.every)
    found = [play_cell(case, block.sensors, delays) for delays in cells]
    odd = [cell for cell in found if cell.kind in ("wrong", "open")]
    return {
        "cells": len(found),
        "kinds": Counter(cell.kind for cell in found),
        "odd": [
            f"{cell.decision} {dict(cell.delays)}: {cell.judgement.status} {cell.judgement.told}"
            for cell in odd[:SHOWN]
        ],
    }


def blocks_of(case: GridCase, sensors: str, every: int) -> list[Block]:
    """Return the blocks of each `every`th cell of a case."""
    number = sum(1 for _ in delays_of(case))
    return [Block(case.name, sensors, first, every) for first in range(0, number, BLOCK * every)]


def chosen_cases(names: Sequence[str]) -> list[GridCase]:
    """The cases by number or name; all of them without any."""
    return [case for case in CASES if not names or str(case.number) in names or case.name in names]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play cases and print what became of them; 1 if a cell was decided wrong or left open."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.grid")
    parser.add_argument("case", nargs="*", help="number or name of a case; without it all are played")
    parser.add_argument("--every", type=int, default=1, help="play each Nth cell only")
    parser.add_argument("--sensors", default="presence,polarity", help="kinds of sensors")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--journal", type=Path, help="file that keeps the cells that were played")
    options = parser.parse_args(arguments)
    cases = chosen_cases(options.case)
    if not cases:
        parser.error(f"there is no such case; there are {', '.join(case.name for case in CASES)}")
    _tell(f"{'case':46}{'sensors':9}{'cells':>6}" + "".join(f"{kind:>10}" for kind in KINDS))
    failed = False
    boards = [(c, kind) for c in cases for kind in options.sensors.split(",") if kind in c.sensors]
    blocks = [block for case, kind in boards for block in blocks_of(case, kind, options.every)]
    results = played(blocks, play_block, options.jobs, options.journal)
    for (name, kind), group in itertools.groupby(results, lambda one: (one[0].case, one[0].sensors)):
        found = [result for _, result in group]
        counts = sum((Counter(result["kinds"]) for result in found), Counter[str]())
        failed = failed or bool(counts["wrong"] or counts["open"])
        cells = sum(result["cells"] for result in found)
        title = f"{chosen_cases([name])[0].number} {name}"
        _tell(f"{title:46}{kind:9}{cells:6}" + "".join(f"{counts[kind]:10}" for kind in KINDS))
        for line in [line for result in found for line in result["odd"]][:SHOWN]:
            _tell(f"    {line}")
    return int(failed)


def _tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's output


if __name__ == "__main__":
    sys.exit(main())
