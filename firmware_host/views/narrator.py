"""The narrator: which sentences of a board are due, when something has changed.

`utterance_due` compares two states of a board and decides alone. The headless board's events, the speaker,
pages and a house all get what it has decided.

Invariants: reports come before prompts; a sentence that hasn't changed is not said again, unless somebody
asks. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from firmware_host.frozen import frozen
from firmware_host.games.drawn import beneath
from firmware_host.games.game import Game, Player
from firmware_host.games.layout import Layout, Point
from firmware_host.i18n import Message, translate
from firmware_host.play import events as ev
from firmware_host.play.asking.options import PLACES, places
from firmware_host.play.controller import Controller
from firmware_host.play.faults import STOPPING_PART, PartFault
from firmware_host.play.speech import POINT, SAMPLE, SpokenQuestion, Utterance
from firmware_host.settings import SPEECH_ALL, SPEECH_ANSWERS, SPEECH_TURNS
from firmware_host.views.hints import hint_state
from firmware_host.views.reasons import stack_name
from firmware_host.views.snapshot import public_status, top_pieces
from firmware_host.views.wording import (
    choice,
    game_prompts,
    listed,
    minutes,
    prompts,
    seconds,
    spoken_option,
    turn_words,
)

# ---- answers --------------------------------------------------------------------------------------------
# The answers to what people ask a board: whose turn it is, what stands where, and how much time is left.


_SECOND = 1_000_000


def answer(controller: Controller, question: SpokenQuestion) -> tuple[Message, ...]:
    """Return the sentences that answer a question."""
    if question.what == POINT and question.point is not None:
        return tuple(_point(controller, question.point))
    return tuple(_ANSWERS[question.what](controller))


def report(controller: Controller) -> Iterator[Message]:
    """Yield the last turn of the game."""
    game = controller.accepted
    if not game.ply:
        yield Message("speech.no-turn")
        return
    player, turn = game.positions[game.last_turn].to_move, turn_words(game.steps[game.last_turn :])
    yield Message(f"speech.turn.{player}", {"turn": turn})


def _board(controller: Controller) -> Iterator[Message]:
    """Yield what stands on each area of the board, the outer one first."""
    piles = _piles(controller)
    for area, points in _areas(controller.session.game.rules.layout):
        standing = {
            pile: tuple(point.name for point in points if piles.get(point) == pile)
            for pile in dict.fromkeys(piles[point] for point in points if point in piles)
        }
        stacks = [
            Message("lay-out.stack", {"points": names, "piece": stack_name(pile)})
            for pile, names in standing.items()
        ]
        yield Message(f"speech.area.{area}", {"what": listed(stacks) if stacks else Message("point.empty")})


def _areas(layout: Layout) -> Iterator[tuple[str, Sequence[Point]]]:
    """Yield the areas of a board, with their points: where pieces are called rings, no area is."""
    at = places(layout)
    rings = {
        ring: [at[place] for place in PLACES if place.startswith(ring)]
        for ring in ("outer", "middle", "inner")
    }
    centre = [point for point in layout.points if point not in at.values()]
    if not centre:
        yield from rings.items()
        return
    outer, middle, inner = rings.values()
    yield "border", sorted((*outer, *middle), key=lambda point: point.index)
    yield "inside", inner
    yield "centre", centre


def _piles(controller: Controller) -> Mapping[Point, tuple[str, ...]]:
    """Return what stands on each point that is not empty, the lowest piece first."""
    session = controller.session
    layout, tops = session.game.rules.layout, top_pieces(session)
    lower = beneath(session.game.position, layout, tops)
    return {layout.by_name[name]: (*lower.get(name, ()), top) for name, top in tops.items()}


def _point(controller: Controller, point: Point) -> Iterator[Message]:
    pile = _piles(controller).get(point)
    what = Message("point.empty") if pile is None else stack_name(pile)
    yield Message("speech.choice", {"points": (point.name,), "what": what})
    asking = controller.asks.asking
    if asking is not None and point in asking.lit:
        yield choice(point, asking)


def _counts(controller: Controller) -> Iterator[Message]:
    position = controller.session.game.position
    for player in Player:
        standing = sum(piece.owner is player for stack in position.stacks for piece in stack)
        slots = {"count": position.in_hand(player), "number": standing}
        yield Message(f"speech.counts.{player}", slots)


def _clock(controller: Controller) -> Iterator[Message]:
    reading = controller.clocks.read(controller.now)
    if reading is None:
        yield Message("speech.no-clock")
        return
    for player, left in reading.left.items():
        yield time_left(player, left // _SECOND)


def time_left(player: Player, left_s: int) -> Message:
    """Return the time that a player has left, of whole seconds."""
    if left_s < 60:
        return Message(f"speech.seconds-left.{player}", {"seconds": seconds(left_s)})
    slots = {"minutes": minutes(left_s // 60), "seconds": seconds(left_s % 60)}
    return Message(f"speech.time.{player}", slots)


def _sample(controller: Controller) -> Iterator[Message]:
    speech = controller.speech.level
    yield Message("speech.sample", {"what": Message(f"speech-level.{speech}")})


_ANSWERS: Mapping[str, Callable[[Controller], Iterator[Message]]] = {
    "turn": lambda controller: iter(game_prompts(controller)),
    "last": report,
    "board": _board,
    "counts": _counts,
    "clock": _clock,
    SAMPLE: _sample,
}


# ---- the narrator ---------------------------------------------------------------------------------------


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
