"""Programs at a seat of the board that play, die, lie, hang and flood: another program, and the board's own.

Each is a process, as on a real board; another program speaks to the engine's own. The hands are those of a
test.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from firmware_host.games.game import legal_turns
from firmware_host.i18n import Message
from firmware_host.play import requests
from firmware_host.play.controller import Controller
from firmware_host.play.engine_turns import ANSWER_AFTER, WantedTurn
from firmware_host.play.events import ENGINE
from firmware_host.play.seats import SeatHolder, Seats
from firmware_host.runtime.engines import supervised
from firmware_host.runtime.engines.opponent import Opponent
from firmware_host.runtime.engines.supervised import SupervisedEngine
from firmware_host.runtime.factory import worker_command
from firmware_host.settings import Microseconds, Play
from tests.support.scripted_board import after, controller_of

STANDS_IN = Message("fault.engine.external")
MISSING = Message("fault.engine.missing")
PATIENCE_S = 60.0
MOVETIME_MS = 100


def program(path: Path, answer: str) -> Path:
    """Write a program that speaks the protocol, and does `answer` for each request of a turn."""
    path.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "def say(text): print(text, flush=True)\n"
        "for line in sys.stdin:\n"
        "    words = line.split()\n"
        "    if words[0] == 'uci': say('uciok')\n"
        "    if words[0] == 'isready': say('readyok')\n"
        f"    if words[0] == 'go': {answer}\n",
        "utf-8",
    )
    path.chmod(0o755)
    return path


class ProgramTable:
    """A board on which White has played d6, and another program or the board's engine plays Black."""

    def __init__(self, engine: SupervisedEngine, level: int | None = None) -> None:
        board = after("d6", seats=Seats(black=SeatHolder(level, external=level is None)))
        self.board = board
        self.controller: Controller = controller_of(board)
        self.engine = engine
        self.opponent = Opponent(self.controller, engine, partial(requests.perform, self.controller))

    def chosen(self, passing: Microseconds = 0) -> str:
        """Return the turn that is chosen for Black, once it is; `passing` is the time from look to look."""
        now, end = self.board.now + ANSWER_AFTER, time.monotonic() + PATIENCE_S
        self.controller.step(self.board.frame, self.board.now)
        self.opponent.serve(self.board.now)
        while time.monotonic() < end:
            self.controller.step(self.board.frame, now)
            self.opponent.serve(now)
            if self.board.session.chosen:
                return self.board.session.game.rules.turn_text(self.board.session.chosen)
            time.sleep(0.005)
            now += passing
        raise AssertionError("nothing was chosen")

    def is_legal(self, turn: str) -> bool:
        """Return whether Black may make a turn."""
        game = self.board.session.game
        return turn in {game.rules.turn_text(legal.steps) for legal in legal_turns(game.position)}


@contextmanager
def table(command: Path) -> Iterator[ProgramTable]:
    engine = SupervisedEngine(7, worker_command(Play(external=(str(command),))))
    try:
        yield ProgramTable(engine)
    finally:
        engine.close()


def test_another_program_chooses_the_turn(tmp_path: Path) -> None:
    with table(program(tmp_path / "plays", "say('bestmove b6')")) as played:
        assert played.chosen() == "b6"
        assert ENGINE not in played.controller.faults


@pytest.mark.ci("programs")
@pytest.mark.parametrize(
    "answer",
    ["sys.exit(1)", "say('bestmove d6')", "pass", "[say(1000 * 'x') for _ in range(100_000)]"],
    ids=["dies", "lies", "hangs", "floods"],
)
def test_the_board_stands_in_for_a_program_that_fails(
    answer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervised, "_EXTERNAL_MOVETIME_MS", MOVETIME_MS)
    with table(program(tmp_path / "fails", answer)) as played:
        assert played.is_legal(played.chosen())
        assert played.controller.faults[ENGINE] == STANDS_IN


def test_a_program_that_is_missing_is_stood_in_for(tmp_path: Path) -> None:
    with table(tmp_path / "missing") as played:
        played.chosen()
        assert played.controller.faults[ENGINE] == STANDS_IN


def test_a_program_that_plays_again_is_no_longer_at_fault(tmp_path: Path) -> None:
    with table(program(tmp_path / "program", "sys.exit(1)")) as played:
        played.chosen()
        assert played.engine.trouble == STANDS_IN
        program(tmp_path / "program", "say('bestmove b6')")
        played.engine.ask(WantedTurn(played.board.session.game, 6, 0, external=True))
        end = time.monotonic() + PATIENCE_S
        while (answer := played.engine.answer(0)) is None and time.monotonic() < end:
            time.sleep(0.005)
        assert answer == "b6"
        assert played.engine.trouble is None


@pytest.mark.ci("programs")
def test_a_program_that_failed_is_tried_again_in_the_next_game(tmp_path: Path) -> None:
    with table(program(tmp_path / "program", "sys.exit(1)")) as played:
        played.chosen()
        assert played.engine.trouble == STANDS_IN
        program(tmp_path / "program", "say('bestmove b6')")
        again = ProgramTable(played.engine)  # a game of one step, which is another one
        assert again.chosen() == "b6"
        assert ENGINE not in again.controller.faults


@pytest.mark.parametrize(
    ("answer", "passing"),
    [
        ("sys.exit(1)", 0),
        ("say('bestmove d6')", 0),
        ("pass", supervised.LOAD_TIMEOUT + 1),
        ("[say('info string ' + 1000 * 'x') for _ in range(100_000)]", 0),
    ],
    ids=["dies", "lies", "hangs", "floods"],
)
def test_the_board_plays_on_weakly_if_its_engine_fails(
    answer: str, passing: Microseconds, tmp_path: Path
) -> None:
    engine = SupervisedEngine(7, (str(program(tmp_path / "engine", answer)),))
    try:
        played = ProgramTable(engine, 8)
        assert played.is_legal(played.chosen(passing))
        assert played.controller.faults[ENGINE] == MISSING
    finally:
        engine.close()


def test_the_command_of_the_engine_has_program_and_options() -> None:
    play = Play(external=("/opt/sanmill", "uci"), external_options=("SkillLevel=8",), external_name="")
    assert worker_command(play)[-5:] == ("--option", "SkillLevel=8", "--external", "/opt/sanmill", "uci")
    assert worker_command(Play()) == supervised.WORKER
    assert play.program == "sanmill"
    assert Play(external=("/opt/x",), external_name="Sanmill 7").program == "Sanmill 7"
