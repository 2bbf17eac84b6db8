"""Play random hands on board after board: `python -m tests.fuzz.actions --actions 1000000 --journal FILE`.

People play, fumble, move back, knock pieces over, press buttons, break sensors and cut the power, in all
games and with all kinds of sensors, one after the other. Each board is a seed; rules and a table of the
tests' own judge all that it answers (`oracle.judging`, `actors.stacks`). An action is a line of input other
than `show`. None of these hands asks for the menu of light: gestures that would open it are counted.

Each board that was played, and each that broke a rule, is a line of the journal. With the same journal a run
goes on after the last one, until it has as many actions as were asked for. Printed are the counts of all
boards in the journal, and what broke; with broken rules the command returns 1, and so it does with a knock or
more than one hold-up in two thousand turns. Each board has a store in the folder for temporary files: with
`TMPDIR=/dev/shm` a run need not wait for a disk.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz.actors.seat import GAMES, MILL_SENSORS, STACKS, seated
from tests.fuzz.gestures import are_few, counted

KINDS = tuple(
    (game, sensors) for game in GAMES for sensors in (("pieces",) if game == STACKS else MILL_SENSORS)
)
"""Every game with every kind of sensors, in the order in which they are played."""
LAST_LINES = 30


@dataclass(frozen=True)
class PlayedSeed:
    """One board: what hands did there and what it answered, and the rule that it broke, if any."""

    seed: int
    game: str
    sensors: str
    counts: dict[str, int] = field(default_factory=dict)
    broken: str = ""


def play_board(game: str, sensors: str, seed: int, acts: int, *, again: bool = False) -> Counter[str]:
    """Let random hands do `acts` things and count them; an error says how to see what is broken.

    Done `again`, the same lines must be answered with the same bytes by another board.
    """
    luck = Random(seed)
    gestures: Counter[str] = Counter()
    with seated(game, sensors, seed) as seat:
        try:
            with counted(gestures):
                for act in luck.choices(list(seat.often), list(seat.often.values()), k=acts):
                    act(luck)
        except Exception as error:
            error.add_note(f"{seat.name}, after {len(seat.hands.script)} lines:")
            error.add_note("\n".join(seat.hands.script[-LAST_LINES:]))
            raise
        assert not again or seat.again() == "".join(seat.hands.heard)
        return seat.hands.tally + gestures + Counter({f"boards of {seat.game}": 1})


def board_of(seed: int) -> tuple[str, str, int]:
    """The game, the sensors and the number of acts of a seed."""
    game, sensors = KINDS[seed % len(KINDS)]
    return game, sensors, 40 + seed % 7 * 40


def boards(first: int) -> Iterator[PlayedSeed]:
    """Play one board after the other, from the seed `first` on."""
    for seed in itertools.count(first):
        game, sensors, acts = board_of(seed)
        try:
            yield PlayedSeed(seed, game, sensors, dict(play_board(game, sensors, seed, acts)))
        except Exception as error:  # noqa: BLE001 - all findings are reported at the end
            notes = getattr(error, "__notes__", ())
            yield PlayedSeed(seed, game, sensors, broken="\n".join([repr(error), *notes]))


def read(journal: Path | None) -> list[PlayedSeed]:
    """The boards of a journal."""
    if journal is None or not journal.exists():
        return []
    return [PlayedSeed(**json.loads(line)) for line in journal.read_text(encoding="utf-8").splitlines()]


def total(played: Iterable[PlayedSeed]) -> Counter[str]:
    """The counts of all boards together."""
    counts: Counter[str] = Counter()
    for board in played:
        counts.update(board.counts)
        counts["boards with a broken rule"] += bool(board.broken)
    return counts


def main(arguments: Sequence[str] | None = None) -> int:
    """Play until there are enough actions, and print what was played; 1 if a goal was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.actions")
    parser.add_argument("--actions", type=int, default=1_000_000, help="with those in the journal")
    parser.add_argument("--seed", type=int, default=0, help="the first board of a new journal")
    parser.add_argument("--journal", type=Path, help="file that keeps the boards that were played")
    options = parser.parse_args(arguments)
    played = read(options.journal)
    done = total(played)["actions"]
    new = boards(played[-1].seed + 1 if played else options.seed)
    while done < options.actions:
        board = next(new)
        played.append(board)
        done += board.counts.get("actions", 0)
        if options.journal is not None:
            with options.journal.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(board)) + "\n")
    _tell(f"seeds {played[0].seed} to {played[-1].seed}" if played else "no boards")
    counts = total(played)
    for what, number in sorted(counts.items()):
        _tell(f"  {number:8} {what}")
    broken = [board.broken for board in played if board.broken]
    _tell("\n\n".join(broken))
    return int(bool(broken) or not are_few(counts, counts["event turn"]))


def _tell(line: str) -> None:
    print(line, flush=True)  # noqa: T201 - a command's output


if __name__ == "__main__":
    sys.exit(main())
