"""The program on a real board, put together.

Invariants: the board's loop runs in the main thread, and only it touches the drivers. Whatever fails in the
sensors or the strip, the page says so and the program goes on until a signal ends it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from random import SystemRandom
from typing import Any, NamedTuple

from firmware_host.config.loader import Config
from firmware_host.config.night import NightHours
from firmware_host.config.paths import games_path
from firmware_host.config.wiring_map import LedCounts, bar_positions, led_positions
from firmware_host.errors import RequestError
from firmware_host.games.game import Game, Player, Rules
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message, to_english
from firmware_host.play import requests
from firmware_host.play.board import Board
from firmware_host.play.controller import Controller
from firmware_host.play.durability import DISK, GameStore
from firmware_host.play.events import CLOCK, ENGINE, PACE, SET_UP, SPEECH, SUPPLY, Event
from firmware_host.ports import ButtonPort, BuzzerPort, LedPort, SensorKind, SensorPort
from firmware_host.runtime.clock import MachineClock, machine_clock, since_boot_s
from firmware_host.runtime.engines.opponent import Engine, Opponent
from firmware_host.runtime.engines.supervised import SupervisedEngine
from firmware_host.runtime.event_log import EventLog
from firmware_host.runtime.factory import build_controller, game_to_continue, worker_command
from firmware_host.runtime.loop import FramePace, Loop
from firmware_host.runtime.page import PageAddress, serve_page, show_damage
from firmware_host.runtime.watchdog import BoardCondition, ServiceReporter
from firmware_host.settings import NO_LINE, Microseconds
from firmware_host.state_files import DamagedFile
from firmware_host.store.store import SqliteStore
from firmware_host.store.writer import StoreWriter
from firmware_host.views.instructions import instruction
from firmware_host.views.narrator import Narrator
from firmware_host.views.page_state import PagePublisher, Publish
from firmware_host.views.sensor_updates import SensorPublisher
from firmware_host.views.snapshot import lit_points
from firmware_host.views.status import FrameRate, board_status, machine_status, undervoltage
from hardware.boot.needs import core_clock_line_here
from hardware.boot.unit import DROP_IN, missing_devices
from hardware.button import open_button
from hardware.buzzer import open_buzzer
from hardware.factory import open_sensors
from hardware.machine import PiMachine
from hardware.reconnect import ReconnectingButton, ReconnectingBuzzer, ReconnectingSensors, reconnecting_strip
from hardware.wiring.chips import chip_map

# ---- the night ------------------------------------------------------------------------------------------
# The night by this machine's clock, which counts only if it is right.
#
# Invariants: a machine that doesn't know the time has no night: a Pi without a network wakes up at any hour.
# The clock is read twice a minute, never in each frame.


_CLOCK_INTERVAL: Microseconds = 30_000_000


class NightWatch:
    """The night of a board with these hours, by the machine's `clock`."""

    def __init__(self, hours: NightHours | None, clock: MachineClock) -> None:
        self.is_night = False
        """True if it was night when the clock was last read."""
        self._hours = hours
        self._clock = clock
        self._due: Microseconds = 0

    def follow(self, now: Microseconds) -> bool:
        """Return True if it has become night or day by `now`, the time of a frame."""
        if self._hours is None or now < self._due:
            return False
        self._due = now + _CLOCK_INTERVAL
        before, self.is_night = self.is_night, self._read(self._hours)
        return self.is_night is not before

    def _read(self, hours: NightHours) -> bool:
        time_of_day = self._clock.local()
        if time_of_day is None:
            return False
        return hours.covers(60 * time_of_day.tm_hour + time_of_day.tm_min)


# ---- barriers -------------------------------------------------------------------------------------------
# Barriers around the parts of the program that the board can play without.
#
# Invariants: an exception of such a part goes no further; it is logged with its trace and listed in one line
# among the board's faults. A part that fails is tried again after a pause that grows. A store that fails is
# not used any more: what it should have written is unknown, and only a new start reads what it has. Time is
# an argument.


_LOG = logging.getLogger(__name__)
_MIN_PAUSE: Microseconds = 1_000_000
_MAX_PAUSE: Microseconds = 60_000_000


class FaultBarrier:
    """A barrier around one part, which has this name among the faults."""

    def __init__(self, part: str, faults: Controller) -> None:
        self._part = part
        self._faults = faults
        self._pause = 0
        self._again_at: Microseconds = 0

    def run(self, work: Callable[[], object], now: Microseconds) -> bool:
        """Run `work` unless its pause lasts; return whether it succeeded."""
        if now < self._again_at:
            return False
        try:
            work()
        except Exception as error:  # noqa: BLE001 - logged, and tried again later
            self._pause = min(2 * self._pause, _MAX_PAUSE) or _MIN_PAUSE
            self._again_at = now + self._pause
            _LOG.exception("the part %r failed", self._part)
            self._faults.fault(self._part, Message("fault.stumbled", {"text": _of(error)}))
            return False
        if self._pause:
            self._pause = 0
            self._faults.fault_cleared(self._part)
        return True


class GuardedStore:
    """A barrier around a store; after its first failure nothing is saved, and the board plays on."""

    def __init__(self, store: GameStore) -> None:
        self._store = store
        self._number = 0
        self._broken: Mapping[str, Message] = {}

    @property
    def kept(self) -> int:
        """The highest number returned by `keep` or `put` whose game or setting is safe."""
        return self._store.kept

    @property
    def troubles(self) -> Mapping[str, Message]:
        """The faults by part."""
        return self._broken or self._store.troubles

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that were changed while the board ran."""
        return self._store.settings

    def keep(self, game: Game) -> int:
        """Save `game`; return the number that `kept` reaches once it is safe, if ever."""
        return self._numbered(lambda: self._store.keep(game))

    def put(self, name: str, value: Any) -> int:
        """Save `value` under `name`; return a number, as `keep` does."""
        return self._numbered(lambda: self._store.put(name, value))

    def _numbered(self, work: Callable[[], int]) -> int:
        if self._broken:
            return self._number
        try:
            self._number = work()
        except Exception as error:  # noqa: BLE001 - logged, and play goes on
            _LOG.exception("the store failed; nothing is kept until the next start")
            broken = Message("fault.unkept.until-start", {"text": _of(error)})
            self._broken = {**self._store.troubles, DISK: broken}
        return self._number


def _of(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


# ---- the program ----------------------------------------------------------------------------------------

_SIMULATION_REQUESTS = frozenset(("fault", "repair", "power", "script", "rebuild", "press", "release"))
"""The requests that only a simulated board can carry out."""
PLUGGED_IN_FOR: Microseconds = 10 * 60 * 1_000_000
"""The time since the machine was switched on in which somebody is taken to be beside it."""


def play(
    config: Config,
    page: PageAddress,
    service: ServiceReporter,
    damaged: Sequence[DamagedFile] = (),
    trouble: Message | None = None,
) -> str:
    """Play on this Pi's board until SIGINT or SIGTERM, or until the workshop begins; return its kind.

    `service` learns the board's condition after each pass. Pages show the files that are `damaged`, and the
    `trouble` of the workshop. Raises PageError if there can be no page.
    """
    with ExitStack() as parts:
        writer = _writer(config)
        if writer is not None:
            parts.callback(writer.close)
        board = RealBoard(config, writer=writer)
        parts.callback(board.close)
        _show_earlier(board, damaged, trouble)
        if writer is not None:
            writer.start()
        pace = FramePace(config.timing.frame_rate_hz)
        loop = Loop(board, config.timing.frame_rate_hz, pace=pace, min_period=lambda: board.board.min_period)
        tell_status = partial(_status, board, loop)
        server = parts.enter_context(
            serve_page(board, loop, config, page, archive=writer, say=_LOG.info, tell_status=tell_status)
        )
        parts.callback(lambda: None if board.workshop else service.stopping())

        def after(events: tuple[Event, ...], now: Microseconds) -> None:
            board.follow_pace(pace)
            board.publish_changes(server.publish, events, now, server.watchers)
            service.passed(board.condition, now)
            if board.workshop:
                loop.stop()

        loop.run(after)
    return board.workshop


def _show_earlier(board: RealBoard, damaged: Sequence[DamagedFile], trouble: Message | None) -> None:
    """Show what happened before the board could show it."""
    for file in damaged:
        board.note_damage(file)
    if trouble is not None:
        board.board.controller.fault(SET_UP, trouble)


def _status(board: RealBoard, loop: Loop) -> dict[str, Any]:
    """Return the status of the program that plays, from any thread but the loop's."""
    return loop.ask(lambda: board.status(loop.missed)) | machine_status()


def _writer(config: Config) -> StoreWriter | None:
    """Return the writer of the board's games; None if they are not kept."""
    if not config.store.keep:
        return None
    clock, named = machine_clock(), bool(config.store.path)
    path = games_path(config.store)
    return StoreWriter(SqliteStore(path, wall_ms=clock.stamp, dating=clock.dating, named=named))


class RealBoard:
    """A real board and its game."""

    def __init__(
        self,
        config: Config,
        *,
        sensors: SensorPort | None = None,
        strip: LedPort | None = None,
        button: ButtonPort | None = None,
        buzzer: BuzzerPort | None = None,
        writer: StoreWriter | None = None,
        engine: Engine | None = None,
        root: Path = Path("/"),
    ) -> None:
        """Build the board of `config`; `sensors`, `strip`, `button`, `buzzer` and `engine` replace its own.

        `root` has the files about this machine. The last game of the `writer`'s store is continued, and what
        is played is saved there; start the writer afterwards.
        """
        rules = rule_set(config.play.rules, config.play.switches)
        controller = _controller(rules, config, writer)
        own = _drivers(config, rules.layout)
        sensors, strip = sensors or own.sensors, strip or own.strip
        self.board = Board(sensors, strip, controller, button or own.button, buzzer or own.buzzer)
        for part, what in _warnings(config, root):
            controller.fault(part, what)
        _warn_of_devices(config, root)
        self._writer = writer
        self._frame_rate_hz = self._reported_hz = config.timing.frame_rate_hz
        self._journal_barrier = FaultBarrier("journal", controller)
        self._page_barrier = FaultBarrier("page", controller)
        self._narrator, self._speech_barrier = Narrator(controller), FaultBarrier(SPEECH, controller)
        self._engine_barrier = FaultBarrier(ENGINE, controller)
        self._engine = engine or SupervisedEngine(SystemRandom().getrandbits(32), worker_command(config.play))
        self._opponent = Opponent(controller, self._engine, partial(requests.perform, controller))
        self._night = NightWatch(NightHours.of(config.rest.night), machine_clock())
        self._event_log, self._rate, self._asked = EventLog(), FrameRate(), False
        self._now: Microseconds = 0
        shining = partial(_shining, controller)
        self.face = PagePublisher(controller, sent=lambda: controller.leds, shining=shining)
        levels = partial(getattr, self.board, "levels")
        self._sensor_publisher = SensorPublisher(controller, shining=shining, levels=levels)

    def close(self) -> None:
        """Darken the strip, release the pins and end the engine."""
        self.board.close()
        self._engine.close()

    @property
    def workshop(self) -> str:
        """The kind of the workshop that is to begin, when the program that plays ends; empty: none."""
        return self.board.controller.asks.touch_search.workshop

    @property
    def game(self) -> Game:
        """The game as it was last published to pages; any thread may read it."""
        return self.face.game

    def tick(self, now: Microseconds) -> tuple[Event, ...]:
        """Do one pass at `now` and return the events; what an engine has chosen shows in the next one."""
        if self._night.follow(now):
            self.board.controller.rest.is_night = self._night.is_night
            self.board.controller.refresh()
        events = self.board.tick(now)
        self._engine_barrier.run(lambda: self._serve(now), now)
        return events

    def _serve(self, now: Microseconds) -> None:
        self._asked |= self._opponent.serve(now)

    def do(self, request: dict[str, Any]) -> None:
        """Carry out a request of a page's button. Raise RequestError if it is not possible."""
        if not _SIMULATION_REQUESTS.isdisjoint(request):
            raise RequestError(Message("refused.real"))
        if "do" not in request:
            raise RequestError(Message("refused.real-pieces"))
        requests.perform(self.board.controller, request)
        self._asked = True  # what was refused has changed nothing

    def note_damage(self, file: DamagedFile) -> None:
        """Show a file of the program that was set aside."""
        show_damage(self.board.controller, file)

    def publish_changes(
        self, publish: Publish, events: tuple[Event, ...], now: Microseconds, watchers: int = 0
    ) -> None:
        """Publish and log the changes since the last call, after the pass at `now`.

        `watchers` is the number of pages that receive sensor updates.
        """
        self._now = now
        self._rate.note(self.board.frames, now)
        self._journal_barrier.run(lambda: self._write_down(events, now), now)
        self._speech_barrier.run(lambda: self._narrator.follow(events), now)
        self._asked |= bool(events)
        if self._page_barrier.run(lambda: self._show(publish, watchers, now), now):
            self._asked = False

    def _write_down(self, events: tuple[Event, ...], now: Microseconds) -> None:
        for level, text in self._event_log.lines(events, now):
            _LOG.log(level, "%s", text)

    def _show(self, publish: Publish, watchers: int, now: Microseconds) -> None:
        self.face.publish_changes(publish, now, force=self._asked)
        self._sensor_publisher.publish_changes(publish, watchers, now)

    def follow_pace(self, pace: FramePace) -> None:
        """Report a machine that is too slow for the configured rate, or is so no longer."""
        if pace.hz == self._reported_hz:
            return
        self._reported_hz = pace.hz
        if pace.is_slowed:
            slots = {"hz": str(pace.hz), "wanted": str(self._frame_rate_hz)}
            self.board.controller.fault(PACE, Message("fault.pace.slow", slots))
        else:
            self.board.controller.fault_cleared(PACE)

    def condition(self) -> BoardCondition:
        """Return the board's condition, for the service manager."""
        progress = self.board.progress
        # A disk that does not answer has been reported, and a restart would not make it faster.
        if self._writer is not None and DISK not in self.board.controller.faults:
            progress = replace(progress, store=self._writer.rounds)
        return BoardCondition(progress, self.board.frames, to_english(instruction(self.board.controller)))

    def status(self, missed: int) -> dict[str, Any]:
        """Return the board's status; `missed` is the number of frames that its loop skipped."""
        return board_status(self.board, self._rate, missed, self._now)


def _shining(controller: Controller) -> dict[str, str]:
    return lit_points(controller.session.game.rules.layout, controller.leds)


def _warnings(config: Config, root: Path) -> Iterator[tuple[str, Message]]:
    """Yield what is known of this machine at the start and makes the board work less well, by its parts."""
    line = core_clock_line_here(config.sensors, config.strip, root)
    if line is not None and not line.is_there:
        yield CLOCK, Message("fault.clock.unsteady", {"setting": line.text})
    if undervoltage(root / "sys"):
        yield SUPPLY, Message("fault.supply.low")


def _warn_of_devices(config: Config, root: Path) -> None:
    """Log the devices that the wiring needs and the service may not use."""
    if missing := missing_devices(
        config.sensors,
        config.strip,
        root / DROP_IN.relative_to("/"),
        controls=config.controls,
        sound=config.sound,
    ):
        _LOG.warning(
            "the service may not use %s, which the wiring needs: `sudo millwright config unit --write`",
            ", ".join(missing),
        )


class _Drivers(NamedTuple):
    sensors: SensorPort
    strip: LedPort
    button: ButtonPort | None
    buzzer: BuzzerPort | None


def _drivers(config: Config, layout: Layout) -> _Drivers:
    """Return the drivers of the configuration; each is opened at its first use."""
    machine = PiMachine()
    sensors = ReconnectingSensors(
        lambda: open_sensors(layout, config.sensors, config.strip, machine),
        clock=machine.now,
        reconnects_itself=config.sensors.kind == "serial",
    )
    leds = (*led_positions(config.strip, layout), *bar_positions(config.strip))
    strip = reconnecting_strip(config.sensors, config.strip, leds, machine, _LOG.info)
    button = ReconnectingButton(
        lambda: open_button(config.controls, config.sensors, config.strip, machine), machine.now
    )
    buzzer = ReconnectingBuzzer(
        lambda: open_buzzer(config.sound, config.controls, config.sensors, config.strip, machine)
    )
    return _Drivers(
        sensors,
        strip,
        None if config.controls.button == NO_LINE else button,
        None if config.sound.buzzer == NO_LINE else buzzer,
    )


def _controller(rules: Rules, config: Config, writer: StoreWriter | None) -> Controller:
    """Return the controller, which continues the last game of the `writer`'s store and saves to it."""
    store = None if writer is None else writer.store
    controller = build_controller(
        rules,
        SensorKind(config.sensors.alphabet),
        config,
        draw_lot=lambda: SystemRandom().choice(list(Player)),
        game=None if store is None else game_to_continue(store, rules),
        store=None if store is None else GuardedStore(store),
        leds=LedCounts.of(config.strip, rules.layout),
        chips=chip_map(rules.layout, config.sensors),
    )
    controller.asks.plugged_in_until = PLUGGED_IN_FOR - round(since_boot_s() * 1_000_000)
    return controller
