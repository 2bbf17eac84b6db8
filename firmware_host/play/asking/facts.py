"""The facts about a board that decide which options the ask has."""

from __future__ import annotations

from firmware_host.games.rulesets import levels, standard_options
from firmware_host.play.asking.options import Situation
from firmware_host.play.controls import GameControls
from firmware_host.play.device.off import SwitchOff
from firmware_host.play.hints.tracker import HintKind, kind_in_turn
from firmware_host.play.preferences import PreferenceValues
from firmware_host.play.sound.speech import SpeechTracker

_REQUESTS = ("take-back", "redo", "undo", "pause", "resume", "draw")
"""The requests that are options without arguments."""


def situation_of(
    off: SwitchOff,
    controls: GameControls,
    values: PreferenceValues,
    rule_sets: tuple[str, ...],
    speech: SpeechTracker,
    *,
    pairs: bool,
) -> Situation:
    """Return the situation of a board with these preferences, which can play by `rule_sets`."""
    session = off.session
    game, seats = session.game, session.seats.as_dict()
    switches = dict(switch.split("=") for switch in game.rules.describe().split()[1:])
    return Situation(
        possible=_possible(off, controls, values),
        is_begun=game.ply > 0,
        is_over=game.outcome is not None,
        rules=game.rules.name,
        rule_sets=rule_sets,
        levels=tuple(levels(game.rules)),
        white=seats["white"],
        black=seats["black"],
        lights=values.lights,
        play=values.play,
        sound=values.sound,
        switches=switches,
        odds={**standard_options(game.rules.name), **switches}.get("odds"),
        plays_sounds=bool(speech.sounds.parts),
        speaks=speech.can_be_chosen,
        pairs=pairs,
        room=controls.far.room.report,
    )


def _possible(off: SwitchOff, controls: GameControls, values: PreferenceValues) -> frozenset[str]:
    """Return the names of the requests without arguments that are possible once the ask closes."""
    possible = {name for name in _REQUESTS if controls.unavailable_reason(name) is None}
    may_hint = kind_in_turn(off.session, values) is not HintKind.OFF
    others = {"hint": may_hint, "off": off.is_possible}
    return frozenset(possible | {name for name, may in others.items() if may})
