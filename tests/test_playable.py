"""Which games a board can play, and what is said of those that it cannot."""

import pytest
from felt_board import FeltBoard

from firmware_host.config import load
from firmware_host.errors import ConfigError, RequestError
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.games.rulesets import MILL_SETS, rule_set
from firmware_host.playable import hindrance, playable
from firmware_host.ports import Alphabet
from sim.assembly import Blueprint

NEEDS = "it needs a linear sensor at each point"


@pytest.mark.parametrize("alphabet", Alphabet)
def test_a_mill_board_plays_every_mill_game(alphabet):
    assert playable(alphabet, MORRIS) == [*MILL_SETS]


def test_a_board_of_squares_with_linear_sensors_plays_the_game_of_stacks():
    assert playable(Alphabet.PIECES, SQUARES) == ["mitsudomoe"]
    assert "needs a board with the 25 points of squares" in hindrance(
        rule_set("mitsudomoe"), Alphabet.PIECES, MORRIS
    )


@pytest.mark.parametrize("alphabet", [Alphabet.PRESENCE, Alphabet.POLARITY])
def test_a_game_of_stacks_is_refused_with_what_it_needs(alphabet):
    said = hindrance(rule_set("mitsudomoe"), alphabet)
    assert "balls and rings that stand on each other" in said
    assert f"sensors of {alphabet.value} cannot tell them: {NEEDS}" in said


def test_a_new_game_that_the_board_cannot_play_leaves_the_old_one_alone():
    board = FeltBoard()
    board.hands("+d6 300")
    with pytest.raises(RequestError, match=NEEDS):
        board.ask("new_game", rule_set("mitsudomoe"))
    assert board.session.game.ply == 1
    assert board.session.game.outcome is None


def test_the_configuration_says_so_too(tmp_path):
    file = tmp_path / "board.toml"
    file.write_text('[play]\nrules = "mitsudomoe"\n')
    with pytest.raises(ConfigError, match=NEEDS):
        load(file)


def test_and_so_does_the_simulation():
    with pytest.raises(ConfigError, match=NEEDS):
        Blueprint.of(rules="mitsudomoe", sensors="polarity")
