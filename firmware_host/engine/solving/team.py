"""Building several pairs of sectors at a time, each in a thread: the library in C needs no interpreter.

**Invariants:** a sector begins once all that captures lead to are on the disk, and while there is memory for
it beside those that are being built; if nothing is being built, the next one always begins. The first error
ends the others at their next safe moment, and is raised once they have ended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from threading import Event, Lock

from firmware_host.engine.solving.folder import with_mirror
from firmware_host.engine.table_file import TableSummary
from firmware_host.engine.table_rules import AnySector, Sector
from firmware_host.frozen import frozen

Progress = Callable[[AnySector, int, int, int], bool]


@dataclass
class Team:
    """The listener of all builders: one of them speaks at a time, and once it is stopped, all end."""

    tell_progress: Progress
    tell_finished: Callable[[AnySector, TableSummary], None]
    _stopped: Event = field(default_factory=Event)
    _lock: Lock = field(default_factory=Lock)

    def stop(self) -> None:
        """Have all builders end."""
        self._stopped.set()

    def progress(self, sector: AnySector, stage: int, done: int, total: int) -> bool:
        """Note the progress of one builder; True stops it."""
        with self._lock:
            if not self._stopped.is_set() and self.tell_progress(sector, stage, done, total):
                self.stop()
            return self._stopped.is_set()

    def finished(self, sector: AnySector, summary: TableSummary) -> None:
        """Note that a sector is on the disk."""
        with self._lock:
            self.tell_finished(sector, summary)


@frozen
class Plan:
    """The pairs of sectors to build, named by their larger sides, in an order in which they can be built."""

    sectors: Sequence[Sector]
    needs: Mapping[Sector, frozenset[Sector]]
    """The pairs among them that captures in each lead to."""
    memory: Mapping[Sector, int]
    """The bytes that each takes while it is built."""

    def startable(
        self, waiting: Sequence[Sector], running: Sequence[Sector], free: int | None
    ) -> list[Sector]:
        """Return those of `waiting` that can begin beside `running`, with `free` bytes for all of them."""
        begun = list(running)
        for sector in waiting:
            is_ready = self.needs[sector].isdisjoint((*waiting, *running))
            used = sum(self.memory[one] for one in begun)
            if is_ready and (not begun or free is None or used + self.memory[sector] <= free):
                begun.append(sector)
        return begun[len(running) :]


def plan_of(
    sectors: Sequence[Sector],
    captures_from: Callable[[Sector], Sequence[Sector]],
    memory_of: Callable[[Sector], int],
) -> Plan:
    """Return the plan for `sectors`; `captures_from` returns the sectors that captures in one lead to."""
    known = set(sectors)
    needs = {}
    for sector in sectors:
        below = (each for one in with_mirror(sector) for each in captures_from(one))
        needs[sector] = frozenset((max(one), min(one)) for one in below) & known - {sector}
    return Plan(sectors, needs, {sector: memory_of(sector) for sector in sectors})


def build_together(
    plan: Plan, build_one: Callable[[Sector], None], team: Team, jobs: int, free: int | None
) -> None:
    """Build all sectors of a plan, at most `jobs` at a time; raise what a builder raises."""
    waiting = list(plan.sectors)
    running: dict[Future[None], Sector] = {}
    error: BaseException | None = None
    with ThreadPoolExecutor(jobs, "table") as pool:
        while waiting or running:
            for sector in plan.startable(waiting, list(running.values()), free)[: jobs - len(running)]:
                waiting.remove(sector)
                running[pool.submit(build_one, sector)] = sector
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                del running[future]
                error = error or future.exception()
            if error is not None:
                team.stop()
                waiting.clear()
    if error is not None:
        raise error
