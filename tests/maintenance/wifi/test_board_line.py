"""The line to the board: presses come, replies find their question, and a broken connection is made again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from firmware_host.errors import PageError, RequestError
from firmware_host.i18n import Message
from firmware_host.maintenance.companion import CompanionConnection, Reply
from firmware_host.maintenance.wifi.board_line import BoardLine


class EndedError(Exception):
    """Raised instead of a pause, when a test has seen enough."""


class ScriptedConnection(CompanionConnection):
    """A connection whose traffic a test has written down; it answers each question with `error`."""

    def __init__(self, *states: Mapping[str, Any], error: str | None = None) -> None:
        self.states_sent, self.error = states, error
        self.asked: list[Mapping[str, Any]] = []
        self.line: BoardLine | None = None

    @property
    def whole(self) -> Mapping[str, Any]:
        return {"state": {"status": "ready"}}

    def traffic(self, again_s: float | None = None) -> Iterator[Mapping[str, Any] | Reply]:
        yield from self.states_sent
        raise PageError("the board has closed the connection")

    def ask(self, request: Mapping[str, Any]) -> int:
        self.asked.append(request)
        assert self.line is not None
        number, message = len(self.asked), Message("refused.asks-already") if self.error else None
        self.line._replies.put(Reply(number - 1, "an answer that came too late"))
        self.line._replies.put(Reply(number, self.error, message))
        return number

    def close(self) -> None:
        """There is nothing to close."""


def followed(*connections: ScriptedConnection | PageError) -> int:
    """Follow a board by one connection after the other; return how often its button was held down."""
    left, presses = list(connections), []

    def connect() -> CompanionConnection:
        connection = left.pop(0)
        if isinstance(connection, PageError):
            raise connection
        return connection

    def sleep(_: float) -> None:
        if not left:
            raise EndedError

    with pytest.raises(EndedError):
        BoardLine(connect, lambda: presses.append(1), sleep).follow()
    return len(presses)


def test_a_button_that_was_held_is_one_press() -> None:
    wanted, closed = {"wifi": "wanted"}, {"wifi": None}
    assert followed(ScriptedConnection(closed, wanted, wanted, closed)) == 1
    assert followed(ScriptedConnection(wanted, {"wifi": "open"}, wanted)) == 2


def test_a_connection_that_ends_is_made_again() -> None:
    wanted = {"wifi": "wanted"}
    assert followed(PageError("nobody"), ScriptedConnection({}), ScriptedConnection(wanted)) == 1


def connected(error: str | None = None) -> tuple[BoardLine, ScriptedConnection]:
    connection = ScriptedConnection(error=error)
    line = BoardLine(lambda: connection, lambda: None)
    line._connection, connection.line = connection, line
    return line, connection


def test_a_question_gets_its_own_answer() -> None:
    line, connection = connected()
    line.ask({"do": "take-network"})
    assert connection.asked == [{"do": "take-network"}]
    line, _ = connected("the board asks something already")
    with pytest.raises(RequestError, match="asks something") as refused:
        line.ask({"do": "take-network"})
    assert refused.value.message == Message("refused.asks-already")


def test_a_board_that_is_gone_answers_nothing() -> None:
    line = BoardLine(lambda: ScriptedConnection(), lambda: None)
    assert not line.is_playing
    line.show(is_open=True)
    with pytest.raises(PageError):
        line.ask({"do": "take-network"})


def test_the_board_is_asked_once_to_show_it() -> None:
    line, connection = connected()
    for _ in range(3):
        line.show(is_open=True)
    line.show(is_open=False)
    assert connection.asked == [{"do": "wifi", "on": True}, {"do": "wifi", "on": False}]


def test_a_board_that_refused_is_asked_again() -> None:
    line, connection = connected("not now")
    line.show(is_open=True)
    line.show(is_open=True)
    assert len(connection.asked) == 2
