"""Tables of positions with pieces in hand: their values, and how they are built."""

import hashlib
import random

import pytest

from firmware_host.engine.certificate import Certificate, certificate_bytes
from firmware_host.engine.choosing import choose
from firmware_host.engine.searching.candidates import mill_candidates
from firmware_host.engine.solving.builder import pack
from firmware_host.engine.solving.certifying import certify
from firmware_host.engine.solving.checker import check_by_rules
from firmware_host.engine.solving.folder import (
    PARTIAL,
    SHIPPED_BOOK,
    TableFolder,
    open_tables,
    shipped_tables,
)
from firmware_host.engine.solving.library import BuildStoppedError
from firmware_host.engine.solving.placing import build, layers, missing
from firmware_host.engine.table_file import read_sectors
from firmware_host.engine.table_rules import PlacingSector
from firmware_host.engine.tables import Tables
from firmware_host.errors import TableError
from firmware_host.games.game import Game, Player
from firmware_host.games.values import Result, Value
from tests.engine.conftest import Silent, Stopping
from tests.engine.measuring.openings import SOLVED
from tests.support.engine.placing import VALUES, minimax, random_states
from tests.support.engine.tables import with_wrong_value
from tests.support.games.morris import mill_rules

pytestmark = pytest.mark.ci("engine")

GAMES = [
    (6, "standard", ("pieces=3",)),
    (8, "standard", ("pieces=4", "diagonals=yes")),
    (10, "six", ("pieces=5",)),
]


@pytest.fixture
def three(solved):
    """Return the rules with three pieces, and the folder with all their tables."""
    rules, folder = solved(6, settings=("pieces=3",))
    build(folder, Silent())
    return rules, folder


def digests(folder):
    return {path.name: hashlib.sha256(path.read_bytes()).digest() for path in folder.placing.iterdir()}


@pytest.mark.parametrize(("stones", "name", "settings"), GAMES, ids=["three", "diagonals", "six"])
def test_values_are_those_of_all_lines_of_play(solved, stones, name, settings):
    rules, folder = solved(stones, name, settings)
    moving = open_tables(folder.path.parent)
    build(folder, Silent())
    tables, seen = open_tables(folder.path.parent), set()
    value = minimax(rules, moving)
    for placed in range(2 * rules.options.pieces - 3, 2 * rules.options.pieces):
        for state in random_states(rules, placed, 12):
            found = tables.probe(rules, state)
            assert found.exact
            assert VALUES[found.result] * (-1 if state.black else 1) == value(state)
            seen.add(found.result)
    assert len(seen) > 1


def test_values_of_a_whole_game_follow_from_its_turns(three):
    rules, folder = three
    tables = open_tables(folder.path.parent)
    whole = [one for layer in layers(rules.options) for one in layer]
    for sector in whole:
        table = folder.open(sector)
        positions = range(0, table.header.summary.positions, 7 if sector.mine > 1 else 1)
        assert list(check_by_rules(rules, tables, table, positions)) == []
    assert len(whole) == 6
    start = rules.mechanics.start(black=False)
    assert tables.probe(rules, start) == Value(Result.WIN, None, exact=True)


def test_each_planted_value_is_found(three):
    rules, folder = three
    sector, rng = PlacingSector(2, 2, 1, 1), random.Random(5)
    for at in range(0, 6_930, 70):
        planted = Tables()
        wrong = with_wrong_value(folder.open(sector), at, rng)
        planted.add([wrong, folder.open(sector.quiet)])
        assert [one.index for one in check_by_rules(rules, planted, wrong, [at])] == [at]


def test_removal_that_is_due_takes_the_best_stone(solved):
    rules, folder = solved(8, settings=("pieces=4", "diagonals=yes"))
    build(folder, Silent())
    tables, mechanics, seen = open_tables(folder.path.parent), rules.mechanics, set()
    for before in random_states(rules, 6, 300):
        for state in mechanics.after_steps(before):
            if state.due:
                results = [
                    tables.probe(rules, after).result.reversed for after in mechanics.after_turns(state)
                ]
                seen.add((best := tables.probe(rules, state).result, len(set(results)) > 1))
                assert best is max(results, key=VALUES.__getitem__)
    assert {(Result.WIN, True), (Result.DRAW, True)} <= seen


@pytest.mark.parametrize(("number", "left"), [(0, 6), (2, 6), (4, 4), (6, 2)])
def test_build_goes_on_after_an_interruption(three, tmp_path, number, left):
    rules, whole = three
    cut = TableFolder.of(rules.options, tmp_path / "cut")
    cut.begin()
    cut.file((3, 3)).write_bytes(whole.file((3, 3)).read_bytes())
    with pytest.raises(BuildStoppedError):
        build(cut, Stopping(number))
    assert len(missing(cut)) == left
    (cut.placing / ".2-2+1-1.mwt.new").write_bytes(b"half")
    build(cut, Silent())
    assert not list(cut.placing.glob(PARTIAL))
    assert digests(cut) == digests(whole)


def test_sector_that_is_damaged_is_built_again(three):
    _, folder = three
    path = folder.file(PlacingSector(2, 2, 1, 1))
    good = path.read_bytes()
    path.write_bytes(good[:-1])
    build(folder, Silent())
    assert path.read_bytes() == good


def test_nothing_is_built_on_a_sector_that_is_damaged_or_missing(three):
    _, folder = three
    quiet, captured = folder.file(PlacingSector(2, 2, 1, 1)), folder.file(PlacingSector(1, 2, 2, 1))
    captured.unlink()
    data = bytearray(quiet.read_bytes())
    data[500] ^= 1
    quiet.write_bytes(data)
    with pytest.raises(TableError, match="damaged; delete it and make it again"):
        build(folder, Silent())
    quiet.unlink()
    folder.file((3, 3)).unlink()
    folder.file(PlacingSector(2, 3, 1, 0)).unlink()
    with pytest.raises(TableError, match="sector 3-3 is missing; build it first"):
        build(folder, Silent())


def test_build_refuses_with_figures_what_there_is_no_room_for(library, tmp_path, monkeypatch):
    folder = TableFolder.of(mill_rules("standard").options, tmp_path)
    with pytest.raises(TableError, match=r"sector 8-8\+1-0 needs 2\d\d MB of memory, and 100 MB are allowed"):
        build(folder, Silent(), 10**8)
    monkeypatch.setattr("shutil.disk_usage", lambda path: type("Usage", (), {"free": 10**6}))
    with pytest.raises(TableError, match=r"the tables need 4,\d\d\d MB, and 1 MB are free; name another"):
        build(folder, Silent())


def test_rules_with_other_turns_while_placing_are_refused(tmp_path):
    with pytest.raises(TableError, match="there are no certificates under these rules"):
        build(TableFolder.of(mill_rules("lasker").options, tmp_path), Silent())


def test_file_of_the_first_layers_has_their_values(three, tmp_path):
    rules, folder = three
    first = [one for layer in layers(rules.options)[:4] for one in layer]
    size = pack(folder, first, tmp_path / "book.mwt")
    packed = read_sectors(memoryview((tmp_path / "book.mwt").read_bytes()), "book.mwt")
    assert [one.header.sector for one in packed] == first
    assert size == sum(one.header.length for one in packed) < 3_000
    book, built = Tables(), open_tables(folder.path.parent)
    book.add(packed)
    for placed in range(5):
        for state in random_states(rules, placed, 20):
            assert book.probe(rules, state) == (built.probe(rules, state) if placed < 4 else None)


def test_book_beside_the_shipped_tables_is_used(three, tmp_path):
    rules, folder = three
    shipped, nothing = tmp_path / "shipped" / "standard.mwt", tmp_path / "nothing"
    shipped.parent.mkdir()
    pack(folder, [(3, 3)], shipped)
    start = rules.mechanics.start(black=False)
    assert open_tables(nothing, shipped=shipped).probe(rules, start) is None
    pack(folder, layers(rules.options)[0], shipped.with_name("book.mwt"))
    assert open_tables(nothing, shipped=shipped).probe(rules, start).result is Result.WIN
    assert open_tables(nothing, shipped=shipped).probe(mill_rules("standard"), start) is None


def test_level_8_gives_no_win_away_that_tables_know(three, tmp_path):
    rules, folder = three
    turns = certify(rules.options, folder.open, 0, lambda *_: False)
    holding = [Certificate(memoryview(b"".join(certificate_bytes(rules.options, 0, turns))))]
    tables = open_tables(folder.path.parent)
    tables.add_certificates(holding)
    for placed in range(5):
        for state in random_states(rules, placed, 20):
            position = rules.reached(state, rules.first)
            game = Game.begin(rules, position)
            text = choose(game, 8, rng=random.Random(placed), tables=tables, stop=lambda: True)
            (after,) = (one.after for one in mill_candidates(position) if one.text == text)
            before = tables.probe(rules, state).result
            assert after.outcome is not None or tables.probe(rules, after.state).result.reversed is before


def test_shipped_book_knows_every_position_of_up_to_eight_pieces():
    rules, tables = mill_rules("standard"), shipped_tables()
    assert SHIPPED_BOOK.stat().st_size < 1_000_000
    assert tables.probe(rules, rules.mechanics.start(black=False)) == Value(Result.DRAW, None, exact=True)
    for placed in range(9):
        assert all(tables.probe(rules, state) for state in random_states(rules, placed, 50))


@pytest.mark.parametrize("name", ["the-mill", "lasker", "six"])
def test_shipped_book_is_for_its_own_rules_alone(name):
    rules = mill_rules(name)
    assert shipped_tables().probe(rules, rules.mechanics.start(black=False)) is None


def test_shipped_book_agrees_with_the_proofs_of_openings():
    """They were made by search alone, each with replies that were checked."""
    rules, tables = mill_rules("standard"), shipped_tables()
    lines = [line for line in SOLVED.read_text("utf-8").splitlines() if not line.startswith("#")]
    assert len(lines) == 46
    for line in lines:
        turns, _, result, _ = line.split("|")
        position = rules.start(Player.WHITE)
        for turn in turns.split():
            position = position.play(position.legal_step(turn))
        assert str(tables.probe(rules, position.state).result) == result.strip()
