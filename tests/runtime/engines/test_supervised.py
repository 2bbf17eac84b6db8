"""The engine's process: one that plays, and children that die, hang, flood and lie."""

from __future__ import annotations

import itertools
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from firmware_host.engine.external.program import PATIENCE, START_SECONDS
from firmware_host.engine.searching import scoring
from firmware_host.engine.searching.mitsudomoe import MitsudomoeSearch
from firmware_host.games.game import Game, Player, Rules, legal_turns
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result
from firmware_host.i18n import Message
from firmware_host.play.engine_turns import WantedTurn
from firmware_host.play.hint_light import WantedHint
from firmware_host.runtime.engines import supervised
from firmware_host.runtime.engines.child import EngineError, EngineProcess
from firmware_host.runtime.engines.opponent import Answer, Wanted
from firmware_host.runtime.engines.supervised import (
    ANSWER_TIMEOUT,
    EXTERNAL_TIMEOUT,
    LOAD_TIMEOUT,
    SupervisedEngine,
)
from firmware_host.runtime.factory import worker_command
from firmware_host.settings import Microseconds, Play
from tests.support.engine.helpers import Helper

MISSING = Message("fault.engine.missing")
PATIENCE_S = 20.0
FRAME: Microseconds = 5_000


def child(script: str) -> tuple[str, ...]:
    return (sys.executable, "-u", "-c", script)


ANSWERS = child(
    "import sys\n"
    "for line in sys.stdin:\n"
    "    if line.startswith('go'): print('info depth 1'); print('bestmove f4')\n"
)
DIES = child("pass")
HANGS = child("import sys\nfor line in sys.stdin:\n    if line.startswith('isready'): print('readyok')\n")
FLOODS = child("import sys\nwhile True: print('info string ' + 100 * 'x')\n")
LIES = child("import sys\nfor line in sys.stdin:\n    if line.startswith('go'): print('bestmove d6')\n")
REFUSES = child(
    "import sys\nfor line in sys.stdin:\n    if line.startswith('go'): print('error no such level')\n"
)
BABBLES = child(
    "import sys\nfor line in sys.stdin:\n    if line.startswith('go'): print('bestmove (none)')\n"
)
REMARKS = child(
    "import sys\n"
    "for line in sys.stdin:\n"
    "    if line.startswith('go'): print('info string 3-3.mwt: it is not used'); print('bestmove d7')\n"
)
SLOW = child(
    "import sys\n"
    "for line in sys.stdin:\n"
    "    if line.startswith('position'): moves = line.split()[-1]\n"
    "    if line.startswith('stop'): print('bestmove a1')\n"
    "    if line.startswith('go') and moves == 'f4': print('bestmove d7')\n"
)


VALUES = child(
    "import sys\n"
    "for line in sys.stdin:\n"
    "    if line.startswith('values'):\n"
    "        print('turn d6 win 3 exact'); print('turn f4 win 3'); print('turn +b2_b1-b2 loss exact')\n"
    "        print('valuesok')\n"
)
NONSENSE = child(
    "import sys\nfor line in sys.stdin:\n    if line.startswith('values'): print('turn d6 splendid')\n"
)


def hint(*turns: str, rules: Rules | None = None) -> WantedHint:
    return WantedHint(wanted(*turns, rules=rules).game, 0)


@cache
def empty(name: str, number: int) -> Game:
    rules = rule_set(name)
    return Game.begin(rules, rules.start(Player.WHITE))


def wanted(*turns: str, level: int = 2, rules: Rules | None = None, number: int = 1) -> WantedTurn:
    """Return the wish for a turn in one game by these rules, or in another one by `number`."""
    game = empty((rules or rule_set()).name, number)
    for turn in turns:
        game = game.play(game.position.legal_step(turn))
    return WantedTurn(game, level, 0)


@contextmanager
def engine(command: tuple[str, ...] | None = None) -> Iterator[SupervisedEngine]:
    one = SupervisedEngine(7) if command is None else SupervisedEngine(7, command)
    try:
        yield one
    finally:
        one.close()


def until(found: Callable[[], object]) -> object:
    """Return what `found` returns first that is not None or False, as processes take their time."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        if (value := found()) not in (None, False):
            return value
        time.sleep(0.005)
    raise AssertionError("nothing happened")


def is_legal(text: object, want: WantedTurn) -> bool:
    game = want.game
    return text in {game.rules.turn_text(turn.steps) for turn in legal_turns(game.position)}


def test_the_worker_chooses_legal_turns_one_after_the_other() -> None:
    with engine() as one:
        for want in (wanted("d6"), wanted("d6", "f4", "d7"), wanted("d6", "f4", "d7", "a1", "a7")):
            one.ask(want)
            assert is_legal(until(lambda: one.answer(0)), want)
        assert one.trouble is None


def test_the_worker_plays_turns_that_have_spaces() -> None:
    rules = rule_set("mitsudomoe")
    with engine() as one:
        for steps in ((), ("+b2", "b1-b2")):
            want = wanted(*steps, level=1, rules=rules)
            one.ask(want)
            turn = until(lambda: one.answer(0))
            assert isinstance(turn, str)
            assert " " in turn
            assert is_legal(turn, want)
        assert one.trouble is None


def test_an_answer_is_returned_once() -> None:
    with engine(ANSWERS) as one:
        one.ask(wanted("d6"))
        assert until(lambda: one.answer(0)) == "f4"
        assert one.answer(0) is None


def test_an_answer_that_is_out_of_date_is_dropped() -> None:
    with engine(SLOW) as one:
        one.ask(wanted("d6"))
        assert one.answer(0) is None
        one.ask(wanted("d6", "f4"))
        assert until(lambda: one.answer(0)) == "d7"


@pytest.mark.parametrize(
    "command", [DIES, FLOODS, BABBLES, ("/nonexistent/engine",)], ids=["dies", "floods", "babbles", "missing"]
)
def test_a_failing_process_is_replaced_by_a_weak_engine(command: tuple[str, ...]) -> None:
    want = wanted("d6", "f4", "d7", level=8)
    with engine(command) as one:
        one.ask(want)
        assert is_legal(until(lambda: one.answer(0)), want)
        assert one.trouble == MISSING


def test_the_weak_engine_does_without_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[object] = []
    monkeypatch.setattr(scoring, "search_library", lambda: used.append("library"))
    want = wanted("d6", "f4", "d7", level=8)
    with engine(DIES) as one:
        one.ask(want)
        assert is_legal(until(lambda: one.answer(0)), want)
    assert used == []


def test_the_weak_engine_answers_soon_in_any_game(monkeypatch: pytest.MonkeyPatch) -> None:
    visited: list[MitsudomoeSearch] = []
    monkeypatch.setattr(MitsudomoeSearch, "heed", lambda self, stop, nodes=0: heeded(self, stop, nodes))

    def heeded(self: MitsudomoeSearch, stop: Callable[[], bool], nodes: int) -> None:
        visited.append(self)
        self.stop = stop

    want = wanted("+b2", "b1-b2", level=8, rules=rule_set("mitsudomoe"))
    with engine(DIES) as one:
        one.ask(want)
        assert is_legal(until(lambda: one.answer(0)), want)
    assert visited[-1].nodes < 200  # without a limit there are 407


def test_a_process_that_refuses_a_request_has_failed(caplog: pytest.LogCaptureFixture) -> None:
    with engine(REFUSES) as one:
        one.ask(want := wanted("d6"))
        assert is_legal(until(lambda: one.answer(0)), want)
        assert one.trouble == MISSING
    assert "it refuses a request: no such level" in caplog.text


def test_killing_a_process_does_not_wait_for_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    process, end = EngineProcess(HANGS), threading.Event()
    wait = process._child.wait

    def slow_wait(timeout: float | None = None) -> int:
        end.wait()
        return wait(timeout)

    monkeypatch.setattr(process._child, "wait", slow_wait)
    process.kill()
    end.set()
    assert until(lambda: process._child.returncode is not None)


def test_another_program_ends_with_its_worker_and_all_helpers(tmp_path: Path) -> None:
    helper, script = Helper(tmp_path), tmp_path / "program.py"
    script.write_text(f"import sys\nprint('uciok', flush=True)\n{helper.orphaned}while True: pass\n", "utf-8")
    process = EngineProcess(worker_command(Play(external=(sys.executable, str(script)))))
    process.send("position startpos", "go external movetime 60000")
    helper.wait_for_begin()
    process.kill()
    helper.wait_for_end()


def test_a_process_that_hangs_is_killed() -> None:
    want = wanted("d6", "f4", "d7", level=8)
    with engine(HANGS) as one:
        one.ask(want)
        times = itertools.count(0, LOAD_TIMEOUT + 1)
        assert until(lambda: one.answer(next(times)) or one.trouble) == MISSING
        assert is_legal(until(lambda: one.answer(0)), want)


class SilentProcess:
    """A process that says that it is ready, or not even that, and never answers a request."""

    loads = True

    def __init__(self, command: tuple[str, ...]) -> None:
        self.has_loaded = self.is_ready = self.external_failed = False
        self.damaged = None

    def send(self, *lines: str) -> None:
        assert lines[0] == "isready"
        self.is_ready = False

    def answers(self) -> list[Answer]:
        self.has_loaded = self.is_ready = self.loads
        return []

    def kill(self) -> None:
        pass


def silence(monkeypatch: pytest.MonkeyPatch, wish: Wanted, *, loads: bool = True) -> Microseconds:
    """Return how long a silent process leaves `wish` without an answer, until the board says so."""
    monkeypatch.setattr(SilentProcess, "loads", loads)
    monkeypatch.setattr("firmware_host.runtime.engines.child.EngineProcess", SilentProcess)
    with engine(HANGS) as one:
        one.ask(wish)
        for now in range(0, 100_000_000, FRAME):
            if one._start is not None:
                one._start.wait(PATIENCE_S)
            if one.trouble is not None:
                assert one.trouble == MISSING
                return now
            assert one.answer(now) is None
    raise AssertionError("the board has said nothing")


@pytest.mark.parametrize("wish", [wanted("d6", level=8), hint("d6")], ids=["turn", "hint"])
def test_a_hanging_engine_is_reported_within_seconds(wish: Wanted, monkeypatch: pytest.MonkeyPatch) -> None:
    assert 6_000_000 <= silence(monkeypatch, wish) <= 6_000_000 + 6 * FRAME


def test_an_engine_may_take_longer_to_load(monkeypatch: pytest.MonkeyPatch) -> None:
    assert 0 <= silence(monkeypatch, wanted("d6"), loads=False) - 2 * LOAD_TIMEOUT <= 6 * FRAME


def test_a_start_that_does_not_end_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    disk, want = threading.Event(), wanted("d6")
    started: list[SilentProcess] = []

    def stuck(command: tuple[str, ...]) -> SilentProcess:
        disk.wait()
        started.append(SilentProcess(command))
        return started[0]

    monkeypatch.setattr("firmware_host.runtime.engines.child.EngineProcess", stuck)
    with engine(HANGS) as one:
        one.ask(want)
        for now in (0, LOAD_TIMEOUT + 1, LOAD_TIMEOUT + 2, 2 * LOAD_TIMEOUT + 3):
            assert one.answer(now) is None
        assert one.trouble == MISSING
        assert is_legal(until(lambda: one.answer(0)), want)
        disk.set()
        until(lambda: started)
        assert one.answer(0) is None
        assert one.trouble == MISSING


def test_an_engine_may_wait_for_another_program(monkeypatch: pytest.MonkeyPatch) -> None:
    wish = replace(wanted("d6"), external=True)
    assert 0 <= silence(monkeypatch, wish) - 2 * EXTERNAL_TIMEOUT <= 6 * FRAME
    limits = START_SECONDS + PATIENCE * supervised._EXTERNAL_MOVETIME_MS / 1000
    assert limits * 1_000_000 + ANSWER_TIMEOUT <= EXTERNAL_TIMEOUT


def test_a_process_that_loads_slowly_has_its_time_to_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SilentProcess, "loads", False)
    monkeypatch.setattr("firmware_host.runtime.engines.child.EngineProcess", SilentProcess)
    with engine(HANGS) as one:
        one.ask(wanted("d6"))
        assert one._start is not None
        one._start.wait(PATIENCE_S)
        one.answer(0)
        monkeypatch.setattr(SilentProcess, "loads", True)
        first = one._process
        for now in (LOAD_TIMEOUT, LOAD_TIMEOUT + ANSWER_TIMEOUT):
            assert one.answer(now) is None
            assert one._process is first
        one.answer(LOAD_TIMEOUT + ANSWER_TIMEOUT + 1)
        assert one._process is not first


def test_a_process_that_lies_twice_is_not_asked_again() -> None:
    want = wanted("d6", "f4", "d7", level=8)
    with engine(LIES) as one:
        one.ask(want)
        for _ in range(2):
            assert one.trouble is None
            assert until(lambda: one.answer(0)) == "d6"
            one.reject("d6")
        assert one.trouble == MISSING
        assert is_legal(until(lambda: one.answer(0)), want)


@pytest.mark.parametrize(
    ("name", "turns"),
    [("standard", ("d6", "f4", "d7")), ("mitsudomoe", ("+b2", "b1-b2"))],
    ids=["standard", "mitsudomoe"],
)
def test_the_strong_engine_is_tried_again_in_the_next_game(name: str, turns: tuple[str, ...]) -> None:
    rules = rule_set(name)
    with engine(DIES) as one:
        one.ask(wanted(*turns, rules=rules))
        assert until(lambda: one.answer(0))
        one.ask(wanted(rules=rules))
        assert one.trouble == MISSING
        one.ask(wanted(*turns, rules=rules, number=2))
        assert one.trouble is None


def test_one_failure_is_forgiven_after_a_good_answer() -> None:
    with engine(LIES) as one:
        one.ask(wanted("d6"))
        until(lambda: one.answer(0))
        one.reject("d6")
        until(lambda: one.answer(0))
        one.ask(wanted("d6", "f4"))  # the answer was accepted
        until(lambda: one.answer(0))
        one.reject("d6")
        assert one.trouble is None


def test_a_remark_of_the_process_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    with engine(REMARKS) as one:
        for turns in (("d6",), ("d6", "f4")):
            one.ask(wanted(*turns))
            assert until(lambda: one.answer(0)) == "d7"
    logged = [record.message for record in caplog.records if record.message.startswith("the engine says")]
    assert logged == ["the engine says: 3-3.mwt: it is not used"]


def test_giving_up_without_an_engine_does_nothing() -> None:
    with engine(ANSWERS) as one:
        one.give_up()
        assert one.answer(0) is None


def test_a_process_that_reads_nothing_takes_no_more_requests() -> None:
    process = EngineProcess(child("import time; time.sleep(60)"))
    try:
        with pytest.raises(EngineError, match="takes no requests"):
            process.send("x" * 1_000_000)
    finally:
        process.kill()


# ---- hints -------------------------------------------------------------------------------------------


def test_the_worker_gives_the_result_of_every_turn() -> None:
    rules = rule_set()
    game = Game.begin(rules, rules.position("*@@***O*/O*****O*/*****O*@ w m s 4 0 3 0 0 0 0 0 0 0 0 0 14"))
    with engine() as one:
        one.warm_up()
        one.ask(WantedHint(game, 0))
        results = until(lambda: one.answer(0))
        assert isinstance(results, tuple)
        found = dict(results)
        assert {*found} == {rules.turn_text(turn.steps) for turn in legal_turns(game.position)}
        assert (found["a1-a4xe5"], found["d6-d5"], found["c4-c3"]) == (Result.WIN, Result.DRAW, Result.LOSS)
        assert one.answer(0) is None


def test_a_turn_and_a_hint_take_turns() -> None:
    with engine() as one:
        one.ask(hint())
        one.ask(want := wanted("d6"))
        assert is_legal(until(lambda: one.answer(0)), want)
        one.ask(hint("d6", "f4"))
        assert isinstance(until(lambda: one.answer(0)), tuple)
        assert one.trouble is None


def test_only_proved_results_are_known() -> None:
    with engine(VALUES) as one:
        one.ask(hint())
        results = (("d6", Result.WIN), ("f4", Result.UNKNOWN), ("+b2 b1-b2", Result.LOSS))
        assert until(lambda: one.answer(0)) == results


@pytest.mark.parametrize("command", [DIES, FLOODS, NONSENSE], ids=["dies", "floods", "talks nonsense"])
def test_a_failing_process_gives_no_hint_and_says_so(command: tuple[str, ...]) -> None:
    with engine(command) as one:
        one.ask(hint())
        assert until(lambda: one.answer(0) or one.trouble) == MISSING
        one.ask(hint("d6", "f4"))
        assert one.answer(0) is None
        one.ask(want := wanted("d6", "f4", "d7", level=8))
        assert is_legal(until(lambda: one.answer(0)), want)


def test_a_process_that_hangs_over_a_hint_is_killed_soon() -> None:
    with engine(HANGS) as one:
        one.ask(hint())
        times = itertools.count(0, LOAD_TIMEOUT + 1)
        assert until(lambda: one.answer(next(times)) or one.trouble) == MISSING


def test_warming_up_starts_one_process_and_no_failed_one() -> None:
    with engine(DIES) as one:
        one.warm_up()
        one.warm_up()
        one.ask(hint())
        assert until(lambda: one.answer(0) or one.trouble) == MISSING
        one.warm_up()
        assert one.trouble == MISSING
