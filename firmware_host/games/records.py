"""Records of games, like PGN: tags, numbered turns, a result; written and read, several to a text.

    [Event "?"]
    [Result "1-0"]
    [Variant "standard"]

    1. d6 f4 2. d7 a1 3. d5xa1 1-0

Invariants:
- Tags that the game determines (Result, Variant, PlyCount, SetUp, FEN, Rules, Termination) are written from
  the game, never from given tags. PlyCount counts steps, as a game's ply does; Termination is why it ended.
- A start that is not the rule set's own with its first player to move (for a lot: White) is written as FEN.
  The steps before a set-up position are not known, so repetition is counted from it.
- A record is read by playing each of its steps. Comments after a semicolon, lines that begin with %, and the
  numbers of turns are skipped; PlyCount and SetUp are ignored.
- A comment in braces belongs to the turn before it. One that stands before the first turn is skipped, and
  the line breaks and repeated spaces in a comment are single spaces when it is read.
- If neither the rules nor Termination give a reason, a won game was resigned and a drawn one agreed.
"""

from __future__ import annotations

import re
import reprlib
import textwrap
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from firmware_host.errors import IllegalStepError, NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import DECLARABLE, Game, Outcome, Player, Position, Reason, Rules, Step
from firmware_host.games.rulesets import DEFAULT, parse_rules, rule_set

_UNKNOWN = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
_GAME_TAGS = {"Result", "Variant", "PlyCount", "SetUp", "FEN", "Rules", "Termination"}
_NEEDED_TAGS = {"Variant", "FEN", "Rules", "Termination"}
_WINNERS = {"1-0": Player.WHITE, "0-1": Player.BLACK, "1/2-1/2": None}
_UNDECIDED = "*"
_WIDTH = 80
MAX_TAG_LENGTH = 100_000
"""The times of a very long game's clocks are a tag as well."""
_NO_COMMENTS: Mapping[int, str] = {}

_TOKEN = re.compile(
    r"""
    (?P<blank> \s+ | ^%[^\n]* | ;[^\n]* )
    | \{ (?P<comment> [^}]* ) \}
    | \[ \s* (?P<tag> [A-Za-z0-9_]+ ) \s* " (?P<value> (?: [^"\\\n] | \\. )* ) " \s* \]
    | (?P<result> 1-0 | 0-1 | 1/2-1/2 | \* ) (?= [\s{;] | $ )
    | (?P<number> [0-9]+ (?: \.+ | (?= [\s{;] | $ ) ) )
    | (?P<word> [^\s{};\[\]"]+ )
    """,
    re.VERBOSE | re.MULTILINE,
)


@frozen(slots=False)
class GameRecord:
    """A game and its free tags: Event, Site, Date, Round, White, Black and any other."""

    game: Game
    tags: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[int, str] = field(default_factory=dict)
    """Texts about turns, by the turn's index; without closing braces, which would end them."""


def record_text(record: GameRecord) -> str:
    """Return the text of a record, ending with a line break.

    Raises NotationError for an invalid tag name, or a comment with a closing brace.
    """
    game = record.game
    given = {name: text for name, text in record.tags.items() if name not in _GAME_TAGS}
    tags = {**_UNKNOWN, **_game_tag_values(game)}
    tags = {**tags, **given}
    lines = _tag_lines(tags)
    turns = " ".join((*_numbered(game, record.comments), _result(game.outcome)))
    body = textwrap.fill(turns, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join((*lines, "", body, ""))


def short_record(record: GameRecord) -> str:
    """Return the shortest text from which the game can be read, with the players' names, for a link."""
    game = record.game
    named = {name: record.tags[name] for name in ("White", "Black") if record.tags.get(name)}
    tags = {name: text for name, text in _game_tag_values(game).items() if name in _NEEDED_TAGS}
    lines = _tag_lines({**tags, **named})
    return "\n".join((*lines, " ".join((*_numbered(game), _result(game.outcome)))))


def _game_tag_values(game: Game) -> dict[str, str]:
    rules = game.rules
    tags = {"Result": _result(game.outcome), "Variant": rules.name, "PlyCount": str(game.ply)}
    start = str(game.positions[0])
    if start != str(rules.start(rules.first or Player.WHITE)):
        tags |= {"SetUp": "1", "FEN": start}
    if rules.describe() != rules.name:
        tags["Rules"] = rules.describe()
    if game.outcome is not None:
        tags["Termination"] = str(game.outcome.reason)
    return tags


def clean_tags(tags: Mapping[str, str]) -> dict[str, str]:
    """Return the tags as records write them, each value in one printable line.

    Raises NotationError for a name or a value that no record may have.
    """
    for name, value in tags.items():
        if not re.fullmatch("[A-Za-z0-9_]+", name):
            raise NotationError(
                f"{reprlib.repr(name)} is not the name of a tag: use only letters a to z, digits and _"
            )
        if len(value) > MAX_TAG_LENGTH:
            raise NotationError(f"the tag {name} is longer than {MAX_TAG_LENGTH} characters; shorten it")
    return {name: one_line(value) for name, value in tags.items()}


def one_line(text: str) -> str:
    """Return the text with a space for each character that can't be printed, such as a line break."""
    return "".join(character if character.isprintable() else " " for character in text)


def _tag_lines(tags: Mapping[str, str]) -> list[str]:
    escaped = {
        name: value.replace("\\", "\\\\").replace('"', '\\"') for name, value in clean_tags(tags).items()
    }
    return [f'[{name} "{value}"]' for name, value in escaped.items()]


def _result(outcome: Outcome | None) -> str:
    if outcome is None or outcome == Outcome(Reason.ABANDONED, None):
        return _UNDECIDED
    return next(text for text, winner in _WINNERS.items() if winner is outcome.winner)


def _numbered(game: Game, comments: Mapping[int, str] = _NO_COMMENTS) -> Iterator[str]:
    """Yield the turns in order with their comments, and numbers before White's and after a comment."""
    number = 1
    for index, text in enumerate(game.turn_texts()):
        black = game.positions[game.turn_starts[index]].to_move is Player.BLACK
        if not black or index == 0 or comments.get(index - 1):
            yield f"{number}{'...' if black else '.'}"
        yield text
        if comment := comments.get(index):
            yield _comment_text(comment)
        number += black


def _comment_text(comment: str) -> str:
    if "}" in comment:
        raise NotationError(f"a comment cannot contain a closing brace: {reprlib.repr(comment)}")
    return f"{{{' '.join(comment.split())}}}"


@dataclass
class _Draft:
    """The parts of a game as they are in the text, each with its line."""

    line: int
    tags: dict[str, tuple[str, int]] = field(default_factory=dict)
    turns: list[tuple[str, int]] = field(default_factory=list)
    comments: dict[int, str] = field(default_factory=dict)
    """The comments after words of the turns, by the number of words before each."""


def parse_records(text: str) -> tuple[GameRecord, ...]:
    """Return the games of a text, in order; raises what `iterate_records` raises."""
    return tuple(iterate_records(text))


def iterate_records(text: str) -> Iterator[GameRecord]:
    """Yield the games of a text, in order, each as soon as it is played.

    Raises NotationError for a text that cannot be read and IllegalStepError for a step that cannot be played,
    both with the line and the reason.
    """
    return (_record(draft, result, line) for draft, result, line in _drafts(text))


def _drafts(text: str) -> Iterator[tuple[_Draft, str, int]]:
    """Yield each game with its result and the result's line."""
    draft: _Draft | None = None
    for token, line in _tokens(text):
        kind, word = token.lastgroup, token[0]
        if draft is None and kind == "comment":
            continue  # it belongs to no turn, and may be the last of the text
        draft = draft or _Draft(line)
        if kind == "value":
            _add_tag(draft, token, line)
        elif kind == "word":
            draft.turns.append((word, line))
        elif kind == "comment":
            _add_comment(draft, token["comment"])
        elif kind == "result":
            yield draft, word, line
            draft = None
    if draft is not None:
        raise NotationError(
            f"line {draft.line}: the game that begins here has no result at its end: 1-0, 0-1, 1/2-1/2 or *"
        )


def _tokens(text: str) -> Iterator[tuple[re.Match[str], int]]:
    at, line = 0, 1
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            raise NotationError(f"line {line}: {_unreadable(text[at])}")
        if token.lastgroup != "blank":
            yield token, line
        line += token[0].count("\n")
        at = token.end()


def _unreadable(character: str) -> str:
    if character == "[":
        return 'a tag is [Name "value"], with \\" for a quotation mark in the value'
    if character == "{":
        return "the comment that begins here is never closed with }"
    return f"{character!r} belongs to no tag and no turn"


def _add_tag(draft: _Draft, token: re.Match[str], line: int) -> None:
    name = token["tag"]
    if draft.turns:
        raise NotationError(
            f"line {line}: the tag {name} comes before the result of the game that began above"
        )
    if name in draft.tags:
        raise NotationError(f"line {line}: the tag {name} is already on line {draft.tags[name][1]}")
    draft.tags[name] = re.sub(r"\\(.)", r"\1", token["value"]), line


def _add_comment(draft: _Draft, text: str) -> None:
    before = draft.comments.get(len(draft.turns), "")
    draft.comments[len(draft.turns)] = " ".join(f"{before} {text}".split())


@contextmanager
def _at_line(line: int) -> Iterator[None]:
    """Add the line to an error."""
    try:
        yield
    except NotationError as error:
        raise NotationError(f"line {line}: {error}") from error
    except IllegalStepError as error:
        raise IllegalStepError(f"line {line}: {error}") from error


def _record(draft: _Draft, result: str, line: int) -> GameRecord:
    rules = _rules(draft)
    position = start = _start(draft, rules)
    steps: list[Step] = []
    remarks: dict[int, str] = {}
    for number, (turn, turn_line) in enumerate(draft.turns, 1):
        with _at_line(turn_line):
            for step in rules.parse_turn(turn):
                steps.append(position.legal_step(step.text))
                position = position.play(steps[-1])
        if number in draft.comments:
            remarks[len(steps)] = draft.comments[number]
    given, given_line = draft.tags.get("Result", (result, line))
    with _at_line(given_line):
        if given != result:
            raise NotationError(f"the tag Result is {reprlib.repr(given)}, but the turns end with {result}")
    game = Game.begin(rules, start).play(*steps)
    with _at_line(line):
        declared = _declared(position.outcome, result, draft.tags.get("Termination", ("", 0))[0])
    tags = {name: value for name, (value, _) in draft.tags.items() if name not in _GAME_TAGS}
    return GameRecord(game if declared is None else game.declare(declared), tags, _by_turn(game, remarks))


def _by_turn(game: Game, remarks: Mapping[int, str]) -> dict[int, str]:
    """Return `remarks`, which are given by the number of steps before each, by the index of their turn."""
    found: dict[int, str] = {}
    for ply, text in remarks.items():
        turn = bisect_left(game.turn_starts, ply) - 1
        found[turn] = f"{found[turn]} {text}" if turn in found else text
    return found


def _rules(draft: _Draft) -> Rules:
    name, line = draft.tags.get("Variant", (DEFAULT, draft.line))
    if "Rules" not in draft.tags:
        with _at_line(line):
            return rule_set(name)
    text, line = draft.tags["Rules"]
    with _at_line(line):
        rules = parse_rules(text)
        if "Variant" in draft.tags and name != rules.name:
            raise NotationError(f"the tag Rules says {rules.name}, but Variant {reprlib.repr(name)}")
    return rules


def _start(draft: _Draft, rules: Rules) -> Position:
    if "FEN" not in draft.tags:
        return rules.start(rules.first or Player.WHITE)
    text, line = draft.tags["FEN"]
    with _at_line(line):
        return rules.position(text)


def _declared(outcome: Outcome | None, result: str, termination: str) -> Outcome | None:
    """Return the ending that the players declared, if the rules did not end the game."""
    if outcome is not None:
        if result != _result(outcome):
            raise NotationError(
                f"the result is {result}, but by the rules it is {_result(outcome)} ({outcome.reason})"
            )
        return None
    if termination in _RULE_REASONS:
        raise NotationError(f"the tag Termination is {termination!r}, but by the rules the game is not over")
    if result == _UNDECIDED:
        return Outcome(Reason.ABANDONED, None) if termination == Reason.ABANDONED.value else None
    winner = _WINNERS[result]
    if termination in _DECLARED_REASONS:
        return Outcome(_DECLARED_REASONS[termination], winner)
    return Outcome(Reason.RESIGNED if winner else Reason.AGREED, winner)


_DECLARED_REASONS = {reason.value: reason for reason in DECLARABLE}
_RULE_REASONS = {reason.value for reason in Reason} - set(_DECLARED_REASONS)
