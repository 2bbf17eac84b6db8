"""`millwright sim --setup`: set-up tried on a simulated board with its wires in random order.

The board is wired in the form that is chosen.

Invariants: the order of the wires comes from the seed. The result is written to a temporary folder, never to
the configuration of a real board.
"""

from __future__ import annotations

import shlex
import shutil
import tempfile
from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any

from firmware_host.config.loader import Config, load
from firmware_host.config.paths import FILE_NAME
from firmware_host.config.wiring_map import contact_names
from firmware_host.config.writer import changed_settings
from firmware_host.games.drawn import kinds_of
from firmware_host.games.game import Piece
from firmware_host.i18n import Message
from firmware_host.maintenance.form_session import FormSession
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.maintenance.setup_run import run_session, today
from firmware_host.maintenance.setup_session import SetupSession
from firmware_host.ports import SensorKind
from firmware_host.settings import COLOUR_ORDERS, Address
from firmware_host.views.snapshot import lit_points
from hardware.wiring.contacts import MuxWiring, every_wire, recommended
from sim.assembly import Blueprint
from sim.clock import Clock, RealClock
from sim.electronics.board import SimulatedBoard
from sim.table.hands import TableHands
from sim.table.positions import PiecePositions
from sim.table.table import Make

Tell = Callable[[str], object]


def run(
    blueprint: Blueprint,
    *,
    given: str | None,
    page: Address,
    browse: Tell | None,
    say: Tell,
    typed: Iterable[str],
) -> None:
    """Guide through the set-up of a board by `blueprint`, with settings from the file `given`.

    Raises ConfigError, and PageError if there can be no page.
    """
    config = configured(blueprint)
    clock = RealClock()
    path = Path(tempfile.mkdtemp(prefix="millwright-")) / FILE_NAME
    if given is not None:
        shutil.copy(given, path)
    else:
        path.write_text(changed_settings(config), encoding="utf-8")
        config = load(path)
    table = SetupTable(shuffled(blueprint, config, clock), clock, blueprint.rules.box)

    def begin(chosen: Config, files: SetupFiles) -> SetupSession:
        board = shuffled(blueprint, chosen, clock)
        setting = SetupSession(board, chosen, files, today, ending=ending(path))
        table.lay(board)
        return setting

    setting = FormSession(config, SetupFiles(path), begin, None)
    opened = None if browse is None else _in_thread(browse)
    run_session(setting, config.timing.frame_rate_hz, page, say, typed, table, opened)


def shuffled(blueprint: Blueprint, config: Config, clock: Clock) -> SimulatedBoard:
    """Return a board with the chips of `config`, its contacts and LEDs, one a point, in random order."""
    layout, random = blueprint.rules.layout, Random(blueprint.seed)  # noqa: S311 - the same for the same seed
    names = [point.name for point in layout.points]
    wired = config.sensors
    wires: list[tuple[int, ...]] = list(every_wire(wired)) or [divmod(n, 8) for n in range(len(layout))]
    if wired.kind == "direct":
        wires = [(line,) for line in MuxWiring.bare(wired).signals]
    random.shuffle(wires)
    free = iter(wires)
    sensors = replace(wired, points={name: tuple(next(free) for _ in contact_names(wired)) for name in names})
    leds = random.sample(range(len(layout)), len(layout))
    lights = {name: (led,) for name, led in zip(names, leds, strict=True)}
    sizes = {len(config.strip.order)} if wired.kind == "serial" else {3, 4}
    order = random.choice([order for order in COLOUR_ORDERS if len(order) in sizes])
    strip = replace(config.strip, leds=len(layout), order=order, points=lights)
    board = SimulatedBoard(
        layout, blueprint.alphabet, clock, seed=blueprint.seed, sensors=sensors, strip=strip
    )
    box = blueprint.rules.box
    makes = {str(piece): Make(piece.magnet, piece.flat) for piece in box}
    board.table.stock({str(piece): count for piece, count in box.items()}, makes)
    return board


class SetupTable:
    """The table of a board during set-up, as its page sees it."""

    def __init__(
        self, board: SimulatedBoard, clock: Clock, pieces: Collection[Piece], hands: TableHands | None = None
    ) -> None:
        self._clock = clock
        self.kinds = kinds_of(pieces)
        """The look of the pieces of each kind."""
        self.lay(board, hands)

    def lay(self, board: SimulatedBoard, hands: TableHands | None = None) -> None:
        """Lay another board on the table, with all its pieces beside it."""
        self._board = board
        self._hands = hands or TableHands(board.table, board)
        self._positions = PiecePositions(board.table)
        self._changed = True

    def do(self, request: dict[str, Any]) -> None:
        """Carry out a command of the page's hands; raises HandsError."""
        self._hands.do(request, self._clock.now())
        self._changed = self._changed or "push" not in request
        self._positions.touch()

    def news(self) -> tuple[bool, dict[str, Any], dict[str, str]]:
        """Return whether a piece moved since the last call, all positions, and the light."""
        now = self._clock.now()
        changed, self._changed = self._positions.moved(now) or self._changed, False
        light = lit_points(self._board.layout, self._board.leds())
        return changed, self._positions.at(now, self.kinds), light


def configured(blueprint: Blueprint) -> Config:
    """Return the settings with the rules, and with enough chips and LEDs for them."""
    config, rules = blueprint.config, blueprint.rules
    switches = tuple(rules.describe().split()[1:])
    strip = replace(config.strip, leds=max(config.strip.leds, len(rules.layout)))
    config = replace(config, play=replace(config.play, rules=rules.name, switches=switches), strip=strip)
    if blueprint.alphabet is SensorKind(config.sensors.alphabet):
        return config
    smallest = recommended(rules.layout, blueprint.alphabet)
    sensors = replace(config.sensors, **{key: getattr(smallest, key) for key in _CHIP_KEYS})
    return replace(config, sensors=sensors)


_CHIP_KEYS = ("kind", "alphabet", "select", "signal", "inputs")


def ending(path: Path) -> Message:
    """Return the closing message, with the configuration at `path`."""
    return Message("setup.done.tried", {"text": shlex.quote(str(path))})


def _in_thread(browse: Tell) -> Tell:
    return lambda address: Thread(target=browse, args=(address,), name="browser", daemon=True).start()
