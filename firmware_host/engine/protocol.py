"""The line protocol of the engine, as chess and mill programs speak it: requests in, answers out.

    uci · isready · setoption name NAME [value VALUE] · ucinewgame · quit
    position startpos|fen TEXT [moves TURN ...] · stop
    go [level N|external] [depth N] [movetime MS] · values [movetime MS] · review

`values` and `review` are Millwright's own: one line for each turn of the position, then `valuesok`; one for
each turn of the game, the last first, then `reviewok`. A turn is one word or several (`d6-d5xa1`, or
`d6-d5 xa1`). Before `bestmove`, `go` sends a line `info depth` for each depth that is searched. Other words
of `go` are ignored, since programs differ in them.

**Invariants:** whatever a line contains, the answer is lines of this protocol, and what is wrong is one line
`error ...`. There is no input or output, clock or thread here: a request that takes time becomes a `Task`.
"""

from __future__ import annotations

import random
import re
import reprlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from firmware_host import __version__
from firmware_host.engine.analysis import TurnValue, turn_values
from firmware_host.engine.choosing import choose, max_depth
from firmware_host.engine.review_notes import note_of
from firmware_host.engine.reviewing import reviewed
from firmware_host.engine.searching.progress import DepthReport
from firmware_host.engine.searching.search import WIN
from firmware_host.engine.tables import Tables
from firmware_host.errors import MillwrightError, NotationError, RequestError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player, Rules
from firmware_host.games.rulesets import DEFAULT, LEVELS, RULE_SETS, levels, parse_rules

MAX_MILLISECONDS = 86_400_000
FALLBACK_LEVEL = 6
"""The level that takes the turn of another program that failed."""
_DEFAULT_LEVEL = LEVELS[-1]
_MAX_MATE = 400
"""More turns than a search looks ahead; what is farther below a win enters one that tables know."""


def _unheard(_line: str) -> None:
    """Send nothing about the progress of a search."""


@frozen(slots=False)
class Task:
    """A request that takes time."""

    kind: str
    """`go` for a turn, `external` for one of another program, `values` for all turns, or `review`."""
    game: Game
    level: int
    milliseconds: int | None
    """The time it may take; None for no limit but the level's own."""
    rng: random.Random
    depth: int | None = None
    """The turns to look ahead; None for those of the level."""

    def stream(
        self, tables: Tables | None, stop: Callable[[], bool], inform: Callable[[str], None] = _unheard
    ) -> Iterator[str]:
        """Yield the lines of the answer as soon as they are known; `inform` gets those about its progress."""
        if self.kind != "review":
            yield from self.perform(tables, stop, inform)
            return
        for one in reviewed(self.game, tables=tables, stop=stop):
            yield f"reviewed {note_of(one)}"
        yield "reviewok"

    def perform(
        self, tables: Tables | None, stop: Callable[[], bool], inform: Callable[[str], None] = _unheard
    ) -> list[str]:
        """Return the lines of the answer; a review has `stream`."""
        if self.kind == "values":
            found = turn_values(self.game.position, tables=tables, stop=stop)
            return [*map(_value_line, found), "valuesok"]
        if self.game.outcome is not None:
            return ["bestmove (none)"]
        turn = choose(
            self.game,
            self.level,
            rng=self.rng,
            tables=tables,
            stop=stop,
            depth=self.depth,
            report=lambda finding: inform(_finding_line(finding)),
        )
        return [best_move(self.game, turn)]


@frozen
class LineAnswer:
    """The result of a line: lines to send, and work that is to be done."""

    lines: tuple[str, ...] = ()
    task: Task | None = None
    quits: bool = False


@dataclass
class Conversation:
    """One side of the protocol: the game that the other has described, and its options."""

    rules_text: str = DEFAULT
    level: int = _DEFAULT_LEVEL
    rng: random.Random = field(default_factory=random.Random)
    _game: Game | None = None

    def receive(self, line: str) -> LineAnswer:
        """Return the answer to a line."""
        word, _, rest = line.strip().partition(" ")
        if not word:
            return LineAnswer()
        try:
            return self._answer(word, rest.strip())
        except MillwrightError as error:
            return LineAnswer((f"error {_one_line(str(error))}",))

    def _answer(self, word: str, rest: str) -> LineAnswer:
        if word == "uci":
            return LineAnswer(self._introduction())
        if word == "isready":
            return LineAnswer(("readyok",))
        if word == "quit":
            return LineAnswer(quits=True)
        if word in ("go", "values", "review"):
            return LineAnswer(task=self._task(word, rest))
        if word == "position":
            self._game = self._described(rest)
        elif word == "setoption":
            self._set(rest)
        elif word == "ucinewgame":
            self._game = None
        elif word != "stop":
            raise RequestError(f"{reprlib.repr(word)} is not a request of this protocol; try uci")
        return LineAnswer()

    def _introduction(self) -> tuple[str, ...]:
        sets = "".join(f" var {name}" for name in RULE_SETS)
        return (
            f"id name Millwright {__version__}",
            "id author the Millwright project",
            f"option name Rules type combo default {DEFAULT}{sets}",
            "option name Switches type string default <empty>",
            f"option name Level type spin default {_DEFAULT_LEVEL} min {LEVELS[0]} max {LEVELS[-1]}",
            f"option name Seed type spin default 0 min 0 max {2**31 - 1}",
            "uciok",
        )

    def _rules(self) -> Rules:
        return parse_rules(self.rules_text)

    def _current(self) -> Game:
        rules = self._rules()
        return self._game or Game.begin(rules, rules.start(rules.first or Player.WHITE))

    def _described(self, text: str) -> Game:
        start, _, turns = f"{text} ".partition(" moves ")
        kind, _, fen = start.strip().partition(" ")
        rules = self._rules()
        if kind == "startpos":
            position = rules.start(rules.first or Player.WHITE)
        elif kind == "fen":
            position = rules.position(fen)
        else:
            raise NotationError("a position is written position startpos or position fen TEXT")
        game = Game.begin(rules, position)
        for number, turn in enumerate(turns.split(), 1):
            try:
                for step in rules.parse_turn(turn):
                    game = game.play(game.position.legal_step(step.text))
            except MillwrightError as error:
                raise NotationError(f"move {number}: {error}") from error
        return game

    def _set(self, text: str) -> None:
        parts = re.fullmatch(r"name\s+(\S+)(?:\s+value\s*(.*))?", text)
        if parts is None:
            raise NotationError("an option is written setoption name NAME value VALUE")
        name, value = parts[1].lower(), parts[2] or ""
        if name == "rules":
            self._set_rules(value)
        elif name == "switches":
            self._set_rules(f"{self.rules_text.split()[0]} {value.replace('<empty>', '')}")
        elif name == "level":
            self.level = _number("Level", value, LEVELS[0], LEVELS[-1])
        elif name == "seed":
            self.rng = random.Random(_number("Seed", value, 0, 2**31 - 1))  # noqa: S311 - for play only
        else:
            raise RequestError(
                f"there is no option {reprlib.repr(parts[1])}; there are Rules, Switches, Level, Seed"
            )

    def _set_rules(self, text: str) -> None:
        parse_rules(text)
        self.rules_text, self._game = text.strip(), None

    def _task(self, kind: str, text: str) -> Task:
        words = text.split()
        given = dict(pairwise(words))
        game = self._current()
        highest = levels(game.rules)[-1]
        level = _number("level", given["level"], 1, highest) if "level" in given else min(self.level, highest)
        milliseconds = depth = None
        if "depth" in given and kind == "go":
            depth = _number("depth", given["depth"], 1, max_depth(game.rules, level))
        if "movetime" in given:
            milliseconds = _number("movetime", given["movetime"], 1, MAX_MILLISECONDS)
        if kind == "go" and "external" in words:
            kind, level = "external", min(FALLBACK_LEVEL, highest)
        return Task(kind, game, level, milliseconds, self.rng, depth)


def best_move(game: Game, turn: str) -> str:
    """Return the line that answers with a turn: its steps one by one."""
    return " ".join(["bestmove", *(step.text for step in game.rules.parse_turn(turn))])


def _number(name: str, text: str, least: int, most: int) -> int:
    if not re.fullmatch("[0-9]{1,10}", text) or not least <= int(text) <= most:
        raise NotationError(f"{name} is {reprlib.repr(text)}, expected a whole number from {least} to {most}")
    return int(text)


def _finding_line(finding: DepthReport) -> str:
    """Return the line about a finished depth, as chess engines send it."""
    score, sign = f"cp {finding.score}", 1 if finding.score > 0 else -1
    if (left := WIN - abs(finding.score)) < _MAX_MATE:
        score = f"mate {sign * ((left + 1) // 2)}"
    turns = " ".join(turn.replace(" ", "_") for turn in finding.turns)
    return f"info depth {finding.depth} score {score} nodes {finding.nodes} pv {turns}"


def _value_line(one: TurnValue) -> str:
    words: Sequence[object | None] = (
        "turn",
        one.turn.replace(" ", "_"),
        one.value.result,
        one.value.distance,
        "exact" if one.value.exact else None,
    )
    return " ".join(str(word) for word in words if word is not None)


def _one_line(text: str) -> str:
    return " ".join(text.split())
