"""The parts of a board: what happens beside its game, such as clocks, hints and sounds.

A part is made with the session, and with those parts that it needs. The controller has all parts in one list,
and passes each frame through it. No part is informed of a new game, a turn, a pause or a take-back: it finds
in its session how the game stands.

Invariants: time is an argument. A part acts on itself and on the session, never on another part.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from firmware_host.i18n import Message
from firmware_host.lights.scene import Scene
from firmware_host.play.events import Event
from firmware_host.play.preferences import PreferenceValues
from firmware_host.settings import Controls, Lights, Microseconds, Play, Rest, Sound

_NOTHING: Mapping[str, Any] = {}


class PartSettings(NamedTuple):
    """The sections of the configuration that are about the parts of a board."""

    lights: Lights = Lights()
    play: Play = Play()
    sound: Sound = Sound()
    rest: Rest = Rest()
    controls: Controls = Controls()
    bar_leds: int = 0


class PlayPart:
    """A part that does nothing: each overrides what it needs."""

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which it has something to do although no reading changes; None if it won't."""
        return None

    @property
    def must_store(self) -> bool:
        """True if what it stores has changed in this frame, although there was no event."""
        return False

    @property
    def stops_clocks(self) -> bool:
        """True while the clocks stand because of it."""
        return False

    @property
    def faults(self) -> Mapping[str, Message]:
        """The things that it finds not to work, with the reasons."""
        return _NOTHING

    @property
    def tags(self) -> Mapping[str, str]:
        """The tags that it adds to the record of the game."""
        return _NOTHING

    def on_preferences(self, values: PreferenceValues, before: PreferenceValues | None) -> None:
        """Obey preferences that apply from now on, instead of those `before`; None at the start."""

    def on_use(self, now: Microseconds) -> None:
        """Note that somebody has touched the board."""

    def on_frame(self, now: Microseconds) -> None:
        """Do what is due after a frame that hands or a deadline made worth a look."""

    def add_light(self, scene: Scene) -> Scene:
        """Return the scene that those before it in the list leave, with its own light over it."""
        return scene

    def take_events(self) -> tuple[Event, ...]:
        """Return its events since the last call, in order; those of the game go to its timeline instead."""
        return ()

    def to_store(self) -> Mapping[str, Any]:
        """Return what a power cut must not take, by the names of settings; None deletes one."""
        return _NOTHING

    def restore(self, stored: Mapping[str, Any]) -> None:
        """Go on from the settings that were stored; what is damaged counts as missing."""


def with_own(parts: Iterable[PlayPart], member: str) -> tuple[PlayPart, ...]:
    """Return those of `parts` that do something in a member of PlayPart, which saves calls of the others."""
    return tuple(part for part in parts if getattr(type(part), member) is not getattr(PlayPart, member))
