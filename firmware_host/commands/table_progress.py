"""The progress of making and checking tables, which wait while somebody plays: lines for people, or JSON."""

from __future__ import annotations

import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from types import FrameType
from typing import Any

import click

from firmware_host.engine.solving.folder import sector_name
from firmware_host.engine.solving.library import BuildStoppedError, Progress
from firmware_host.engine.table_file import TableSummary
from firmware_host.engine.table_rules import AnySector, PlacingSector
from firmware_host.errors import PageError
from firmware_host.maintenance.board_client import configured_address, get_object

# ---- the board of this machine --------------------------------------------------------------------------
# A watch over the board of this machine, for work that should wait while somebody plays on it.
#
# Invariants: a board that doesn't answer, or that nobody has touched for five minutes, holds nothing up.
# Time is an argument.


REST_S = 300.0
"""The time after the last turn from which on nobody counts as playing."""
POLL_INTERVAL_S = 5.0
_IDLE = {"paused", "over"}

GameStatus = dict[str, Any]
"""The status of a board, as its page reports it."""


def game_here() -> GameStatus | None:
    """Return the status of this machine's board; None if none answers."""
    try:
        return get_object(*configured_address(None, None, None), "/status")
    except PageError:
        return None


@dataclass
class PlayWatch:
    """Follows a board."""

    look: Callable[[], GameStatus | None]
    _looked_at: float | None = None
    _changed_at: float = 0.0
    _seen: object = None
    _is_playing: bool = False

    def is_playing(self, now: float) -> bool:
        """Return whether somebody plays, `now` in seconds; the board is asked every few seconds at most."""
        if self._looked_at is None or now - self._looked_at >= POLL_INTERVAL_S:
            self._looked_at = now
            self._is_playing = self._found(self.look(), now)
        return self._is_playing

    def _found(self, status: GameStatus | None, now: float) -> bool:
        game = status.get("game") if status is not None else None
        if not isinstance(game, dict) or status is None:
            return False
        state = status.get("status"), game.get("turns"), game.get("last_turn")
        if state != self._seen:
            self._seen, self._changed_at = state, now
        is_going_on = bool(game.get("turns")) and game.get("outcome") is None and state[0] not in _IDLE
        return is_going_on and now - self._changed_at < REST_S


# ---- progress -------------------------------------------------------------------------------------------


_INTERRUPTED = 130
"""The exit status of a program that Ctrl-C stopped, as shells have it."""
_INTERVAL = 1.0
"""The seconds between two lines of progress."""


@dataclass
class TableProgress:
    """Prints the progress of building or checking."""

    as_json: bool
    watch: PlayWatch | None = None
    stopped: bool = False
    _printed: float = 0.0
    _began: dict[AnySector, float] = field(default_factory=dict)

    def progress(self, sector: AnySector, stage: int, done: int, total: int) -> bool:
        """Print a line, but not more often than once a second; return True if the user has had enough."""
        now = time.monotonic()
        self._began.setdefault(sector, now)
        if now - self._printed >= _INTERVAL:
            self._printed = now
            self._say(sector, stage, done / max(total, 1))
            self._pause(sector)
        return self.stopped

    def _pause(self, sector: AnySector) -> None:
        """Wait while somebody plays on this machine's board."""
        is_waiting = False
        while self.watch is not None and not self.stopped and self.watch.is_playing(time.monotonic()):
            if not is_waiting and self.as_json:
                print_json(sector=sector_name(sector), paused=True)
            elif not is_waiting and sys.stderr.isatty():
                clear_line()
                click.echo("Somebody plays on the board; waiting", nl=False, err=True)
            is_waiting = True
            time.sleep(_INTERVAL)

    def _say(self, sector: AnySector, stage: int, share: float) -> None:
        if self.as_json:
            print_json(sector=sector_name(sector), stage=stage, done=round(share, 3))
        elif sys.stderr.isatty():
            first = "placing" if isinstance(sector, PlacingSector) else "first look"
            step = f"turn {stage - 1}" if stage > 1 else first
            click.echo(f"\r{sector_name(sector)}: {step}, {share:4.0%}  ", nl=False, err=True)

    def proving(self, player: str) -> Progress:
        """Return the progress function of a proof."""

        def solved(_stage: int, done: int, _total: int) -> bool:
            return self._say_now(
                f"{player} player: {done:,} positions solved", certificate=player, solved=done
            )

        return solved

    def walking(self, player: str) -> Progress:
        """Return the progress function of the check of a certificate."""

        def walked(turn: int, done: int, total: int) -> bool:
            share = done / max(total, 1)
            text = f"{player} player: turn {turn + 1}, {share:4.0%}"
            return self._say_now(text, certificate=player, turn=turn + 1, done=round(share, 3))

        return walked

    def checking(self, sector: AnySector, before: float, own: float) -> Progress:
        """Return the progress function of the check of a sector.

        Of the whole check, the share `before` is done, and `own` is that of this sector.
        """
        name = sector_name(sector)

        def checked(_stage: int, done: int, total: int) -> bool:
            share = done / max(total, 1)
            whole = before + share * own
            text = f"{name}: {share:4.0%}; all tables: {whole:4.0%}"
            return self._say_now(text, sector=name, done=round(share, 3), all=round(whole, 3))

        return checked

    def packing(self, sector: AnySector, _stage: int, done: int, total: int) -> bool:
        """Print the progress of compressing a sector; return True if the user has had enough."""
        name, share = sector_name(sector), done / max(total, 1)
        return self._say_now(f"{name}: {share:4.0%}", sector=name, done=round(share, 3))

    def _say_now(self, text: str, **fields: Any) -> bool:
        """Print a line, but not more often than once a second; return True if the user has had enough."""
        now = time.monotonic()
        if now - self._printed >= _INTERVAL:
            self._printed = now
            if self.as_json:
                print_json(**fields)
            elif sys.stderr.isatty():
                click.echo(f"\r{text}  ", nl=False, err=True)
        return self.stopped

    def finished(self, sector: AnySector, summary: TableSummary) -> None:
        """Print the counts of a sector that is on the disk."""
        began = self._began.get(sector, self._began.get((sector[1], sector[0]), time.monotonic()))
        seconds = round(time.monotonic() - began, 1)
        if self.as_json:
            print_json(
                sector=sector_name(sector), positions=summary.positions, seconds=seconds, **asdict(summary)
            )
        else:
            clear_line()
            both = "" if isinstance(sector, PlacingSector) else " with its mirror image"
            click.echo(f"{sector_name(sector)}: {counts_text(summary)}, {seconds:.1f} s{both}")


def clear_line() -> None:
    """Clear the line of progress on a terminal."""
    if sys.stderr.isatty():
        click.echo("\r\033[K", nl=False, err=True)


def print_json(**fields: Any) -> None:
    """Print one JSON object on a line of its own."""
    click.echo(json.dumps(fields))


def counts_text(summary: TableSummary) -> str:
    """Return the numbers of positions in a sector as text."""
    depth = f", at most {summary.depth} turns" if summary.depth else ""
    return (
        f"{summary.positions:,} positions, {summary.wins:,} won, {summary.losses:,} lost, "
        f"{summary.draws:,} drawn{depth}"
    )


@contextmanager
def interruptible(progress: TableProgress, rest: str) -> Iterator[None]:
    """Let Ctrl-C end the work at the next safe moment, which comes within a second or so.

    `rest` says what the same command does then.
    """

    def stop(_number: int, _frame: FrameType | None) -> None:
        progress.stopped = True

    before = signal.signal(signal.SIGINT, stop), signal.signal(signal.SIGTERM, stop)
    try:
        yield
    except BuildStoppedError:
        clear_line()
        click.echo(f"Stopped. {rest}", err=True)
        raise SystemExit(_INTERRUPTED) from None
    finally:
        signal.signal(signal.SIGINT, before[0])
        signal.signal(signal.SIGTERM, before[1])
