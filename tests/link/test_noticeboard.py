"""The parts that a page has of the link: what isn't shown any more is withdrawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.link.noticeboard import Noticeboard
from firmware_host.settings import MESSAGE_BYTES


class Page:
    """A page that keeps the parts it is sent."""

    def __init__(self) -> None:
        self.parts: dict[str, Any] = {}
        self.sent = 0
        self.is_there = True

    def ask(self, request: Mapping[str, Any]) -> int | None:
        if not self.is_there:
            return None
        self.sent += 1
        part, value = request["link"]["part"], request["link"]["value"]
        self.parts[part] = value
        if value is None:
            del self.parts[part]
        return self.sent


def test_parts_of_another_room_are_withdrawn() -> None:
    page = Page()
    shown = Noticeboard(page.ask)
    shown.show({"here": 1, "room": "old", "message:1": "secret"})
    shown.show({"here": 1})
    assert page.parts == {"here": 1}
    shown.show({"here": 1, "room": "new"})
    assert (page.parts, page.sent) == ({"here": 1, "room": "new"}, 6)


def test_a_part_is_sent_again_only_if_it_differs() -> None:
    page = Page()
    shown = Noticeboard(page.ask)
    for _ in range(3):
        shown.show({"here": 1})
    assert page.sent == 1
    shown.forget()
    shown.show({"here": 1})
    assert page.sent == 2


def test_a_part_that_grows_too_large_leaves_no_old_value() -> None:
    page = Page()
    shown = Noticeboard(page.ask)
    shown.show({"room": "old"})
    shown.show({"room": "x" * MESSAGE_BYTES})
    shown.show({"room": "x" * MESSAGE_BYTES})
    assert (page.parts, page.sent) == ({}, 2)


def test_what_a_missing_page_was_to_be_shown_follows() -> None:
    page = Page()
    shown = Noticeboard(page.ask)
    page.is_there = False
    shown.show({"here": 1})
    page.is_there = True
    shown.show({"here": 1})
    assert page.parts == {"here": 1}
