"""The one log: priorities for the journal, one rate limit for every logger, and a journal that is gone."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path

import pytest

from firmware_host.runtime.journal import (
    MAX_RECORDS,
    NOTICE,
    RECENT_CHARACTERS,
    RECENT_LINES,
    WINDOW_S,
    JournalHandler,
    RateLimit,
    is_journal,
    logging_to,
    muted,
    recent_lines,
)
from tests.support.matrix import CI, sampled


@contextmanager
def attached(handler: logging.Handler) -> Iterator[logging.Logger]:
    """A logger of the program's own whose records reach `handler` alone."""
    logger = logging.getLogger("firmware_host.test_journal")
    logger.setLevel(logging.INFO)
    logger.propagate = False
    logger.addHandler(handler)
    try:
        yield logger
    finally:
        logger.removeHandler(handler)
        logger.propagate = True
        logger.setLevel(logging.NOTSET)


def test_journal_prefixes_each_line_with_its_priority(tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out, (tmp_path / "errors").open("w") as errors:
        status = os.fstat(errors.fileno())
        handler = JournalHandler(out, errors, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
        with attached(handler) as logger:
            logger.error("one\ntwo")
            logger.log(NOTICE, "the sensor at %s is masked", "d6")
            logger.info("white: d6")
        assert (tmp_path / "errors").read_text() == "<3>one\n<3>two\n"
        assert (tmp_path / "out").read_text() == "the sensor at d6 is masked\nwhite: d6\n"


def test_journal_writes_nothing_that_a_terminal_obeys() -> None:
    out = StringIO()
    with attached(JournalHandler(out, out, {})) as logger:
        logger.warning("refused: %s", "millwright/\x1b]0;mine\x07/\u202ecard\x9b2J é 棋")
    assert out.getvalue() == "refused: millwright/\\x1b]0;mine\\x07/\\u202ecard\\x9b2J é 棋\n"


@pytest.mark.parametrize(
    ("level", "number"),
    [
        (logging.CRITICAL, 2),
        (logging.ERROR, 3),
        (logging.WARNING, 4),
        (NOTICE, 5),
        (logging.INFO, 6),
        (logging.DEBUG, 7),
    ],
)
def test_journal_level_becomes_syslog_priority(level: int, number: int, tmp_path: Path) -> None:
    with (tmp_path / "both").open("w") as both:
        status = os.fstat(both.fileno())
        handler = JournalHandler(both, both, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
        handler.handle(logging.LogRecord("hardware", level, "", 0, "text", (), None))
        assert (tmp_path / "both").read_text() == f"<{number}>text\n"


@pytest.mark.parametrize("stream", ["", "1:2", "nonsense"])
def test_is_journal_other_stream_is_false(stream: str, tmp_path: Path) -> None:
    with (tmp_path / "out").open("w") as out:
        assert not is_journal(out, {"JOURNAL_STREAM": stream})
    assert not is_journal(sys.stdout, {})


class Gone(StringIO):
    """A journal that is started again, or a disk that is full."""

    def __init__(self) -> None:
        super().__init__()
        self.there = False

    def write(self, text: str) -> int:
        if not self.there:
            raise BrokenPipeError
        return super().write(text)


def test_journal_that_was_gone_gets_the_count_of_lost_lines() -> None:
    out = Gone()
    handler = JournalHandler(out, out, {})
    with attached(handler) as logger:
        for number in range(3):
            logger.info("turn %d", number)
        out.there = True
        logger.info("turn 3")
        logger.info("turn 4")
        assert out.getvalue().splitlines() == ["3 lines could not be written here", "turn 3", "turn 4"]
        out.close()
        logger.error("nobody reads this")


class SetClock:
    """A clock that a test sets."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


FLOODS: list[tuple[str, Callable[[logging.Logger], None]]] = [
    ("firmware_host.web.server", lambda logger: logger.info("the same")),
    ("hardware.strip", lambda logger: logger.warning("%s", object())),
    ("uvicorn.error", lambda logger: logger.error("Exception in ASGI application")),
    ("asyncio", lambda logger: logger.error("Task exception was never retrieved")),
]


def test_journal_says_nothing_of_requests_that_are_malformed() -> None:
    out = StringIO()
    with logging_to(out, out, {}):
        logging.getLogger("uvicorn.error").warning("Invalid HTTP request received.")
    assert out.getvalue() == ""


def test_journal_long_records_of_any_loggers_stay_below_a_megabyte_an_hour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock, out = SetClock(), StringIO()
    monkeypatch.setattr("firmware_host.runtime.journal.RateLimit", lambda: RateLimit(clock))
    names = ["asyncio", "uvicorn.error", "firmware_host.web.server", "hardware.strip", "sim.live"]
    with logging_to(out, out, {}):
        for number in range(3600):
            clock.now += 1.0
            logging.getLogger(names[number % len(names)]).error("%s", "traceback " * 500)
    assert 500_000 < len(out.getvalue()) < 1_000_000


def test_journal_flood_of_visitors_takes_no_room_from_the_board(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, out = SetClock(), StringIO()
    monkeypatch.setattr("firmware_host.runtime.journal.RateLimit", lambda: RateLimit(clock))
    with logging_to(out, out, {}):
        for _ in range(600):
            clock.now += 6.0
            logging.getLogger("asyncio").error("%s", "traceback " * 500)
            logging.getLogger("firmware_host.play").info("white: d6")
    assert out.getvalue().splitlines().count("white: d6") == 600


@pytest.mark.parametrize(("name", "flood"), sampled(FLOODS, others=CI))
def test_journal_flood_of_any_logger_is_bounded(
    name: str, flood: Callable[[logging.Logger], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, out = SetClock(), StringIO()
    monkeypatch.setattr("firmware_host.runtime.journal.RateLimit", lambda: RateLimit(clock))
    minutes = 5
    with logging_to(out, out, {}):
        for _ in range(round(minutes * WINDOW_S) * 10):
            flood(logging.getLogger(name))
            clock.now += 0.1
        other = len(out.getvalue().splitlines())
        logging.getLogger("firmware_host").info("white: d6")
    lines = out.getvalue().splitlines()
    assert other <= minutes * MAX_RECORDS
    assert lines[-1] == "white: d6", "a flood silences no other logger"
    assert any("more messages were dropped" in line for line in lines)


def test_journal_counts_what_the_limit_dropped() -> None:
    clock, out = SetClock(), StringIO()
    with attached(JournalHandler(out, out, {}, RateLimit(clock))) as logger:
        for number in range(MAX_RECORDS + 7):
            logger.info("line %d", number)
        assert out.getvalue().splitlines()[-1] == f"line {MAX_RECORDS - 1}"
        clock.now = WINDOW_S
        logger.info("later")
    assert out.getvalue().splitlines()[MAX_RECORDS:] == [
        "firmware_host.test_journal: 7 more messages were dropped",
        "later",
    ]


def test_logging_to_leaves_out_what_is_not_worth_a_line_and_names_strangers() -> None:
    out, errors = StringIO(), StringIO()
    with logging_to(out, errors, {}):
        logging.getLogger("uvicorn.error").info("connection open")
        logging.getLogger("hardware.reconnect").debug("could not be closed")
        logging.getLogger("asyncio").error("an accident")
        logging.getLogger("firmware_host.runtime").info("white: d6")
    logging.getLogger("asyncio").error("after the end")
    assert out.getvalue() == "white: d6\n"
    assert errors.getvalue() == "asyncio: an accident\n"


def test_logging_to_writes_the_trace_with_the_same_priority(tmp_path: Path) -> None:
    with (tmp_path / "errors").open("w") as errors:
        status = os.fstat(errors.fileno())
        with logging_to(errors, errors, {"JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}):
            try:
                raise ZeroDivisionError("nobody foresaw this")
            except ZeroDivisionError:
                logging.getLogger("firmware_host").exception("it failed")
    lines = (tmp_path / "errors").read_text().splitlines()
    assert lines[0] == "<3>it failed"
    assert lines[-1] == "<3>ZeroDivisionError: nobody foresaw this"
    assert all(line.startswith("<3>") for line in lines)


def test_muted_logger_writes_nothing_until_the_end() -> None:
    out = StringIO()
    with logging_to(out, out, {}):
        with muted("hardware"):
            logging.getLogger("hardware.strip").warning("could not be darkened")
        logging.getLogger("hardware.strip").warning("heard again")
    assert out.getvalue() == "heard again\n"


def test_the_last_lines_are_kept_in_memory_and_cut_to_a_length() -> None:
    with attached(JournalHandler(Gone(), Gone(), {}, RateLimit(lambda: 0.0))) as logger:
        for number in range(30):
            logger.info("line %d %s", number, "x" * RECENT_CHARACTERS)
    kept = [text for _, text in recent_lines()][-30:]
    assert [text.split(" ")[1] for text in kept] == [*map(str, range(30))]
    assert {len(text) for text in kept} == {RECENT_CHARACTERS}
    assert len(recent_lines()) <= RECENT_LINES
