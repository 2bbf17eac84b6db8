"""Durability: moves are confirmed by events and light when they are stored, and hints are not delayed."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.game import Game, Player
from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.themes import theme_named
from firmware_host.play import requests
from firmware_host.play.controller import Controller
from firmware_host.play.durability import DurabilityTracker
from firmware_host.play.events import Event, Paused
from firmware_host.play.session import Session
from firmware_host.ports import NOTHING, SOMETHING, SensorKind
from firmware_host.settings import Lights, Play, Timing
from firmware_host.tracking.debounce import Debouncer
from tests.support.controller_bench import new_session
from tests.support.examples import few
from tests.support.fault_texts import fault_texts
from tests.support.games.random_games import begun, next_state

SECOND = 1_000_000


@dataclass
class HeldDisk:
    """A store that has what it is given when the test says so."""

    kept: int = 0
    troubles: dict[str, Message] = field(default_factory=dict)
    given: list[Game] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)

    def keep(self, game: Game) -> int:
        self.given.append(game)
        return len(self.given)

    def put(self, name: str, value: Any) -> int:
        self.settings = {**self.settings, name: value}
        return len(self.given)

    def catch_up(self) -> None:
        self.kept = len(self.given)


class DurableTable:
    """A controller whose games a disk keeps, and hands that set pieces down."""

    def __init__(self, rules: str = "standard", *switches: str) -> None:
        self.disk = HeldDisk()
        session = Session(
            rule_set(rules, switches),
            SensorKind.PRESENCE,
            timing=Timing(),
            play=Play(),
            draw_lot=lambda: Player.WHITE,
        )
        renderer = Renderer(MORRIS, Lights(), theme_named("harbour"))
        self.controller = Controller(session, Debouncer(0), renderer, store=self.disk)
        self.stands: set[str] = set()
        self.now = 0
        self.pass_by(0)
        self.disk.catch_up()
        assert self.pass_by(0) == ["game"]

    def pass_by(self, seconds: float) -> list[str]:
        """Let time pass, frame by frame; return the events."""
        readings = tuple(SOMETHING if p.name in self.stands else NOTHING for p in MORRIS.points)
        told: list[str] = []
        for _ in range(max(1, round(seconds * 200))):
            self.now += 5000
            self.controller.step(readings, self.now)
            told += [event.name for event in self.controller.take_events()]
        return told

    def cues(self, point: str) -> set[str]:
        return set(map(str, self.controller.scene.cues.get(MORRIS[point], ())))

    def lit(self) -> set[str]:
        return {str(cue) for cues in self.controller.scene.cues.values() for cue in cues}

    def turns(self, points: str) -> None:
        for point in points.split():
            self.stands.add(point)
            self.pass_by(0.5)
        self.disk.catch_up()
        self.pass_by(0)


def test_a_step_is_told_and_lit_as_accepted_when_the_disk_has_it() -> None:
    table = DurableTable()
    table.stands.add("d6")
    assert table.pass_by(2) == []
    assert "last-move" not in table.lit()
    table.disk.catch_up()
    assert table.pass_by(0) == ["step", "turn"]
    assert table.cues("d6") == {"last-move"}


def test_hints_do_not_wait_for_the_disk() -> None:
    table = DurableTable()
    table.stands.add("d6")
    table.pass_by(1)
    assert table.controller.session.game.position.to_move is Player.BLACK
    assert "d6" not in {p.name for p in table.controller.scene.cues}
    assert table.cues("f4") == {"destination"}
    table.stands.add("f4")
    table.pass_by(1)
    assert table.controller.session.game.ply == 2
    assert table.controller.accepted.ply == 0
    assert table.cues("a1") == {"destination"}


def test_mill_is_lit_when_stored_and_removals_at_once() -> None:
    table = DurableTable()
    table.turns("d6 f4 d7 a1")
    table.stands.add("d5")
    table.pass_by(0.5)
    assert table.cues("a1") == {"removable"}
    assert "mill" not in table.lit()
    table.disk.catch_up()
    table.pass_by(0)
    assert table.cues("d7") >= {"mill"}


def test_the_winner_shines_when_the_end_is_kept() -> None:
    table = DurableTable("standard", "pieces=3")
    table.turns("d6 f4 d7 a1 d5")
    table.stands.remove("a1")
    assert table.pass_by(1) == ["lifted"]
    assert "winner" not in table.lit()
    table.disk.catch_up()
    assert table.pass_by(0) == ["step", "turn", "over"]
    assert table.cues("d7") == {"winner"}


def test_what_a_button_ends_is_told_when_it_is_kept() -> None:
    table = DurableTable()
    table.turns("d6")
    requests.perform(table.controller, {"do": "resign"})
    assert table.pass_by(1) == []
    table.disk.catch_up()
    assert table.pass_by(0) == ["over"]


def test_replaced_turn_is_not_accepted_by_the_earlier_write() -> None:
    table = DurableTable()
    table.turns("d6")
    table.stands.add("f4")
    table.pass_by(0.5)
    first = len(table.disk.given)
    table.stands.remove("f4")
    table.pass_by(0.5)
    table.stands.add("a1")
    table.pass_by(0.5)
    table.disk.kept = first
    assert table.pass_by(0)[:2] == ["step", "turn"]
    assert [step.text for step in table.controller.accepted.steps] == ["d6"]
    table.disk.catch_up()
    table.pass_by(0)
    assert [step.text for step in table.controller.accepted.steps] == ["d6", "a1"]


def test_failing_store_is_reported_and_not_waited_for() -> None:
    table = DurableTable()
    table.disk.troubles = {"disk": Message("full")}
    assert table.pass_by(0) == ["fault"]
    table.stands.add("d6")
    assert table.pass_by(0.5) == ["step", "turn"]
    assert fault_texts(table.controller.faults) == {"disk": "full"}
    table.disk.troubles = {}
    table.disk.catch_up()
    assert table.pass_by(0) == ["fault-cleared"]


def test_pending_events_follow_the_fault_that_releases_them() -> None:
    table = DurableTable()
    table.stands.add("d6")
    assert table.pass_by(1) == []
    table.disk.troubles = {"disk": Message("full")}
    assert table.pass_by(0) == ["fault", "step", "turn"]


def test_silent_disk_is_reported_and_not_waited_for() -> None:
    table = DurableTable()
    table.stands.add("d6")
    assert table.pass_by(10) == []
    assert table.pass_by(0.5) == ["fault", "step", "turn"]
    table.stands.add("f4")
    assert table.pass_by(0.5) == ["step", "turn"]
    table.disk.kept += 1
    assert table.pass_by(0) == ["fault-cleared"]
    table.disk.catch_up()
    table.stands.add("a1")
    assert table.pass_by(0.5) == []


def test_other_fault_of_the_store_releases_nothing() -> None:
    table = DurableTable()
    table.disk.troubles = {"games": Message("the file was damaged")}
    assert table.pass_by(0) == ["fault"]
    table.stands.add("d6")
    assert table.pass_by(1) == []


@few(34)
@given(st.randoms(use_true_random=False), st.integers(1, 60))
def test_only_stored_states_are_accepted_and_events_in_order(luck: Random, changes: int) -> None:
    disk = HeldDisk()
    keeping = DurabilityTracker(disk, new_session())
    states = [begun(luck)]
    sent: list[Event] = []
    told: list[Event] = []
    for now in range(changes):
        event = Paused()
        sent.append(event)
        keeping.store_changes([states[-1]], [event], now)
        disk.kept = luck.randint(disk.kept, len(disk.given))
        keeping.note_stored(now)
        told += keeping.take_events()
        assert len(told) == disk.kept
        accepted, game = keeping.accepted(states[-1]), states[-1]
        assert accepted.steps == game.steps[: accepted.ply]
        assert accepted.positions[0] is game.positions[0]
        kept = disk.given[disk.kept - 1] if disk.kept else None
        if accepted.ply:
            assert kept is not None
            assert accepted.positions[accepted.ply] in kept.positions
        states.append(next_state(luck, states))
    disk.catch_up()
    keeping.note_stored(changes)
    assert [*told, *keeping.take_events()] == sent
    assert keeping.accepted(disk.given[-1]) is disk.given[-1]
    assert keeping.deadline is None


def test_masks_and_pause_are_stored_only_when_they_change() -> None:
    table = DurableTable()
    put: list[tuple[str, Any]] = []
    keep = table.disk.put

    def note(name: str, value: Any) -> int:
        put.append((name, value))
        return keep(name, value)

    table.disk.put = note  # type: ignore[method-assign]
    for request in (
        {"do": "mask", "point": "g7"},
        {"do": "mask", "point": "a1"},
        {"do": "pause"},
        {"do": "resume"},
        {"do": "unmask", "point": "g7"},
    ):
        requests.perform(table.controller, request)
        table.pass_by(0.1)
    assert put == [
        ("masked", ["g7"]),
        ("masked", ["a1", "g7"]),
        ("paused", True),
        ("paused", None),
        ("masked", ["a1"]),
    ]


def test_the_steps_to_redo_are_stored_until_another_is_played() -> None:
    table = DurableTable()
    table.turns("d6 f4 d7")
    requests.perform(table.controller, {"do": "take-back"})
    table.pass_by(0.1)
    assert table.disk.settings["furthest"] == ["d6", "f4", "d7"]
    requests.perform(table.controller, {"do": "take-back"})
    table.pass_by(0.1)
    assert table.disk.settings["furthest"] == ["d6", "f4", "d7"]
    table.stands -= {"f4", "d7"}
    table.pass_by(0.5)
    table.turns("g1")
    assert table.disk.settings["furthest"] is None
