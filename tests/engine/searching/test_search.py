"""The searches: the same values in Python and C, and those of plain minimax."""

from __future__ import annotations

import ctypes
import random
from dataclasses import replace
from functools import partial

import pytest

from firmware_host.engine.choosing import choose
from firmware_host.engine.searching import scoring
from firmware_host.engine.searching.evaluation import Evaluation, evaluation
from firmware_host.engine.searching.mill_bits import Node, mill_bits
from firmware_host.engine.searching.scoring import setting_of
from firmware_host.engine.searching.search import (
    DECIDED,
    WIN,
    NodeTables,
    SearchStoppedError,
    Setting,
    TurnSearch,
)
from firmware_host.engine.searching.search_native import Memory, NativeSearch
from firmware_host.games import perft
from firmware_host.games.game import Game, Player
from firmware_host.games.morris.position import MorrisPosition, MorrisRules
from firmware_host.games.rulesets import LEVELS, MILL_SETS, rule_set
from tests.support.matrix import CI, left_to_ci, sampled

WINDOW = (-WIN - 1, WIN + 1)
SETS = [*MILL_SETS, "standard removal=may", "twelve full_board=first-loses"]
MOST_DIFFERENT = {"lasker", "standard removal=may", "twelve full_board=first-loses"}
EACH = pytest.mark.parametrize("name", left_to_ci(SETS, lambda name: name not in MOST_DIFFERENT))


def rules_of(name: str) -> MorrisRules:
    rules = rule_set(name.split()[0], name.split()[1:])
    assert isinstance(rules, MorrisRules)
    return rules


def games(name: str, seed: int, turns: int) -> list[Game]:
    """Return the games after each turn of some random play in which pieces are taken."""
    rules, rng = rules_of(name), random.Random(seed)
    game = Game.begin(rules, rules.start(rules.first or Player.WHITE))
    found = []
    for _ in range(turns):
        if game.outcome is not None:
            break
        found.append(game)
        options = game.position.turns()
        taking = [turn for turn in options if any(step.text.startswith("x") for step in turn.steps)]
        game = game.play(*rng.choice(taking if taking and rng.random() < 0.6 else options).steps)
    return found


def morris(game: Game) -> MorrisPosition:
    assert isinstance(game.position, MorrisPosition)
    return game.position


def points(*bits: int) -> int:
    return sum(1 << bit for bit in bits)


def plain(evaluate: Evaluation, node: Node, depth: int) -> int:
    """Return the minimax value without settling: the evaluation after `depth` turns, nearer wins first."""
    mine, theirs, my_hand, their_hand = node
    rules = evaluate.rules
    if mine.bit_count() + my_hand < 3 or (not my_hand and not rules.can_move(*node)):
        return -WIN
    if mine | theirs == rules.usable:
        return 0
    if not depth:
        return evaluate(*node)
    closing, quiet = rules.turns(*node)
    children = [(left, after, their_hand, hand) for after, left, hand in closing + quiet]
    best = max(-plain(evaluate, child, depth - 1) for child in children)
    return best - 1 if best > 8000 else best + 1 if best < -8000 else best


@pytest.mark.parametrize("name", ["standard", "six", "lasker"])
def test_search_without_settling_is_plain_minimax(name: str, search_in_c: ctypes.CDLL) -> None:
    setting = Setting(settling=0)
    evaluate = evaluation(mill_bits(rules_of(name).options))
    for game in games(name, 3, 40)[::4]:
        node = morris(game).state[:4]
        for search in (TurnSearch(evaluate, setting), NativeSearch(search_in_c, evaluate, setting)):
            assert search.value(node, 0, 0, 2, WINDOW) == plain(evaluate, node, 2)


@EACH
def test_search_in_c_finds_the_values_of_python(name: str, search_in_c: ctypes.CDLL) -> None:
    evaluate = evaluation(mill_bits(rules_of(name).options))
    for game in games(name, 5, 60)[::3]:
        position = morris(game)
        setting, state = setting_of(position), position.state
        pure, fast = TurnSearch(evaluate, setting), NativeSearch(search_in_c, evaluate, setting)
        assert fast.worth(state[:4]) == evaluate(*state[:4])
        for depth in (1, 2, 3):
            found = pure.value(state[:4], 0, state.quiet, depth, WINDOW)
            assert fast.value(state[:4], 0, state.quiet, depth, WINDOW) == found


@EACH
def test_search_in_c_counts_the_turns_of_the_rules(name: str, search_in_c: ctypes.CDLL) -> None:
    evaluate = evaluation(mill_bits(rules_of(name).options))
    for game in games(name, 6, 60)[::9]:
        position = morris(game)
        fast = NativeSearch(search_in_c, evaluate, replace(setting_of(position), drawn=frozenset()))
        if position.state.quiet + 2 < (position.rules.options.quiet or 100):
            fresh = position.rules.reached(position.state._replace(past=()), position.first)
            assert fast.perft(position.state[:4], 0, 2) == perft.count(fresh, 2, turns=True)


def test_search_in_c_counts_known_leaves(search_in_c: ctypes.CDLL) -> None:
    fast = NativeSearch(search_in_c, evaluation(mill_bits(rules_of("standard").options)), Setting())
    assert fast.perft((0, 0, 9, 9), 0, 5) == 5_140_800


@pytest.mark.parametrize("level", sampled(sorted(LEVELS[:-1], key=lambda level: level != 3), others=CI))
def test_choose_plays_the_same_turns_in_python_and_c(
    level: int, search_in_c: ctypes.CDLL, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("standard", "the-mill", "six")[: 1 if level > 5 else 3]:
        for number, game in enumerate(games(name, level, 60)[8 if level > 5 else 0 :: 7]):
            monkeypatch.setattr(scoring, "search_library", lambda: search_in_c)
            fast = choose(game, level, rng=random.Random(number))
            monkeypatch.setattr(scoring, "search_library", lambda: None)
            assert choose(game, level, rng=random.Random(number)) == fast


def test_search_repeating_for_the_last_time_is_a_draw(search_in_c: ctypes.CDLL) -> None:
    game = games("standard", 1, 30)[-1]
    node = morris(game).state[:4]
    evaluate = evaluation(mill_bits(rules_of("standard").options))
    setting = Setting(drawn=frozenset({(1, node)}))
    for search in (TurnSearch(evaluate, setting), NativeSearch(search_in_c, evaluate, setting)):
        assert search.value(node, 1, 4, 3, WINDOW) == 0
        assert search.value(node, 0, 4, 3, WINDOW) != 0


def test_search_that_is_stopped_raises(search_in_c: ctypes.CDLL) -> None:
    evaluate = evaluation(mill_bits(rules_of("standard").options))
    for search in (TurnSearch(evaluate), NativeSearch(search_in_c, evaluate, Setting())):
        search.heed(lambda: True)
        with pytest.raises(SearchStoppedError):
            search.value((0, 0, 9, 9), 0, 0, 30, WINDOW)
        search.heed(lambda: False, 5000)
        with pytest.raises(SearchStoppedError):
            search.value((0, 0, 9, 9), 0, 0, 30, WINDOW)


def test_search_in_c_asks_whether_to_stop_after_few_questions_to_tables(search_in_c: ctypes.CDLL) -> None:
    # Each takes as long as a hundred nodes, and on a slow computer the turn would be late.
    runs = [0]

    def probe(node: Node, quiet: int, depth: int) -> None:
        runs[-1] += 1

    def stop() -> bool:
        runs.append(0)
        return False

    evaluate = evaluation(mill_bits(rules_of("standard").options))
    search = NativeSearch(search_in_c, evaluate, Setting(), NodeTables(frozenset({(3, 3)}), probe))
    search.heed(stop)
    search.value((0b10011, 0b10011 << 8, 0, 0), 0, 0, 4, WINDOW)
    assert sum(runs) > 100
    assert max(runs) <= 8


def test_search_in_c_raises_what_tables_raise(search_in_c: ctypes.CDLL) -> None:
    def broken(node: Node, quiet: int, depth: int) -> int:
        raise OSError("no card")

    evaluate = evaluation(mill_bits(rules_of("standard").options))
    tables = NodeTables(frozenset({(3, 3)}), broken)
    search = NativeSearch(search_in_c, evaluate, Setting(), tables)
    with pytest.raises(OSError, match="no card"):
        search.value((0b111, 0b111 << 8, 0, 0), 0, 0, 2, WINDOW)


def test_search_believes_what_tables_know(search_in_c: ctypes.CDLL) -> None:
    lost_with_three = NodeTables(frozenset({(3, 4)}), lambda node, quiet, depth: -8900)
    evaluate = evaluation(mill_bits(rules_of("standard").options))
    node = (
        rules_of("standard").position("O*O****O/*O******/@@**@**@ w m s 4 0 4 0 0 0 0 0 0 0 0 0 9").state[:4]
    )
    for search in (
        TurnSearch(evaluate, Setting(), lost_with_three),
        NativeSearch(search_in_c, evaluate, Setting(), lost_with_three),
    ):
        assert search.value(node, 0, 0, 1, WINDOW) == 8899


def test_search_asks_only_tables_that_there_are(search_in_c: ctypes.CDLL) -> None:
    evaluate = evaluation(mill_bits(rules_of("standard").options))
    sectors, asked = frozenset({(3, 4), (3, 3)}), set()

    def probe(node: Node, quiet: int, depth: int) -> None:
        asked.add((node[0].bit_count(), node[1].bit_count(), *node[2:]))

    for game in games("standard", 4, 90)[-9:]:
        node = morris(game).state[:4]
        found = [
            TurnSearch(evaluate, Setting(), NodeTables(sectors, probe)).value(node, 0, 0, 2, WINDOW),
            NativeSearch(search_in_c, evaluate, Setting(), NodeTables(sectors, probe)).value(
                node, 0, 0, 2, WINDOW
            ),
            NativeSearch(search_in_c, evaluate, Setting()).value(node, 0, 0, 2, WINDOW),
        ]
        assert len(set(found)) == 1
    assert asked == {(3, 4, 0, 0), (3, 3, 0, 0)}


def test_search_counts_a_mill_that_captures_nothing_as_quiet(search_in_c: ctypes.CDLL) -> None:
    evaluate = evaluation(mill_bits(rules_of("standard protection=always").options))
    node = (points(0, 2, 7, 12), points(16, 17, 23), 0, 0)  # 2 to 1 closes a mill, and the others are in one
    for kind in (TurnSearch, partial(NativeSearch, search_in_c)):
        asked: list[int] = []

        def probe(_node: Node, quiet: int, _depth: int, asked: list[int] = asked) -> int:
            asked.append(quiet)
            return 0

        tables = NodeTables(frozenset({(3, 4)}), probe)
        kind(evaluate, Setting(quiet_limit=100), tables).value(node, 0, 97, 0, WINDOW)
        assert asked == [98]


def test_search_heeds_any_number_of_repetitions(search_in_c: ctypes.CDLL) -> None:
    evaluate = evaluation(mill_bits(rules_of("standard").options))
    mine, theirs = points(0, 2, 12), points(16, 18, 23)
    closing, quiet = evaluate.rules.turns(mine, theirs, 0, 0)
    after = {(1, (theirs, one, 0, 0)) for one, _, _ in (*closing, *quiet)}
    long_ago = {(0, (1 << one, 1 << other, 0, 0)) for one in range(24) for other in range(24) if one != other}
    setting = Setting(drawn=frozenset(after | long_ago))
    for search in (TurnSearch(evaluate, setting), NativeSearch(search_in_c, evaluate, setting)):
        assert search.value((mine, theirs, 0, 0), 0, 0, 1, WINDOW) == 0


def test_search_for_strength_proves_only_what_is_so(search_in_c: ctypes.CDLL) -> None:
    # It searches late turns less deep; whatever it calls decided has to be so at full width as well.
    evaluate = evaluation(mill_bits(rules_of("standard").options))
    decided = 0
    for seed in range(12):
        for game in games("standard", seed, 60)[24::3]:
            node = morris(game).state[:4]
            strong = NativeSearch(search_in_c, evaluate, Setting(), memory=Memory(14, deeper=True))
            value = strong.value(node, 0, 0, 6, WINDOW)
            if abs(value) > DECIDED:
                decided += 1
                whole = NativeSearch(search_in_c, evaluate, Setting())
                proof = whole.value(node, 0, 0, WIN - abs(value), WINDOW)
                assert abs(proof) >= abs(value)
                assert (proof > 0) == (value > 0)
    assert decided > 5
