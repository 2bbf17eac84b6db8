"""The files for mosquitto that let each client of a broker write its own topics alone.

`python -m firmware_host.link.permissions` writes the shipped files again after a change of the table.

Invariants: the name of a client is that of its board. Without its own line, a topic can neither be written
nor read. The broker of a club passes on nothing for houses: the description of a board in Home Assistant can
name any device, so that a member could rename those of others.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

from firmware_host.link.topics import TOPICS, Topic, TopicWriter

HOUSE_USER = "house"
"""The name of the client that may give boards commands, such as Home Assistant."""
_FOLDER = Path(str(files("firmware_host.link"))) / "mosquitto"
FILE, HOUSE_FILE = _FOLDER / "club.acl", _FOLDER / "house.acl"
"""The shipped files."""

_HEAD = """\
# The permissions of a {place}'s broker, for `acl_file` in mosquitto.conf. Written by Millwright from its
# table of topics. Each board's user has the board's name, for which %u stands.
"""
_CLUB = """\
# It has no topics for Home Assistant: those are for a broker whose boards are all of one household
# (house.acl).
"""
_HOUSE = f"""\
# The user "{HOUSE_USER}" is for Home Assistant. All other users must be boards of this household, since each
# of them could describe itself to Home Assistant as another one.
"""


def club_acl() -> str:
    """Return the text of the ACL file for a club: boards that play each other."""
    boards = [line for topic in TOPICS if not topic.is_of_house for line in _of_boards(topic)]
    return "\n".join([_HEAD.format(place="club") + _CLUB, *boards, ""])


def house_acl() -> str:
    """Return the text of the ACL file for a house: boards that play each other and Home Assistant sees."""
    house = [_of_house_user(topic) for topic in TOPICS if topic.is_of_house]
    boards = [line for topic in TOPICS for line in _of_boards(topic)]
    head = _HEAD.format(place="house") + _HOUSE
    return "\n".join([head, f"user {HOUSE_USER}", *house, "", "# For every user:", *boards, ""])


def _of_house_user(topic: Topic) -> str:
    access = "readwrite" if topic.writer is TopicWriter.HOUSE else "read"
    return f"topic {access} {topic.every()}"


def _of_boards(topic: Topic) -> Iterator[str]:
    """Yield what a board may do with topics of this kind."""
    own = topic.every(board="%u")
    if topic.writer is TopicWriter.BOARD:
        yield f"pattern readwrite {own}"
    elif topic.is_of_house:
        yield f"pattern read {own}"
    if not topic.is_of_house:
        yield f"pattern read {topic.every()}"


if __name__ == "__main__":
    FILE.write_text(club_acl(), "utf-8")
    HOUSE_FILE.write_text(house_acl(), "utf-8")
