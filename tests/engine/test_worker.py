"""The engine's process, by its pipes."""

from __future__ import annotations

import io
import itertools
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import IO

import pytest

from firmware_host.engine.lines import LineReader
from firmware_host.engine.worker import Worker
from tests.support.engine.process import process
from tests.support.engine.tables import write_damaged
from tests.support.games.morris import mill_rules
from tests.support.paths import PROJECT

TIMEOUT = 60
FLYING = "OO*O****/********/@@**@*** w m s 3 0 3 0 0 0 0 0 0 0 0 0 9"


def answers(text: str) -> list[str]:
    """Return the lines that a worker in this process writes to an input that ends, none about progress."""
    out = io.StringIO()
    with tempfile.TemporaryFile() as file:
        file.write(text.encode("utf-8", "surrogateescape"))
        file.seek(0)
        Worker(LineReader(file.fileno()), out).run()
    return [line for line in out.getvalue().splitlines() if not line.startswith("info depth ")]


def answer(out: IO[str]) -> str:
    """Return the next line of a process that isn't about the progress of a search."""
    return next(line for line in out if not line.startswith("info depth "))


def test_worker_answers_and_quits() -> None:
    with process() as running:
        out, errors = running.communicate(
            "uci\nposition startpos\ngo level 2\nisready\nstop\nquit\n", TIMEOUT
        )
    assert running.returncode == 0
    assert errors == ""
    assert {"readyok", "uciok"} < set(out.splitlines())


def test_engine_command_speaks_the_protocol() -> None:
    with process("firmware_host", "engine") as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("position startpos moves d6\ngo level 3\n")
        running.stdin.flush()
        assert answer(running.stdout).startswith("bestmove ")
        running.stdin.close()
        assert running.wait(TIMEOUT) == 0


@pytest.mark.ci("programs")
def test_worker_that_searches_is_stopped() -> None:
    with process() as running:
        assert running.stdin is not None
        assert running.stdout is not None
        for line in ("go level 8", "isready", "stop"):
            running.stdin.write(f"{line}\n")
            running.stdin.flush()
        found = {answer(running.stdout).split()[0] for _ in range(2)}
        assert found == {"readyok", "bestmove"}


def test_worker_gives_a_request_up_for_the_next() -> None:
    lines = answers("go level 8\ngo level 8\nposition startpos moves d6\ngo level 8\nquit\n")
    assert lines == []


@pytest.mark.parametrize("request_", ["go movetime 100 level 8", "go level 3", "go level 3\nisready"])
def test_worker_whose_input_ends_answers_the_last_request(request_: str) -> None:
    found = answers(f"position startpos moves d6\n{request_}\n")
    assert [line.split()[0] for line in found if line != "readyok"] == ["bestmove"]


@pytest.mark.parametrize(("line", "word"), [("isready", "readyok"), ("x" * 70_000, "error")])
def test_worker_takes_a_last_line_without_its_end(line: str, word: str) -> None:
    assert [found.split()[0] for found in answers(line)] == [word]


def test_worker_whose_input_ends_searches_as_long_as_before() -> None:
    request = "setoption name Seed value 5\nposition startpos moves d6 f4 b4\ngo level 5\n"
    with process() as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(request)
        running.stdin.flush()
        unhurried = answer(running.stdout).strip()
    assert answers(request) == [unhurried]


def test_worker_that_gives_a_request_up_reports_no_progress() -> None:
    out = io.StringIO()
    with tempfile.TemporaryFile() as file:
        file.write(b"go level 8\nquit\n")
        file.seek(0)
        Worker(LineReader(file.fileno()), out).run()
    assert out.getvalue() == ""


def test_worker_that_searches_quits_without_an_answer() -> None:
    assert answers("position startpos moves d6\ngo movetime 200 level 8\nquit\n") == []


def test_worker_answers_isready_within_a_search() -> None:
    assert answers("go level 8\nisready\nstop\n")[0] == "readyok"
    assert answers("go level 8\nisready\nstop\n")[1].startswith("bestmove ")


def test_worker_names_damaged_tables_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = write_damaged(tmp_path, mill_rules("standard", ["flying=never"]))
    file.with_name("5-3.mwt").touch()
    monkeypatch.setenv("MILLWRIGHT_TABLES", str(tmp_path))
    ask = f"setoption name Switches value flying=never\nposition fen {FLYING}\nvalues movetime 1000\n"
    with process() as running:
        out, _ = running.communicate(ask + "go level 6\n", TIMEOUT)
    opening = "info string damaged "
    remarks = [json.loads(line[len(opening) :]) for line in out.splitlines() if line.startswith(opening)]
    assert [remark["slots"]["path"] for remark in remarks] == ["3-3.mwt"]  # the other one isn't asked for
    assert remarks[0]["slots"]["why"] == "a part of the table is damaged"
    assert {path.name for path in tmp_path.rglob("*")} >= {remark["slots"]["aside"] for remark in remarks}


@pytest.mark.parametrize("garbage", ["\udcff\udcfe", "x" * 70_000, "\0\0", "position fen " + "O" * 66_000])
def test_worker_answers_garbage_with_one_error(garbage: str) -> None:
    first, second = answers(f"{garbage}\nisready\n")
    assert first.startswith("error ")
    assert second == "readyok"


def test_worker_answers_garbage_in_any_locale() -> None:
    with process("firmware_host", "engine", PYTHONIOENCODING="ascii") as running:
        out, errors = running.communicate("bl\u00f6\nisready\n", TIMEOUT)
    assert errors == ""
    assert out.splitlines() == ["error 'bl\u00f6' is not a request of this protocol; try uci", "readyok"]


@pytest.mark.ci("programs")
@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_engine_without_a_pipe_says_so_in_a_line(closed: str) -> None:
    command = f"{shlex.quote(sys.executable)} -m firmware_host engine {closed}"
    ended = subprocess.run(  # noqa: S602 - only a shell starts it without
        command, shell=True, cwd=PROJECT, input="uci\n", capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert ended.stderr == "Error: the engine needs standard input and output\n"


def test_search_ends_in_time_while_input_never_does() -> None:
    ticks = itertools.count()
    out = io.StringIO()
    with Path("/dev/zero").open("rb") as endless:
        worker = Worker(LineReader(endless.fileno()), out, clock=lambda: next(ticks) / 1000)
        task = worker.conversation.receive("go movetime 50 level 8").task
        assert task is not None
        worker._perform(task)
    *progress, last = out.getvalue().splitlines()
    assert last.startswith("bestmove ")
    assert [line.split()[:3] for line in progress] == [
        ["info", "depth", str(depth + 1)] for depth in range(len(progress))
    ]


def test_reader_keeps_no_more_lines_than_it_was_asked_for() -> None:
    receiving, sending = os.pipe()
    try:
        reader = LineReader(receiving)
        for _ in range(5):
            os.write(sending, b"isready\n" * 1000)
            reader.poll()
        assert len(reader.lines) == 1000
    finally:
        os.close(receiving)
        os.close(sending)


def test_worker_keeps_to_movetime() -> None:
    with process() as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write("position startpos moves d6\ngo level 8 movetime 20\n")
        running.stdin.flush()
        answer = next(line for line in running.stdout if not line.startswith("info depth "))
        assert answer.startswith("bestmove ")


def test_worker_gives_a_review_up_for_the_next_request() -> None:
    moves = "d6 f4 d5 d2 a1 d7 g7 g4 b4 c4"
    lines = answers(f"position startpos moves {moves}\nreview\nuci\n")
    assert lines[-1] == "uciok"
    assert "reviewok" not in lines


@pytest.mark.ci("programs")
def test_worker_ends_quietly_when_nobody_reads() -> None:
    with process() as running:
        assert running.stdin is not None
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        running.stdin.write("uci\nisready\n")
        running.stdin.close()
        assert running.wait(TIMEOUT) == 0
        assert running.stderr.read() == ""


@pytest.mark.ci("programs")
def test_worker_in_the_background_answers_too() -> None:
    with process("firmware_host.engine.worker", "--background") as running:
        out, errors = running.communicate("position startpos moves d6\nreview\n", TIMEOUT)
    assert (errors, out.splitlines()[-1]) == ("", "reviewok")
