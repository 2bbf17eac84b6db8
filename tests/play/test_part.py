"""A part of a board needs nothing but its place in the controller's list."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.lights.cues import Cue
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.scene import Scene
from firmware_host.lights.themes import theme_named
from firmware_host.play import events as ev
from firmware_host.play.controller import Controller
from firmware_host.play.durability import NullStore
from firmware_host.play.part import PartSettings, PlayPart
from firmware_host.ports import NOTHING
from firmware_host.settings import Lights, Microseconds
from firmware_host.tracking.debounce import Debouncer
from tests.support.controller_bench import new_session

EMPTY = (NOTHING,) * len(MORRIS.points)
BURNT_AT = 10_000_000


class Candle(PlayPart):
    """A part that lights one point, and is burnt down after ten seconds."""

    deadline: Microseconds | None = BURNT_AT
    is_lit = True
    must_store = False

    @property
    def faults(self) -> Mapping[str, Message]:
        return {} if self.is_lit else {"candle": Message("fault.button.stuck")}

    def on_frame(self, now: Microseconds) -> None:
        self.must_store = self.is_lit and now >= BURNT_AT
        if self.must_store:
            self.is_lit, self.deadline = False, None

    def add_light(self, scene: Scene) -> Scene:
        return Scene({**scene.cues, MORRIS["d6"]: frozenset({Cue.ASK})}) if self.is_lit else scene

    def to_store(self) -> Mapping[str, Any]:
        return {"candle": None if self.is_lit else "burnt"}

    def restore(self, stored: Mapping[str, Any]) -> None:
        self.is_lit = stored.get("candle") != "burnt"


class CandleLitController(Controller):
    def _make_parts(self, settings: PartSettings) -> None:
        self.candle = Candle()
        self._parts.append(self.candle)
        super()._make_parts(settings)


def controller(store: NullStore) -> CandleLitController:
    renderer = Renderer(MORRIS, Lights(), theme_named("harbour"))
    return CandleLitController(new_session(), Debouncer(0), renderer, store=store)


def test_part_in_the_list_is_lit_due_and_stored() -> None:
    store = NullStore()
    board = controller(store)
    board.step(EMPTY, 0)
    board.take_events()
    assert Cue.ASK in board.scene.cues[MORRIS["d6"]]
    assert board.deadline == BURNT_AT
    board.step(EMPTY, BURNT_AT)
    assert MORRIS["d6"] not in board.scene.cues or Cue.ASK not in board.scene.cues[MORRIS["d6"]]
    assert [event for event in board.take_events() if isinstance(event, ev.FaultFound)]
    assert store.settings["candle"] == "burnt"
    assert not controller(store).candle.is_lit


def test_fault_of_a_part_ends_with_its_reason() -> None:
    board = controller(NullStore())
    board.step(EMPTY, BURNT_AT)
    assert set(board.faults) == {"candle"}
    board.candle.is_lit = True
    board.refresh()
    board.step(EMPTY, BURNT_AT - 1)
    assert board.faults == {}


def test_part_covers_the_light_of_those_before_it() -> None:
    board = controller(NullStore())
    board.step(EMPTY, 0)
    board.blind_step(Message("fault.button.stuck"), 1)
    assert board.scene.cues == {}
