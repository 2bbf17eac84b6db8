"""Play the cases of `grid_cases` over all their delays: `python -m tests.fuzz.grid [case ...]`.

`case` is the number of a finding or the name of a case; without one all are played. For each case and kind of
sensors it prints the number of cells (one for each choice of delays), how many the board decided right and
wrong, and how many it left open; of cells that are ambiguous by the oracle the same (`amb.`). A cell is right
if the board is ready in the position that was meant, wrong if it is ready in another one or has lost steps.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tests.fuzz.actors.deeds import Deed, Hand, Script, actions_of, hand
from tests.fuzz.actors.lines import Judgement
from tests.fuzz.actors.sloppy import SloppyBoard
from tests.fuzz.grid_cases import CASES, Case
from tests.fuzz.oracle import plain_rules as plain

LOOKS_MS = (30, 100, 200)
"""The times after a landing at which the board is checked."""
KINDS = ("right", "wrong", "open", "amb.right", "amb.wrong", "amb.open")
ACCEPTED_LAG_MS = 25
"""Debouncing, two frames, and a bounce."""


@dataclass(frozen=True)
class Cell:
    """The result of a case with some delays."""

    delays: Mapping[str, int]
    judgement: Judgement
    late: bool
    """True if it counted later than the case demands, or a destination was lit under a piece."""

    @property
    def decision(self) -> str:
        """`right`, `wrong` or `open`."""
        if self.judgement.wrong or self.judgement.lost:
            return "wrong"
        return "open" if self.judgement.mended or self.late else "right"

    @property
    def kind(self) -> str:
        """The decision, and whether the oracle allows any."""
        return f"amb.{self.decision}" if self.judgement.ambiguous else self.decision


def delays_of(case: Case) -> Iterator[dict[str, int]]:
    """Every choice of delays, in milliseconds."""
    ranges = [range(first, last + 1, step) for first, last, step in case.spans.values()]
    for chosen in itertools.product(*ranges):
        yield dict(zip(case.spans, chosen, strict=True))


def hand_of(case: Case, delays: Mapping[str, int]) -> Hand:
    """Return the hand of a case with some delays; if it must count soon, the board is checked on the way."""
    deeds = [
        Deed(sum(delays[part] if isinstance(part, str) else part for part in at) / 1000, dict(line))
        for at, line in case.lines
    ]
    if case.within_ms is not None:
        landed = deeds[-1].at
        deeds += [Deed(landed + late / 1000, {"show": True}) for late in LOOKS_MS]
    return Hand(tuple(sorted(deeds, key=lambda deed: deed.at)), case.meant)


def play_cell(case: Case, sensors: str, delays: Mapping[str, int]) -> Cell:
    """Play a case with some delays on a new board."""
    board = SloppyBoard("standard", sensors, 1, case.start)
    try:
        begin(board, case)
        plan = hand_of(case, delays)
        landed = board.lines.now + max(deed.at for deed in plan.deeds if "show" not in deed.line)
        judgement = board.play(plan)
        return Cell(delays, judgement, case.within_ms is not None and _is_late(board, case, landed))
    finally:
        board.close()


def begin(board: SloppyBoard, case: Case) -> None:
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


def _is_late(board: SloppyBoard, case: Case, landed: float) -> bool:
    """Return whether the last step counted too late, or a destination was lit under its piece."""
    limit = landed + ((case.within_ms or 0) + ACCEPTED_LAG_MS) / 1000
    under = any(
        "destination" in state["cues"].get(case.lines[-1][1]["put"], [])
        for at, state in board.lines.states
        if at > limit
    )
    return under or not board.lines.steps_at or board.lines.steps_at[-1] > limit


def chosen_cases(names: Sequence[str]) -> list[Case]:
    """The cases by number or name; all of them without any."""
    return [case for case in CASES if not names or str(case.number) in names or case.name in names]


def main(arguments: Sequence[str] | None = None) -> int:
    """Play cases and print what became of them; 1 if a cell was decided wrong or left open."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.grid")
    parser.add_argument("case", nargs="*", help="number or name of a case; without it all are played")
    parser.add_argument("--every", type=int, default=1, help="play each Nth cell only")
    parser.add_argument("--sensors", default="presence,polarity", help="kinds of sensors")
    parser.add_argument("--show", type=int, default=0, help="print this many cells that are wrong or open")
    options = parser.parse_args(arguments)
    cases = chosen_cases(options.case)
    if not cases:
        parser.error(f"there is no such case; there are {', '.join(case.name for case in CASES)}")
    _tell(f"{'case':46}{'sensors':9}{'cells':>6}" + "".join(f"{kind:>10}" for kind in KINDS))
    failed = False
    for case, sensors in itertools.product(cases, options.sensors.split(",")):
        cells = itertools.islice(delays_of(case), 0, None, options.every)
        found = [play_cell(case, sensors, delays) for delays in cells]
        counts = Counter(cell.kind for cell in found)
        failed = failed or bool(counts["wrong"] or counts["open"])
        title = f"{case.number} {case.name}"
        _tell(f"{title:46}{sensors:9}{len(found):6}" + "".join(f"{counts[kind]:10}" for kind in KINDS))
        for cell in [cell for cell in found if cell.kind in ("wrong", "open")][: options.show]:
            _tell(f"    {cell.decision} {dict(cell.delays)}: {cell.judgement.status} {cell.judgement.told}")
    return int(failed)


def _tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's output


if __name__ == "__main__":
    sys.exit(main())
