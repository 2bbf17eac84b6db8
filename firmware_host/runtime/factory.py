"""What plays on a board, put together from a configuration: the same for a real board and a simulated one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from firmware_host.config.loader import Config
from firmware_host.games.game import Game, Player, Rules
from firmware_host.games.rulesets import LESSON
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.themes import theme_named
from firmware_host.play.controller import MASKED, PAUSED, Controller
from firmware_host.play.durability import Keeper
from firmware_host.play.preferences import KEPT_AS, Preferences
from firmware_host.play.session import Session
from firmware_host.ports import Alphabet
from firmware_host.tracking.debounce import Debouncer

WANTED_AS = "rules"
"""The name under which is kept by which rules the board was started to play."""


class Remembering(Protocol):
    """What remembers the game that was played last, and what was put under names."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was put; those of a file are there once `last` was asked."""

    def last(self) -> Game | None:
        """The game that was begun last."""

    def put(self, name: str, value: Any) -> int:
        """Have `value` kept under `name`."""


def game_to_go_on(store: Remembering, wanted: Rules) -> Game | None:
    """The game that was begun last, if it goes on on a board that is started to play by the rules `wanted`.

    One in which something was played does. One in which nothing was goes on by whatever rules players have
    chosen, unless other rules are wanted than at the start before: then those count. A lesson does not,
    since whoever led through it is gone.
    """
    game, rules = store.last(), wanted.describe()
    wanted_anew = store.settings.get(WANTED_AS) != rules
    if wanted_anew:
        store.put(WANTED_AS, rules)
    if game is None or game.rules.name == LESSON:
        return None
    played = game.ply > 0 or game.outcome is not None
    return game if played or not wanted_anew or game.rules.describe() == rules else None


def _names(kept: object) -> list[str]:
    """What was kept as a list of names, whatever has become of it."""
    return [name for name in kept if isinstance(name, str)] if isinstance(kept, list) else []


def assemble(
    rules: Rules,
    alphabet: Alphabet,
    config: Config,
    *,
    draw_lot: Callable[[], Player],
    game: Game | None = None,
    keeper: Keeper | None = None,
    counts: Sequence[int] = (),
    spare: int = 0,
) -> Controller:
    """The controller of a board whose sensors have this alphabet.

    `draw_lot` says who starts where the rules leave it to the lot; `game` is one to go on with; `keeper`
    keeps what is played; `counts` and `spare` are the LEDs of each point and of none, as the renderer takes
    them.
    """
    timing, lights = config.timing, config.lights
    was_set = {} if keeper is None else keeper.settings
    session = Session(
        rules,
        alphabet,
        timing=timing,
        play=config.play,
        draw_lot=draw_lot,
        game=game,
        masked=_names(was_set.get(MASKED)),
        paused=was_set.get(PAUSED) is True,
    )
    preferences = Preferences.of(lights, config.play, was_set.get(KEPT_AS))
    renderer = Renderer(rules.layout, lights, theme_named(lights.theme), counts=counts, spare=spare)
    return Controller(
        session, Debouncer(timing.debounce_ms * 1000), renderer, preferences=preferences, keeper=keeper
    )
