"""Page updates: a snapshot where anything differs from the last one, otherwise only the light.

Invariants: a board at rest publishes nothing and costs next to nothing; a published message never changes; a
change is published at once, but changes that follow within MIN_INTERVAL are published together, so that no
client can make the board publish as often as it sends. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.config.compatibility import playable_rule_sets
from firmware_host.games.drawn import kinds_of
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.lights.scene import Scene
from firmware_host.play.controller import Controller
from firmware_host.ports import Frame
from firmware_host.settings import Microseconds
from firmware_host.views.hints import hint_state
from firmware_host.views.page_state import page_state
from firmware_host.web import messages

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
        self._published_scene: Scene | None = None
        self._published_frame: Frame = ()
        self._published_faults: dict[str, Message] = {}
        self._published_engine: object = None
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
        scene = self._controller.scene
        frame = self._controller.session.frame
        faults = self._controller.faults
        clocks = self._controller.clocks
        engine = (
            self._controller.engine_turns.is_thinking,
            hint_state(self._controller),
            (clocks.clock, clocks.saved_at),
            self._controller.sounds.parts,
            self._controller.speech.recent,
        )
        published = (
            self._published_scene,
            self._published_frame,
            self._published_faults,
            self._published_engine,
        )
        self._is_pending |= (scene, frame, faults, engine) != published
        if self._is_pending:
            if now < self._next_at:
                return False
            self._published_frame, self._published_faults = frame, faults
            self._published_engine = engine
            self._published_scene, self._published_sent = scene, sent
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
