"""The tables that a search asks."""

from __future__ import annotations

import pytest

from firmware_host.engine.searching import scoring
from firmware_host.engine.searching.search import TurnSearch
from firmware_host.engine.table_rules import Sector
from firmware_host.engine.tables import Tables
from firmware_host.games.game import Game, Player
from firmware_host.games.morris.position import MorrisPosition, MorrisRules
from firmware_host.games.rulesets import rule_set

SMALL, LARGE = (5, 5), (6, 5)


class TwoSectors(Tables):
    def known(self, rules: MorrisRules) -> frozenset[Sector]:
        return frozenset({SMALL, LARGE})


@pytest.mark.parametrize(
    ("turns", "asked"), [([], {SMALL}), (["d6"], {SMALL}), (["d6", "f4"], {SMALL, LARGE})]
)
def test_large_tables_are_asked_with_few_pieces_in_hand(
    turns: list[str], asked: set[Sector], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scoring, "search_library", lambda: None)
    rules = rule_set("standard", ["pieces=3"])  # six in both hands
    game = Game.begin(rules, rules.start(Player.WHITE))
    for turn in turns:
        game = game.play(game.position.legal_step(turn))
    assert isinstance(game.position, MorrisPosition)
    search = scoring.mill_search(game.position, TwoSectors())
    assert isinstance(search, TurnSearch)
    assert search.tables is not None
    assert search.tables.sectors == asked
