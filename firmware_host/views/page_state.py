"""The `state` object of the page: the page's public contract, which web/protocol.schema.json describes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.games.drawn import beneath, captured
from firmware_host.i18n import Message, to_english, translate
from firmware_host.play.controller import Controller
from firmware_host.play.preferences import Preferences
from firmware_host.play.sound.speech import Utterance
from firmware_host.tracking.verdict import Settled
from firmware_host.views import snapshot
from firmware_host.views.hints import can_hint
from firmware_host.views.instructions import advice, instruction
from firmware_host.views.snapshot import Snapshot

BUTTONS = ("take-back", "redo", "undo", "decline", "pause", "resume", "draw", "resign", "ask", "hint")
"""The requests that have a button on the page, which is shown while they are possible."""


@frozen
class PartFault:
    """A part of the board that does not work, with the reason."""

    part: str
    reason: Message

    @property
    def message(self) -> Message:
        """The reason within a sentence that names the part."""
        part = self.part
        return Message(f"fault.{part}", {"text": self.reason})


@frozen
class PageState:
    """All that the page shows of a board and its game; pieces are counted by kind, and found by point."""

    board: Snapshot
    instruction: Message
    advice: Message | None
    """The line below the instruction, if there is anything to add."""
    in_hand: Mapping[str, int]
    captured: Mapping[str, int]
    standing: Mapping[str, str]
    beneath: Mapping[str, Sequence[str]]
    buttons: Sequence[str]
    """The BUTTONS that are possible now."""
    suspects: Sequence[str]
    """The points whose sensor may be broken, while the board does not match the game."""
    preferences: Preferences
    turns: Sequence[str]
    """The turns of the game, as far as they are stored."""
    mid_turn: bool
    """True if the last of `turns` is unfinished: its player has still to take a piece, say."""
    taken: Sequence[str]
    """The points from which the last turn took pieces off the board."""
    faults: Sequence[PartFault]
    speech: Sequence[Mapping[str, Any]]
    """The last utterances, in the public form."""
    set_up: bool
    """True if the game began in a position that was set up."""
    rests: bool
    """True if the board has taken in everything that hands have done."""

    def as_dict(self) -> dict[str, Any]:
        """Return the public form, which always has every member."""
        return {
            **self.board.as_dict(),
            "sentence": to_english(self.instruction),
            "said": self.instruction.as_dict(),
            "advice": "" if self.advice is None else to_english(self.advice),
            "advice_said": None if self.advice is None else self.advice.as_dict(),
            "in_hand": dict(self.in_hand),
            "captured": dict(self.captured),
            "standing": dict(self.standing),
            "beneath": {point: list(kinds) for point, kinds in self.beneath.items()},
            "can": list(self.buttons),
            "masked": list(self.board.masked),
            "confirm": list(self.board.confirm),
            "redo": list(self.board.redo),
            "seats": dict(self.board.seats),
            "names": dict(self.board.names),
            "thinking": self.board.thinking,
            "far": None if self.board.far is None else dict(self.board.far),
            "asking": self.board.asking,
            "clock": None if self.board.clock is None else dict(self.board.clock),
            "off": self.board.off,
            "wifi": self.board.wifi,
            "hint": dict(self.board.hint),
            "sound": dict(self.board.sound),
            "speech": list(self.speech),
            "suspects": list(self.suspects),
            "settings": self.preferences.as_dict(),
            "turns": list(self.turns),
            "mid_turn": self.mid_turn,
            "taken": list(self.taken),
            "faults": [to_english(fault.reason) for fault in self.faults],
            "faults_said": [fault.message.as_dict() for fault in self.faults],
            "set_up": self.set_up,
            "rests": self.rests,
        }


def utterance_dict(utterance: Utterance, language: str) -> dict[str, Any]:
    """Return the public form of an utterance of a board that speaks this language."""
    parts = {"reports": utterance.reports, "prompts": utterance.prompts}
    sentences = {
        part: [{"text": translate(message, language), "said": message.as_dict()} for message in messages]
        for part, messages in parts.items()
    }
    soft = {"aloud": utterance.is_aloud, "soft": utterance.is_soft}
    marks = {"number": utterance.number, "level": utterance.level, **soft}
    return {**marks, "to": utterance.to, **sentences}


def _is_possible(controller: Controller, request: str) -> bool:
    if request == "ask":
        return controller.asks.can_open
    if request == "hint":
        return can_hint(controller)
    return controller.controls.unavailable_reason(request) is None


def page_state(controller: Controller, *, held: Iterable[str], leds: Mapping[str, str]) -> PageState:
    """Return the state of a board now, with the `held` pieces and the lit `leds` that the caller knows."""
    session, stored = controller.session, controller.accepted
    game = session.game
    board = snapshot.take(controller, held=held, leds=leds)
    standing = snapshot.top_pieces(session)
    return PageState(
        board=board,
        instruction=instruction(controller),
        advice=advice(controller),
        in_hand={str(piece): count for piece, count in game.position.supply.items()},
        captured=captured(game, game.position),
        standing=standing,
        beneath=beneath(game.position, game.rules.layout, standing),
        buttons=[button for button in BUTTONS if _is_possible(controller, button)],
        suspects=sorted(map(str, session.suspects)) if board.status == "mismatch" else (),
        preferences=controller.preferences,
        turns=stored.turn_texts(),
        mid_turn=stored.mid_turn,
        taken=snapshot.taken(stored),
        faults=[PartFault(part, reason) for part, reason in controller.faults.items()],
        speech=[utterance_dict(one, controller.speech.language) for one in controller.speech.recent],
        set_up=game.is_set_up,
        rests=isinstance(session.verdict, Settled),
    )
