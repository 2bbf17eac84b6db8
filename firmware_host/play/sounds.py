"""The sounds of one board: the one place that decides what is heard, when, and by what.

A sound follows from what happens in the game. A speaker plays it if one is there, otherwise the buzzer, and
pages that were asked for sounds play it as well.

Invariants: there is never more than one sound at a time. One that weighs more than the one that lasts
replaces it, after a short silence; a lighter one is dropped. At night a board that plays all sounds plays
few, and more softly. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Reason
from firmware_host.play import events as ev
from firmware_host.play.part import PlayPart
from firmware_host.play.preferences import PreferenceValues
from firmware_host.play.session import Session
from firmware_host.ports import Frame
from firmware_host.settings import SOUND_ALL, SOUND_FEW, SOUND_OFF, Microseconds
from firmware_host.sound import SOUNDS, WEIGHTS, Rhythm, SoundCue
from firmware_host.tracking.verdict import Mismatch, Settled, Undecided

BUZZER, SPEAKER = "buzzer", "speaker"
"""The parts that can play sounds; a speaker is played by a companion program."""

SPEAKER_LEASE: Microseconds = 20_000_000
"""The time for which a speaker counts as there after its companion has said so."""
GAP: Microseconds = 30_000
"""The silence before a sound that replaces another, so that the two are heard as two."""
NEVER: Microseconds = 1 << 62

_SAMPLES = {SOUND_FEW: SoundCue.TURN, SOUND_ALL: SoundCue.MILL}
"""The sound that a level plays when it is chosen."""


@frozen
class PlayedSound:
    """A sound that has begun."""

    number: int
    """The number of sounds until this one, by which clients tell a new one from the last."""
    cue: SoundCue
    began: Microseconds
    played_by: str | None
    """The part of the board that plays it; None if only pages do."""
    is_soft: bool

    @property
    def ends(self) -> Microseconds:
        """The time from which a lighter sound may begin."""
        return self.began + SOUNDS[self.cue].length


class SoundTracker(PlayPart):
    """The sounds of one board with or without a buzzer."""

    def __init__(self, session: Session, *, has_buzzer: bool = False) -> None:
        self._session = session
        self.level = SOUND_FEW
        """The level that people have chosen."""
        self.last: PlayedSound | None = None
        """The last sound; None before the first."""
        self.parts: tuple[str, ...] = (BUZZER,) if has_buzzer else ()
        """The parts that can play sounds now; replaced when they change."""
        self._own_parts = self.parts
        self._speaker_until: Microseconds | None = None
        self._right: Frame | None = None
        """The readings when the board last matched the game; None before that."""
        self._is_wrong = False
        self.cues: set[SoundCue] = set()
        """The sounds that are to begin and that no event tells of."""

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which the parts may change although nothing happens."""
        return self._speaker_until

    # ---- what happens ----------------------------------------------------------------------------------

    def lend_speaker(self, now: Microseconds, *, is_there: bool) -> None:
        """Count a speaker as there until its lease is over, or as gone."""
        self._speaker_until = now + SPEAKER_LEASE if is_there else None
        self.parts = (*self._own_parts, SPEAKER) if is_there else self._own_parts

    def on_preferences(self, values: PreferenceValues, before: PreferenceValues | None) -> None:
        """Play at the level that people have chosen, of which they hear a sample."""
        self.level = values.sound.level
        if before is not None and before.sound.level != self.level and self.level in _SAMPLES:
            self.cues.add(_SAMPLES[self.level])

    def on_frame(self, now: Microseconds) -> None:
        """Judge the board as the game does; only hands can do wrong, not a request or another's turn."""
        session = self._session
        if self._speaker_until is not None and now >= self._speaker_until:
            self.lend_speaker(now, is_there=False)
        verdict = session.verdict
        is_settled = isinstance(verdict, Settled)
        # A mismatch is settled until it has lasted for a while, hence the comparison.
        if is_settled and session.stable != self._right and session.stable == session.expected_frame():
            self._right = session.stable
        hindered = session.paused or session.suspended or session.must_clear
        is_wrong = isinstance(verdict, Mismatch | Undecided) and not hindered and session.game.outcome is None
        if is_wrong and not self._is_wrong and self._right not in (None, session.stable):
            self.cues.add(SoundCue.WRONG)
        if is_wrong or is_settled:
            self._is_wrong = is_wrong

    def begin_sound(
        self, events: Iterable[ev.Event], accepted: Game, now: Microseconds, *, is_night: bool
    ) -> tuple[ev.Event, ...]:
        """Begin the weightiest sound of these events, and return the event that a part of the board plays it.

        `accepted` is the game as far as it is stored, after the events.
        """
        found = self.cues.union(_cues_of(events, accepted))
        cue = max(found, key=WEIGHTS.__getitem__, default=None)
        self.cues.clear()
        if cue is None:
            return ()
        is_busy = self.last is not None and now < self.last.ends
        if is_busy and self.last is not None and not cue.outweighs(self.last.cue):
            return ()
        number = 1 if self.last is None else self.last.number + 1
        began = now + GAP if is_busy else now
        self.last = PlayedSound(number, cue, began, self._player_of(cue, is_night=is_night), is_night)
        return () if self.last.played_by is None else (ev.SoundBegun(str(cue)),)

    def _player_of(self, cue: SoundCue, *, is_night: bool) -> str | None:
        level = SOUND_FEW if is_night and self.level == SOUND_ALL else self.level
        if not self.parts or not cue.is_played_at(level):
            return None
        return SPEAKER if SPEAKER in self.parts else BUZZER

    # ---- the buzzer's line -----------------------------------------------------------------------------

    def buzzes(self, now: Microseconds) -> bool:
        """Return True if the buzzer is to sound at `now`."""
        rhythm = self._rhythm()
        return rhythm is not None and self.last is not None and rhythm.is_on(now - self.last.began)

    def next_edge(self, now: Microseconds) -> Microseconds:
        """Return the time after `now` at which the buzzer is to change; NEVER if it isn't."""
        rhythm = self._rhythm()
        if rhythm is None or self.last is None:
            return NEVER
        edge = rhythm.next_edge(now - self.last.began)
        return NEVER if edge is None else self.last.began + edge

    def _rhythm(self) -> Rhythm | None:
        if self.last is None or self.last.played_by != BUZZER or self.level == SOUND_OFF:
            return None
        rhythm = SOUNDS[self.last.cue].rhythm
        return rhythm.softened() if self.last.is_soft else rhythm


def _cues_of(events: Iterable[ev.Event], accepted: Game) -> Iterator[SoundCue]:
    for event in events:
        match event:
            case ev.GameOver(reason=reason) if reason is not Reason.ABANDONED:
                yield SoundCue.OVER
            case ev.ClockChanged(what="low" | "flag"):
                yield SoundCue.LOW
            case ev.TurnChosen() | ev.PhraseReceived() | ev.AskOpened(question="offer" | "begin"):
                yield SoundCue.TURN
            case ev.StepPlayed(text=text):
                yield from _cues_of_step(text, accepted)
            case ev.AskOpened() | ev.AskAnswered():
                yield SoundCue.ASK


def _cues_of_step(text: str, accepted: Game) -> Iterator[SoundCue]:
    if text.startswith("x"):
        if text != "x-":  # a removal that was declined moves nothing
            yield SoundCue.REMOVED
    else:
        yield SoundCue.MILL if accepted.position.removal_due else SoundCue.PLACED
