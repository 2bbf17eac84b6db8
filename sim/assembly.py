"""The whole program on the simulated board, assembled in one place for everything that runs it there.

Invariants: the drivers are the real ones. Randomness comes from the seed. The box always holds the pieces of
the game's rule set, less those on the board and in the hands.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from pathlib import Path
from random import Random

from firmware_host.config.compatibility import incompatibility, simplest_sensors
from firmware_host.config.gpio import BUTTON_LINE, BUZZER_LINE, gpio_uses
from firmware_host.config.loader import Config, load
from firmware_host.config.wiring_map import LedCounts
from firmware_host.errors import ConfigError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player, Rules
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import to_english
from firmware_host.play import requests
from firmware_host.play.board import Board
from firmware_host.play.controller import Controller
from firmware_host.play.durability import GameStore
from firmware_host.ports import SensorKind
from firmware_host.runtime.factory import build_controller
from firmware_host.settings import (
    EXTERNAL,
    NO_LINE,
    Controls,
    Microseconds,
    Play,
    Sensors,
    Sound,
    Strip,
)
from firmware_host.views.snapshot import lit_points
from hardware.wiring.chips import chip_map
from hardware.wiring.contacts import recommended
from sim.clock import Clock
from sim.electronics.board import SimulatedBoard
from sim.table.hands import TableHands
from sim.table.table import Make


@frozen(slots=False)
class Blueprint:
    """The specification of a simulated board."""

    rules: Rules = field(default_factory=rule_set)
    alphabet: SensorKind = SensorKind.PRESENCE
    seed: int = 0
    config: Config = field(default_factory=Config)
    store: Path | None = None
    """The file of its games; None: they are not kept."""
    sensors: Sensors | None = None
    """The wiring of the sensors, which the program's settings match; None: as recommended."""
    strip: Strip | None = None
    """The wiring of the LEDs; None: each point has that of its number."""
    given: str | None = None
    """The file that the config was read from."""
    engine: bool = True
    """True if engine seats think; otherwise their turns are chosen by requests, as in a recorded session."""
    buzzer: bool = False
    """True if the board has a buzzer although its config says nothing of one."""
    rules_asked_for: bool = False
    """True if a stored game by other rules than `rules` is not continued, since these were asked for."""

    @classmethod
    def of(
        cls,
        *,
        rules: str | None = None,
        switches: Sequence[str] = (),
        sensors: str | None = None,
        seed: int = 0,
        config: str | Path | None = None,
        store: str | Path | None = None,
        white: str | None = None,
        black: str | None = None,
        engine: bool = True,
        buzzer: bool | None = None,
        with_page: bool = False,
    ) -> Blueprint:
        """Read a blueprint from the options of a command line; without a `config` no file is read.

        `with_page` is for people: sensors that nobody has chosen tell White from Black, there is a buzzer
        unless `buzzer` says otherwise, and a stored game by other rules does not continue. `switches` come
        over those of the config, or of `rules`. Raises ConfigError or NotationError.
        """
        loaded = load(Path(config) if config is not None else None)
        loaded = replace(loaded, play=(play := _seated(loaded.play, white, black)))
        chosen = rule_set(rules or play.rules, (*(play.switches if rules is None else ()), *switches))
        alphabet = _alphabet(sensors, loaded, chosen, tells_colours=with_page)
        if (incompatible := incompatibility(chosen, alphabet)) is not None:
            raise ConfigError(to_english(incompatible))
        return cls(
            chosen,
            alphabet,
            seed,
            loaded,
            None if store is None else Path(store),
            loaded.sensors if _has_section(loaded, "sensors") else None,
            loaded.strip if _has_section(loaded, "strip") else None,
            None if config is None else str(config),
            engine,
            with_page if buzzer is None else buzzer,
            rules_asked_for=with_page and (rules is not None or bool(switches)),
        )

    def build(self, clock: Clock, game: Game | None = None, store: GameStore | None = None) -> SimulatedPlay:
        """Build the board, with its drivers open; the caller closes it.

        `game` is one to continue, with its pieces in place; without it a new game begins. `store` keeps the
        games.
        """
        controller = self.controller(game, store)
        electronics = SimulatedBoard(
            self.rules.layout,
            self.alphabet,
            clock,
            seed=self.seed,
            sensors=self.sensors,
            strip=self.strip,
            controls=self._controls(),
            sound=self._sound(),
        )
        return SimulatedPlay(electronics, controller)

    def _controls(self) -> Controls:
        """Return the controls of the configuration, or all that there can be if it says nothing of them."""
        if _has_section(self.config, "controls"):
            return self.config.controls
        sensors = self.sensors or recommended(self.rules.layout, self.alphabet)
        taken = {use.gpio for use in gpio_uses(sensors, self.strip or Strip())}
        return Controls(button=NO_LINE if BUTTON_LINE in taken else BUTTON_LINE, off=True)

    def _sound(self) -> Sound:
        """Return the sound of the configuration, with a buzzer if the board is to have one."""
        sound = self.config.sound
        if not self.buzzer or "sound.buzzer" in self.config.origins:
            return sound
        sensors = self.sensors or recommended(self.rules.layout, self.alphabet)
        uses = gpio_uses(sensors, self.strip or Strip(), controls=self._controls())
        return sound if BUZZER_LINE in {use.gpio for use in uses} else replace(sound, buzzer=BUZZER_LINE)

    def controller(self, game: Game | None = None, store: GameStore | None = None) -> Controller:
        """Return the controller for this board, without the board; parameters as in `build`."""
        random = Random(self.seed)  # noqa: S311 - a game's lot is to be the same for the same seed
        layout = self.rules.layout
        return build_controller(
            self.rules,
            self.alphabet,
            replace(self.config, controls=self._controls(), sound=self._sound()),
            draw_lot=lambda: random.choice(list(Player)),
            game=game,
            leds=None if self.strip is None else LedCounts.of(self.strip, layout),
            store=store,
            chips=chip_map(layout, self.sensors or recommended(layout, self.alphabet)),
        )


class SimulatedPlay:
    """A simulated board, the program that runs on it, and the hands that play on it."""

    def __init__(self, electronics: SimulatedBoard, controller: Controller) -> None:
        self.electronics = electronics
        self._open(controller)
        self.hands = TableHands(electronics.table, electronics)
        self.stock()
        self._set_up()

    def perform(self, request: requests.Request) -> None:
        """Carry out a request of a button or the page; raises RequestError or NotationError if impossible."""
        requests.perform(self.controller, request)
        self.stock()

    def leds(self) -> dict[str, str]:
        """Return the colours of the points and bars that shine, as `#rrggbb`, sorted by name."""
        electronics = self.electronics
        return lit_points(electronics.layout, (*electronics.leds(), *electronics.bars()))

    def unplug(self) -> None:
        """Cut the power: the LEDs go dark and no sensor is read; the table stays as it is."""
        self.board.close()

    def plug_in(self, controller: Controller) -> None:
        """Restore the power, with `controller` playing."""
        self._open(controller)
        self.stock()

    def stands_right(self, now: Microseconds) -> bool:
        """Return True if the pieces on the board are those of the game, each on its point."""
        table, standing = self.electronics.table, self.controller.session.game.position.standing
        wanted = {table.spots[index]: str(piece) for index, piece in enumerate(standing) if piece is not None}
        lies = {track.at(now): piece.kind for piece, track in table.wood.items()}
        turned = any(piece.turned for piece in table.wood)
        return lies == wanted and not turned and table.rests_from() <= now

    def _open(self, controller: Controller) -> None:
        self.controller = controller
        electronics = self.electronics
        button = electronics.open_button(electronics.controls) if electronics.has_button else None
        buzzer = electronics.open_buzzer(electronics.sound) if electronics.has_buzzer else None
        self.board = Board(
            electronics.open_sensors(), electronics.open_strip(), controller, button=button, buzzer=buzzer
        )

    def close(self) -> None:
        """Switch the LEDs off and close the pins; repairs all faults first, so that this succeeds."""
        self.electronics.repair()
        self.board.close()

    def _set_up(self) -> None:
        table, now = self.electronics.table, self.electronics.clock.now()
        for spot, stack in zip(table.spots, self.controller.session.game.position.stacks, strict=True):
            for piece in stack:
                table.put(next(one for one in table.box if one.kind == str(piece)), spot, now)

    def stock(self) -> None:
        """Fill the box with the pieces that the rules of the game give each player."""
        box = self.controller.session.game.rules.box
        makes = {str(piece): Make(piece.magnet, piece.flat) for piece in box}
        self.electronics.table.stock({str(piece): count for piece, count in box.items()}, makes)


def _seated(play: Play, white: str | None, black: str | None) -> Play:
    """Return `play` with those seats; raise ConfigError for one of another program if there is none."""
    if play.program is None and EXTERNAL in (white, black):
        raise ConfigError("no other program is configured; write its command into play.external")
    return replace(play, white=white or play.white, black=black or play.black)


def _alphabet(requested: str | None, config: Config, rules: Rules, *, tells_colours: bool) -> SensorKind:
    if not _has_section(config, "sensors"):
        if requested:
            return SensorKind(requested)
        simplest = simplest_sensors(rules)
        return SensorKind.POLARITY if tells_colours and simplest is SensorKind.PRESENCE else simplest
    wired = config.sensors.alphabet
    if requested not in (None, wired):
        where = config.origins.get("sensors.alphabet", "the configuration")
        raise ConfigError(
            f"--sensors {requested} does not suit {where}, whose sensors tell {wired}: leave it out, "
            f'or write alphabet = "{requested}" there'
        )
    return SensorKind(wired)


def _has_section(config: Config, section: str) -> bool:
    """Return True if the file of a configuration sets anything in a section."""
    return any(key.startswith(f"{section}.") for key in config.origins)
