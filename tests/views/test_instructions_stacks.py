"""Instructions for rings and balls, along the scenarios."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_host.games.game import Player
from firmware_host.i18n import LANGUAGES, Arg, Message, translate
from firmware_host.play.controller import Controller
from firmware_host.ports import LedFrame
from firmware_host.settings import Microseconds
from firmware_host.views.instructions import instruction
from tests.support.paths import SCENARIOS
from tests.support.transcripts import transcript

HANDS = [
    path
    for path in sorted(SCENARIOS.glob("mitsudomoe-*.txt"))
    if "disorder" in path.stem or "errors" in path.stem
]
OF_MILLS = {
    "en": ("mill", "piece"),
    "es": ("molino", "ficha"),
    "pt": ("moinho", "peça"),
    "de": ("mühle", "stein"),
}


@pytest.fixture(params=HANDS, ids=lambda path: path.stem)
def said(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, Message]:
    """Return all sentences on the way, one for each key."""
    path: Path = request.param
    found: dict[str, Message] = {}
    answer = Controller._answer

    def heard(controller: Controller, now: Microseconds) -> LedFrame:
        light = answer(controller, now)
        what = instruction(controller)
        found.update({" ".join(keys_of(what)): what})
        return light

    monkeypatch.setattr(Controller, "_answer", heard)
    monkeypatch.chdir(tmp_path)
    transcript(path.read_text(encoding="utf-8"))
    return found


def keys_of(slot: Arg) -> Iterator[str]:
    if isinstance(slot, Message):
        yield slot.key
        for inner in slot.args.values():
            yield from keys_of(inner)


def test_nothing_is_said_that_is_of_mills(said: dict[str, Message]) -> None:
    assert len(said) > 3
    for what in said.values():
        for language in LANGUAGES:
            text = translate(what, language)
            assert not any(word in text.lower() for word in OF_MILLS[language]), text


@pytest.mark.parametrize(
    "message",
    [
        Message("undecided.one.white", {"points": ("a1",)}),
        Message("undecided.many", {"points": ("a1", "b2")}),
        Message("taking-back", {"turn": "a1 b1-b2"}),
    ],
    ids=lambda message: message.key,
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_unclear_boards_need_no_words_of_mills(message: Message, language: str) -> None:
    text = translate(message, language).lower()
    assert not any(word in text for word in OF_MILLS[language])


def test_whoever_plays_is_told_which_of_both_is_held(said: dict[str, Message]) -> None:
    held = {key for key in said if key.startswith("holds.")}
    assert held <= {f"holds.{player}.{what}" for player in Player for what in ("ring", "ball", "both")}
