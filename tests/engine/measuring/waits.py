"""The time that people wait for an answer or a hint of an engine that has a part of a core, on Linux.

    python -m tests.engine.measuring.waits --share 0.1 --positions 40 --hints

The engine is the process that a real board starts, asked as a board asks it. It runs in a control group of
its own, which gives it this share of a core in each hundredth of a second; making the group takes the rights
of root. The board's loop isn't slowed, so this is the wait for the engine alone. A board passes no turn on
before 0.7 s, and shows a hint within a second or not at all.

Positions are those of `answers`. One line is printed for the start with its first answer, one for each level,
and one for hints.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from firmware_host.games.game import Game
from firmware_host.games.rulesets import DEFAULT, LEVELS, RULE_SETS
from firmware_host.play.engine_turns import WantedTurn
from firmware_host.play.hint_light import WantedHint
from firmware_host.runtime.engines.opponent import Wanted
from firmware_host.runtime.engines.supervised import WORKER, SupervisedEngine
from firmware_host.settings import Microseconds
from tests.engine.measuring.answers import report, sampled

_PERIOD_US = 10_000
_FRAME_S = 0.005
_MAX_WAIT_S = 60.0
_GROUPS = Path("/sys/fs/cgroup")
_JOIN = 'echo $$ > "$0" && exec "$@"'
"""A shell joins the group and becomes the engine, so that its start is slow as well."""


def slow_group(share: float, groups: Path = _GROUPS) -> Path:
    """Return the file that a process joins the group by, which stays; raises SystemExit without one."""
    unified = (groups / "cgroup.controllers").exists()
    group = (groups if unified else groups / "cpu") / "millwright-waits"
    quota = round(share * _PERIOD_US)
    try:
        group.mkdir(exist_ok=True)
        if unified:
            (groups / "cgroup.subtree_control").write_text("+cpu")
            (group / "cpu.max").write_text(f"{quota} {_PERIOD_US}")
        else:
            (group / "cpu.cfs_period_us").write_text(f"{_PERIOD_US}")
            (group / "cpu.cfs_quota_us").write_text(f"{quota}")
    except OSError as error:
        raise SystemExit(f"{group}: {error.strerror}. Run this as root on Linux.") from error
    return group / "cgroup.procs"


def worker(members: Path) -> Sequence[str]:
    """Return the command of an engine that joins a group first."""
    return ("/bin/sh", "-c", _JOIN, str(members), *WORKER)


class Waits:
    """An engine and a clock."""

    def __init__(self, engine: SupervisedEngine) -> None:
        self._engine = engine
        self._began = time.monotonic()

    def _now(self) -> Microseconds:
        return round((time.monotonic() - self._began) * 1_000_000)

    def of(self, wanted: Wanted) -> float:
        """Return the seconds from a wish to its answer, looked for in each frame."""
        began = time.monotonic()
        self._engine.ask(wanted)
        while self._engine.answer(self._now()) is None:
            if self._engine.trouble is not None or time.monotonic() - began > _MAX_WAIT_S:
                raise SystemExit(f"the engine has failed: {self._engine.trouble}")
            time.sleep(_FRAME_S)
        waited = time.monotonic() - began
        self._engine.give_up()
        return waited

    def for_turn(self, game: Game, level: int) -> float:
        """Return the seconds until a turn is chosen."""
        return self.of(WantedTurn(game, level, self._now()))

    def for_hint(self, game: Game) -> float:
        """Return the seconds until a hint is known."""
        return self.of(WantedHint(game, self._now()))


def main() -> None:
    """Measure, and print a line for each level."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--share", type=float, default=0.1, help="of one core")
    parser.add_argument("--positions", type=int, default=40)
    parser.add_argument("--rules", default=DEFAULT, choices=sorted(RULE_SETS))
    parser.add_argument("--levels", type=int, nargs="*", default=list(LEVELS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moving", action="store_true", help="only positions after placing")
    parser.add_argument("--hints", action="store_true", help="hints as well")
    given = parser.parse_args()
    games = sampled(given.rules, given.positions, given.seed, given.moving)
    engine = SupervisedEngine(given.seed, worker(slow_group(given.share)))
    waits = Waits(engine)
    try:
        report("start and first answer", [waits.for_turn(games[0], LEVELS[0])])
        for level in given.levels:
            report(f"level {level}", (waits.for_turn(game, level) for game in games))
        if given.hints:
            report("hints", (waits.for_hint(game) for game in games))
    finally:
        engine.close()


if __name__ == "__main__":
    main()
