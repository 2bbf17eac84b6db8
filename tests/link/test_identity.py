"""The identity of a board: its card, whose name others can show."""

from __future__ import annotations

import socket

import pytest

from firmware_host.errors import FarError
from firmware_host.far.sealing import parsed
from firmware_host.games.rulesets import RULE_SETS
from firmware_host.link.identity import board_name, card
from firmware_host.link.published import Rooms
from firmware_host.link.topics import CARD
from firmware_host.settings import Link
from tests.far.boards import A


def test_a_card_names_its_board_for_others() -> None:
    rooms = Rooms()
    rooms.receive(CARD.at(board=A), card(Link(name="Küche")))
    assert rooms.name_of(A) == "Küche"
    assert parsed(card(Link(name="Küche")))["rules"] == list(RULE_SETS)


def test_a_board_without_a_name_goes_by_its_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "gethostname", lambda: "x" * 100)
    assert board_name(Link()) == "x" * 60
    Rooms().receive(CARD.at(board=A), card(Link()))
    with pytest.raises(FarError):
        Rooms().receive(CARD.at(board=A), card(Link(name="a\nb")))
