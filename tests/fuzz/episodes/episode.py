"""One hand on a board of its own, the same on every build: no answer of a board decides what is done.

A position is found by the plain rules, a turn or two are played from it without haste, and then comes the
hand.
"""

from __future__ import annotations

import traceback
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any

from tests.fuzz.actors.lines import HandJudgement
from tests.fuzz.actors.seat import STACKS
from tests.fuzz.episodes.boards import AnyBoard, filler_of, new_board, planned
from tests.fuzz.episodes.catalogue import NEAR_THE_END, NOT_READ, SOLO
from tests.fuzz.episodes.positions import near_the_end, somewhere
from tests.fuzz.oracle.plain_rules import WHITE, MillMoment

TRIES = 12
"""The number of plain turns after which a habit is given up that does not apply."""


@dataclass(frozen=True, order=True)
class Episode:
    """A hand by its habit and its seed."""

    habit: str
    sensors: str
    rules: str
    seed: int

    def __str__(self) -> str:
        return f"{self.habit} {self.sensors} {self.rules} {self.seed}"


@dataclass(frozen=True)
class EpisodeResult:
    """The result of an episode; `judgement` is None where the habit did not apply."""

    judgement: dict[str, Any] | None = None
    ambiguous: bool = False
    stuck: bool = False
    refused: bool = False
    """True if the plain turns before the hand were not understood."""
    broken: str = ""
    """The error, if a rule of the game or of the protocol was broken."""
    script: list[str] = field(default_factory=list)


def play_episode(episode: Episode) -> EpisodeResult:
    """Play an episode on a new board; errors are a part of the result."""
    luck = Random(str(episode))
    start = None if episode.rules == STACKS else _start(episode, luck)
    with new_board(episode.habit, episode.rules, episode.sensors, luck, start) as board:
        try:
            return _played(board, episode, luck)
        except Exception as error:  # noqa: BLE001 - all findings are reported at the end
            where = "".join(traceback.format_exception(error)[-2:])
            return EpisodeResult(broken=where, script=board.lines.script)


def _start(episode: Episode, luck: Random) -> MillMoment:
    if episode.habit in NEAR_THE_END:
        return near_the_end(episode.rules, luck)
    while True:
        moment = somewhere(episode.rules, luck)
        if episode.habit not in SOLO or moment.to_move == WHITE:
            return moment


def _played(board: AnyBoard, episode: Episode, luck: Random) -> EpisodeResult:
    choices = (4, 10, 20, 35) if episode.rules == STACKS else (0, 1, 1, 2)  # stacks have to grow first
    before = 0 if episode.habit in NEAR_THE_END else luck.choice(choices)
    for number in range(before + TRIES):
        plan = planned(board, episode.habit, luck) if number >= before else None
        if plan is not None:
            judgement = board.play(plan, judged=episode.habit not in NOT_READ)
            return _result(board, episode, luck, judgement)
        filler = planned(board, filler_of(episode.habit), luck) if board.playable else None
        if filler is None:
            return EpisodeResult()
        if board.play(filler, judged=False).mended:
            has_to_ask = bool(board.lines.states[-1][1].get("confirm"))  # what no sensor shows
            return EpisodeResult(refused=not has_to_ask, script=board.lines.script)
    return EpisodeResult()


def _result(board: AnyBoard, episode: Episode, luck: Random, judgement: HandJudgement) -> EpisodeResult:
    script = list(board.lines.script)
    stuck = judgement.mended and board.playable and episode.habit not in SOLO and not board.mend(luck)[0]
    return EpisodeResult(asdict(judgement), judgement.ambiguous, stuck, script=script)
