"""The files for mosquitto that let each client of a club's broker write its own topics alone.

`python -m firmware_host.link.permissions` writes the shipped file again after a change of the table.

Invariants: the name of a client is that of its board. Without its own line, a topic can neither be written
nor read.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from firmware_host.link.topics import TOPICS, Topic, TopicWriter

HOUSE_USER = "house"
"""The name of the client that may give boards commands, such as Home Assistant."""
FILE = Path(str(files("firmware_host.link"))) / "mosquitto" / "club.acl"
"""The shipped file."""

_HEAD = f"""\
# The permissions of a club's broker, for `acl_file` in mosquitto.conf. Written by Millwright from its table
# of topics. Each board's user has the board's name, for which %u stands. The user "{HOUSE_USER}" is for Home
# Assistant.
"""


def acl_text() -> str:
    """Return the text of the ACL file."""
    house = [f"topic {access} {topic.every()}" for topic in TOPICS for access in _of_house(topic)]
    boards = [f"pattern {access} {name}" for topic in TOPICS for access, name in _of_boards(topic)]
    return "\n".join([_HEAD, f"user {HOUSE_USER}", *house, "", "# For every user:", *boards, ""])


def _of_house(topic: Topic) -> Iterator[str]:
    yield "readwrite" if topic.writer is TopicWriter.HOUSE else "read"


def _of_boards(topic: Topic) -> Iterator[tuple[str, str]]:
    """Yield what a board may do with topics of this kind, and with which of them."""
    own = topic.every(board="%u")
    if topic.writer is TopicWriter.BOARD:
        yield "readwrite", own
    elif topic.writer is TopicWriter.HOST:
        yield "readwrite", topic.every()
    elif not topic.is_public:
        yield "read", own
    if topic.is_public and topic.writer is not TopicWriter.HOST:
        yield "read", topic.every()


if __name__ == "__main__":
    FILE.write_text(acl_text(), "utf-8")
