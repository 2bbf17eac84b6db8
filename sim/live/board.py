"""The simulated board as its page sees it: what it may ask for, and what it is told.

Rules kept here: real time only says when the next frame is due; what happens, happens in the board's own
time, one frame after the other, so that a machine that is busy makes the board slow and never different: a
session can be recorded, and played again to the same end. What hands do one after the other is never felt in
the same frame, however late a busy machine comes to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any, TypeVar

from firmware_host.decoding import decode
from firmware_host.errors import HandsError
from firmware_host.games.game import Game
from firmware_host.i18n import to_english
from firmware_host.play.events import Event
from firmware_host.settings import Microseconds
from firmware_host.store.archive import Shelf
from firmware_host.views.instructions import NO_POWER
from firmware_host.views.page_updates import Face, Publish
from firmware_host.views.sensor_updates import Feeling
from firmware_host.web import messages
from sim.assembly import Blueprint
from sim.electronics.contacts import BOUNCE_MS
from sim.electronics.fault_injection import GOOD_MT, USUAL_WOOD_MM
from sim.live.recording import MOST_CHARACTERS, Recording
from sim.store import WallMs
from sim.table.hands import TRUE
from sim.table.positions import Lying
from sim.world import Life

_T = TypeVar("_T")


class LiveTable:
    """A board that lives as long as it is told of frames, and its recording."""

    def __init__(
        self,
        blueprint: Blueprint,
        *,
        wall_ms: WallMs | None = None,
        most_characters: int = MOST_CHARACTERS,
    ) -> None:
        """`wall_ms` tells the times of day of games. A recording has at most twice `most_characters`, and
        begins anew beyond that number when the board is at rest.
        """
        self._wall_ms = wall_ms
        self._most = most_characters
        self._changed = True
        self._done_in_frame = False
        self._blueprint = blueprint
        self.life = Life(blueprint, self._hear, wall_ms=wall_ms)
        game = self.life.play.controller.session.game
        self._recording = Recording(
            blueprint,
            game if game.ply else None,
            self.life.settings,
            most_characters=2 * most_characters,
        )
        self._lying = Lying(self.life.play.electronics.table)
        self._face, self._feeling = self._new_face(), self._new_feeling()
        self.life.begin()

    def close(self) -> None:
        """Go dark, and keep what is still to be kept."""
        self.life.close()

    @property
    def game(self) -> Game:
        """The game on the board as pages were told of it last; any thread may ask."""
        return self._face.game

    def read(self, work: Callable[[Shelf], _T]) -> _T:
        """What `work` finds among the games that are kept, or wait to be; raises StoreError."""
        return self.life.read(work)

    # ---- the loop --------------------------------------------------------------------------------------

    def tick(self, _now: Microseconds) -> tuple[Event, ...]:
        """Do the next frame, whenever it is; what happened is told by `tell`."""
        self._done_in_frame = False
        self.life.let_pass(self.life.period)
        if self._recording.characters > self._most and self.life.rests:
            self._begin_anew()
        return ()

    def do(self, request: dict[str, Any]) -> messages.PageMessage | None:
        """Do what the page asks for, with hands or by a button; raises what is wrong with it.

        The result is what was asked for, if anything was.
        """
        if "script" in request:
            return self._script(**decode(LiveTable._script, request, "script", HandsError))
        if self._done_in_frame:
            self.tick(0)
        self._done_in_frame = True
        self.life.do(request)
        self._changed = self._changed or "push" not in request  # what was refused has changed nothing
        self._lying.touch()
        self._recording.note(request, self.life.now)
        if "power" in request:
            self._face, self._feeling = self._new_face(), self._new_feeling()
        return None

    def _script(self, *, script: Annotated[bool, TRUE]) -> messages.PageMessage:  # noqa: ARG002 - the verb
        """Return the recording, as a script of the headless board."""
        return {"script": self._recording.text(self.life.now, show=self.life.powered)}

    def tell(self, publish: Publish, watchers: int = 0) -> None:
        """Publish what is new since the last call: all of it, or only where pieces are, and the light.

        So many pages watch what the sensors say.
        """
        moved = self._lying.moved(self.life.now)
        now = self.life.now
        whole = self._face.tell(lambda message: publish(self._told(message)), now, anew=self._changed)
        if moved and whole and not self._changed:
            publish(messages.lying(self._where()))
        self._changed = False
        self._feeling.tell(publish, watchers, now)

    def _hear(self, _event: Mapping[str, Any]) -> None:
        self._changed = True

    def _begin_anew(self) -> None:
        """Go on as if the board had only now been switched on, so that the recording can begin here, too."""
        game, was_set = self.life.play.controller.session.game, self.life.settings
        self._blueprint = replace(self._blueprint, rules=game.rules, seed=self._blueprint.seed + 1)
        kept = self.life.keeps_games
        self.life.close()
        self.life = Life(
            self._blueprint,
            self._hear,
            game=None if kept else game,  # the store knows it, and goes on with its own
            settings=was_set,
            wall_ms=self._wall_ms,
        )
        self._recording = Recording(self._blueprint, game, was_set, most_characters=2 * self._most)
        self._lying = Lying(self.life.play.electronics.table)
        self._face, self._feeling = self._new_face(), self._new_feeling()
        self.life.begin()

    # ---- what pages are told ---------------------------------------------------------------------------

    def _new_face(self) -> Face:
        play = self.life.play
        return Face(
            play.controller,
            sent=lambda: play.electronics.spi.writes,
            shining=play.leds,
            table=self._where,
            held=lambda: play.hands.held,
        )

    def _new_feeling(self) -> Feeling:
        play = self.life.play
        return Feeling(play.controller, shining=play.leds, levels=lambda: play.board.levels)

    def _where(self) -> messages.PageMessage:
        box = self.life.play.controller.session.game.rules.box
        return self._lying.at(self.life.now, map(str, box))

    def _told(self, message: messages.PageMessage) -> messages.PageMessage:
        """A message as pages get it, with what only a simulated board has to tell."""
        if message["type"] != "snapshot":
            return message
        life, loom = self.life, self.life.play.electronics.loom
        simulated = {
            "power": life.powered,
            "alphabet": self._blueprint.alphabet.value,
            "faults": list(life.faults),
            "chips": loom.chips,
            "signals": loom.signals,
            "selects": loom.select,
            "lights": life.play.electronics.strip.leds,
            "disk": life.keeps_games,
            "usual": {
                "millitesla": GOOD_MT,
                "mm": USUAL_WOOD_MM,
                "ms": BOUNCE_MS,
            },
        }
        state = message["state"]
        if not life.powered:
            state = {**state, **WITHOUT_POWER}
        return {**message, "state": state, "simulated": simulated}


WITHOUT_POWER = {
    "sentence": to_english(NO_POWER),
    "said": NO_POWER.as_dict(),
    "status": "off",
    "moves": [],
    "can": [],
    "cues": {},
    "leds": {},
}
"""What of a state is otherwise while the plug is pulled."""
