"""The wishes of a board, as its states tell them to one link after another."""

from __future__ import annotations

from typing import Any

from firmware_host.far.wishing import WishReader
from firmware_host.play.other_board import FarRoom, RoomReport


class WishingBoard:
    """A board, and the wishes that its link has carried out."""

    def __init__(self) -> None:
        self.room = FarRoom()
        self.done: list[str] = []
        self.link = WishReader()

    def begin_link(self) -> None:
        """Begin a link, which follows the board and then reports a room."""
        self.room.report, self.link = None, WishReader()
        self.show()
        self.report()
        self.show()

    def report(self) -> None:
        self.room.report = RoomReport("playing", done=self.link.done)

    def show(self) -> None:
        """Show the board's state to the link, which carries out what is new, and reports that."""
        state: dict[str, Any] = {"far": self.room.as_dict() or None}
        found = self.link.new_wish(state)
        if found is not None:
            self.done.append(found["what"])
            self.report()

    def wish(self, what: str) -> None:
        self.room.wish(what)
        self.show()
        self.show()


def test_a_wish_is_carried_out_once_by_all_links() -> None:
    board = WishingBoard()
    board.begin_link()
    board.wish("ready")
    board.begin_link()
    assert board.done == ["ready"]
    board.wish("accept")
    board.room.report = None  # it leaves its room
    board.show()
    board.report()
    board.show()
    assert board.done == ["ready", "accept"]
    board.wish("decline")
    assert board.done[2:] == ["decline"]


def test_a_board_that_starts_again_is_heard() -> None:
    board = WishingBoard()
    board.begin_link()
    board.wish("ready")
    board.wish("draw")
    board.room = FarRoom()
    board.report()
    board.show()
    board.wish("ready")
    assert board.done == ["ready", "draw", "ready"]
