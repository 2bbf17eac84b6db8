"""Games analysed in the background: by the engine, and by processes that die, lie and hang."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Queue

import pytest

from firmware_host.engine.review import Review
from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.runtime.analyst import Analyst
from firmware_host.views.analysis import NOT_BEGUN, Progress

PATIENCE_S = 60.0


def game(*turns: str, rules: str = "standard") -> Game:
    chosen = rule_set(rules)
    found = Game.begin(chosen, chosen.start(Player.WHITE))
    for turn in turns:
        found = found.play(found.position.legal_step(turn))
    return found


GAME = game("d6", "f4", "d5")
OTHER = game("d6", "f4", "d2")


def child(script: str) -> tuple[str, ...]:
    return (sys.executable, "-u", "-c", script)


def answering(*lines: str) -> tuple[str, ...]:
    """Return the command of a process that answers a review with these lines."""
    said = "\\n".join(lines)
    return child(f"import sys\nfor line in sys.stdin:\n    if line == 'review\\n': print('{said}')\n")


ONE = "reviewed before=unknown after=unknown estimate=1"
HANGS = answering(ONE)


@contextmanager
def analyst(command: tuple[str, ...] | None = None) -> Iterator[Analyst]:
    one = Analyst() if command is None else Analyst(command)
    try:
        yield one
    finally:
        one.close()


def until(is_done: Callable[[], bool]) -> None:
    """Wait until `is_done`, as processes take their time."""
    end = time.monotonic() + PATIENCE_S
    while not is_done():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.005)


def ended(one: Analyst, some: Game = GAME) -> Progress:
    until(lambda: not one.progress(some).is_running)
    return one.progress(some)


@pytest.mark.ci("engine")
def test_analyst_reviews_a_game_and_has_it_kept() -> None:
    kept: Queue[Review] = Queue()
    with analyst() as one:
        one.begin(GAME, kept.put)
        found = ended(one)
        review = kept.get(timeout=PATIENCE_S)
    assert found.review == review
    assert found.done == len(review) == 3
    assert [turn.turn for turn in review] == ["d6", "f4", "d5"]


def test_analyst_reports_how_far_it_is() -> None:
    with analyst(HANGS) as one:
        one.begin(GAME, lambda _: None)
        until(lambda: one.progress(GAME).done == 1)
        assert one.progress(GAME).is_running
        assert one.progress(OTHER) == NOT_BEGUN


def test_analyst_does_not_begin_twice() -> None:
    with analyst(HANGS) as one:
        one.begin(GAME, lambda _: None)
        until(lambda: one.progress(GAME).done == 1)
        one.begin(GAME, lambda _: None)
        assert one.progress(GAME).done == 1


def test_analyst_gives_a_game_up_for_another() -> None:
    with analyst(HANGS) as one:
        one.begin(GAME, lambda _: None)
        until(lambda: one.progress(GAME).done == 1)
        one.begin(OTHER, lambda _: None)
        assert one.progress(GAME) == NOT_BEGUN
        until(lambda: one.progress(OTHER).done == 1)


def test_analyst_gives_a_game_up_on_request() -> None:
    with analyst(HANGS) as one:
        one.begin(GAME, lambda _: None)
        until(lambda: one.progress(GAME).done == 1)
        one.end(OTHER)
        assert one.progress(GAME).is_running
        one.end(GAME)
        assert one.progress(GAME) == NOT_BEGUN


@pytest.mark.parametrize(
    "command",
    [
        child("pass"),
        ("/nonexistent/engine",),
        answering("error no"),
        answering("reviewok"),
        answering(ONE, "reviewed nonsense"),
        answering(ONE, ONE, ONE, ONE),
        answering("reviewed before=draw after=loss estimate=0 better=d6:draw"),
    ],
    ids=["dies", "missing", "error", "too-few", "nonsense", "too-many", "lies"],
)
def test_analysis_that_fails_says_so_and_can_be_tried_again(command: tuple[str, ...]) -> None:
    kept: list[Review] = []
    with analyst(command) as one:
        one.begin(GAME, kept.append)
        assert ended(one).has_failed
        one.begin(GAME, kept.append)
        assert ended(one).has_failed
    assert kept == []


def test_closing_ends_the_process() -> None:
    with analyst(HANGS) as one:
        one.begin(GAME, lambda _: None)
        until(lambda: one.progress(GAME).done == 1)
        job = one._job
        assert job is not None
        one.close()
        assert not job.thread.is_alive()
        assert job._child is not None
        assert job._child.returncode is not None
