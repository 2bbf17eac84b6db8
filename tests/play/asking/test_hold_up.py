"""The hold-up: two pieces of one player in the hands for two seconds, and what looks like it."""

from __future__ import annotations

import pytest

from firmware_host.games.game import Game, Player
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from firmware_host.play.asking.gestures import HELD_FOR, HoldUpDetector
from firmware_host.ports import NOTHING, SensorKind
from firmware_host.tracking.sensor_model import SensorModel

MS = 1000
PRESENCE = SensorModel(SensorKind.PRESENCE)

TURNS = ["d6", "f4", "d7", "a1", "a7", "g1", "b4", "c4", "f2", "e3"]
WHITE, BLACK = TURNS[::2], TURNS[1::2]


def game() -> Game:
    rules = rule_set()
    found = Game.begin(rules, rules.start(Player.WHITE))
    for text in TURNS:
        found = found.play(found.position.legal_step(text))
    return found


def held_up(
    *lifts: tuple[int, str], until: int = 6000, is_error: bool = True, masked: str = ""
) -> list[set[str]]:
    """Return the points that are held up, where pieces are lifted at these times in milliseconds."""
    sensors = SensorModel(SensorKind.PRESENCE, frozenset({MORRIS[masked].index} if masked else ()))
    played, detector = game(), HoldUpDetector()
    found = []
    for now in range(0, until, 5):
        gone = {MORRIS[name].index for at, name in lifts if at <= now}
        own = sensors.expected(played.position)
        shown = tuple(NOTHING if index in gone else reading for index, reading in enumerate(own))
        points = detector.update(shown, played, sensors, now * MS, is_error=is_error)
        found += [{point.name for point in points}] if points else []
    return found


@pytest.mark.parametrize("pieces", [WHITE[:2], WHITE[1:3], BLACK[:2], [BLACK[2], BLACK[0]]])
def test_two_pieces_of_one_player_are_held_up(pieces: list[str]) -> None:
    assert held_up((1000, pieces[0]), (1300, pieces[1])) == [set(pieces)]


def test_pieces_of_both_players_are_not_held_up() -> None:
    assert held_up((1000, "d6"), (1300, "f4")) == []


@pytest.mark.parametrize("late", ["b4", "c4", "f2", "e3"])
def test_pieces_of_the_last_four_steps_are_not_held_up(late: str) -> None:
    other = "d6" if late in WHITE else "a1"
    assert held_up((1000, other), (1300, late)) == []


@pytest.mark.parametrize("lifts", [[(1000, "d6")], [(1000, "d6"), (1300, "d7"), (1600, "a7")]])
def test_one_piece_or_three_are_not_held_up(lifts: list[tuple[int, str]]) -> None:
    assert held_up(*lifts) == []


def test_pieces_that_vanish_together_are_not_held_up() -> None:
    assert held_up((1000, "d6"), (1000, "d7")) == []
    assert held_up((1000, "d6"), (1075, "d7")) == []
    assert held_up((1000, "d6"), (1080, "d7")) == [{"d6", "d7"}]


def test_pieces_that_a_turn_explains_are_not_held_up() -> None:
    assert held_up((1000, "d6"), (1300, "d7"), is_error=False) == []


def test_a_masked_point_does_not_count() -> None:
    assert held_up((1000, "d6"), (1300, "d7"), (1400, "a7"), masked="a7") == [{"d6", "d7"}]
    assert held_up((1000, "d6"), (1300, "d7"), masked="d7") == []


def test_pieces_are_held_up_for_two_seconds() -> None:
    assert held_up((1000, "d6"), (1300, "d7"), until=1300 + HELD_FOR // MS) == []
    assert held_up((1000, "d6"), (1300, "d7"), until=1305 + HELD_FOR // MS) == [{"d6", "d7"}]


def test_a_board_that_never_matched_the_game_holds_nothing_up() -> None:
    assert held_up((0, "d6"), (300, "d7")) == []


def test_holding_up_tells_its_deadline() -> None:
    played, detector = game(), HoldUpDetector()
    own = PRESENCE.expected(played.position)
    detector.update(own, played, PRESENCE, 0, is_error=False)
    one = tuple(NOTHING if point.name == "d6" else own[point.index] for point in MORRIS.points)
    both = tuple(NOTHING if point.name == "d7" else one[point.index] for point in MORRIS.points)
    detector.update(one, played, PRESENCE, 100 * MS, is_error=False)
    assert detector.deadline is None
    detector.update(both, played, PRESENCE, 400 * MS, is_error=False)
    assert detector.deadline == 400 * MS + HELD_FOR
