"""Invariants of every position of every rule set of the mill family."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.errors import IllegalStepError
from firmware_host.games.game import Player, legal_turns
from firmware_host.games.layout import MORRIS
from firmware_host.games.morris.bitboard import bits, points_of
from firmware_host.games.morris.position import MorrisPosition
from firmware_host.games.rulesets import MILL_SETS, rule_set
from tests.support.examples import few
from tests.support.games.morris import games, lengths, luck, played, positions


def total(position, player):
    on_board = sum(piece is not None and piece.owner is player for piece in position.standing)
    return on_board + position.in_hand(player)


@few(20)
@given(positions())
def test_no_piece_comes_out_of_nothing(position):
    for step in position.legal_steps():
        after = position.play(step)
        for player in Player:
            taken = step.text != "x-" and step.target is None and player is not position.to_move
            assert total(after, player) == total(position, player) - taken
        moved = {step.origin, step.target} - {None}
        for point in MORRIS.points:
            assert after.standing[point.index] == position.standing[point.index] or point in moved


@few(20)
@given(positions())
def test_legal_steps_lead_only_to_positions_that_a_text_can_tell(position):
    for step in position.legal_steps():
        after = position.play(step)
        read = position.rules.position(str(after))
        assert str(read) == str(after)
        assert read.state == after.state._replace(past=(), closed=0)
        assert (after.outcome is None) == bool(after.legal_steps())


@few(20)
@given(positions())
def test_a_step_is_legal_if_and_only_if_it_is_among_the_legal_steps(position):
    legal = {step.text for step in position.legal_steps()}
    names = [point.name for point in MORRIS.points]
    possible = [*names, *(f"x{name}" for name in names), "x-"]
    possible += [f"{one}-{other}" for one in names[::5] for other in names]
    for text in possible:
        assert is_legal(position, text) == (text in legal)


def is_legal(position, text):
    try:
        position.play(position.rules.parse_step(text))
    except IllegalStepError:
        return False
    return True


@few(14)
@given(positions())
def test_turns_end_with_the_other_player_or_the_game(position):
    for turn in legal_turns(position):
        assert turn.positions[-1].outcome or turn.positions[-1].to_move is not position.to_move
        assert all(after.removal_due and after.to_move is position.to_move for after in turn.positions[:-1])


# The board has sixteen symmetries: eight turns and mirrors, and each with two of its rings exchanged.


def symmetries(outer: bool) -> list[list[int]]:
    """For each symmetry, where it brings each point's index."""
    exchanged = {0: 0, 1: 2, 2: 1} if outer else {0: 2, 1: 1, 2: 0}
    return [
        [8 * rings[index // 8] + (mirror * (index % 8) + 2 * quarter) % 8 for index in range(24)]
        for quarter in range(4)
        for mirror in (1, -1)
        for rings in ({0: 0, 1: 1, 2: 2}, exchanged)
    ]


def turned(points: int, symmetry: list[int]) -> int:
    return sum(1 << symmetry[one.bit_length() - 1] for one in bits(points))


def turned_position(position: MorrisPosition, symmetry: list[int]) -> MorrisPosition:
    state = position.state
    mine, theirs, closed = (turned(points, symmetry) for points in (state.mine, state.theirs, state.closed))
    past = tuple((turned(key[0], symmetry), turned(key[1], symmetry), *key[2:]) for key in state.past)
    state = state._replace(mine=mine, theirs=theirs, closed=closed, past=past)
    return position.rules.reached(state, position.first)


def turned_text(text: str, symmetry: list[int]) -> str:
    for name in {point.name for point in MORRIS.points if point.name in text}:
        text = text.replace(name, MORRIS.points[symmetry[MORRIS[name].index]].name.upper())
    return text.lower()


@pytest.mark.parametrize("outer", [False, True])
def test_there_are_sixteen_symmetries_and_they_keep_the_lines(outer):
    rules = rule_set("six" if outer else "twelve")
    wood = rules.mechanics.graph
    found = symmetries(outer)
    assert len({tuple(symmetry) for symmetry in found}) == 16
    for symmetry in found:
        assert {turned(line, symmetry) for line in wood.mill_lines} == set(wood.mill_lines)


@few(20)
@given(positions(), st.integers(0, 15))
def test_symmetric_positions_have_symmetric_steps(position, which):
    symmetry = symmetries(position.rules.options.points == "outer")[which]
    image = turned_position(position, symmetry)
    assert image.outcome == position.outcome
    steps = {turned_text(step.text, symmetry): step for step in position.legal_steps()}
    assert set(steps) == {step.text for step in image.legal_steps()}
    for text, step in list(steps.items())[::7]:
        assert image.play(image.legal_step(text)) == turned_position(position.play(step), symmetry)


@pytest.mark.parametrize("name", MILL_SETS)
@few(4)
@given(luck, lengths)
def test_every_rule_set_can_be_played(name, luck, length):
    rules = rule_set(name)
    game = played(rules.start(rules.first or Player.BLACK), luck, length)
    assert game.outcome or game.position.legal_steps()
    assert game.position.closed <= set(points_of(rules.mechanics.graph.usable))


@few(10)
@given(games())
def test_a_game_taken_back_and_played_again_is_the_same(game):
    again = game.back_to(game.ply // 2)
    assert again.play(*game.steps[again.ply :]) == game


@few(7)
@given(positions(), luck)
def test_positions_do_not_change(position, luck):
    before = (str(position), position.state, position.outcome, hash(position))
    played(position, luck, 20)
    assert before == (str(position), position.state, position.outcome, hash(position))
