"""The fixed vocabulary of a language: sentences that every game needs, to be made before they are due."""

from __future__ import annotations

from collections.abc import Iterator

from firmware_host.games.game import Player
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message, translate
from firmware_host.play.asking.options import QUESTION_PLACES
from firmware_host.play.asking.places import places
from firmware_host.views.card import option_name

_OPTIONS = {
    "inner-n": "take-back",
    "inner-ne": "redo",
    "inner-e": "black-won",
    "inner-se": "pause",
    "inner-s": "draw",
    "inner-w": "white-won",
    "middle-nw": "rules",
    "middle-ne": "opponent",
    "middle-sw": "board",
    "middle-se": "clock",
    "middle-s": "back",
    "inner-sw": "brightness",
    **{place: f"tell:{query}" for place, query in QUESTION_PLACES.items()},
}
"""The options of the first menu that most games have, by their places."""


def vocabulary(language: str) -> Iterator[str]:
    """Yield the sentences, those first that are needed first."""
    return (translate(message, language) for message in _messages())


def _messages() -> Iterator[Message]:
    for player in Player:
        yield Message(f"moves.{player}")
        for count in range(max(rule_set("standard").box.values()), 0, -1):
            yield Message(f"places.{player}", {"count": count})
    for point in MORRIS.points:
        for player in Player:
            yield Message(f"speech.turn.{player}", {"turn": point.name})
    yield from (
        Message("paused"),
        Message("board-thinks"),
        Message("speech.asking"),
        Message("speech.new-game"),
    )
    yield from (Message("empty-board"), Message("clear-first"), Message("wrong.no-capture"))
    at = places(MORRIS)
    for place, does in _OPTIONS.items():
        yield Message("speech.choice", {"points": (at[place].name,), "what": option_name(does)})
