"""Sentences for the ear: those of the page where they need no eyes, turns and options in words.

Invariants: a sentence names points and never lights; whatever isn't about light is the sentence of the page,
the same message.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import reduce

from firmware_host.errors import NotationError
from firmware_host.games.game import Player, Rules, Step
from firmware_host.games.layout import MORRIS, Point
from firmware_host.games.rulesets import rule_set
from firmware_host.games.time_control import TimeControls
from firmware_host.i18n import Arg, Message, translate
from firmware_host.play.asking.asking import Asking
from firmware_host.play.asking.options import (
    BLACK_CLOCK,
    CLOCK,
    QUESTION_PLACES,
    TOUCH_QUESTIONS,
    WHITE_CLOCK,
    places,
)
from firmware_host.play.asking.setting_up import PIECE_QUESTIONS
from firmware_host.play.controller import Controller
from firmware_host.play.session import Session
from firmware_host.settings import MEET
from firmware_host.tracking.verdict import Settled
from firmware_host.views.instructions import advice, game_advice, game_instruction, instruction
from firmware_host.views.reasons import due_steps, one_of

_CLOCKS = (CLOCK, WHITE_CLOCK, BLACK_CLOCK)
_ONE_POINT = (*TOUCH_QUESTIONS, MEET, *PIECE_QUESTIONS)
"""The questions whose own sentence says what to touch."""


def prompts(controller: Controller) -> tuple[Message, ...]:
    """Return the sentences that say what to do now, and what there is to choose from."""
    sentences = _all_spoken(controller, instruction(controller), advice(controller))
    if not (controller.off.holds_game or controller.asks.holds_game):
        sentences = _of_game(controller, sentences)
    asking = None if controller.off.holds_game else controller.asks.asking
    return sentences if asking is None else (*sentences, *choices(asking))


def game_prompts(controller: Controller) -> tuple[Message, ...]:
    """Return the sentences that say what to do on the board once no menu is open."""
    return _of_game(
        controller, _all_spoken(controller, game_instruction(controller), game_advice(controller))
    )


def _all_spoken(controller: Controller, *messages: Message | None) -> tuple[Message, ...]:
    return tuple(_spoken(controller, message) for message in messages if message is not None)


def _of_game(controller: Controller, sentences: tuple[Message, ...]) -> tuple[Message, ...]:
    """Return the sentences about the game, or while a piece has to be taken, which ones can be."""
    session = controller.session
    wanted = _taken(session)
    return sentences if wanted is None or not isinstance(session.verdict, Settled) else (wanted,)


def _taken(session: Session) -> Message | None:
    """Return which pieces can be taken or moved elsewhere, by their points; None if none has to be."""
    position = session.game.position
    if session.game.outcome is not None or session.paused or session.must_clear or session.is_others_turn:
        return None
    player, steps = position.to_move, due_steps(session)
    if position.removal_due:
        names = sorted({step.origin.name for step in steps if step.origin})
        if not names:  # the turn that was chosen takes none
            return None
        others = {"others": one_of(names)}
        may_decline = any(not (step.origin or step.target) for step in steps)
        return (
            Message(f"speech.may-remove.{player}", others)
            if may_decline
            else Message(f"speech.removes.{player}", others)
        )
    theirs = [step for step in steps if step.piece and step.piece.owner is not player]
    vaulted = tuple(sorted({step.origin.name for step in theirs if step.origin}))
    return Message(f"speech.relocates.{player}", {"points": vaulted}) if vaulted else None


def choices(asking: Asking) -> tuple[Message, ...]:
    """Return the options of a question with their points, in the order of their places."""
    if asking.sure is not None or asking.question in _ONE_POINT:
        return ()
    return tuple(choice(point, asking) for point in sorted(asking.lit, key=lambda point: point.index))


def choice(point: Point, asking: Asking) -> Message:
    """Return what a point of a question offers."""
    return Message("speech.choice", {"points": (point.name,), "what": spoken_option(asking.lit[point].does)})


def spoken_option(does: str) -> Message:
    """Return the name of an option for the ear, which takes no symbols."""
    option, _, value = does.partition(":")
    control = TimeControls.parse(value).white if option in _CLOCKS and value else None
    if control is None:
        return option_name(does)
    if control.is_per_turn:
        return Message("speech.per-turn", {"seconds": seconds(control.turn_s)})
    base = minutes(control.base_s // 60)
    if not control.turn_s:
        return base
    return Message("speech.fischer", {"minutes": base, "seconds": seconds(control.turn_s)})


def minutes(count: int) -> Message:
    """Return a number of minutes."""
    return Message("speech.minute") if count == 1 else Message("speech.minutes", {"count": count})


def seconds(count: int) -> Message:
    """Return a number of seconds."""
    return Message("speech.second") if count == 1 else Message("speech.seconds", {"count": count})


def turn_words(steps: Sequence[Step]) -> Arg:
    """Return steps of one turn in words."""
    return listed(map(_step_words, steps))


def listed(parts: Iterable[Arg]) -> Arg:
    """Return the parts as one text, with commas."""
    return reduce(lambda one, other: Message("repair.comma", {"first": one, "second": other}), parts)


def _step_words(step: Step) -> Arg:
    target, origin, piece = step.target, step.origin, step.piece
    if target is None:
        taken = None if origin is None else Message("speech.takes", {"points": (origin.name,)})
        return taken or Message("speech.declines")
    if piece is not None and piece.kind:
        top = str(piece)
        if origin is None:
            return Message("speech.lays", {"piece": Message(f"piece.{top}"), "points": (target.name,)})
        return Message(
            "speech.moves",
            {"piece": Message(f"piece.{top}"), "from": origin.name, "points": (target.name,)},
        )
    if origin is None:
        return target.name
    return Message("board-plays.from-to", {"from": origin.name, "points": target.name})


def _spoken(controller: Controller, message: Message) -> Message:
    """Return a message of the page for the ear."""
    match message.key:
        case "asking":
            return Message("speech.asking")
        case "set-up.to-move":
            return Message("speech.to-move")
        case "set-up.phase":
            return Message("speech.phase")
        case "wrong.blocked":
            return Message("speech.blocked")
        case "wrong.place-first":
            return Message("speech.place-first")
        case "going-off.wanted":
            return Message("speech.going-off")
        case _:
            return replace(message, args=dict(_spoken_args(controller, message)))


def _spoken_args(controller: Controller, message: Message) -> Iterable[tuple[str, Arg]]:
    session = controller.session
    for name, arg in message.args.items():
        if isinstance(arg, Message) and arg.key == "any-lit":
            is_reach = message.key == "wrong.return-reach"
            yield name, Message("speech.any-free") if is_reach else _removable(session)
        elif isinstance(arg, Message):
            yield name, _spoken(controller, arg)
        else:
            is_turn = name in ("turn", "what") and isinstance(arg, str)
            yield name, _spoken_turn(session.game.rules, arg) if is_turn else arg


def _removable(session: Session) -> Arg:
    steps = session.game.position.legal_steps()
    return one_of(sorted({step.origin.name for step in steps if step.target is None and step.origin}))


def _spoken_turn(rules: Rules, text: Arg) -> Arg:
    """Return a turn in words that a message has in its notation."""
    try:
        steps = rules.parse_turn(str(text))
    except NotationError:
        return text
    return turn_words(steps)


# ---- the fixed vocabulary -------------------------------------------------------------------------------
# The fixed vocabulary of a language: sentences that every game needs, to be made before they are due.


_OPTIONS = {
    "inner-n": "take-back",
    "inner-ne": "redo",
    "inner-e": "black-won",
    "inner-se": "pause",
    "inner-s": "draw",
    "inner-w": "white-won",
    "middle-nw": "rules",
    "middle-ne": "opponent",
    "middle-sw": "board",
    "middle-se": "clock",
    "middle-s": "back",
    "inner-sw": "brightness",
    **{place: f"tell:{query}" for place, query in QUESTION_PLACES.items()},
}
"""The options of the first menu that most games have, by their places."""


def vocabulary(language: str) -> Iterator[str]:
    """Yield the sentences, those first that are needed first."""
    return (translate(message, language) for message in _messages())


def _messages() -> Iterator[Message]:
    for player in Player:
        yield Message(f"moves.{player}")
        for count in range(max(rule_set("standard").box.values()), 0, -1):
            yield Message(f"places.{player}", {"count": count})
    for point in MORRIS.points:
        for player in Player:
            yield Message(f"speech.turn.{player}", {"turn": point.name})
    yield from (
        Message("paused"),
        Message("board-thinks"),
        Message("speech.asking"),
        Message("speech.new-game"),
    )
    yield from (Message("empty-board"), Message("clear-first"), Message("wrong.no-capture"))
    at = places(MORRIS)
    for place, does in _OPTIONS.items():
        yield Message("speech.choice", {"points": (at[place].name,), "what": option_name(does)})


def option_name(does: str) -> Message:
    """Return the name of an option, by what it does."""
    option, _, value = does.partition(":")
    if not value:
        return Message(f"option.{option}")
    match option:
        case "rules":
            name = value
            return Message(f"rules.{name}")
        case "theme":
            theme = value
            return Message(f"theme.{theme}")
        case "starts":
            starts = value
            return Message(f"option.starts.{starts}")
        case "odds":
            side, _, count = value.partition("-")
            return Message(f"option.odds.{side}", {"count": count}) if count else Message("option.odds.even")
        case "say":
            phrase = value
            return Message(f"option.say.{phrase}")
        case "meet":
            return Message("option.touch", {"count": value})
        case "tell":
            query = value
            return Message(f"option.tell.{query}")
        case "engine":
            return Message("option.level", {"count": value})
        case "clock" | "white-clock" | "black-clock":
            return clock_name(value)
        case _:
            return Message("option.percent", {"count": value.rstrip("%")})


def clock_name(text: str) -> Message:
    """Return the name of a time control that both players have."""
    control = TimeControls.parse(text).white
    if control is None:
        return Message("clock.none")
    if control.is_per_turn:
        return Message("clock.turn", {"seconds": control.turn_s})
    if not control.turn_s:
        return Message("clock.minutes", {"minutes": control.base_s // 60})
    return Message("clock.fischer", {"minutes": control.base_s // 60, "seconds": control.turn_s})
