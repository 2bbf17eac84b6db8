"""Another program as the opponent: one that plays, and those that lie, hang, flood and die."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from firmware_host.engine.external.program import ExternalEngine
from firmware_host.errors import ExternalEngineError
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from tests.support.engine.helpers import Helper
from tests.support.engine.process import process

MILL_READY = ("d6", "f4", "d5", "d2")


def played(*steps: str) -> Game:
    rules = rule_set()
    game = Game.begin(rules, rules.start(Player.WHITE))
    for step in steps:
        game = game.play(game.position.legal_step(step))
    return game


def program(tmp_path: Path, body: str) -> list[str]:
    """Return the command of a program that answers uci and then runs `body` for each go."""
    path = tmp_path / "program.py"
    lines = "\n".join(f"        {line}" for line in body.splitlines())
    path.write_text(
        "import sys, time\n"
        "say = lambda text: print(text, flush=True)\n"
        "for line in sys.stdin:\n"
        "    words = line.split()\n"
        "    if words[0] == 'uci': say('uciok')\n"
        "    if words[0] == 'position': moves = words[3:]\n"
        f"    if words[0] == 'go':\n{lines}\n",
        "utf-8",
    )
    return [sys.executable, str(path)]


@contextmanager
def engine(command: list[str], ticks: float | None = None) -> Iterator[ExternalEngine]:
    """Yield an engine whose clock advances by `ticks` seconds with each look at it, if that is given."""
    steps = itertools.count()
    found = (
        ExternalEngine(command)
        if ticks is None
        else ExternalEngine(command, clock=lambda: next(steps) * ticks)
    )
    try:
        yield found
    finally:
        found.close()


def test_external_engine_of_this_protocol_plays() -> None:
    with engine([sys.executable, "-m", "firmware_host.engine.worker"]) as other:
        other.options = ("Level=3",)
        assert other.choose(played(*MILL_READY), 5000) in ("d7xf4", "d7xd2")


def test_external_engine_that_answers_step_by_step_plays(tmp_path: Path) -> None:
    command = program(tmp_path, "say('bestmove xf4' if moves[-1] == 'd7' else 'bestmove d7')")
    with engine(command) as other:
        assert other.choose(played(*MILL_READY), 5000) == "d7xf4"


def test_external_reply_to_ponder_on_is_no_part_of_a_turn(tmp_path: Path) -> None:
    with engine(program(tmp_path, "say('bestmove d6 ponder f4')")) as other:
        assert other.choose(played(), 5000) == "d6"


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("say('bestmove d6')", "illegal answer 'd6'"),
        ("say('bestmove z9')", "illegal answer 'z9'"),
        ("say('bestmove')", "no turn in"),
        ("sys.exit(3)", "it has ended"),
    ],
)
def test_external_engine_that_fails_raises(body: str, reason: str, tmp_path: Path) -> None:
    with engine(program(tmp_path, body)) as other, pytest.raises(ExternalEngineError, match=reason):
        other.choose(played(*MILL_READY), 5000)


@pytest.mark.ci("programs")
def test_external_engine_that_hangs_is_given_up(tmp_path: Path) -> None:
    with engine(program(tmp_path, "pass"), ticks=0.05) as other:
        with pytest.raises(ExternalEngineError, match="no bestmove in time"):
            other.choose(played(*MILL_READY), 500)
        assert other._child is None


def test_external_engine_that_starts_slowly_has_its_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [0.0]
    start = ExternalEngine._start

    def slow_start(self: ExternalEngine, stop: Callable[[], bool]) -> None:
        now[0] += 9
        start(self, stop)

    monkeypatch.setattr(ExternalEngine, "_start", slow_start)
    with engine(program(tmp_path, "say('bestmove d7xf4')")) as other:
        other.clock = lambda: now[0]
        assert other.choose(played(*MILL_READY), 100) == "d7xf4"


def test_external_engine_that_floods_is_ended(tmp_path: Path) -> None:
    with engine(program(tmp_path, "while True: say('x' * 4000)"), ticks=0.0001) as other:
        with pytest.raises(ExternalEngineError, match="bytes of output a second"):
            other.choose(played(*MILL_READY), 10_000)
        assert other._child is None


def test_external_engine_that_never_reads_is_given_up() -> None:
    with engine([sys.executable, "-c", "print('uciok', flush=True); import time; time.sleep(600)"]) as other:
        other.options = ("Book=" + "x" * 1_000_000,)
        with pytest.raises(ExternalEngineError, match="it reads no requests"):
            other.choose(played(), 1000)


def test_external_engine_is_given_options_in_any_language() -> None:
    script = (
        "import sys; print('uciok', flush=True)\n"
        "while b'go' not in (line := sys.stdin.buffer.readline()):\n"
        "    if line.startswith(b'setoption'): book = line.decode().strip().endswith(' M\\u00fchle')\n"
        "print('bestmove d6' if book else 'bestmove', flush=True)\n"
    )
    with engine([sys.executable, "-c", script]) as other:
        other.options = ("Book=M\u00fchle",)
        assert other.choose(played(), 5000) == "d6"


def test_external_engine_that_is_missing_raises(tmp_path: Path) -> None:
    with (
        engine([str(tmp_path / "missing")]) as other,
        pytest.raises(ExternalEngineError, match="No such file"),
    ):
        other.choose(played(), 100)


def test_external_engine_that_is_stopped_answers_nothing(tmp_path: Path) -> None:
    with engine(program(tmp_path, "pass")) as other:
        asked = itertools.count()
        assert other.choose(played(), 60_000, lambda: next(asked) > 3) is None


def test_worker_plays_for_an_external_engine_that_lies(tmp_path: Path) -> None:
    command = program(tmp_path, "say('bestmove d6')")
    with process("firmware_host.engine.worker", "--external", *command) as running:
        asked = "position startpos moves d6 f4 d5 d2\ngo external movetime 5000\n"
        assert running.stdin is not None
        assert running.stdout is not None
        found = []
        for _ in range(3):
            running.stdin.write(asked)
            running.stdin.flush()
            while not (line := running.stdout.readline()).startswith("bestmove"):
                if not line.startswith("info depth "):
                    found.append(line)
            assert line in ("bestmove d7 xf4\n", "bestmove d7 xd2\n")
    assert len(found) == 3
    assert found[2] == "info string external failed 2 times, and isn't asked again\n"
    assert found[1].startswith("info string external failed, 2 of 2: ")
    assert "illegal answer 'd6' in " in found[1]


@pytest.mark.ci("programs")
def test_worker_plays_for_an_external_engine_that_hangs(tmp_path: Path) -> None:
    command = program(tmp_path, "pass")
    with process("firmware_host.engine.worker", "--external", *command) as running:
        out, _ = running.communicate("position startpos moves d6 f4 d5 d2\ngo external movetime 50\n", 60)
    remark, *_, answer = out.splitlines()
    assert remark.startswith("info string external failed, 1 of 2: ")
    assert "no bestmove in time" in remark
    assert answer in ("bestmove d7 xf4", "bestmove d7 xd2")


@pytest.mark.ci("programs")
def test_worker_without_an_external_engine_says_so() -> None:
    with process("firmware_host.engine.worker") as running:
        out, _ = running.communicate("go external\nisready\n", 60)
    assert out.splitlines()[0] == "error no other program is configured; leave out external"


def test_external_engine_is_ended_with_a_helper_of_other_session(tmp_path: Path) -> None:
    helper = Helper(tmp_path)
    with engine(program(tmp_path, f"{helper.started}say('bestmove d6')")) as other:
        assert other.choose(played(), 5000) == "d6"
        helper.wait_for_begin()
    helper.wait_for_end()
