"""The settings of a board that outlast a power cut beside its game: their names, and the way out and back.

All have their names and kinds here. Those of the session are read in `stored_settings`, and come back in
`restored_session`; the parts beside it store and restore their own (`play/part.py`).

Invariants: a usual value is stored as None, which deletes it. A value of another version or of a damaged file
is left out, and never an error.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from firmware_host.games.game import Game, Player, Rules
from firmware_host.play.game_clock import was_running
from firmware_host.play.part import PlayPart
from firmware_host.play.seats import PlayerNames, Seats, kept_choice, rest_of_chosen
from firmware_host.play.session import Session
from firmware_host.ports import SensorKind
from firmware_host.settings import Play, Timing

CHOSEN_KEY, CLOCK_KEY, FAR_KEY, FURTHEST_KEY = "chosen", "clock", "far", "furthest"
MASKED_KEY, NAMES_KEY, PAUSED_KEY, SEATS_KEY = "masked", "names", "paused", "seats"
PUZZLE_KEY, SET_UP_KEY, TAGS_KEY, TURNED_KEY = "puzzle", "set-up", "tags", "turned"

KINDS: Mapping[str, type] = {
    **dict.fromkeys((CHOSEN_KEY, CLOCK_KEY, FAR_KEY, NAMES_KEY, SEATS_KEY, SET_UP_KEY, TAGS_KEY), dict),
    **dict.fromkeys((FURTHEST_KEY, MASKED_KEY), list),
    **dict.fromkeys((PAUSED_KEY, TURNED_KEY), bool),
    PUZZLE_KEY: int,
}
"""The kinds of the settings, by name."""


def stored_settings(session: Session, parts: Iterable[PlayPart], configured: Seats) -> Mapping[str, Any]:
    """Return what is stored besides the game; seats only if they aren't the `configured` ones."""
    own: dict[str, Any] = {}
    tags = session.sides.names.tags(session.seats)
    for part in parts:
        tags.update(part.tags)
        own.update(part.to_store())
    timeline = session.timeline
    furthest = [step.text for step in timeline.furthest.steps] if timeline.can_redo else None
    return {
        MASKED_KEY: sorted(point.name for point in session.masking.points) or None,
        PAUSED_KEY: session.paused or None,
        FURTHEST_KEY: furthest,
        SEATS_KEY: session.seats.kept_over(configured),
        CHOSEN_KEY: kept_choice(session.game, session.chosen) if session.is_others_turn else None,
        NAMES_KEY: session.sides.names.kept(),
        TAGS_KEY: tags or None,
        TURNED_KEY: session.sides.turned or None,
        **own,
    }


def restored_session(
    rules: Rules,
    alphabet: SensorKind,
    timing: Timing,
    play: Play,
    draw_lot: Callable[[], Player],
    game: Game | None,
    was_set: Mapping[str, Any],
) -> Session:
    """Return the session of a board for which players set what is in `was_set`.

    They are called and seated as before, and a turn that one of them has chosen goes on.
    """
    session = Session(
        rules,
        alphabet,
        timing=timing,
        play=play,
        draw_lot=draw_lot,
        game=game,
        masked=_names(was_set.get(MASKED_KEY)),
        paused=was_set.get(PAUSED_KEY) is True or was_running(was_set.get(CLOCK_KEY)),
        furthest=_names(was_set.get(FURTHEST_KEY)),
        seats=Seats.of(play, was_set.get(SEATS_KEY)),
    )
    session.sides.turned = was_set.get(TURNED_KEY) is True
    session.sides.names = PlayerNames.of(was_set.get(NAMES_KEY))
    if session.is_others_turn:
        session.reconciler.choose(rest_of_chosen(session.game, was_set.get(CHOSEN_KEY)))
    return session


def _names(kept: object) -> list[str]:
    """Return a saved list of names, or an empty list if it is damaged."""
    return [name for name in kept if isinstance(name, str)] if isinstance(kept, list) else []
