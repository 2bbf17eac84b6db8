"""Pieces that were set up: the positions they can begin, and the faults of those that can begin none."""

from __future__ import annotations

from random import Random

import pytest

from firmware_host.errors import NotationError
from firmware_host.games.game import Game, Piece, Player, Rules
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.games.rulesets import MILL_SETS, RULE_SETS, rule_set
from firmware_host.play.asking.setting_up import set_ups
from tests.support.games.random_games import begun, one_step
from tests.support.matrix import left_to_ci

Stacks = list[tuple[Piece, ...]]


def stacks(rules: Rules, **pieces: str) -> Stacks:
    """Return the stacks with these kinds of pieces by their points, several with blanks between."""
    kinds = {str(piece): piece for piece in rules.box}
    found: Stacks = [()] * len(rules.layout)
    for name, texts in pieces.items():
        found[rules.layout[name].index] = tuple(kinds[text] for text in texts.split())
    return found


def mill(white: str, black: str, rules: Rules | None = None) -> Stacks:
    return stacks(
        rules or rule_set(),
        **dict.fromkeys(white.split(), "white"),
        **dict.fromkeys(black.split(), "black"),
    )


STARTS = {
    "a1": "white-ring white-ball",
    "b1": "white-ring white-ball",
    "a2": "white-ring white-ball",
    "e5": "black-ring black-ball",
    "d5": "black-ring black-ball",
    "e4": "black-ring black-ball",
}


EACH = left_to_ci(RULE_SETS, lambda name: name not in {"standard", "mitsudomoe"})


@pytest.mark.parametrize("name", EACH)
def test_positions_of_random_games_can_be_set_up(name: str) -> None:
    luck, tried = Random(7), 0
    while tried < 120:
        game = begun(luck, name)
        while game.outcome is None and tried < 120:
            assert_can_be_set_up(game)
            tried += 1
            for _ in range(3):
                game = one_step(luck, game)


def assert_can_be_set_up(game: Game) -> None:
    position = game.position
    found = set_ups(game.rules, position.stacks)
    assert found.fault is None
    starts = found.starts.get(position.to_move, {})
    moving = not any(position.in_hand(player) for player in Player)
    if position.removal_due or (game.rules.name == "mitsudomoe" and game.mid_turn):
        return  # what is due can't be set up by hands
    if moving or game.rules.name == "mitsudomoe":
        board, *_ = str(position).split(" ")
        assert str(starts[False]).split(" ")[:2] == [board, str(position.to_move)[0]]
    else:
        assert starts[True].stacks == position.stacks
        assert starts[True].to_move is position.to_move


@pytest.mark.parametrize("name", EACH)
def test_a_fault_is_found_exactly_where_no_text_is_accepted(name: str) -> None:
    luck, rules = Random(5), rule_set(name)
    kinds = [*rules.box]
    for _ in range(300):
        count = luck.randint(0, 2 * len(rules.layout) // 3)
        found: Stacks = [()] * len(rules.layout)
        for index in luck.sample(range(len(rules.layout)), min(count, len(rules.layout))):
            found[index] = tuple(luck.choices(kinds, k=luck.choice([1, 1, 2]) if len(kinds) > 2 else 1))
        result = set_ups(rules, found)
        assert (result.fault is None) == bool(result.starts)
        playable = [p for p in Player for placing in (True, False) if plays(rules, found, p, placing=placing)]
        assert set(result.starts) == set(playable)


def plays(rules: Rules, found: Stacks, player: Player, *, placing: bool) -> bool:
    try:
        return rules.position(rules.set_up_text(found, player, placing=placing)).outcome is None
    except NotationError:
        return False


def test_unused_points_are_the_fault() -> None:
    six = rule_set("six")
    fault = set_ups(six, mill("d5 a1", "g7", six)).fault
    assert fault is not None
    assert fault.points == {MORRIS["d5"]}
    assert fault.reason.key == "set-up.unused"


@pytest.mark.parametrize("player", list(Player))
def test_too_many_pieces_of_a_player_are_the_fault(player: Player) -> None:
    six = rule_set("six")
    many, few = "a1 a4 a7 d7 g7 g4 g1", "b2 f2"
    found = mill(many, few, six) if player is Player.WHITE else mill(few, many, six)
    fault = set_ups(six, found).fault
    assert fault is not None
    assert fault.points == {MORRIS[name] for name in many.split()}
    assert fault.reason.key == f"set-up.many.{player}"


def test_a_player_with_two_pieces_can_only_be_placing() -> None:
    found = set_ups(rule_set(), mill("a1 a4", "g7 d6 f4"))
    assert set(found.starts) == set(Player)
    assert all(set(ways) == {True} for ways in found.starts.values())


def test_all_pieces_on_the_board_are_only_moved() -> None:
    every = [point.name for point in MORRIS.points]
    found = set_ups(rule_set(), mill(" ".join(every[:9]), " ".join(every[10:19])))
    assert found.starts
    assert all(set(ways) == {False} for ways in found.starts.values())


def test_a_player_who_is_shut_in_cannot_be_to_move() -> None:
    every = {point.name for point in MORRIS.points}
    inner = {"d5", "e5", "e4", "e3", "d3", "c3", "c4", "c5", "d6"}
    around = {"f4", "d2", "b4", "f6", "b6", "d7", "f2", "b2", "a1"}
    assert inner | around < every
    found = set_ups(rule_set(), mill(" ".join(inner), " ".join(around)))
    assert set(found.starts) == {Player.BLACK}


def test_in_a_full_board_the_game_is_over() -> None:
    names = [point.name for point in MORRIS.points]
    twelve = rule_set("twelve")
    fault = set_ups(twelve, mill(" ".join(names[:12]), " ".join(names[12:]), twelve)).fault
    assert fault is not None
    assert fault.reason.key == "set-up.over"
    assert len(fault.points) == 24


@pytest.mark.parametrize(
    ("change", "key", "points"),
    [
        ({"a1": ""}, "set-up.few-balls.white", ""),
        ({"e4": "black-ring"}, "set-up.few-balls.black", ""),
        ({"c3": "white-ring white-ball"}, "set-up.many-balls.white", "a1 b1 a2 c3"),
        ({"c3": "black-ring black-ball"}, "set-up.many-balls.black", "e5 d5 e4 c3"),
        ({"c3": "white-ring " * 6}, "set-up.many-rings.white", "a1 b1 a2 c3"),
        ({"c3": "black-ring " * 6}, "set-up.many-rings.black", "e5 d5 e4 c3"),
        ({"c3": "white-ball"}, "set-up.stacks", "c3"),
        ({"c3": "white-ring black-ball"}, "set-up.stacks", "c3"),
        ({"a1": "white-ring white-ball white-ring"}, "set-up.stacks", "a1"),
    ],
)
def test_faults_of_stacks(change: dict[str, str], key: str, points: str) -> None:
    rules = rule_set("mitsudomoe")
    fault = set_ups(rules, stacks(rules, **{**STARTS, **change})).fault
    assert fault is not None
    assert fault.reason.key == key
    assert fault.points == {SQUARES[name] for name in points.split()}


def test_balls_in_their_goal_are_the_fault() -> None:
    rules = rule_set("mitsudomoe")
    swapped = {name: text.replace("white", "black") for name, text in STARTS.items() if "white" in text}
    found = {"c3": "white-ring white-ball", "c4": "white-ring white-ball", "c5": "white-ring white-ball"}
    fault = set_ups(rules, stacks(rules, **swapped, **found)).fault
    assert fault is not None
    assert fault.points == {SQUARES[name] for name in swapped}


@pytest.mark.parametrize("name", MILL_SETS)
def test_the_start_of_the_rules_is_no_position_that_was_set_up(name: str) -> None:
    rules = rule_set(name)
    for player in Player:
        assert not Game.begin(rules, rules.start(player)).is_set_up
        text = rules.set_up_text(mill("a1", "g7", rules), player, placing=True)
        assert Game.begin(rules, rules.position(text)).is_set_up
