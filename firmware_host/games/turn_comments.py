"""The comments of a game's turns as a tag, by which they are kept with the game.

The tag is a JSON object: its members are the indexes of turns, -1 for what stands before the first.

**Invariants:** a tag's comments read back as they were; a tag that somebody else has written makes no comment
that a record cannot hold.
"""

from __future__ import annotations

import json
from collections.abc import Mapping

COMMENTS_TAG = "TurnComments"


def comments_text(comments: Mapping[int, str]) -> str:
    """Return the value of the tag; empty if there is no comment."""
    kept = {turn: text for turn, text in sorted(comments.items()) if text.strip()}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")) if kept else ""


def comments_of_text(text: str) -> dict[int, str]:
    """Return the comments in the value of a tag; none if it has another form."""
    try:
        found = json.loads(text or "{}")
        return {int(turn): _comment(comment) for turn, comment in found.items() if int(turn) >= -1}
    except (ValueError, AttributeError, TypeError, RecursionError):
        return {}


def _comment(text: str) -> str:
    return " ".join(text.replace("}", ")").split())
