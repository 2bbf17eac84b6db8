"""The games a board can play, and the reasons against the others."""

import pytest

from firmware_host.config.compatibility import incompatibility, playable_rule_sets
from firmware_host.config.loader import load
from firmware_host.errors import ConfigError, RequestError
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.games.rulesets import MILL_SETS, rule_set
from firmware_host.i18n import to_english
from firmware_host.ports import SensorKind
from sim.assembly import Blueprint
from tests.support.scripted_board import ScriptedBoard

NEEDS = "it needs a linear sensor at each point"


@pytest.mark.parametrize("alphabet", SensorKind)
def test_a_mill_board_plays_every_mill_game(alphabet):
    assert playable_rule_sets(alphabet, MORRIS) == [*MILL_SETS]


def test_a_board_of_squares_with_linear_sensors_plays_the_game_of_stacks():
    assert playable_rule_sets(SensorKind.PIECES, SQUARES) == ["mitsudomoe"]
    other = incompatibility(rule_set("mitsudomoe"), SensorKind.PIECES, MORRIS)
    assert other is not None
    assert to_english(other) == "Mitsudomoe needs a board with 25 points, and this one has 24"


@pytest.mark.parametrize("alphabet", [SensorKind.PRESENCE, SensorKind.POLARITY])
def test_a_game_of_stacks_is_refused_with_what_it_needs(alphabet):
    hindered = incompatibility(rule_set("mitsudomoe"), alphabet)
    assert hindered is not None
    said = to_english(hindered)
    assert "Mitsudomoe stacks its pieces" in said
    assert f"sensors ({alphabet.value}) can't tell stacks apart: {NEEDS}" in said


def test_a_simulated_board_has_the_sensors_that_its_game_needs_unless_others_are_asked_for():
    assert Blueprint.of(rules="mitsudomoe").alphabet is SensorKind.PIECES
    assert Blueprint.of(rules="lasker").alphabet is SensorKind.PRESENCE
    assert Blueprint.of(rules="lasker", sensors="polarity").alphabet is SensorKind.POLARITY
    assert Blueprint.of(rules="lasker", with_page=True).alphabet is SensorKind.POLARITY
    chosen = Blueprint.of(rules="lasker", sensors="presence", with_page=True)
    assert chosen.alphabet is SensorKind.PRESENCE
    assert Blueprint.of(rules="mitsudomoe", with_page=True).alphabet is SensorKind.PIECES


def test_a_new_game_that_the_board_cannot_play_leaves_the_old_one_alone():
    board = ScriptedBoard()
    board.hands("+d6 300")
    with pytest.raises(RequestError, match=NEEDS) as refused:
        board.ask("new_game", rule_set("mitsudomoe"))
    assert refused.value.message is not None, "pages say it in their own language"
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
