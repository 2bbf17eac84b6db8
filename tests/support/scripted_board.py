"""A session on a board of which only the frames exist, for tests of the rules of play.

A script is words: `+d6` sets a piece (a white one) on d6, `@d6` a black one, `-d6` lifts the piece there, and
a number waits that many milliseconds. Times are exact: frames are read when they change and at deadlines,
and at no other time.
"""

from __future__ import annotations

from collections.abc import Sequence

from firmware_host.games.game import Game, Player, Step
from firmware_host.games.morris.notation import parse_turn
from firmware_host.games.rulesets import rule_set
from firmware_host.lights.renderer import Renderer
from firmware_host.lights.themes import theme_named
from firmware_host.play.controller import Controller
from firmware_host.play.controls import GameControls
from firmware_host.play.events import Event
from firmware_host.play.seats import Seats
from firmware_host.play.session import Session
from firmware_host.ports import BLACK_PIECE, NOTHING, SOMETHING, WHITE_PIECE, Frame, SensorKind
from firmware_host.settings import Lights, Play, Timing
from firmware_host.tracking.debounce import Debouncer

CARRY_MS = 100
"""The time for which a piece is in hand."""
REST_MS = 1500
"""Longer than every wait except that of the cleared board."""


class ScriptedBoard:
    """Pieces that move in no time, and a session that observes them."""

    def __init__(
        self,
        rules: str = "standard",
        *switches: str,
        alphabet: SensorKind = SensorKind.PRESENCE,
        timing: Timing | None = None,
        take_back: bool = True,
        stands: str = "",
        lot: Player = Player.WHITE,
        game: Game | None = None,
        furthest: Sequence[str] = (),
        seats: Seats | None = None,
    ) -> None:
        """Start with `stands`, a script of the pieces on the board, or continue `game`."""
        self.rules = rule_set(rules, switches)
        self.now = 0
        self.session = Session(
            self.rules,
            alphabet,
            timing=timing or Timing(),
            play=Play(take_back=take_back),
            draw_lot=lambda: lot,
            game=game,
            furthest=furthest,
            seats=seats,
        )
        self.controls = GameControls(self.session)
        self._alphabet = alphabet
        self._frame = [NOTHING] * len(self.rules.layout)
        for word in stands.split():
            self._hand(word)
        self.observe()

    @property
    def texts(self) -> str:
        """The game so far, turn by turn."""
        return " ".join(self.session.game.turn_texts())

    @property
    def frame(self) -> Frame:
        """The current frame of the sensors."""
        if self._alphabet is SensorKind.PRESENCE:
            return tuple(min(reading, SOMETHING) for reading in self._frame)
        return tuple(self._frame)

    def hands(self, script: str) -> list[str]:
        """Play `script` and return the events since the last call as texts."""
        for word in script.split():
            if word.isdigit():
                self._wait(int(word) * 1000)
            else:
                self._hand(word)
                self.observe()
        return [event_text(event) for event in self.session.timeline.take_events()]

    def at_once(self, script: str) -> None:
        """Do all of a `script` without waits in one frame."""
        for word in script.split():
            self._hand(word)
        self.observe()

    def turns(self, texts: str) -> list[str]:
        """Play whole turns one after the other, without haste, each step in its order."""
        happened = []
        for text in texts.split():
            for step in parse_turn(text):
                happened += self.hands(f"{self._script(step)} {REST_MS}")
        return happened

    def ask(self, request: str, *values: object) -> list[str]:
        """Make the `request` of the controls, update the session, and return the events."""
        getattr(self.controls, request)(*values)
        self.observe()
        return self.hands("")

    def mask(self, point: str, *, broken: bool = True) -> list[str]:
        """Mask the sensor at `point`, or unmask it, and return the events."""
        (self.controls.mask if broken else self.controls.unmask)(point)
        self.observe()
        return self.hands("")

    def observe(self) -> None:
        """Update the session with the current frame."""
        self.session.observe(self.frame, self.now)

    def _script(self, step: Step) -> str:
        words = [f"-{step.origin} {CARRY_MS}"] if step.origin else []
        if step.target:
            white = self.session.game.position.to_move is Player.WHITE
            words.append(f"{'+' if white else '@'}{step.target}")
        return " ".join(words)

    def _hand(self, word: str) -> None:
        index = self.rules.layout[word[1:]].index
        self._frame[index] = {"+": WHITE_PIECE, "@": BLACK_PIECE, "-": NOTHING}[word[0]]

    def _wait(self, microseconds: int) -> None:
        end = self.now + microseconds
        while (due := self.session.deadline) is not None and due <= end:
            self.now = max(due, self.now)
            self.observe()
            assert self.session.deadline != due, "a deadline that has passed must not stay"
        self.now = end


def event_text(event: Event) -> str:
    """Return an event as words: its name and its other values."""
    name, *values = event.as_dict().values()
    words = [" ".join(value) if isinstance(value, list) else str(value) for value in values]
    return " ".join([str(name), *(word for word in words if word)])


def after(turns: str, rules: str = "standard", *switches: str, **options: object) -> ScriptedBoard:
    """Return a board on which `turns` were played and accepted."""
    board = ScriptedBoard(rules, *switches, **options)  # type: ignore[arg-type]
    board.turns(turns)
    assert board.texts == " ".join(turns.split())
    return board


def controller_of(board: ScriptedBoard) -> Controller:
    lights = Lights()
    renderer = Renderer(board.rules.layout, lights, theme_named(lights.theme))
    return Controller(board.session, Debouncer(0), renderer)
