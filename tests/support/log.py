"""The output of the program's loggers, without a handler."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

_OWN = ("firmware_host", "hardware", "sim")


class LogRecorder(logging.Handler):
    """Keeps the records that reach it."""

    def __init__(self) -> None:
        super().__init__()
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep `record`."""
        self.records.append(record)

    @property
    def texts(self) -> list[str]:
        """The text of each record, with its trace."""
        return [self.format(record) for record in self.records]


@contextmanager
def recorded_log(recorder: LogRecorder | None = None) -> Iterator[LogRecorder]:
    """Record what this program's own loggers write from INFO on, in `recorder` or a new one."""
    recorder = LogRecorder() if recorder is None else recorder
    loggers = [logging.getLogger(name) for name in _OWN]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(recorder)
        logger.setLevel(logging.INFO)
    try:
        yield recorder
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.removeHandler(recorder)
            logger.setLevel(level)
