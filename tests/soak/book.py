"""The games that a board reports over a month, kept by the plain rules, and the contents that its file must
have.

Each `step` must be legal where the game stands, by the rules of `tests/fuzz/oracle`; a reported step is never
lost, whenever the power fails, unless the board had reported that nothing is saved. Games that are done with
are written to a file at once, so that the book of a month is no longer than that of a game.
"""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from firmware_host.store.database import GamesFile, StoredGame
from tests.fuzz.oracle.score import MillScore, Object


@dataclass
class Book:
    """The games of one board, whose file is `store`; those that are done with go to `ledger`."""

    store: Path
    ledger: Path
    score: MillScore = field(default_factory=MillScore)
    counts: Counter[str] = field(default_factory=Counter)
    games: int = 0
    """The number of games begun."""
    nothing_is_kept: bool = False
    unkept_game: bool = False
    """True if a game was begun while nothing was saved: without power it would be gone."""
    _kept: StoredGame | None = None
    """The game that was begun last, as the file had it when the power went."""
    _may_lose: bool = False
    """True if something was reported while nothing was saved, and was not written since."""
    _power_went: bool = False
    """True if the power failed since, and the board has not yet reported the game it continues."""

    def hear(self, event: Object) -> None:
        """Take in one event; raises AssertionError where it cannot be."""
        self.counts[f"event {event['event']}"] += 1
        match event:
            case {"event": "game"}:
                self._begin(event)
            case {"event": "step"}:
                self.score.step(event)
                self._may_lose |= self.nothing_is_kept
            case {"event": "turn"}:
                self.score.turn(event)
            case {"event": "taken-back", "ply": int(ply)}:
                self.score.take_back(ply)
                self._may_lose |= self.nothing_is_kept
            case {"event": "redone", "ply": int(ply)}:
                self.score.redo(ply)
                self._may_lose |= self.nothing_is_kept
            case {"event": "over"}:
                self.score.end(event)
                self.counts[f"games ended: {event['reason']}"] += 1
                self._may_lose |= self.nothing_is_kept
            case {"event": "power", "power": "off"}:
                self._kept = _last(self.store)  # before the program that starts next begins another game
                self._power_went = True
            case {"event": "continued"}:
                self._go_on(event)
            case {"event": "fault", "part": "disk"}:
                self.nothing_is_kept = True
                self._may_lose = True
            case {"event": "fault-cleared", "part": "disk"}:
                self.nothing_is_kept = self.unkept_game = self._may_lose = False

    def close(self) -> None:
        """Note the last game as well."""
        self._note()

    def _begin(self, event: Object) -> None:
        if self._power_went and self._may_lose:
            self.counts["games that went with the power, since nothing was kept"] += 1
        elif self.games:
            self._note()
        self._power_went = False
        self.score.begin(event)
        self.games += 1
        self.unkept_game = self.nothing_is_kept

    def _note(self) -> None:
        if self.score.steps or self.score.declared:
            line = json.dumps([self.score.steps, self.score.ending])
            with self.ledger.open("a") as ledger:
                ledger.write(line + "\n")

    def _go_on(self, event: Object) -> None:
        """The program was restarted: the game as the file has it, which is at least everything reported."""
        told, ending, first = list(self.score.steps), self.score.declared, self.score.record[0].to_move
        kept, self._power_went = self._kept, False
        line = told + self.score.undone
        assert kept is not None, f"{event}, but the file has no game"
        steps = [step.text for step in kept.saved.steps]
        assert event["ply"] == len(steps), f"{event}, but the file has {len(steps)} steps"
        if not self._may_lose:
            assert steps[: len(told)] == told, f"{told} were told, and {steps} are kept"
        self.score.begin({"rules": event["rules"], "first": first})
        for text in steps:
            self.score.step({"text": text, "by": self.score.now.to_move})
        if self.score.ending is None:
            self.score.declared = _ending(kept)
        if line[: len(steps)] == steps:
            self.score.undone = line[len(steps) :]
        assert ending is None or self._may_lose or self.score.declared == ending
        self.counts["steps that went with the power, since nothing was kept"] += max(
            0, len(told) - len(steps)
        )
        self.nothing_is_kept = self.unkept_game = self._may_lose = False

    def check_file(self) -> tuple[int, int]:
        """Compare the file with everything reported; return the numbers of games and steps."""
        file = GamesFile(self.store, only_read=True)
        try:
            steps = games = 0
            for kept, noted in zip_longest(_played(file), _lines(self.ledger)):
                assert kept is not None, f"the file has not {noted}"
                has = [[step.text for step in kept.saved.steps], _ending(kept)]
                assert has == noted, f"game {games + 1} is kept as {has}, and was told as {noted}"
                steps += len(kept.saved.steps)
                games += 1
        finally:
            file.close()
        return games, steps

    def file_of_the_same(self, path: Path) -> None:
        """Write what is kept to a new file at once: what it needs at least."""
        file, copy = GamesFile(self.store, only_read=True), GamesFile(path)
        try:
            deque(copy.add(_played(file)), maxlen=0)
        finally:
            copy.close()
            file.close()


def _last(path: Path) -> StoredGame | None:
    file = GamesFile(path, only_read=True)
    try:
        return file.last()
    finally:
        file.close()


def _ending(kept: StoredGame) -> Object | None:
    """As events tell it."""
    outcome = kept.saved.outcome
    if outcome is None:
        return None
    return {"winner": outcome.winner and str(outcome.winner), "reason": str(outcome.reason)}


def _played(file: GamesFile) -> Iterator[StoredGame]:
    for row in file.rows():
        kept = file.game(row)
        if kept.saved.steps or kept.saved.outcome:
            yield kept


def _lines(path: Path) -> Iterator[Object]:
    with path.open() as ledger:
        yield from map(json.loads, ledger)
