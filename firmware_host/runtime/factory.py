"""The controller of a board, built from a configuration: the same for real and simulated boards."""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.config.loader import Config
from firmware_host.config.wiring_map import LedCounts
from firmware_host.games.game import Game, Player, Rules
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import LESSONS
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.themes import theme_named
from firmware_host.play.controller import Controller
from firmware_host.play.durability import GameStore
from firmware_host.play.outage import OutageDetector
from firmware_host.play.part import PartSettings
from firmware_host.play.stored_settings import restored_session
from firmware_host.ports import ChipMap, SensorKind
from firmware_host.runtime.engines.supervised import WORKER
from firmware_host.settings import Lights, Play
from firmware_host.store.store import SqliteStore
from firmware_host.tracking.debounce import Debouncer

RULES_SETTING = "rules"
"""The setting that holds the rules that the board was last started with."""


def game_to_continue(store: SqliteStore, wanted: Rules, *, asked_for: bool = False) -> Game | None:
    """Return the last game if it is to be continued on a board that is started with the rules `wanted`.

    A game in which something was played is continued. One without a step is continued by whatever rules
    players chose, unless the board is started with other rules than last time: then those count. If somebody
    has `asked_for` a game by the rules `wanted`, one by others is not continued. A lesson is not, since the
    page that led it is gone, and no game of a board with other points is.
    """
    game, rules = store.last(), wanted.describe()
    rules_changed = store.settings.get(RULES_SETTING) != rules
    if rules_changed:
        store.put(RULES_SETTING, rules)
    if game is None or game.rules.name in LESSONS or game.rules.layout.points != wanted.layout.points:
        return None
    if asked_for and game.rules != wanted:
        return None
    played = game.ply > 0 or game.outcome is not None or game.is_set_up
    return game if played or not rules_changed or game.rules.describe() == rules else None


def worker_command(play: Play) -> tuple[str, ...]:
    """Return the command of the engine, with the other program of the configuration if it has one."""
    if not play.external:
        return WORKER
    options = (word for option in play.external_options for word in ("--option", option))
    return (*WORKER, *options, "--external", *play.external)


def _renderer(layout: Layout, lights: Lights, leds: LedCounts) -> Renderer:
    theme = theme_named(lights.theme)
    return Renderer(layout, lights, theme, counts=leds.points, spare=leds.spare, bar_leds=leds.bar)


def build_controller(
    rules: Rules,
    alphabet: SensorKind,
    config: Config,
    *,
    draw_lot: Callable[[], Player],
    game: Game | None = None,
    store: GameStore | None = None,
    leds: LedCounts | None = None,
    chips: ChipMap | None = None,
) -> Controller:
    """Return the controller of a board with sensors of kind `alphabet`.

    `draw_lot` chooses who starts where chance decides; without `leds` each point has one.
    """
    was_set = {} if store is None else store.settings
    session = restored_session(rules, alphabet, config.timing, config.play, draw_lot, game, was_set)
    leds = leds or LedCounts()
    return Controller(
        session,
        Debouncer(config.timing.debounce_ms * 1000),
        _renderer(rules.layout, config.lights, leds),
        PartSettings(
            config.lights,
            config.play,
            config.sound,
            config.rest,
            config.controls,
            bar_leds=leds.bar,
        ),
        store=store,
        outages=OutageDetector(rules.layout, config.timing, chips),
    )
