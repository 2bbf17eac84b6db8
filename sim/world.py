"""The world of a simulated board: time that passes frame by frame, and the events in between.

Invariants: frames are due on a grid that begins at 0, and a request is handled by a frame of its own at once.
The same commands at the same times have the same result, however fast time passes; a session in real time can
therefore be replayed in virtual time. Frames in which nothing can change before the next deadline are
skipped. That changes no result: light patterns are caught up with as far back as they matter.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeAlias, TypeVar

from firmware_host.config.night import DAY_MIN, NightHours
from firmware_host.decoding import Must, decode
from firmware_host.errors import HandsError
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.durability import GameStore, NullStore
from firmware_host.play.events import GameBegun
from firmware_host.play.session import Session
from firmware_host.play.switching_off import OffStage
from firmware_host.runtime.clock import MachineClock
from firmware_host.runtime.engines.opponent import Engine, InlineEngine, Opponent
from firmware_host.settings import Microseconds
from firmware_host.store.archive import Archive
from firmware_host.store.database import StoredGame
from firmware_host.tracking.verdict import Settled
from firmware_host.views.narrator import Narrator
from sim.assembly import Blueprint, SimulatedPlay
from sim.clock import VirtualClock
from sim.engine import BreakableEngine, is_of_engine
from sim.store import SimulatedStore, is_of_disk
from sim.table import hands

# ---- the companion that switches off -------------------------------------------------------------------
# Invariants: it works unless it is broken, and then nothing is switched off.


_DEAD = {"care": "dead"}


def is_of_care(described: object) -> bool:
    """Return True if a fault or a repair is one of the companion."""
    return isinstance(described, Mapping) and "care" in described


class BreakableCare:
    """A companion that can be broken."""

    def __init__(self) -> None:
        self.is_dead = False
        """True while nothing switches the machine off."""

    @property
    def faults(self) -> tuple[Mapping[str, Any], ...]:
        """Its fault, as it was described."""
        return (_DEAD,) if self.is_dead else ()

    def inject(self, described: Mapping[str, Any]) -> None:
        """Break it; raises HandsError if that is described wrongly."""
        _check(described)
        self.is_dead = True

    def repair(self, described: Mapping[str, Any] | None = None) -> None:
        """End the fault; raises HandsError if it is described, and there is none."""
        if described is not None:
            _check(described)
            if not self.is_dead:
                raise HandsError(f"{dict(described)} is not broken", Message("refused.not-broken"))
        self.is_dead = False


def _check(described: Mapping[str, Any]) -> None:
    if described != _DEAD:
        raise HandsError(
            f'{dict(described)} is not a fault of the companion: use {{"care": "dead"}}',
            Message("refused.no-fault"),
        )


# ---- the world -----------------------------------------------------------------------------------------


_T = TypeVar("_T")
_SECOND: Microseconds = 1_000_000
_MINUTE = 60 * _SECOND

_LIGHT_MEMORY: Microseconds = 20 * _SECOND
"""Two periods of the slowest pattern; light before that leaves no trace in the present one."""

_Power: TypeAlias = Annotated[str, Must('"on" or "off"', lambda value: value in ("on", "off"))]

Tell = Callable[[Mapping[str, Any]], None]
"""A function called with each event in its public form, while `now` is its time."""


class SimulatedWorld:
    """A simulated board on which time passes on request, from `begin` to `close`."""

    def __init__(
        self,
        blueprint: Blueprint,
        tell: Tell,
        *,
        game: Game | None = None,
        settings: Mapping[str, Any] | None = None,
        skip: bool = True,
        wall: MachineClock | None = None,
        engine: Engine | None = None,
        note: Callable[[Mapping[str, Any]], object] = lambda _: None,
    ) -> None:
        """Create the world, with `game` instead of the last kept one, and with `settings` as if kept.

        `skip`: skip frames in which nothing can change. `wall` gives dates to games; without it
        they count from when every simulated board is switched on. `engine` plays the engines' seats, by
        default within the board's own time; `note` gets its choices, which are requests.
        """
        self.now: Microseconds = 0
        self.powered = True
        self.clock = VirtualClock()
        self._blueprint, self._tell = blueprint, tell
        self._skip = skip
        self._store = SimulatedStore(blueprint, self.clock, wall)
        kept, self.saving = self._open()
        for name, value in (settings or {}).items():
            self.saving.put(name, value)
        self.play: SimulatedPlay = blueprint.build(self.clock, game or kept, self.saving)
        self._engine = BreakableEngine(engine or InlineEngine(blueprint.seed, chooses=blueprint.engine))
        self._care = BreakableCare()
        self._night = NightHours.of(blueprint.config.rest.night)
        self._note = note
        self._opponent, self._narrator = self._new_opponent(), Narrator(self.play.controller)
        self.framed: Microseconds = 0
        """The time of the last frame."""
        self._sent_before_fault = -1
        """Number of frames sent to the strip when a fault was last injected or repaired."""
        self._unread_change = False
        """True if hands or contacts have changed something since the last frame was read."""

    def begin(self) -> None:
        """Do the first frame."""
        self._frame(0)

    def close(self) -> None:
        """Switch the LEDs off, and save whatever is still unsaved."""
        if self.powered:
            self._store.close()
        self._engine.give_up()
        self.play.close()

    @property
    def period(self) -> Microseconds:
        """The time between two frames, which is longer while the board sleeps."""
        usual = _SECOND // self._blueprint.config.timing.frame_rate_hz
        return max(usual, self.play.board.min_period if self.powered else 0)

    @property
    def until_frame(self) -> Microseconds:
        """The time until the next frame on the grid."""
        return self._on_grid(self.now + 1) - self.now

    @property
    def faults(self) -> tuple[Mapping[str, Any], ...]:
        """The faults, as they were described."""
        return (*self.play.electronics.faults, *self._store.faults, *self._engine.faults, *self._care.faults)

    @property
    def keeps_games(self) -> bool:
        """True if there is a disk."""
        return self._blueprint.store is not None

    def read(self, work: Callable[[Archive], _T]) -> _T:
        """Return the result of `work` on the games, kept or waiting to be; raises StoreError."""
        return self._store.read(work)

    def keep_analysis(self, one: StoredGame, analysis: str) -> bool:
        """Keep the `analysis` of a game; return False if that was impossible."""
        return self._store.keep_analysis(one, analysis)

    @property
    def settings(self) -> dict[str, Any]:
        """The settings, as they are kept."""
        return dict(self.saving.settings)

    @property
    def rests(self) -> bool:
        """True if a board switched on now, with this game on it, would be in the same state.

        That is the case if nothing is faulty, due or in the hands, and the pieces match the game.
        """
        play = self.play
        session = play.controller.session
        calm = self.powered and not (self.faults or play.controller.faults or play.hands.held)
        return (
            calm
            and is_settled(session)
            and not session.game.mid_turn
            and not play.controller.hints.is_asked_for
            and play.board.deadline is None
            and self._store.disk.due is None
            and play.electronics.next_change(self.now) is None
            and not play.electronics.button.is_pressed
            and play.stands_right(self.now)
        )

    def do(self, command: Mapping[str, Any]) -> Microseconds:
        """Carry out a command now; return its duration, if time should pass until it ends.

        Raises MillwrightError if it is impossible, and then nothing has changed.
        """
        verb = hands.only_verb(command, VERBS)
        if verb in hands.VERBS:
            self.clock.reach(self.now)
            return self._by_hands(command, verb)
        if verb == "power":
            self._switch(**decode(SimulatedWorld._switch, command, verb, HandsError))
        else:
            self.must_have_power()
            self.play.perform(command)
            self._frame(self.now)
        return 0

    def let_pass(self, duration: Microseconds) -> None:
        """Let time pass, frame by frame; the last frame of it is never skipped."""
        end = self.now + duration
        while self.powered and self.framed < (last := end - end % self.period):
            due = self._next_frame(last)
            self._catch_up_light(due)
            self.now = due
            self._frame(due)
            if self.play.controller.off.stage is OffStage.WANTED and not self._care.is_dead:
                self._switch(power="off")
        self.now = end
        if not self.powered:
            self.play.electronics.next_change(end)  # pieces may still fall off the board

    def must_have_power(self) -> None:
        """Raise HandsError while the power is off."""
        if not self.powered:
            raise HandsError("the board has no power", Message("refused.no-power"))

    def _by_hands(self, command: Mapping[str, Any], verb: str) -> Microseconds:
        """Carry out a command of hands, or inject or repair a fault."""
        self._unread_change = True
        described = command.get("fault", command.get("repair"))
        part = self._breakable(described)
        if part is not None:
            decode(hands.ACTIONS[verb], command, verb, HandsError)
            (part.inject if verb == "fault" else part.repair)(described)
            return 0
        if described is not None:
            self._sent_before_fault = self.play.electronics.spi.writes
        duration = self.play.hands.do(command, self.now)
        if described is True:
            self._store.repair()
            self._engine.repair()
            self._care.repair()
        return duration

    def _breakable(self, described: object) -> SimulatedStore | BreakableEngine | BreakableCare | None:
        """Return the part that a fault or a repair is of; None if it is one of the electronics, or all."""
        if is_of_disk(described):
            return self._store
        if is_of_engine(described):
            return self._engine
        return self._care if is_of_care(described) else None

    def _open(self) -> tuple[Game | None, GameStore]:
        """Return the game on the disk, and the store of games."""
        kept, games = self._store.open()
        return kept, games or NullStore()

    def _switch(self, *, power: _Power) -> None:
        """Unplug the board, or plug it in again; the program then starts from the contents of the disk."""
        if (power == "on") == self.powered:
            raise HandsError(f"the power is {power} already", Message(f"refused.power.{power}"))
        self.clock.reach(self.now)
        self.powered = power == "on"
        if self.powered:
            kept, self.saving = self._open()
            self.play.plug_in(self._blueprint.controller(kept, self.saving))
            self._opponent, self._narrator = self._new_opponent(), Narrator(self.play.controller)
        else:
            self._engine.give_up()
            self._store.cut()
            self.play.unplug()
            self._tell_burst()
        self._tell({"event": "power", "power": power})
        if self.powered:
            self._frame(self.now)

    # ---- frames ----------------------------------------------------------------------------------------

    def _next_frame(self, last: Microseconds) -> Microseconds:
        """Return the next frame on the grid in which something may happen, or `last`."""
        following = self._on_grid(self.framed + 1)
        if self._unread_change or not self._skip or following >= last:
            return following
        board, electronics = self.play.board, self.play.electronics
        frames = [last]
        if (deadline := board.deadline) is not None:
            frames.append(self._on_grid(deadline))
        if (change := electronics.next_change(self.framed)) is not None:
            frames.append(change - change % self.period)  # part of a scan that began before may read this
        if (dims := board.controller.rest.deepens_at) is not None:
            frames.append(self._on_grid(dims))
        if (late := self._engine.deadline) is not None:
            frames.append(self._on_grid(late))
        if self._night is not None:
            minute = self.framed // _MINUTE
            frames.append((minute + self._night.until_change(minute % DAY_MIN)) * _MINUTE)
        if (written := self._store.disk.due) is not None:
            frames.append(self._on_grid(written))
        if not electronics.spi.plugged and (light := board.controller.next_light(self.framed)) is not None:
            frames.append(self._on_grid(light))
        if (
            electronics.spi.writes == self._sent_before_fault
        ):  # the strip may show something other than what was sent
            frames.append(self._on_grid(board.strip_refresh.again_at))
        return max(following, min(frames))

    def _on_grid(self, time: Microseconds) -> Microseconds:
        """Return the first frame at or after `time`."""
        return -(-time // self.period) * self.period

    def _catch_up_light(self, due: Microseconds) -> None:
        """Run the light patterns due before `due`, as far back as that matters."""
        self.play.board.strip_refresh.rested(due)
        at = max(self.framed, due - _LIGHT_MEMORY)
        while (light := self.play.controller.next_light(at)) is not None:
            at = self._on_grid(max(light, at))
            if at >= due:
                return
            self.play.controller.glow(at)

    def _frame(self, now: Microseconds) -> None:
        """Do one pass of the board's loop, and another one if an engine has chosen a turn."""
        self._pass(now)
        if self._opponent.serve(now):
            self._pass(now)

    def _new_opponent(self) -> Opponent:
        """Return the opponent on the program that runs now."""

        def choose(request: dict[str, Any]) -> None:
            self.play.perform(request)
            self._note(request)

        return Opponent(self.play.controller, self._engine, choose)

    def _pass(self, now: Microseconds) -> None:
        """Do one pass of the board's loop, and publish its events."""
        self.clock.reach(now)
        self._store.disk.run(now)
        if self._night is not None:
            rest, before = self.play.controller.rest, self.play.controller.rest.is_night
            rest.is_night = self._night.covers(now // _MINUTE % DAY_MIN)
            if rest.is_night is not before:
                self.play.controller.refresh()
        change = self.play.electronics.next_change(now)
        events = self.play.board.tick(now)
        for event in events:
            if isinstance(event, GameBegun):
                self.play.stock()  # hands may have asked for other rules
            self._tell(event.as_dict())
        for uttered in self._narrator.follow(events):
            self._tell(uttered.as_dict())
        if self.play.board.is_silent:
            self._tell_burst()
        self.framed = now
        self._unread_change = change is not None and change <= self.clock.now()

    def _tell_burst(self) -> None:
        """Publish what the line of the buzzer has done, once it is low."""
        if burst := self.play.electronics.buzzer.take_burst():
            self._tell({"event": "buzz", "ms": burst})


VERBS = dict.fromkeys((*hands.VERBS, "do", "power"))
"""The verbs of all commands."""


def is_settled(session: Session) -> bool:
    """Return whether the game can go on from here without anything that only `session` knows."""
    hindered = session.paused or session.suspended or session.must_clear or session.cleared is not None
    hindered = hindered or session.chosen is not None or session.game.outcome is not None
    return not (hindered or session.masking.points) and session.verdict == Settled()
