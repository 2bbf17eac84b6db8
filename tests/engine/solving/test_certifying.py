"""Certificates of small games: proved, checked by code of its own, read in Python, and used to place."""

import random
import re
import struct

import pytest
from click.testing import CliRunner

from firmware_host.cli import main
from firmware_host.engine import native
from firmware_host.engine.certificate import NOTHING, PLAYERS, Certificate, canonical, certificate_bytes
from firmware_host.engine.choosing import choose
from firmware_host.engine.solving import certifying
from firmware_host.engine.solving.builder import pack_opening
from firmware_host.engine.solving.folder import TableFolder, open_tables
from firmware_host.engine.solving.library import BuildStoppedError
from firmware_host.engine.tables import index_of
from firmware_host.errors import TableError
from firmware_host.games.game import Game, Player
from firmware_host.games.morris.position import MorrisPosition
from tests.support.games.morris import mill_rules

pytestmark = pytest.mark.ci("engine")

FOUR = ("pieces=4",)


def working(stage, done, total):
    return False


@pytest.fixture
def small(solved):
    """Return the rules with four pieces, and the folder with their tables."""
    return solved(8, settings=FOUR)


@pytest.fixture
def proved(small):
    """Return the rules, the folder and the certificates of both players, which are in it."""
    rules, folder = small
    for player in (0, 1):
        turns = certifying.certify(rules.options, folder.open, player, working)
        folder.write_certificate(player, certificate_bytes(rules.options, player, turns))
    return rules, folder, folder.certificates()


def turns_of(certificate):
    return [bytes(certificate.turn_entries(turn)) for turn in range(certificate.pieces)]


def rewritten(rules, certificate, turns):
    """Return a certificate with other entries and right digests."""
    return Certificate(memoryview(b"".join(certificate_bytes(rules.options, certificate.player, turns))))


def test_certificate_of_each_player_passes_both_checks(proved):
    rules, folder, certificates = proved
    tables = open_tables(folder.path.parent)
    for one in certificates:
        found = certifying.audit(rules.options, folder.open, one, working)
        assert (found.wrong, found.first_wrong, found.entries) == (0, None, one.entries)
        assert found.leaves > 1000
        assert certifying.audit_by_rules(rules, tables, one, 50, random.Random(1)) == []


def test_proof_of_a_lost_game_is_refused(solved):
    rules, folder = solved(6, settings=("pieces=3",))
    assert certifying.certify(rules.options, folder.open, 0, working)
    with pytest.raises(TableError, match="second player cannot hold the draw"):
        certifying.certify(rules.options, folder.open, 1, working)


def test_proof_without_all_tables_names_the_missing_ones(solved):
    rules, folder = solved(7, settings=FOUR)
    with pytest.raises(TableError, match="sectors 4-4 are missing"):
        certifying.certify(rules.options, folder.open, 0, working)


def test_proof_without_memory_is_refused_with_figures(small):
    rules, folder = small
    with pytest.raises(TableError, match=r"about 2,147 MB of memory, and 100 MB are allowed"):
        certifying.certify(rules.options, folder.open, 0, working, max_memory=100_000_000)


@pytest.mark.parametrize("settings", [("removal=may", "quiet=0"), ("captures=per-mill",), ("odds=white:-1",)])
def test_rules_without_certificates_are_refused(library, tmp_path, settings):
    options = mill_rules("standard", settings).options
    folder = TableFolder.of(options, tmp_path)
    with pytest.raises(TableError, match="no certificates under these rules"):
        certifying.certify(options, folder.open, 0, working)


def test_proof_that_is_stopped_leaves_nothing(small):
    rules, folder = small
    with pytest.raises(BuildStoppedError):
        certifying.certify(rules.options, folder.open, 1, lambda *_: True)
    assert folder.certificates() == []


def with_entry(turns, turn, number, entry):
    found = list(turns)
    start = 8 * number
    found[turn] = found[turn][:start] + struct.pack("<Q", entry) + found[turn][start + 8 :]
    return found


def entries_of(block):
    return [one for (one,) in struct.iter_unpack("<Q", block)]


def test_check_finds_every_planted_illegal_reply(proved):
    rules, folder, certificates = proved
    rng = random.Random(7)
    for one in certificates:
        turns = turns_of(one)
        for _ in range(25):
            turn = rng.randrange(len(turns))
            entries = entries_of(turns[turn])
            number = rng.randrange(len(entries))
            own, other = entries[number] >> 40, entries[number] >> 16 & 0xFFFFFF
            occupied = [node for node in range(24) if (own | other) >> node & 1] or [24, 99]
            wrong = entries[number] & ~0xFF00 | rng.choice(occupied) << 8
            planted = rewritten(rules, one, with_entry(turns, turn, number, wrong))
            found = certifying.audit(rules.options, folder.open, planted, working)
            assert found.illegal == 1
            assert found.first_wrong == entries[number] >> 16


def test_check_finds_every_planted_gap(proved):
    rules, folder, certificates = proved
    rng = random.Random(8)
    for one in certificates:
        turns = turns_of(one)
        for _ in range(25):
            turn = rng.randrange(len(turns))
            number = rng.randrange(len(turns[turn]) // 8)
            cut = turns[turn][: 8 * number] + turns[turn][8 * number + 8 :]
            planted = rewritten(rules, one, [*turns[:turn], cut, *turns[turn + 1 :]])
            found = certifying.audit(rules.options, folder.open, planted, working)
            assert (found.missing, found.illegal, found.lost) == (1, 0, 0)


def test_check_finds_the_lost_positions_of_careless_replies(solved):
    rules, folder = solved(6, settings=("pieces=3",))  # a game that the second player cannot hold
    turns = careless_turns(rules)
    careless = Certificate(memoryview(b"".join(certificate_bytes(rules.options, 1, turns))))
    found = certifying.audit(rules.options, folder.open, careless, working)
    assert (found.missing, found.illegal) == (0, 0)
    assert found.lost > 100
    games = certifying.audit_by_rules(rules, open_tables(folder.path.parent), careless, 100, random.Random(4))
    assert "the last position is lost" in games


def careless_turns(rules):
    """Return the entries of a second player who takes the first legal turn in each position."""
    index, mechanics = index_of(rules.mechanics), rules.mechanics
    states, turns = [mechanics.start(black=False)], []
    for _ in range(rules.options.pieces):
        entries, after_replies = set(), set()
        for state in {after for before in states for after in mechanics.after_turns(before)}:
            position, _symmetry = canonical(index, state.mine, state.theirs)
            own, other = position >> 24, position & 0xFFFFFF
            after = next(iter(mechanics.after_turns(state._replace(mine=own, theirs=other, closed=0))))
            to, taken = (after.theirs & ~own).bit_length() - 1, (other & ~after.mine).bit_length() - 1
            entries.add(position << 16 | to << 8 | (NOTHING if taken < 0 else taken))
            after_replies.add(after)
        turns.append(b"".join(struct.pack("<Q", entry) for entry in sorted(entries)))
        states = list(after_replies)
    return turns


def test_damaged_certificate_never_gives_a_reply(proved):
    _rules, _folder, certificates = proved
    whole = bytes(certificates[0].data)
    right = Certificate(memoryview(whole))
    positions = [(turn, entry >> 16) for turn in range(4) for entry in entries_of(turns_of(right)[turn])]
    rng = random.Random(3)
    for _ in range(200):
        damaged = bytearray(whole)
        damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        turn, position = rng.choice(positions)
        with pytest.raises(TableError):
            Certificate(memoryview(damaged)).reply(turn, position)
    for length in (0, 100, 200, len(whole) - 1):
        with pytest.raises(TableError):
            Certificate(memoryview(whole[:length]))


def test_reader_gives_the_same_replies_without_the_library(proved, monkeypatch, tmp_path):
    rules, folder, certificates = proved
    monkeypatch.setattr(native, "LIBRARY", tmp_path / "none")
    tables = open_tables(folder.path.parent)
    for one in certificates:
        assert certifying.audit_by_rules(rules, tables, one, 20, random.Random(5)) == []


def state_of(game):
    assert isinstance(game.position, MorrisPosition)
    return game.position.state


def test_level_8_places_by_the_certificate(proved):
    rules, folder, _certificates = proved
    tables = open_tables(folder.path.parent)
    rng = random.Random(2)
    game = Game.begin(rules, rules.start(Player.WHITE))
    while (state := state_of(game)).my_hand:
        level = 8 if game.position.to_move.name == "BLACK" else 1
        expected = tables.reply(rules, state)
        text = choose(game, level, rng=rng, tables=tables, stop=lambda: True)
        game = game.play(*rules.parse_turn(text))
        if level == 8:
            after = state_of(game)
            assert (after.theirs, after.mine) == expected
    known = tables.probe(rules, state_of(game))
    assert known is not None
    assert known.result.name != "WIN"


def test_opening_has_the_first_turns_of_both_players(proved, tmp_path):
    _rules, folder, _certificates = proved
    pack_opening(folder, 2, tmp_path / "opening.mwc")
    tables = open_tables(tmp_path, shipped=tmp_path / "standard.mwt")
    rules = mill_rules("standard", FOUR)
    state = rules.mechanics.start(black=False)
    assert tables.reply(rules, state) is not None


def test_command_proves_checks_and_says_that_it_cannot_lose(small, monkeypatch):
    _rules, folder = small
    base = ["tables", "--dir", str(folder.path.parent), "--set", "pieces=4"]

    def run(*arguments):
        result = CliRunner().invoke(main, [*base, *arguments])
        assert result.exit_code == 0, result.output
        return result.output

    assert "not proved: there is no certificate for both players" in run("info")
    assert re.search(r"first player: [\d,]+ replies, [\d.]+ MB", run("certificate"))
    assert "not proved: these files were not checked" in run("info")
    assert "none wrong" in run("verify", "--certificate")
    assert "cannot lose from the start" in run("info")
    file = folder.certificate_file(PLAYERS[1])
    whole = file.read_bytes()
    file.write_bytes(whole[:-1])
    assert "not proved" in run("info")
