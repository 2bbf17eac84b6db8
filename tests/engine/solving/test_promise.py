"""The promise that the highest level cannot lose: kept in a small game, and given with nothing amiss only."""

import random
from dataclasses import replace
from itertools import islice

import pytest

from firmware_host.engine.certificate import certificate_bytes
from firmware_host.engine.choosing import choose
from firmware_host.engine.solving import builder, certifying
from firmware_host.engine.solving.builder import Distances, build, order
from firmware_host.engine.solving.folder import TableFolder, open_tables
from firmware_host.engine.solving.promise import Promise, holds, obstacle, seal_of, tables_in_use
from firmware_host.engine.table_file import Kind
from firmware_host.engine.tables import index_of
from firmware_host.games.game import Game, Player
from firmware_host.games.morris.position import MorrisRules
from firmware_host.games.morris.rules import MorrisState
from firmware_host.games.rulesets import rule_set
from firmware_host.games.values import Result
from tests.engine.conftest import Silent
from tests.engine.measuring.holding import play, sampled, score
from tests.support.games.morris import mill_rules

QUIET = 12
"""A limit that cuts wins short even among the few pieces here."""


def working(stage, done, total):
    return False


@pytest.fixture
def rules():
    options = replace(mill_rules("standard", ("pieces=4",)).options)
    object.__setattr__(options, "quiet", QUIET)  # not a value that people can choose
    return MorrisRules("standard", options)


def built(rules, path, monkeypatch, distances):
    """Return the folder of all tables, built as if no sector were small enough to always have distances."""
    monkeypatch.setattr(builder, "MAX_DISTANCE_STONES", 0)
    folder = TableFolder.of(rules.options, path)
    build(order(folder, 8, distances), Silent())
    return folder


@pytest.fixture
def proved(rules, library, tmp_path, monkeypatch):
    """Return the folder with all that the promise takes."""
    folder = built(rules, tmp_path / "tables", monkeypatch, Distances.CUT)
    for player in (0, 1):
        turns = certifying.certify(rules.options, folder.open, player, working)
        folder.write_certificate(player, certificate_bytes(rules.options, player, turns))
    found = tables_in_use(rules, folder, tables_of(folder))
    folder.write_seal(seal_of(rules.options, found, folder.certificates()))
    return folder


def tables_of(folder):
    return open_tables(folder.path.parent)


@pytest.fixture
def truth(rules, library, tmp_path, monkeypatch):
    """Return tables with all distances, for the player who must not win."""
    return tables_of(built(rules, tmp_path / "truth", monkeypatch, Distances.ALL))


def saved_by_the_limit(rules, truth, rng):
    """Yield drawn positions that would be lost without the quiet steps so far."""
    index = index_of(rules.mechanics)
    table = next(one for one in truth.sectors(rules) if (one.header.mine, one.header.theirs) == (3, 3))
    while True:
        mine, theirs = index.position(rng.randrange(210_140), 3, 3, table.representatives)
        state = MorrisState(mine << index.shift, theirs << index.shift, 0, 0, 0, 0)
        known = truth.probe(rules, state)
        if known.result is Result.LOSS and known.distance >= 6:
            state = state._replace(quiet=QUIET - known.distance + 2)
            yield Game.begin(rules, rules.reached(state, Player.WHITE))


def lost(rules, tables, truth, games):
    """Return the games that the highest level lost from positions that the limit saves."""
    rng = random.Random(6)
    found = islice(saved_by_the_limit(rules, truth, rng), games)
    played = (play(begun, Player.WHITE, tables, truth, rng) for begun in found)
    return [game for game in played if score(game, Player.WHITE) < 0]


@pytest.mark.ci("engine")
def test_whole_build_has_distances_where_the_limit_cuts_wins(rules, proved):
    kinds = {
        (one.header.kind is Kind.DISTANCES, one.header.summary.depth >= QUIET - 1)
        for one in tables_of(proved).sectors(rules)
    }
    assert kinds == {(True, True), (False, False)}


@pytest.mark.ci("engine")
def test_results_become_distances_where_the_limit_cuts_wins(rules, library, tmp_path, monkeypatch):
    folder = built(rules, tmp_path, monkeypatch, Distances.NONE)
    assert {one.header.kind for one in tables_of(folder).sectors(rules)} == {Kind.RESULTS}
    untouched = folder.file((4, 4)).stat().st_mtime_ns
    build(order(folder, 8, Distances.CUT), Silent())
    assert folder.open((3, 3)).header.kind is Kind.DISTANCES
    assert folder.file((4, 4)).stat().st_mtime_ns == untouched


@pytest.mark.ci("engine")
def test_highest_level_loses_no_position_that_is_not_lost(rules, proved, truth):
    tables, rng = tables_of(proved), random.Random(6)
    for table in truth.sectors(rules):
        for _ in range(4):
            begun = sampled(rules, truth, table, rng)
            assert begun is not None
            game = play(begun, Player.WHITE, tables, truth, rng)
            assert score(game, Player.WHITE) >= 0, game.turn_texts()


@pytest.mark.ci("engine")
def test_draws_by_the_limit_are_kept_with_distances_alone(rules, proved, truth, tmp_path, monkeypatch):
    assert lost(rules, tables_of(proved), truth, 20) == []
    results = built(rules, tmp_path / "results", monkeypatch, Distances.NONE)
    assert lost(rules, tables_of(results), truth, 20)


@pytest.mark.ci("engine")
def test_highest_level_loses_no_game_from_the_start(rules, proved, truth):
    tables, rng = tables_of(proved), random.Random(9)
    for number in range(12):
        own = tuple(Player)[number % 2]
        game = play(Game.begin(rules, rules.start(Player.WHITE)), own, tables, truth, rng)
        assert score(game, own) >= 0, game.turn_texts()


@pytest.mark.ci("engine")
def test_promise_holds_while_the_highest_level_plays_and_not_for_others(rules, proved):
    tables, rng = tables_of(proved), random.Random(3)
    begun = Game.begin(rules, rules.start(Player.WHITE))
    assert all(holds(tables, begun, player) for player in Player)
    for own in Player:
        game = begun
        while game.outcome is None and len(game.turn_starts) < 30:
            assert holds(tables, game, own)
            game = after_a_turn(game, 8 if game.position.to_move is own else None, tables, rng)
    others = [after_lots(begun, 5, random.Random(seed)) for seed in range(40)]
    assert not all(holds(tables, game, player) for game in others for player in Player)


def after_a_turn(game, level, tables, rng):
    """Return the game after a turn of a level, or of lots."""
    turn = rng.choice(game.position.turns()).steps
    if level is not None:
        turn = game.rules.parse_turn(choose(game, level, rng=rng, tables=tables, stop=lambda: True))
    return game.play(*(game.position.legal_step(turn[0].text), *turn[1:]))


def after_lots(game, turns, rng):
    for _ in range(turns):
        game = game if game.outcome is not None else after_a_turn(game, None, None, rng)
    return game


def test_promise_is_given_for_all_files_as_they_were_checked(rules, proved):
    promise, game = Promise(proved.path.parent), Game.begin(rules, rules.start(Player.WHITE))
    assert promise.from_the_start(rules)
    assert promise.players(game) == list(Player)
    assert not promise.from_the_start(rule_set("standard"))
    assert not promise.from_the_start(rule_set("mitsudomoe"))
    proved.write_seal("of other files")
    assert not promise.from_the_start(rules)
    assert promise.players(game) == []


def test_obstacle_names_sectors_that_lack_distances(rules, library, tmp_path, monkeypatch):
    folder = built(rules, tmp_path, monkeypatch, Distances.NONE)
    found = tables_in_use(rules, folder, tables_of(folder))
    reason = obstacle(rules, folder, found)
    assert reason is not None
    assert "3-3" in reason
    assert "wins that the draw by quiet steps cuts short" in reason
