"""People who play on a board for weeks, at the pace of people, while things break and are repaired.

What must hold: a turn that hands have completed is accepted within ACCEPTED_WITHIN where nothing is broken;
where something is, once the board is whole, unless the broken sensors have shown steps of their own in the
meantime. Then the lights lead back, and play goes on from where they lead.
"""

from __future__ import annotations

import hashlib
import json
import math
from random import Random
from typing import Any

from tests.fuzz.actors.board import BoardInProcess
from tests.fuzz.actors.mending import board_of
from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.handiwork import ends
from tests.fuzz.oracle.table import POINTS
from tests.soak.book import Book
from tests.soak.trouble import Trouble

ACCEPTED_WITHIN = 1.3
"""Longer than any wait before a step counts, and than a removed piece is away that counts as put back."""
DISK_ANSWERS_WITHIN = 6.0
"""Longer than until the disk is tried again."""
PLIES_OF_A_LONG_GAME = 160
"""Then people agree on a draw: random moves by rules without draws might never end."""

Turn = tuple[str, ...]


class SoakPeople:
    """Two people, their board, and what happens to it; every choice is drawn from `luck`."""

    def __init__(self, board: BoardInProcess, book: Book, luck: Random) -> None:
        self.now = 0.0
        self.standing: dict[str, str] = {}
        """The true owners of the pieces, by their points."""
        self.said = hashlib.sha256()
        self.recent: list[str] = []
        """The latest commands and events, to find causes."""
        self.trouble = Trouble(luck)
        self.book = book
        self._board = board
        self.luck = luck
        self._lines = 0
        self._hear(board.greeting)

    @property
    def counts(self) -> Any:
        """The number of times each thing happened."""
        return self.book.counts

    def do(self, **command: Any) -> None:
        """Do one thing at the board, which must be possible."""
        line = json.dumps(command)
        self._lines += 1
        self.recent = [*self.recent[-200:], line]
        self._hear(self._board.feed(line, self._lines))

    def _hear(self, lines: list[str]) -> None:
        for line in lines:
            self.recent.append(line)
            self.said.update(line.encode())
            told = json.loads(line)
            assert "error" not in told, told
            if "event" in told:
                self.book.hear(told)
            elif "state" in told:
                self.state = told["state"]

    def show(self) -> dict[str, Any]:
        """The board's state now."""
        self.do(show=True)
        state: dict[str, Any] = self.state
        return state

    def wait(self, seconds: float) -> None:
        """Let time pass; things break and are repaired in the meantime."""
        end = self.now + seconds
        while (due := self.trouble.due) <= end:
            self._pass(due - self.now)
            for command in self.trouble.happen(self.now, unkept_game=self.book.unkept_game):
                self.do(**command)
        self._pass(end - self.now)

    def _pass(self, seconds: float) -> None:
        if (seconds := round(seconds, 3)) > 0:
            self.do(wait=seconds)
            self.now += seconds

    def until_whole(self) -> None:
        """Wait until nothing is broken, and as long as the board then needs."""
        while True:
            self.wait(max(0.0, self.trouble.whole_at - self.now) + 0.001)
            mended = self.trouble.mended
            self.wait(DISK_ANSWERS_WITHIN if self.book.nothing_is_kept else ACCEPTED_WITHIN)
            if not self.trouble.broken and self.trouble.mended == mended:
                return

    # ---- a game ------------------------------------------------------------------------------------------

    def game(self) -> None:
        """Play a game to some end, and begin the next."""
        games = self.book.games
        while not self.book.score.ending and self.book.games == games:
            chance = self.luck.random()
            if chance < 0.004 or len(self.book.score.steps) > PLIES_OF_A_LONG_GAME:
                self._ask(self.luck.choice(["resign", "draw"]))
            elif chance < 0.005 and self.book.score.steps:
                break
            elif chance < 0.02 and self.book.score.steps:
                self._ask("take-back")
                if self.luck.random() < 0.3:
                    self._ask("redo")
                self._lead_back()
            else:
                self._turn()
        self.wait(self.luck.uniform(2, 30))
        if self.book.games == games:
            if self.luck.random() < 0.3:
                self._ask("new-game", rules=self.luck.choice(sorted(plain.RULE_SETS)))
            self._clear(games)

    def _ask(self, request: str, **more: Any) -> None:
        self.until_whole()
        if request in ("resign", "draw") and self.book.score.ending:
            return
        if request == "redo" and not self.book.score.undone:
            return
        if request == "take-back" and (not self.book.score.steps or self.book.score.ending):
            return
        self.do(do=request, **more)
        self.counts[f"asked: {request}"] += 1

    def _clear(self, games: int) -> None:
        """Take all pieces off until the next game is reported."""
        for _ in range(20):
            for point in sorted(self.standing):
                self._lift(point)
                self.wait(self.luck.uniform(0.1, 0.6))
            self.do(box=True)
            self.wait(3.3)
            begins = self.book.games > games or not self.book.score.ending  # or none was played to be ended
            if begins and not self.book.score.steps:
                return
            self.until_whole()
        raise AssertionError("the board is clear, and no game begins")

    def _turn(self) -> None:
        """Play a turn as people do; it must be accepted, sooner or later."""
        if self.standing != dict(self.book.score.now.board):
            self._lead_back()
            return
        self.wait(min(120.0, math.exp(self.luck.gauss(1.6, 0.8))))
        score, games = self.book.score, self.book.games
        if score.ending or self.standing != dict(score.now.board):
            return
        before, whole = list(score.steps), self.trouble.mended
        turn, mover = self._choose(), score.now.to_move
        self._fumble(mover)
        for step in turn:
            self._step(step, mover)
        self.counts["turns completed by hands"] += 1
        self.wait(ACCEPTED_WITHIN)
        wanted = before + list(turn)
        if self.book.games == games and score.steps == wanted:
            self.counts["turns accepted at once"] += 1
        else:
            self._must_be_accepted(games, before, wanted, sound=self.trouble.was_whole(whole))

    def _must_be_accepted(self, games: int, before: list[str], wanted: list[str], *, sound: bool) -> None:
        """It must be once the board is whole, unless broken sensors had shown others: those are led back.

        A board that asks, since a chattering sensor has left two readings, has not missed the turn.
        """
        score = self.book.score
        assert not sound, f"nothing is broken, and {wanted[len(before) :]} was missed"
        self.until_whole()
        if self.book.games == games and score.steps == wanted:
            self.counts["turns accepted once the board was whole"] += 1
            return
        truly = self.book.games == games and wanted[: len(score.steps)] == score.steps
        if truly and len(score.steps) >= len(before):
            assert self.show()["status"] == "undecided", f"{wanted[len(before) :]} was missed"
        self.counts["turns done again, since a broken board had shown others"] += 1
        self._lead_back()

    def _choose(self) -> Turn:
        legal = plain.whole_turns(self.book.score.now)
        turns = [turn for turn in legal if "x-" not in turn] or legal
        taking = [turn for turn in turns if turn[-1][0] == "x"]
        return self.luck.choice(taking if taking and self.luck.random() < 0.8 else turns)

    # ---- hands -------------------------------------------------------------------------------------------

    def _step(self, step: str, mover: str) -> None:
        origin, target = ends(step)
        if origin and target and self.luck.random() < 0.3 and _are_near(origin, target):
            seconds = round(self.luck.uniform(0.2, 1.2), 2)
            self.standing[target] = self.standing.pop(origin)
            self.now += seconds
            self.do(slide=[origin, target], seconds=seconds)
        else:
            if origin:
                self._lift(origin)
                self.wait(self.luck.uniform(0.2, 2.0))
            if target:
                self._put(target, mover)
            else:
                self.do(box=True)
        self.wait(self.luck.uniform(0.35, 2.5))

    def _fumble(self, colour: str) -> None:
        """Touch an own piece before a turn, now and then, and put it back.

        After it, where pieces may be moved while others are in hand, it would look like a move to the point
        that was just filled: sensors that feel no colour cannot know better.
        """
        own = sorted(point for point, owner in self.standing.items() if owner == colour)
        if own and self.luck.random() < 0.05:
            point = self.luck.choice(own)
            self._lift(point)
            self.wait(self.luck.uniform(0.2, 0.8))
            self._put(point, colour)
            self.wait(self.luck.uniform(0.5, 1.5))

    def _lift(self, point: str) -> None:
        self.do(lift=point)
        del self.standing[point]

    def _put(self, point: str, colour: str) -> None:
        self.do(put=point, piece=colour)
        self.standing[point] = colour

    # ---- what lights lead to -----------------------------------------------------------------------------

    def _lead_back(self) -> None:
        """Do what the lights ask for until the board stands as its game does."""
        self.until_whole()
        for _ in range(20):
            state = self.show()
            stands = self.standing == dict(self.book.score.now.board) == board_of(state["position"])
            if self.book.score.ending or (state["status"] in ("ready", "remove") and stands):
                return
            if state["status"] == "clear":
                self._clear(self.book.games - 1)
            else:
                self._stand(board_of(state["position"]))
            self.wait(ACCEPTED_WITHIN)
            self.until_whole()
        raise AssertionError(f"still {self.state['status']} after all that the lights asked for was done")

    def _stand(self, wanted: dict[str, str]) -> None:
        for point in POINTS:
            if point in self.standing and self.standing[point] != wanted.get(point):
                self._lift(point)
        self.do(box=True)
        for point, colour in sorted(wanted.items()):
            if point not in self.standing:
                self._put(point, colour)


def _are_near(one: str, other: str) -> bool:
    return any(
        one in line and other in line and abs(line.index(one) - line.index(other)) == 1
        for line in plain.LINES
    )
