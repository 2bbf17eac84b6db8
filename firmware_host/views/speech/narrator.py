"""The narrator: which sentences of a board are due, when something has changed.

`utterance_due` compares two states of a board and decides alone. The headless board's events, the speaker,
pages and a house all get what it has decided.

Invariants: reports come before prompts; a sentence that hasn't changed is not said again, unless somebody
asks. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from firmware_host.frozen import frozen
from firmware_host.games.game import Game
from firmware_host.i18n import Message, translate
from firmware_host.play import events as ev
from firmware_host.play.controller import Controller
from firmware_host.play.device.faults import STOPPING_PART
from firmware_host.play.sound.speech import SpokenQuestion, Utterance
from firmware_host.settings import SPEECH_ALL, SPEECH_ANSWERS, SPEECH_TURNS
from firmware_host.views.hints import hint_state
from firmware_host.views.page_state import PartFault
from firmware_host.views.snapshot import public_status
from firmware_host.views.speech.answers import answer, time_left
from firmware_host.views.speech.wording import prompts, spoken_option, turn_words

_CALLING = frozenset(("fault", "over", "asking", "clear", "mismatch", "undecided", "taking-back", "remove"))
"""The statuses in which the board needs an answer."""


@frozen
class SpeechState:
    """All that a board has to say at one moment."""

    game: Game
    """The game, as far as it is stored."""
    calls: bool
    """True if the board needs an answer."""
    prompts: tuple[Message, ...]
    faults: Mapping[str, Message] = field(default_factory=dict)
    """The reasons of the parts that don't work, without those that stop play, which is a prompt."""


@frozen
class DueSentences:
    """The sentences that are due, and the lowest level at which they are spoken."""

    level: str
    reports: tuple[Message, ...]
    prompts: tuple[Message, ...]


def utterance_due(
    before: SpeechState | None, after: SpeechState, events: Iterable[ev.Event] = ()
) -> DueSentences | None:
    """Return the sentences that are due once `events` have led to another state; None if none are."""
    events = tuple(events)
    is_new = before is None or any(isinstance(event, ev.GameBegun) for event in events)
    news = (*_broken({} if before is None else before.faults, after.faults), *_news(events))
    turns = () if is_new or before is None else tuple(_turns(before.game, after.game))
    changed = before is None or after.prompts != before.prompts
    if not (news or turns or changed):
        return None
    calls = bool(news) or (changed and (after.calls or (before is not None and before.calls)))
    level = SPEECH_ANSWERS if calls else SPEECH_TURNS if turns or is_new else SPEECH_ALL
    return DueSentences(level, (*turns, *news), after.prompts if changed else ())


def _broken(before: Mapping[str, Message], after: Mapping[str, Message]) -> Iterator[Message]:
    for part, reason in after.items():
        if part not in before:
            yield Message("speech.fault", {"what": PartFault(part, reason).message})


def _news(events: tuple[ev.Event, ...]) -> Iterator[Message]:
    """Yield the reports of events that no sentence about the game tells of."""
    # The game itself reports the effect of an answer that closes the menu.
    stays = not any(isinstance(event, ev.AskClosed) for event in events)
    for event in events:
        match event:
            case ev.GameBegun():
                yield Message("speech.new-game")
            case ev.ClockChanged(what="low", player=player, seconds=seconds):
                yield time_left(player, seconds)
            case ev.ClockChanged(what="flag", player=loser):
                yield Message(f"speech.time-up.{loser}")
            case ev.AskAnswered(does=does) if stays and not does.startswith("tell:"):
                yield Message("speech.chosen", {"what": spoken_option(does)})
            case ev.PhraseReceived(phrase=phrase):
                yield Message("speech.phrase", {"what": Message(f"option.say.{phrase}")})


def _turns(before: Game, after: Game) -> Iterator[Message]:
    """Yield the steps that were played since, turn by turn, or the first turn that was taken back."""
    shared = sum(one is other for one, other in zip(before.positions, after.positions, strict=False)) - 1
    if shared < 0:
        return
    if shared == after.ply and shared < before.ply:
        end = next((start for start in before.turn_starts if start > shared), before.ply)
        yield Message("speech.back", {"turn": turn_words(before.steps[shared:end])})
    for start, end in _spans(shared, after):
        player = after.positions[start].to_move
        yield Message(f"speech.turn.{player}", {"turn": turn_words(after.steps[start:end])})


def _spans(ply: int, game: Game) -> Iterator[tuple[int, int]]:
    """Yield the beginning and the end of each turn from `ply` on, of the first one what is left of it."""
    for end in (*(start for start in game.turn_starts if start > ply), game.ply):
        if end > ply:
            yield ply, end
            ply = end


class Narrator:
    """Says what is due on one board."""

    def __init__(self, controller: Controller) -> None:
        self._controller = controller
        self._before: SpeechState | None = None
        self._seen: tuple[object, ...] = ()
        self._answers = -1
        self._events: list[ev.Event] = []

    def follow(self, events: Iterable[ev.Event]) -> tuple[ev.Event, ...]:
        """Say what is due after a pass of the board, and return the events of what is spoken aloud."""
        controller, speech = self._controller, self._controller.speech
        self._events.extend(events)
        if controller.answers == self._answers and not (self._events or speech.is_asked):
            return ()
        self._answers = controller.answers
        spoken = [self._say_answer(question) for question in speech.take_questions()]
        # A turn counts once it is stored, which takes a moment; what follows from it waits for its report.
        if controller.accepted.ply == controller.session.game.ply:
            has_changed = self._has_changed()
            spoken += self._say_due() if self._events or has_changed else ()
        return tuple(_public(one, speech.language) for one in spoken if one.is_aloud)

    def _has_changed(self) -> bool:
        """Return True if anything has changed, besides light, on which sentences depend."""
        controller = self._controller
        session, far = controller.session, controller.controls.far
        seen = (
            *(session.verdict, session.stable, session.game, session.chosen, session.must_clear),
            *(session.paused, controller.asks.asking, controller.off.stage, controller.hints.known),
            *(hint_state(controller), far.status, far.room.report, controller.engine_turns.is_thinking),
        )
        before, self._seen = self._seen, seen
        return not before or any(one is not other for one, other in zip(before, seen, strict=True))

    def _say_due(self) -> Iterator[Utterance]:
        controller = self._controller
        events, self._events = self._events, []
        before, self._before = self._before, speech_state(controller)
        due = utterance_due(before, self._before, events)
        if due is not None:
            night = controller.rest.is_night
            yield controller.speech.say(due.level, due.reports, due.prompts, is_night=night)

    def _say_answer(self, question: SpokenQuestion) -> Utterance:
        controller = self._controller
        messages = answer(controller, question)
        night = controller.rest.is_night
        return controller.speech.say(SPEECH_ANSWERS, messages, is_night=night, to=question.to)


def speech_state(controller: Controller) -> SpeechState:
    """Return the state of a board now."""
    session = controller.session
    is_led = session.chosen is not None and session.game.outcome is None
    calls = public_status(controller) in _CALLING or is_led or controller.off.holds_game
    faults = {part: what for part, what in controller.faults.items() if part != STOPPING_PART}
    return SpeechState(controller.accepted, calls, prompts(controller), faults)


def _public(utterance: Utterance, language: str) -> ev.Event:
    return ev.SpeechUttered(utterance.level, spoken_text(utterance.messages, language))


def spoken_text(messages: Iterable[Message], language: str) -> str:
    """Return sentences as one text in a language."""
    return " ".join(translate(message, language) for message in messages)
