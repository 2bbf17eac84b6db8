"""The room that a board lists in the lobby of a club.

Invariants: a listing that was read is within the limits, and its rules can be played here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from firmware_host.errors import FarError, NotationError
from firmware_host.far.invitation import Invitation
from firmware_host.far.parsing import BOARD_LENGTH, MAX_RULES_LENGTH, is_name
from firmware_host.frozen import frozen
from firmware_host.games.rulesets import parse_rules
from firmware_host.link.messages.names import readable
from firmware_host.settings import MAX_BOARD_NAME


@frozen
class Listing:
    """A room as its host lists it in the lobby."""

    board: str
    """The host."""
    name: str
    rules: str
    invitation: Invitation
    other: str = ""
    """The board that has the other seat; empty while anybody may take it."""

    def message(self) -> bytes:
        """Return the message that the broker keeps."""
        about = {
            "name": self.name,
            "rules": self.rules,
            "invitation": str(self.invitation),
            "other": self.other,
        }
        return json.dumps({"v": 1, "board": self.board, **about}, separators=(",", ":")).encode()

    @classmethod
    def of(cls, members: Mapping[str, Any]) -> Listing:
        """Return the listing with these members; raise FarError if they aren't one."""
        board, name, rules, invitation = (
            members.get(key) for key in ("board", "name", "rules", "invitation")
        )
        other = members.get("other", "")
        is_text = all(isinstance(one, str) for one in (board, name, invitation))
        if members.get("v") != 1 or not is_text:
            raise FarError("a listed room needs a board, a name and an invitation")
        if len(str(name)) > MAX_BOARD_NAME or not str(name).isprintable():
            raise FarError(f"the name of a room must be a line of {MAX_BOARD_NAME} characters at most")
        if other != "" and not is_name(other, BOARD_LENGTH):
            raise FarError('"other" must be the name of a board, or empty')
        if not isinstance(rules, str) or len(rules) > MAX_RULES_LENGTH:
            raise FarError("a listed room needs rules")
        try:
            parse_rules(rules)
        except NotationError as error:
            raise FarError(f"the rules of a listed room can't be read: {error}") from error
        title = readable(str(name))[:MAX_BOARD_NAME]
        return cls(str(board), title, rules, Invitation.parse(str(invitation)), str(other))
