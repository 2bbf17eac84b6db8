"""The kinds of hints: whether the light shows a player which moves win, draw or lose.

**Invariants:** a hint is shown only to a player at the board, in the own turn, and never in a lesson, which
its page leads.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from firmware_host.games.game import Player
from firmware_host.games.rulesets import LESSONS
from firmware_host.play.preferences import PreferenceValues
from firmware_host.play.seats import HERE, Seats
from firmware_host.play.session import Session


class HintKind(StrEnum):
    """The occasions on which a player is shown hints."""

    OFF = "off"
    ON_REQUEST = "on-request"
    ALWAYS = "always"


AUTO = "auto"
"""The setting for hints on request against the board, and none between people."""


def hint_kinds(values: PreferenceValues, seats: Seats) -> Mapping[Player, HintKind]:
    """Return the hints of both players under these settings; a side that isn't played here has none."""
    settings = {Player.WHITE: values.hint_white, Player.BLACK: values.hint_black}
    return {player: _kind(settings[player], player, seats) for player in Player}


def _kind(setting: str, player: Player, seats: Seats) -> HintKind:
    if seats.at(player) != HERE:
        return HintKind.OFF
    if setting == AUTO:
        return HintKind.OFF if seats.at(player.other) == HERE else HintKind.ON_REQUEST
    return HintKind(setting)


def kind_now(session: Session, values: PreferenceValues) -> HintKind:
    """Return the hints of the player to move; OFF if somebody or something else decides what is done next."""
    return HintKind.OFF if session.suspended else kind_in_turn(session, values)


def kind_in_turn(session: Session, values: PreferenceValues) -> HintKind:
    """Return the same, whether hands are asked something in the meantime or not."""
    rules, chosen = session.game.rules, session.chosen
    if session.paused or session.must_clear or session.game.outcome is not None:
        return HintKind.OFF
    if rules.name in LESSONS or session.seats.has_far or session.is_others_turn or chosen is not None:
        return HintKind.OFF
    return hint_kinds(values, session.seats)[session.game.position.to_move]
