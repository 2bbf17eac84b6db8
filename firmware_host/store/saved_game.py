"""The saved form of a game, and the way there and back.

Invariants: positions are saved as the steps that lead to them, which the rules replay, so that a file never
holds a position that cannot be reached. A step keeps the time at which it was first played, even if it was
taken back in between. Times are moments in milliseconds, given by the caller.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from firmware_host.errors import IllegalStepError, NotationError, StoreError
from firmware_host.frozen import frozen
from firmware_host.games.game import DECLARABLE, Game, Outcome, Player, Position, Rules
from firmware_host.games.records import BOARD_TAGS
from firmware_host.games.rulesets import parse_rules
from firmware_host.i18n import Message

UnixMs = int
"""Milliseconds since 1970, or a moment without a date (`ports.Moment`)."""

FAR_GAME_TAG = "FarGame"
"""The tag of a game of two boards far apart: its room and its name, which no other game has."""

_MAX_UNDONE = 256
"""The number of steps taken back that keep their times; clearing a board takes back fewer."""


@frozen
class SavedStep:
    """A step, its player, and its time."""

    text: str
    by: Player
    at_ms: UnixMs


@frozen
class SavedGame:
    """Everything that is saved of one game, in its state at `changed_ms`."""

    rules: str
    """The rules, as `Rules.describe` writes them."""
    start: str
    """The text of the position before the first step."""
    first: Player
    began_ms: UnixMs
    changed_ms: UnixMs
    steps: tuple[SavedStep, ...] = ()
    outcome: Outcome | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    """The tags of a record that the game does not know: Event, White, Black and so on."""

    def is_of(self, other: SavedGame) -> bool:
        """Return whether both are states of the same game on a board."""
        same = self.rules == other.rules and self.start == other.start and self.first == other.first
        return same and self.began_ms == other.began_ms


def saved_game_of(
    game: Game,
    steps: tuple[SavedStep, ...],
    *,
    began_ms: UnixMs,
    changed_ms: UnixMs,
    tags: Mapping[str, str] | None = None,
) -> SavedGame:
    """Return the saved form of `game`, with its steps as `steps`."""
    start = game.positions[0]
    return SavedGame(
        rules=game.rules.describe(),
        start=str(start),
        first=start.to_move,
        began_ms=began_ms,
        changed_ms=changed_ms,
        steps=steps,
        outcome=game.outcome,
        tags=dict(tags or {}),
    )


def game_of(saved: SavedGame) -> Game:
    """Replay a saved game. Raise StoreError if the rules do not allow it."""
    try:
        rules = parse_rules(saved.rules)
        position = _start(rules, saved)
        game = Game.begin(rules, position)
        for step in saved.steps:
            legal = position.legal_step(step.text)
            game = game.play(legal)
            position = position.play(legal)
    except (NotationError, IllegalStepError) as error:
        raise StoreError(Message("fault.store.not-by-rules", {"why": str(error)})) from error
    if saved.outcome is not None and game.outcome is None and saved.outcome.reason in DECLARABLE:
        game = game.declare(saved.outcome)
    if game.outcome != saved.outcome:
        slots = {"text": _outcome_text(saved.outcome), "other": _outcome_text(game.outcome)}
        raise StoreError(Message("fault.store.other-end", slots))
    return game


def _start(rules: Rules, saved: SavedGame) -> Position:
    usual = rules.start(saved.first)
    return usual if str(usual) == saved.start else rules.position(saved.start)


def _outcome_text(outcome: Outcome | None) -> str:
    """Return an outcome by its own names, as in the file; a dash stands for none."""
    return "–" if outcome is None else f"{outcome.reason}, {outcome.winner or '–'}"


@frozen
class _RecordedStep:
    """A saved step, and the position object that it led to, which identifies it."""

    position: Position
    step: SavedStep


@frozen
class _Followed:
    """A game that was left for another, with what was recorded of it."""

    game: Game
    number: int
    began_ms: UnixMs
    played: list[_RecordedStep]
    undone: list[_RecordedStep]
    tags: Mapping[str, str]


class GameRecorder:
    """Follows the game on a board, change by change, and records the time of each step."""

    def __init__(self) -> None:
        self.number = 0
        """The number of the current game; the first that is followed is 1."""
        self._highest = 0
        self._game: Game | None = None
        self._began_ms: UnixMs = 0
        self._tags: Mapping[str, str] = {}
        self._played: list[_RecordedStep] = []
        self._undone: list[_RecordedStep] = []
        self._left: _Followed | None = None

    def take_up(self, game: Game, saved: SavedGame) -> None:
        """Continue `game`, which was saved as `saved`."""
        self._begin(game, saved.began_ms)
        self._tags = saved.tags
        self._played = list(map(_RecordedStep, game.positions[1:], saved.steps))

    def follow(self, game: Game, now_ms: UnixMs, tags: Mapping[str, str] | None = None) -> SavedGame:
        """Return the saved form of `game` in its state at `now_ms`.

        `tags` are those of BOARD_TAGS that apply now; a game keeps those of its last step once it is over.
        """
        is_same = self._game is not None and game.positions[0] is self._game.positions[0]
        if not is_same and not self._go_back(game):
            self._begin(game, now_ms)
        self._game = game
        is_played_on = game.declared is None and game.ply > len(self._played)
        if game.outcome is None or is_played_on:
            others = {tag: text for tag, text in self._tags.items() if tag not in BOARD_TAGS}
            self._tags = {**others, **(tags or {})}
        common = self._common(game)
        self._undone = (self._undone + self._played[common:])[-_MAX_UNDONE:]
        del self._played[common:]
        for ply in range(common, game.ply):
            self._played.append(self._note(game, ply, now_ms))
        steps = tuple(played.step for played in self._played)
        return saved_game_of(game, steps, began_ms=self._began_ms, changed_ms=now_ms, tags=self._tags)

    def _go_back(self, game: Game) -> bool:
        """Follow the game before this one again, if `game` is a state of that."""
        left = self._left
        if left is None or left.game.positions[0] is not game.positions[0]:
            return False
        self.number, self._began_ms, self._played, self._undone, self._tags = (
            left.number,
            left.began_ms,
            left.played,
            left.undone,
            left.tags,
        )
        self._left = None
        return True

    def _begin(self, game: Game, began_ms: UnixMs) -> None:
        if self._game is not None:
            self._left = _Followed(
                self._game, self.number, self._began_ms, self._played, self._undone, self._tags
            )
        self._highest += 1
        self.number = self._highest
        self._game = game
        self._began_ms = began_ms
        self._tags = {}
        self._played = []
        self._undone = []

    def _common(self, game: Game) -> int:
        """Return how many of the steps recorded last still belong to `game`."""
        common = 0
        for played, position in zip(self._played, game.positions[1:], strict=False):
            if played.position is not position:
                break
            common += 1
        return common

    def _note(self, game: Game, ply: int, now_ms: UnixMs) -> _RecordedStep:
        position = game.positions[ply + 1]
        for undone in self._undone:
            if undone.position is position:
                return undone
        return _RecordedStep(position, SavedStep(game.steps[ply].text, game.positions[ply].to_move, now_ms))
