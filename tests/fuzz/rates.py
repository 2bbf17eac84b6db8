"""Measure how often people with sloppy habits must correct the board: `python -m tests.fuzz.rates [--turns
2000]`.

Games are played on headless boards in virtual time. In each turn to which a habit applies people have it; all
other turns are plain ones. After each hand the board rests for two seconds. Printed per habit and kind of
sensors, per 100 hands with 95 % intervals:

- *ambiguous*: hands of which the oracle finds several readings, or a likelier one than the truth. The next
  two columns leave them out, and the two behind those are of them alone.
- *shown*: the board reported a mismatch at some time.
- *correct*: the board was not ready in the position that was meant, so that hands had to undo or redo
  something.

and as numbers, of all hands:

- *wrong*: the board was ready in a position that hands never meant; the game is given up.
- *read so*: those of them in which the board's reading is the only likely one (a reply onto a captured point
  looks like the captured piece put back). They are not counted as wrong, nor as lost what they take back.
- *lost*: steps of the game that were gone, after the hand or after the correction.
- *stuck*: boards that following the lights did not correct.
- *asked*: boards that asked at last which of several readings is right; where two are left, that is right.
- *silent*: boards that showed an error at last without a sentence that says what to do.
- *wrong for a while*: boards that came to the right position, but on which a position had counted that hands
  never meant; and the longest time, in milliseconds, for which it did.
- *late*: boards on which a turn counted for good more than a second after it was done, and after all that was
  done beside it; and the longest time from then on.

Of stacks (`--rules mitsudomoe`) those habits are played that there are, on sensors that identify pieces.

The same seed gives the same numbers, whatever `--jobs` is. With `--journal FILE` the parts that are done are
kept there, and a run that was broken off goes on.
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from random import Random

from tests.fuzz.actors.lines import LATE_S, HandJudgement
from tests.fuzz.actors.seat import STACKS
from tests.fuzz.episodes.boards import AnyBoard, filler_of, new_board, planned
from tests.fuzz.episodes.catalogue import HABITS, NOT_READ, SOLO, can_be_played
from tests.fuzz.journal import played
from tests.fuzz.oracle.plain_rules import RULE_SETS

PART = 100
"""Turns of a part, which is played by one process on boards of its own."""
MAX_LINES = 2500
"""The lines after which a board is left, so that a game without an end is not played on."""
LONGEST_WRONG, LONGEST_LATE = "longest wrong, ms", "latest, ms"
FILLERS = 400
"""Plain turns after which a part is ended although the habit applied too seldom, per turn."""


@dataclass(frozen=True, order=True)
class RatesPart:
    """Some hands of one habit on one kind of board."""

    habit: str
    sensors: str
    rules: str
    turns: int
    seed: str


def play_part(part: RatesPart) -> Counter[str]:
    """Play a part, and count what became of its hands."""
    luck = Random(f"{part.habit} {part.sensors} {part.rules} {part.seed}")
    counts: Counter[str] = Counter()
    while counts["turns"] < part.turns and counts["plain turns between"] < FILLERS * part.turns:
        with new_board(part.habit, part.rules, part.sensors, luck) as board:
            try:
                _play_game(board, part, luck, counts)
            except Exception as error:
                error.add_note(f"{part}; the last lines:")
                error.add_note("\n".join(board.lines.script[-20:]))
                raise
    return counts


def _play_game(board: AnyBoard, part: RatesPart, luck: Random, counts: Counter[str]) -> None:
    plain_turns = luck.randint(0, 3)
    while board.playable and counts["turns"] < part.turns and len(board.lines.script) < MAX_LINES:
        plan = planned(board, part.habit, luck) if plain_turns <= 0 else None
        plain_turns -= 1
        if plan is None:
            counts["plain turns between"] += 1
            filler = planned(board, filler_of(part.habit), luck)
            if filler is None or board.play(filler, judged=False).mended:
                counts["plain turns refused"] += 1
                return
            continue
        if plan.undone or not plan.steps:
            plain_turns = luck.randint(1, 3)  # the game must go on as well
        judgement = board.play(plan, judged=part.habit not in NOT_READ)
        counts.update(_counted(judgement))
        longest(counts, judgement)
        if judgement.wrong or (judgement.mended and part.habit in SOLO):
            return
        if judgement.mended:
            mended, lost = board.mend(luck)
            counts["lost"] += lost
            counts["stuck"] += not mended
            plain_turns = luck.randint(1, 3)
            if not mended:
                return


def _counted(judgement: HandJudgement) -> Counter[str]:
    counts = Counter({"turns": 1, "ambiguous": int(judgement.ambiguous)})
    counts["shown"] = int(judgement.shown and not judgement.ambiguous)
    counts["mend"] = int(judgement.mended and not judgement.ambiguous)
    counts["shown, ambiguous"] = int(judgement.shown and judgement.ambiguous)
    counts["mend, ambiguous"] = int(judgement.mended and judgement.ambiguous)
    counts["wrong"] = int(judgement.wrong and not judgement.conventional)
    counts["wrong, ambiguous"] = int(judgement.wrong and judgement.ambiguous and not judgement.conventional)
    counts["read so"] = int(judgement.conventional)
    counts["lost"] = 0 if judgement.conventional else judgement.lost
    counts["asked"] = int(judgement.status == "undecided")
    counts["wrong for a while"] = int(judgement.wrong_s > 0)
    counts["late"] = int(judgement.late_s > LATE_S)
    counts["silent"] = int(judgement.silent)
    return counts


def longest(counts: Counter[str], judgement: HandJudgement) -> None:
    """Keep the longest times, in milliseconds."""
    for name, seconds in ((LONGEST_WRONG, judgement.wrong_s), (LONGEST_LATE, judgement.late_s)):
        counts[name] = max(counts[name], round(1000 * seconds))


def add(total: Counter[str], counts: Counter[str]) -> None:
    """Add counts to a total; of times, the longest remains."""
    times = {name: max(total[name], counts.get(name, 0)) for name in (LONGEST_WRONG, LONGEST_LATE)}
    total.update(counts)
    total.update({name: time - total[name] for name, time in times.items()})


# ---- the measurement -------------------------------------------------------------------------------------


def parts_of(
    names: Iterable[str], sensors: Iterable[str], rules: Sequence[str], turns: int, seed: int
) -> Iterator[RatesPart]:
    """All parts of a measurement; the turns are spread over the rule sets."""
    for name, kind, rule_set in itertools.product(names, sensors, rules):
        if not can_be_played(name, kind, rule_set):
            continue
        share = -(-turns // len(rules))
        for number, first in enumerate(range(0, share, PART)):
            yield RatesPart(name, kind, rule_set, min(PART, share - first), f"{seed}.{number}")


def measured(parts: list[RatesPart], jobs: int, journal: Path | None) -> dict[tuple[str, str], Counter[str]]:
    """The counts of each habit and kind of sensors; parts in the journal are not played again."""
    total: dict[tuple[str, str], Counter[str]] = {}
    for part, counts in played(parts, play_part, jobs, journal):
        add(total.setdefault((part.habit, part.sensors), Counter()), counts)
    return total


# ---- the table -------------------------------------------------------------------------------------------

COLUMNS = (
    *("turns", "ambiguous", "shown", "mend", "shown (amb.)", "mend (amb.)"),
    *("wrong", "wrong (amb.)", "read so", "lost", "stuck", "asked", "silent"),
    *("wrong for a while", "longest ms", "late", "latest ms"),
)


NUMBERS = (
    *("wrong", "wrong, ambiguous", "read so", "lost", "stuck", "asked", "silent"),
    *("wrong for a while", LONGEST_WRONG, "late", LONGEST_LATE),
)


def table(total: dict[tuple[str, str], Counter[str]]) -> str:
    """The rates as a table of Markdown."""
    lines = ["| habit | sensors | " + " | ".join(COLUMNS) + " |", "|---" * (len(COLUMNS) + 2) + "|"]
    for (name, sensors), counts in total.items():
        clear = counts["turns"] - counts["ambiguous"]
        cells = [
            str(counts["turns"]),
            rate(counts["ambiguous"], counts["turns"]),
            rate(counts["shown"], clear),
            rate(counts["mend"], clear),
            rate(counts["shown, ambiguous"], counts["ambiguous"]),
            rate(counts["mend, ambiguous"], counts["ambiguous"]),
            *(str(counts[key]) for key in NUMBERS),
        ]
        lines.append(f"| {name} | {sensors} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def rate(count: int, of: int) -> str:
    """A rate per 100 with its 95 % interval by Wilson."""
    if not of:
        return "-"
    z = 1.96
    share, spread = count / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return f"{100 * share:.1f} ({100 * low:.1f}-{100 * high:.1f})"


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print; 1 if a turn was wrong or a step was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.rates")
    parser.add_argument("--turns", type=int, default=2000, help="hands of each habit and kind of sensors")
    parser.add_argument("--habits", default=",".join(HABITS), help="some of: %(default)s")
    parser.add_argument("--sensors", default="presence,polarity")
    parser.add_argument(
        "--rules",
        default="standard",
        help="rule sets, among which turns are shared; all of the mills, or mitsudomoe",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--journal", type=Path, help="file that keeps the parts that are done")
    options = parser.parse_args(arguments)
    rules = sorted(RULE_SETS) if options.rules == "all" else options.rules.split(",")
    sensors = ["pieces"] if rules == [STACKS] else options.sensors.split(",")
    chosen = options.habits.split(","), sensors
    total = measured(
        list(parts_of(*chosen, rules, options.turns, options.seed)), options.jobs, options.journal
    )
    print(table(total))  # noqa: T201 - a command's output
    return int(any(counts["wrong"] or counts["lost"] for counts in total.values()))


if __name__ == "__main__":
    sys.exit(main())
