"""Sensor updates go to pages that watch, and to no others."""

from __future__ import annotations

from typing import Any

import pytest

from firmware_host.config.loader import Config
from firmware_host.games.game import Player
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.play.controller import Controller
from firmware_host.ports import NOTHING, SOMETHING, SensorKind
from firmware_host.runtime.factory import build_controller
from firmware_host.views.sensor_updates import SensorPublisher


class FedBoard:
    """A controller that is fed frames, and its messages."""

    def __init__(self) -> None:
        self.rules = rule_set()
        self.controller: Controller = build_controller(
            self.rules, SensorKind.PRESENCE, Config(), draw_lot=lambda: Player.WHITE
        )
        self.levels: dict[int, int] = {}
        self.told: list[dict[str, Any]] = []
        self._feeling = SensorPublisher(
            self.controller, shining=lambda: {"d6": "#010203"}, levels=lambda: self.levels
        )
        self._now = 0

    def frame(self, *standing: str, watchers: int = 1) -> list[dict[str, Any]]:
        """Pass one frame of 5 ms with pieces on these points; return the messages."""
        points = self.rules.layout.points
        frame = tuple(SOMETHING if point.name in standing else NOTHING for point in points)
        self.controller.step(frame, self._now)
        return self._told(watchers)

    def blind(self) -> list[dict[str, Any]]:
        """Pass a second in which the sensors cannot be read; return the messages."""
        self._now += 1_000_000
        self.controller.blind_step(Message("pin 17 is busy"), self._now)
        return self._told(1)

    def _told(self, watchers: int) -> list[dict[str, Any]]:
        told: list[dict[str, Any]] = []
        self._feeling.publish_changes(lambda message: told.append(dict(message)), watchers, self._now)
        self._now += 5000
        return told


@pytest.fixture
def board() -> FedBoard:
    return FedBoard()


def test_nothing_is_told_while_nobody_watches(board: FedBoard) -> None:
    assert [board.frame(*["d6"] * (n % 2), watchers=0) for n in range(40)] == [[]] * 40


def test_new_watcher_gets_readings_at_once_then_changes(board: FedBoard) -> None:
    board.frame(watchers=0)
    (first,) = board.frame()
    assert (first["type"], first["raw"], first["believed"]) == ("sensors", {}, {})
    assert first["leds"] == {"d6": "#010203"}
    assert [board.frame() for _ in range(40)] == [[]] * 40
    (again,) = board.frame(watchers=2)
    assert again == first


def test_a_reading_is_raw_at_once_and_believed_when_it_lasted(board: FedBoard) -> None:
    for _ in range(10):
        board.frame()
    told = [message for _ in range(40) for message in board.frame("d6")]
    assert (told[0]["raw"], told[0]["believed"]) == ({"d6": 1}, {})
    assert (told[-1]["raw"], told[-1]["believed"]) == ({"d6": 1}, {"d6": 1})


def test_glitches_are_counted_and_published_at_intervals(board: FedBoard) -> None:
    board.frame()
    told = [message for n in range(200) for message in board.frame(*["d6"] * (n % 2))]
    assert 20 <= len(told) <= 25  # in a second
    assert told[-1]["flickers"]["d6"] > 80


def test_no_level_is_told_while_the_sensors_cannot_be_read(board: FedBoard) -> None:
    board.levels = {0: 512}
    assert board.frame()[0]["levels"]
    assert board.blind()[0]["levels"] == {}


def test_levels_are_told_by_points(board: FedBoard) -> None:
    board.levels = {0: 512, 23: 700}
    (first,) = board.frame()
    points = board.rules.layout.points
    assert first["levels"] == {points[0].name: 512, points[23].name: 700}
