"""A topic of each kind, with names that stay the same."""

from __future__ import annotations

from firmware_host.link.topics import Topic

BOARD, ROOM = "AAAAAAAAAAAAAAAA", "ROOMROOM22"
NAMES = {"board": BOARD, "room": ROOM, "club": "the-club"}


def made(topic: Topic) -> str:
    """Return a topic of this kind."""
    return topic.at(**{name: value for name, value in NAMES.items() if f"<{name}>" in topic.pattern})
