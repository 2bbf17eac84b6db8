"""What plays on a board, put together from a configuration: the same for a real board and a simulated one."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from firmware_host.config import Config
from firmware_host.controller import MASKED, PAUSED, Controller
from firmware_host.debounce import Debouncer
from firmware_host.games.game import Game, Player, Rules
from firmware_host.games.rulesets import LESSON
from firmware_host.keeping import Keeper
from firmware_host.ports import Alphabet
from firmware_host.preferences import KEPT_AS, Preferences
from firmware_host.renderer import Renderer
from firmware_host.session import Session
from firmware_host.themes import theme_named


def worth_going_on(game: Game | None, rules: Rules) -> Game | None:
    """`game`, which was played last, unless it was only begun, and by other rules than are wanted now.

    Nor is a lesson worth it: whoever led through it is gone.
    """
    if game is None or game.rules.name == LESSON:
        return None
    if game.ply or game.outcome is not None:
        return game
    return game if game.rules.describe() == rules.describe() else None


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
