"""What pages are told of a board: all of it where something differs, else only the light.

Rules kept here: a board at rest publishes nothing and costs next to nothing; what is published never changes;
what happens is told at once, and what happens soon after it a little later, all together, so that nobody who
asks for much makes the board tell as much. Time is an argument.
"""

from __future__ import annotations

from collections.abc import Callable

from firmware_host.config.compatibility import playable
from firmware_host.games.game import Game
from firmware_host.i18n import Message, to_english
from firmware_host.lights.scene import Scene
from firmware_host.play.controller import Controller
from firmware_host.ports import Frame
from firmware_host.settings import Microseconds
from firmware_host.views import snapshot
from firmware_host.views.instructions import sentence
from firmware_host.web import messages

BUTTONS = ("take-back", "decline", "pause", "resume", "draw", "resign")
"""The requests that a page shows a button for where they can be done."""

_BETWEEN: Microseconds = 20_000
"""So long after all was told it is not told again; no eye sees the difference."""

Publish = Callable[[messages.PageMessage], None]


class Face:
    """One board as pages see it.

    `sent` is anything that differs when other light has left for the strip, `shining` are the lit points with
    their colours then. `table` is where pieces are and `held` what hands hold, where anybody knows.
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
        self._told_game = controller.accepted
        self._told_scene: Scene | None = None
        self._told_frame: Frame = ()
        self._told_faults: dict[str, Message] = {}
        self._told_sent: object = None
        self._told_light: dict[str, str] = {}
        self._next: Microseconds = 0
        self._owes = False
        session = controller.session
        self._rule_sets = playable(
            session.sight.alphabet, session.game.rules.layout
        )  # as long as it is built so

    def tell(self, publish: Publish, now: Microseconds, *, anew: bool) -> bool:
        """Publish what differs from the last call; all of it if `anew`, though the scene may be the same.

        Whether all that there is to be told was told; else the next calls do it.
        """
        scene, sent = self._controller.scene, self._sent()
        frame = self._controller.session.frame
        faults = self._controller.faults
        told = self._told_scene, self._told_frame, self._told_faults
        self._owes |= anew or (scene, frame, faults) != told
        if self._owes:
            if now < self._next:
                return False
            self._told_frame, self._told_faults = frame, faults
            self._told_scene, self._told_sent, self._told_light = scene, sent, self._shining()
            publish(self._all())
            self._owes, self._next = False, now + _BETWEEN
        elif sent != self._told_sent:
            self._told_sent, light = sent, self._shining()
            if light != self._told_light:
                self._told_light = light
                publish(messages.leds(light))
        return True

    @property
    def game(self) -> Game:
        """The game on the board as pages were told of it last; it never changes, and any thread may ask."""
        return self._told_game

    def _all(self) -> messages.PageMessage:
        controller = self._controller
        game = controller.session.game
        state = snapshot.take(controller).as_dict(held=self._held(), leds=self._told_light)
        said = sentence(controller)
        state["sentence"], state["said"] = to_english(said), said.as_dict()
        state["in_hand"] = {str(piece): count for piece, count in game.position.supply.items()}
        state["standing"] = snapshot.standing(controller.session)
        state["beneath"] = snapshot.beneath(game.position, game.rules.layout, state["standing"])
        state["can"] = [button for button in BUTTONS if controller.session.objection(button) is None]
        session = controller.session
        state["masked"], state["confirm"] = (
            sorted(map(str, session.masked)),
            sorted(session.confirmable | session.overlooked),
        )
        state["suspects"] = sorted(map(str, session.suspects)) if state["status"] == "mismatch" else []
        state["settings"] = controller.preferences.as_dict()
        self._told_game = controller.accepted
        state["turns"] = list(self._told_game.turn_texts())
        state["taken"] = snapshot.taken(self._told_game)
        faults = controller.faults
        state["faults"] = [to_english(what) for what in faults.values()]
        state["faults_said"] = [
            Message(f"fault.{part}", {"text": what}).as_dict() for part, what in faults.items()
        ]
        layout = game.rules.layout
        kinds = messages.alike(game.rules.box)
        return messages.snapshot(layout, state, table=self._table(), rule_sets=self._rule_sets, kinds=kinds)
