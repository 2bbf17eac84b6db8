"""The simulated board as its page sees it: the requests, and the messages.

Invariants: real time only decides when the next frame is due. Everything happens in the board's own time, one
frame after another, so that a busy machine makes the board slow and never different: a session can be
recorded, and replayed to the same end. Consecutive commands of hands are never read in the same frame,
however late a busy machine gets to it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any, TypeAlias, TypeVar

from firmware_host.config.compatibility import incompatibility
from firmware_host.decoding import Must, decode
from firmware_host.errors import HandsError
from firmware_host.games.game import Game
from firmware_host.i18n import Message, to_english
from firmware_host.play.asking.options import DOCTOR
from firmware_host.play.events import Event
from firmware_host.ports import SensorKind
from firmware_host.runtime.clock import MachineClock
from firmware_host.runtime.engines.opponent import Engine
from firmware_host.runtime.page import show_damage
from firmware_host.runtime.real_board import PLUGGED_IN_FOR
from firmware_host.settings import Microseconds
from firmware_host.state_files import DamagedFile
from firmware_host.store.archive import Archive
from firmware_host.store.database import StoredGame
from firmware_host.tracking.verdict import Settled
from firmware_host.views.instructions import NO_POWER
from firmware_host.views.page_state import PagePublisher, Publish
from firmware_host.views.sensor_updates import SensorPublisher
from firmware_host.web import messages
from sim.assembly import Blueprint
from sim.electronics.contacts import BOUNCE_MS
from sim.electronics.fault_injection import GOOD_MT, USUAL_WOOD_MM
from sim.live.own_hands import OwnHands, in_own_words
from sim.live.recording import MAX_CHARACTERS, Recording
from sim.table import hands
from sim.table.hands import TRUE
from sim.table.positions import PiecePositions
from sim.world import SimulatedWorld

if TYPE_CHECKING:  # most boards are never examined
    from sim.live.doctor import DoctorVisit

_T = TypeVar("_T")

_Alphabet: TypeAlias = Annotated[
    SensorKind,
    Must(
        'the kind of sensors, such as "presence"',
        lambda kind: kind in [str(known.value) for known in SensorKind],
        SensorKind,
        quotes=True,
    ),
]
_CARRIES_OUT = "carries_out"
"""The name under which is stored whether the board carries out its own turns."""
_REST: Microseconds = 400_000
"""The rest after which a piece counts as put down: hands pause while they push."""
_AWAKE: Microseconds = 1_000_000
"""The time after a request in which others are expected: a hand that pushes a piece sends many."""
_IN_PLAY = frozenset(("ready", "remove", "lifted", "mismatch"))


class LiveBoard:
    """A board that runs as long as `tick` is called, and its recording."""

    def __init__(
        self,
        blueprint: Blueprint,
        *,
        wall: MachineClock | None = None,
        max_characters: int = MAX_CHARACTERS,
        engine: Engine | None = None,
    ) -> None:
        """Switch the board on; `wall` gives dates to games, and `engine` plays its seats.

        A recording has at most twice `max_characters`; beyond that number it starts again once the board is
        at rest.
        """
        self._wall = wall
        self._max_characters = max_characters
        self._changed = True
        self._done_in_frame = False
        self._is_between = False
        self._rest_judged: Microseconds | None = None
        """The rest for which `_is_between` was found; None after a deed."""
        self._read_at: Microseconds | None = None
        """The time at which the sensors show what hands did last; None if they do."""
        self._blueprint = blueprint
        self._visit: DoctorVisit | None = None
        """The doctor who has the board now; None while its program has it."""
        self._period = 1_000_000 // blueprint.config.timing.frame_rate_hz
        self._awake_until: Microseconds = 0
        self.min_period: Microseconds = 0
        """The time until the next tick is due, if that is longer than usual: while nobody uses the board."""
        self._engine = engine
        self.life = SimulatedWorld(blueprint, self._on_event, wall=wall, engine=engine, note=self._on_choice)
        self._own_hands = OwnHands(on=self.life.settings.get(_CARRIES_OUT) is not False)
        game = self.life.play.controller.session.game
        self._recording = self._new_recording(game if game.ply else None)
        self._positions = PiecePositions(self.life.play.electronics.table)
        self._face, self._sensor_publisher = self._new_face(), self._new_sensor_publisher()
        self.life.begin()

    def close(self) -> None:
        """Switch the LEDs off, and save whatever is still unsaved."""
        if self._visit is not None:
            self._visit.close()
        self.life.close()

    @property
    def game(self) -> Game:
        """The game on the board as last published; may be read from any thread."""
        return self._face.game

    def read(self, work: Callable[[Archive], _T]) -> _T:
        """Return the result of `work` on the games, kept or waiting to be; raises StoreError."""
        return self.life.read(work)

    def keep_analysis(self, one: StoredGame, analysis: str) -> bool:
        """Keep the `analysis` of a game; return False if that was impossible."""
        return self.life.keep_analysis(one, analysis)

    # ---- the loop --------------------------------------------------------------------------------------

    def tick(self, _now: Microseconds) -> tuple[Event, ...]:
        """Do the next frame, whatever the time; `publish_changes` publishes the events."""
        if self._visit is not None:
            self.min_period = 0
            self.life.let_pass(self._period)
            self._visit.tick(self.life.now)
            return ()
        framed = self.life.framed
        self.life.let_pass(max(self._period, self.min_period))
        if self.life.framed != framed:  # after a request to a board that rests, not every tick has a frame
            self._done_in_frame = False
        for action in self._own_hands.due(self.life):
            self.do(action)
        if self._recording.characters > self._max_characters and self.life.rests:
            self._restart()
        self.min_period = 0 if self.life.now < self._awake_until else self.life.period
        return ()

    def note_damage(self, file: DamagedFile) -> None:
        """Show a file of the program that was set aside."""
        show_damage(self.life.play.controller, file)

    def do(self, request: dict[str, Any]) -> messages.PageMessage | None:
        """Carry out a request of the page, by hands or by a button; return the answer, if there is one.

        Raises MillwrightError if it is impossible.
        """
        if self._visit is not None:
            return self._do_in_workshop(self._visit, request)
        if "script" in request:
            return self._script(**decode(LiveBoard._script, request, "script", HandsError))
        if "rebuild" in request:
            self._rebuild(**decode(LiveBoard._rebuild, request, "rebuild", HandsError))
            return None
        if "carry" in request:
            self._carry(**decode(LiveBoard._carry, request, "carry", HandsError))
            return None
        if self._done_in_frame:
            self.life.let_pass(self.life.until_frame)
        self._done_in_frame = True
        self._awake_until = self.life.now + _AWAKE
        self.life.do(request)
        self._rest_judged = None
        if "push" not in request:  # what was refused has changed nothing
            self._changed, self._read_at = True, self.life.now + self._reading_time
        self._positions.touch()
        self._recording.note(request, self.life.now)
        if "power" in request:
            self._face, self._sensor_publisher = self._new_face(), self._new_sensor_publisher()
            self.life.play.controller.asks.plugged_in_until = self.life.now + PLUGGED_IN_FOR
        return None

    # ---- the workshop ----------------------------------------------------------------------------------

    def _do_in_workshop(self, visit: DoctorVisit, request: dict[str, Any]) -> messages.PageMessage | None:
        """Carry out a request of the workshop's page."""
        self.life.clock.reach(self.life.now)
        result: messages.PageMessage | None = visit.do(request)
        if hands.VERBS.intersection(request):
            self._recording.note(request, self.life.now)
        return result

    def _is_examined(self, publish: Publish) -> bool:
        """Publish what the doctor shows, who comes and goes as asked; return whether the board is theirs.

        For the board's program, and in a recording, the power is cut in the meantime.
        """
        if self._visit is None:
            if not self.life.powered or self.life.play.controller.asks.touch_search.workshop != DOCTOR:
                return False
            from sim.live.doctor import DoctorVisit  # most boards are never examined

            self.do({"power": "off"})
            self._visit = DoctorVisit(self.life, self._blueprint)
        if not self._visit.publish_changes(publish, self.life.now):
            return True
        self._visit.close()
        self._visit = None
        if self.life.keeps_games:
            self.do({"power": "on"})
        else:
            self._restart()
        return False

    def _script(self, *, script: Annotated[bool, TRUE]) -> messages.PageMessage:  # noqa: ARG002 - the verb
        """Return the recording, as a script of the headless board."""
        return {"script": self._recording.text(self.life.now, show=self.life.powered)}

    def _rebuild(self, *, rebuild: _Alphabet) -> None:
        """Build the board again with sensors of this kind, with its game and pieces as they are."""
        game = self.life.play.controller.session.game
        reason = incompatibility(game.rules, rebuild)
        if reason is None and self._blueprint.sensors is not None:
            reason = Message("refused.configured")
        if reason is None and not (self.life.rests and game.outcome is None):
            reason = Message("refused.unsettled")
        if reason is not None:
            raise HandsError(to_english(reason), reason)
        self._blueprint = replace(self._blueprint, alphabet=rebuild)
        self._restart()
        self._changed = True

    def _carry(
        self, *, carry: Annotated[bool, Must("true or false", lambda on: isinstance(on, bool))]
    ) -> None:
        """Carry out the turns that the board has chosen, or leave them to people from now on."""
        self._own_hands.on = carry
        self.life.saving.put(_CARRIES_OUT, carry)
        self._changed = True

    def publish_changes(self, publish: Publish, watchers: int = 0) -> None:
        """Publish the changes since the last call: everything, or only pieces in motion and light.

        `watchers` is the number of pages that watch the sensors.
        """
        if self._is_examined(publish):
            return
        moved = self._positions.moved(self.life.now)
        now = self.life.now
        self._notice_reading(now)
        self._notice_between(now)
        whole = self._face.publish_changes(
            lambda message: publish(self._extended(message)), now, force=self._changed
        )
        if moved and whole and not self._changed:
            publish(messages.table_moved(self._where()))
        self._changed = False
        self._sensor_publisher.publish_changes(publish, watchers, now)

    def _on_event(self, _event: Mapping[str, Any]) -> None:
        self._changed = True

    def _on_choice(self, request: Mapping[str, Any]) -> None:
        """Record what an engine has chosen, as a request, since a replay would have to think as long."""
        self._changed = True
        self._recording.note(request, self.life.now)

    def _restart(self) -> None:
        """Restart as if the board had just been switched on, so that the recording can begin here as well."""
        game, kept_settings = self.life.play.controller.session.game, self.life.settings
        self._blueprint = replace(self._blueprint, rules=game.rules, seed=self._blueprint.seed + 1)
        kept = self.life.keeps_games
        self.life.close()
        self.life = SimulatedWorld(
            self._blueprint,
            self._on_event,
            game=None if kept else game,  # the store has it already
            settings=kept_settings,
            wall=self._wall,
            engine=self._engine,
            note=self._on_choice,
        )
        self._rest_judged = None
        self._recording = self._new_recording(game)
        self._positions = PiecePositions(self.life.play.electronics.table)
        self._face, self._sensor_publisher = self._new_face(), self._new_sensor_publisher()
        self.life.begin()

    def _new_recording(self, game: Game | None) -> Recording:
        """Return a recording from here on; what own hands do is in it, as what all hands do."""
        kept = {name: value for name, value in self.life.settings.items() if name != _CARRIES_OUT}
        return Recording(self._blueprint, game, kept, max_characters=2 * self._max_characters)

    # ---- messages to pages -----------------------------------------------------------------------------

    def _new_face(self) -> PagePublisher:
        play = self.life.play
        return PagePublisher(
            play.controller,
            sent=lambda: play.electronics.spi.writes,
            shining=play.leds,
            table=self._where,
            held=lambda: play.hands.held,
        )

    def _new_sensor_publisher(self) -> SensorPublisher:
        play = self.life.play
        return SensorPublisher(play.controller, shining=play.leds, levels=lambda: play.board.levels)

    @property
    def _reading_time(self) -> Microseconds:
        """The time after which sensors show a change, which counts once it was stable."""
        stable_ms = self._blueprint.config.timing.debounce_ms + BOUNCE_MS
        return round(stable_ms * 1000) + 2 * self.life.period

    def _notice_reading(self, now: Microseconds) -> None:
        """Notice when the sensors show what hands did last."""
        if self._read_at is not None and now >= self._read_at:
            self._read_at = None
            self._changed |= isinstance(self.life.play.controller.session.verdict, Settled)

    def _notice_between(self, now: Microseconds) -> None:
        """Notice once the table rests whether a piece lies on the wood where no sensor is."""
        table = self.life.play.electronics.table
        rests_from = table.rests_from()
        if now < rests_from + _REST:
            self._rest_judged, between = None, False
        elif self._rest_judged == rests_from:
            return
        else:
            self._rest_judged = rests_from
            between = any(table.point_of(piece, now) is None for piece in table.wood)
        self._changed |= between is not self._is_between
        self._is_between = between

    def _where(self) -> messages.PageMessage:
        box = self.life.play.controller.session.game.rules.box
        return self._positions.at(self.life.now, map(str, box))

    def _extended(self, message: messages.PageMessage) -> messages.PageMessage:
        """Return a message with the additional members of a simulated board."""
        if message["type"] != "snapshot":
            return message
        life, harness = self.life, self.life.play.electronics.harness
        simulated = {
            "power": life.powered,
            "alphabet": self._blueprint.alphabet.value,
            "faults": list(life.faults),
            "chips": harness.chips,
            "signals": harness.signals,
            "selects": harness.select,
            "rows": harness.rows,
            "columns": harness.columns,
            "lights": life.play.electronics.strip.leds,
            "button": life.play.electronics.has_button,
            "buzzer": life.play.electronics.has_buzzer,
            "disk": life.keeps_games,
            "carries_out": self._own_hands.on,
            "usual": {
                "millitesla": GOOD_MT,
                "mm": USUAL_WOOD_MM,
                "ms": BOUNCE_MS,
            },
        }
        state = message["state"]
        if (
            self._own_hands.on
            and not life.play.hands.held
            and (own := in_own_words(state["said"])) is not None
        ):
            state = {**state, "sentence": to_english(own), "said": own.as_dict()}
        if self._read_at is not None:
            state = {**state, "rests": False}
        if self._is_between and state["status"] in _IN_PLAY:
            state = {**state, **BETWEEN}
        if not life.powered:
            state = {**state, **WITHOUT_POWER}
        return {**message, "state": state, "simulated": simulated}


_BETWEEN, _BETWEEN_THEN = Message("wrong.between"), Message("wrong.between-then")
BETWEEN = {
    "sentence": to_english(_BETWEEN),
    "said": _BETWEEN.as_dict(),
    "advice": to_english(_BETWEEN_THEN),
    "advice_said": _BETWEEN_THEN.as_dict(),
}
"""The members of a state that differ while a piece lies where no sensor is."""

WITHOUT_POWER: dict[str, Any] = {
    "sentence": to_english(NO_POWER),
    "said": NO_POWER.as_dict(),
    "advice": "",
    "advice_said": None,
    "status": "off",
    "moves": [],
    "can": [],
    "cues": {},
    "leds": {},
}
"""The members of a state that differ while the power is off."""
