"""The `state` object of the page, which web/protocol.schema.json describes, and its updates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from firmware_host.config.compatibility import playable_rule_sets
from firmware_host.frozen import frozen
from firmware_host.games.drawn import beneath, captured, kinds_of
from firmware_host.games.game import Game
from firmware_host.i18n import Message, to_english, translate
from firmware_host.play.controller import Controller
from firmware_host.play.faults import PartFault
from firmware_host.play.preferences import Preferences
from firmware_host.play.speech import Utterance
from firmware_host.settings import Microseconds
from firmware_host.tracking.verdict import Settled
from firmware_host.views import snapshot
from firmware_host.views.hints import can_hint, hint_state
from firmware_host.views.instructions import advice, instruction
from firmware_host.views.snapshot import Snapshot
from firmware_host.web import messages

BUTTONS = ("take-back", "redo", "undo", "decline", "pause", "resume", "draw", "resign", "ask", "hint")
"""The requests that have a button on the page, which is shown while they are possible."""


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


# ---- updates --------------------------------------------------------------------------------------------
# Page updates: a snapshot where anything differs from the last one, otherwise only the light.
#
# Invariants: a board at rest publishes nothing and costs next to nothing; a published message never changes;
# a change is published at once, but changes that follow within MIN_INTERVAL are published together, so that
# no client can make the board publish as often as it sends. Time is an argument.


MIN_INTERVAL: Microseconds = 20_000
"""The shortest time between two snapshots; shorter ones are not visible."""

Publish = Callable[[messages.PageMessage], None]


class PagePublisher:
    """Publishes one board to its pages.

    `sent` returns any value that differs after each transmission to the strip, and `shining` the lit points
    with their colours then. `table` returns the positions of the pieces and `held` the pieces in the players'
    hands, where a simulation knows them.
    """

    def __init__(
        self,
        controller: Controller,
        *,
        sent: Callable[[], object],
        shining: Callable[[], dict[str, str]],
        table: Callable[[], messages.PageMessage | None] = lambda: None,
        held: Callable[[], list[str]] = list,
    ) -> None:
        self._controller = controller
        self._sent = sent
        self._shining = shining
        self._table = table
        self._held = held
        self._published_game = controller.accepted
        self._answers = -1  # those of the controller at the last call
        self._published: object = None
        self._published_sent: object = None
        self._published_light: dict[str, str] = {}
        self._next_at: Microseconds = 0
        self._is_pending = False
        session = controller.session
        # The wiring decides which rule sets can be played, and never changes while the program runs.
        self._rule_sets = playable_rule_sets(session.sensor_model.alphabet, session.game.rules.layout)

    def publish_changes(self, publish: Publish, now: Microseconds, *, force: bool) -> bool:
        """Publish the difference from the last call; with `force` a snapshot, even if the scene is the same.

        Returns False if a change is still to be published, which a later call does.
        """
        sent, answers = self._sent(), self._controller.answers
        self._is_pending |= force
        if answers == self._answers and sent == self._published_sent and not self._is_pending:
            return True
        self._answers = answers
        clocks = self._controller.clocks
        shown = (
            self._controller.scene,
            self._controller.session.frame,
            self._controller.faults,
            self._controller.engine_turns.is_thinking,
            hint_state(self._controller),
            (clocks.clock, clocks.saved_at),
            self._controller.sounds.parts,
            self._controller.speech.recent,
        )
        self._is_pending |= shown != self._published
        if self._is_pending:
            if now < self._next_at:
                return False
            self._published, self._published_sent = shown, sent
            self._published_light = self._shining()
            publish(self._snapshot())
            self._is_pending, self._next_at = False, now + MIN_INTERVAL
        elif sent != self._published_sent:
            self._published_sent, light = sent, self._shining()
            if light != self._published_light:
                self._published_light = light
                publish(messages.leds(light))
        return True

    @property
    def game(self) -> Game:
        """The game on the board as it was published last; it never changes, so any thread may read it."""
        return self._published_game

    def _snapshot(self) -> messages.PageMessage:
        controller = self._controller
        rules = controller.session.game.rules
        state = page_state(controller, held=self._held(), leds=self._published_light)
        self._published_game = controller.accepted
        return messages.snapshot(
            rules.layout,
            state.as_dict(),
            table=self._table(),
            rule_sets=self._rule_sets,
            kinds=kinds_of(rules.box),
        )
