"""Reading records of games: the tokens of each are gathered, and played by its rules.

Invariants:
- Nothing is skipped: a token is part of a tag, a turn, a result or a remark, or an error with its line and
  column. PlyCount and SetUp are ignored.
- A record has turns, tags or both; a result alone is an error. One without a result is not over, unless its
  tag Result or the rules say so.
- A list whose turns are numbers of points is read by a numbering of its rules: that which is asked for, the
  first one for a game of PlayOK, and otherwise the first by which it can be played. A note says which.
- If neither the rules nor Termination give a reason, a won game was resigned and a drawn one agreed.
"""

from __future__ import annotations

import re
import reprlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from firmware_host.errors import IllegalStepError, NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import DECLARABLE, Game, Numbering, Outcome, Player, Position, Reason, Rules
from firmware_host.games.record_tokens import TextPlace, Token, TokenKind, tokens
from firmware_host.games.records import (
    GAME_TAGS,
    PLAYOK,
    UNDECIDED,
    WINNERS,
    GameRecord,
    Note,
    by_names,
    result_text,
)
from firmware_host.games.rulesets import DEFAULT, RULE_SETS, parse_rules, rule_set

# ---- playing the tokens ---------------------------------------------------------------------------------
# Playing the tokens of a record, one by one.
#
# Invariants: - The number of a turn must be that of the turn that is due. Two turns share a number: it has
# one dot before the first of them and more before the second, or no dots before the first, or the first of
# all. - A list from a position counts from 1 or from the position's number, and the first turn of a pair is
# White's; or, as older versions of Sanmill have it, that of the player who is to move. - A list with numbers
# for points needs the number of each pair, with its dot, which tells it from a point's. - Comments,
# annotations and variations belong to the turn before them, as one text in their order; those before the
# first turn have the index -1. Line breaks and repeated spaces become single spaces.


_DRAWS = (Reason.REPETITION, Reason.QUIET)
_COMMAND = re.compile(r"\[%[^]]*\]")


@contextmanager
def at_place(place: TextPlace) -> Iterator[None]:
    """Add the place to an error."""
    try:
        yield
    except NotationError as error:
        raise NotationError(f"{place}: {error}") from error
    except IllegalStepError as error:
        raise IllegalStepError(f"{place}: {error}") from error


@frozen
class _Counting:
    """A way to number turns, given by their index: from `first`, where the first pair may lack a turn."""

    first: int
    lacking: int

    def is_second(self, turn: int) -> bool:
        """Return whether a turn is the second of its pair."""
        return (turn + self.lacking) % 2 == 1

    def written(self, turn: int) -> str:
        """Return the number of a turn, with its dots."""
        return f"{self.first + (turn + self.lacking) // 2}{'...' if self.is_second(turn) else '.'}"

    def fits(self, token: Token, turn: int) -> bool:
        """Return whether a number may stand before a turn."""
        written = self.written(turn)
        if not token.value:
            return token.text == written.rstrip(".") and (turn == 0 or not self.is_second(turn))
        return written == token.text + ("..." if len(token.value) > 1 else ".")


class Replay:
    """Plays the turns of a record, token by token, and collects the remarks between them."""

    def __init__(self, start: Position, numbering: Numbering | None = None) -> None:
        """Begin at `start`; with a `numbering`, the turns are numbers of points."""
        self.game = Game.begin(start.rules, start)
        self._remarks: dict[int, list[str]] = {}
        self.notes: list[Note] = []
        self.variation: list[Token] = []
        """The tokens of a variation that is not closed yet."""
        self._depth = 0
        self._numbering = numbering
        self._is_announced = False
        """True after the number of the turn that is due."""
        is_blacks = start.to_move is Player.BLACK
        self._countings = [_Counting(1, is_blacks), _Counting(start.number, is_blacks), _Counting(1, 0)]
        """Those that the numbers so far allow."""

    @property
    def comments(self) -> dict[int, str]:
        """The remarks so far, by the index of their turn."""
        return {turn: " ".join(words) for turn, words in self._remarks.items()}

    def take(self, token: Token) -> None:
        """Play, check or keep a token. Raise NotationError or IllegalStepError, with its place."""
        with at_place(token.place):
            if self._depth or token.kind in (TokenKind.OPEN, TokenKind.CLOSE):
                self._add_to_variation(token)
            elif token.kind is TokenKind.NUMBER and (token.value or self._numbering is None):
                self._check_number(token)
            elif token.kind in (TokenKind.NUMBER, TokenKind.TURN):
                self._play(token.text.lower())
            else:
                self._remark(token, token.text)

    # ---- numbers and turns ---------------------------------------------------------------------------------

    @property
    def _turn(self) -> int:
        """The index of the turn that is due, or not over."""
        return len(self.game.turn_starts) - 1

    @property
    def _due(self) -> str:
        """The number of the turn that is due, as it is written."""
        return " or ".join(dict.fromkeys(counting.written(self._turn) for counting in self._countings))

    def _check_number(self, token: Token) -> None:
        game, written = self.game, token.text + token.value
        if self._is_announced:
            raise NotationError(
                f"{written} follows the number of the turn that is due, {self._due}; write a turn"
            )
        countings = [counting for counting in self._countings if counting.fits(token, self._turn)]
        if not countings and game.mid_turn:
            rest = ": a piece must be taken, as xa1" if game.position.removal_due else ""
            raise NotationError(f"{written} begins another turn, but {self._due} is not over{rest}")
        if not countings:
            raise NotationError(f"{written} is not the number of the turn that is due, {self._due}")
        self._countings, self._is_announced = countings, True

    def _play(self, text: str) -> None:
        game = self.game
        if self._numbering is not None:
            is_second = self._turn > 0 and all(one.is_second(self._turn) for one in self._countings)
            if not (self._is_announced or is_second or (game.mid_turn and game.ply)):
                raise NotationError(
                    f"the number of the turn is missing before {text}: write {self._due} before it, with the "
                    "dot, since points are numbers as well"
                )
            text = by_names(text, self._numbering)
        self._is_announced = False
        for step in game.rules.parse_turn(text):
            self._check_goes_on(step.text)
            self.game = self.game.play(self.game.position.legal_step(step.text))

    def _check_goes_on(self, step: str) -> None:
        """Raise IllegalStepError if the game is over by a rule that not everybody plays by."""
        outcome, rules = self.game.outcome, self.game.rules
        if outcome is not None and outcome.reason in _DRAWS:
            raise IllegalStepError(
                f"{step}: by its rules the game is over ({outcome.reason}); if it was played without that "
                f'rule, write the tag [Rules "{rules.describe()} {outcome.reason}=0"]'
            )

    # ---- remarks -------------------------------------------------------------------------------------------

    def _remark(self, token: Token, text: str) -> None:
        """Keep a comment of the turn that began last; note once what became of anything else."""
        turn = self._turn - (not self.game.mid_turn)
        if words := text.split():
            self._remarks.setdefault(turn, []).extend(words)
        if token.kind is not TokenKind.COMMENT and not self.notes:
            self.notes.append(Note(token.place, "annotations and variations are kept as comments"))

    def _add_to_variation(self, token: Token) -> None:
        self._depth += (token.kind is TokenKind.OPEN) - (token.kind is TokenKind.CLOSE)
        if self._depth < 0:
            raise NotationError("this ) closes no variation: remove it")
        self.variation.append(token)
        if self._depth == 0:
            self._remark(self.variation[0], _variation_text(self.variation))
            self.variation = []


def _variation_text(variation: list[Token]) -> str:
    """Return a variation as a comment, without commands such as times of clocks, which aren't the game's."""
    words = (
        f"({_COMMAND.sub('', token.text).strip()})"
        if token.kind is TokenKind.COMMENT
        else token.text + token.value
        for token in variation
    )
    return re.sub(r"(?<=\() | (?=\))", "", " ".join(words))


# ---- gathering the tokens -------------------------------------------------------------------------------


RecordError = NotationError | IllegalStepError
"""The error for a record that cannot be read, or played; its text begins with the line and column."""

_FOREIGN_VARIANTS = {
    "nine men's morris": "standard",
    "lasker morris": "lasker",
    "twelve men's morris": "twelve full_board=first-loses",
}
"""The rules of other programs' variants, by the names in their tags."""
_MAX_ERROR_LENGTH = 400
_NUMBERED_TURN = re.compile(r"([0-9]+(-[0-9]+)?)?(x([0-9]+|-))*", re.ASCII)
_DATE = re.compile(r"([0-9?]{4})\.([0-9]{1,2}|\?\?)\.([0-9]{1,2}|\?\?)", re.ASCII)


def parse_records(text: str) -> tuple[GameRecord, ...]:
    """Return the games of a text, in order; raises what `iterate_records` raises."""
    return tuple(iterate_records(text))


def iterate_records(text: str) -> Iterator[GameRecord]:
    """Yield the games of a text, in order, each as soon as it is played.

    Raises NotationError for a text that cannot be read and IllegalStepError for a step that cannot be played,
    both with the line, the column and the reason.
    """
    for one in read_records(text):
        if not isinstance(one, GameRecord):
            raise one
        yield one


def read_records(text: str, numbering: str | None = None) -> Iterator[GameRecord | RecordError]:
    """Yield the games of a text, in order, with an error in the place of each that cannot be read.

    `numbering` names the way in which its points are numbered, if they are; None finds it out.
    """
    for draft in _drafts(text):
        try:
            yield _record(draft, numbering)
        except (NotationError, IllegalStepError) as error:
            yield shortened(error)


def shortened(error: RecordError) -> RecordError:
    """Return an error in a length that people read: a text that it quotes may be as long as a file."""
    text = str(error)
    if len(text) <= _MAX_ERROR_LENGTH:
        return error
    half = _MAX_ERROR_LENGTH // 2
    return type(error)(f"{text[:half]} ... {text[-half:]}")


# ---- the parts of a game -----------------------------------------------------------------------------------


@dataclass
class _Draft:
    """The tokens of one game."""

    place: TextPlace
    tags: dict[str, Token] = field(default_factory=dict)
    turns: list[Token] = field(default_factory=list)
    """The numbers, turns and remarks."""
    result: Token | None = None
    is_begun: bool = False
    """True if its turns have begun, so that tags belong to the next game."""
    fault: NotationError | None = None
    """The first error; the tokens after it count for nothing."""

    def tag(self, name: str) -> str:
        """Return the value of a tag; empty if there is none."""
        return self.tags[name].value if name in self.tags else ""


def _drafts(text: str) -> Iterator[_Draft]:
    """Yield the games: each ends with its result, or where the tags of the next begin."""
    draft: _Draft | None = None
    for token in tokens(text):
        if draft is not None and draft.is_begun and token.is_of_tag and token.begins_line:
            yield draft
            draft = None
        draft = draft or _Draft(token.place)
        if token.kind is TokenKind.RESULT:
            draft.result = token
            yield draft
            draft = None
        else:
            draft.fault = draft.fault or _added(draft, token)
            draft.is_begun |= not token.is_of_tag and token.kind is not TokenKind.COMMENT
    if draft is not None and (draft.tags or draft.is_begun or draft.fault):
        yield draft


def _added(draft: _Draft, token: Token) -> NotationError | None:
    """Add a token to its game; return the error if it has no place there."""
    if token.kind is TokenKind.FAULT:
        return NotationError(f"{token.place}: {token.text}")
    if token.kind is not TokenKind.TAG:
        draft.turns.append(token)
    elif draft.is_begun:
        return NotationError(
            f"{token.place}: the tag {token.text} comes before the result of the game that began above; "
            "begin a new line with it, or remove it"
        )
    elif token.text in draft.tags:
        first = draft.tags[token.text].place.line
        return NotationError(f"{token.place}: the tag {token.text} is already on line {first}")
    else:
        draft.tags[token.text] = token
    return None


# ---- one game ----------------------------------------------------------------------------------------------


def _record(draft: _Draft, numbering: str | None) -> GameRecord:
    if draft.fault is not None:
        raise draft.fault
    if not draft.tags and not any(_may_be_turn(token) for token in draft.turns):
        raise NotationError(
            f"{draft.result.place if draft.result else draft.place}: there is no game here: it needs turns, "
            "tags or a position"
        )
    rules = _rules(draft)
    start = _start(draft, rules)
    if not _is_numbered(draft):
        return _replayed(draft, Replay(start))
    return _by_numbers(draft, rules, start, numbering)


def _may_be_turn(token: Token) -> bool:
    return token.kind is TokenKind.TURN or (token.kind is TokenKind.NUMBER and not token.value)


def _is_numbered(draft: _Draft) -> bool:
    """Return whether the turns are numbers of points."""
    depth, turns = 0, []
    for token in draft.turns:
        depth += (token.kind is TokenKind.OPEN) - (token.kind is TokenKind.CLOSE)
        if depth == 0 and _may_be_turn(token):
            turns.append(token.text.lower())
    return bool(turns) and all(map(_NUMBERED_TURN.fullmatch, turns))


def _by_numbers(draft: _Draft, rules: Rules, start: Position, wanted: str | None) -> GameRecord:
    """Return the game by the first of the numberings in question by which it can be played."""
    first = next(token.place for token in draft.turns if token.kind in (TokenKind.NUMBER, TokenKind.TURN))
    if not rules.numberings:
        raise NotationError(f"{first}: the points of {rules.name} have names, such as c3, and no numbers")
    if wanted is None and PLAYOK.lower() in draft.tag("Site").lower():
        wanted = next(iter(rules.numberings))
    errors: dict[str, RecordError] = {}
    records: dict[str, GameRecord] = {}
    for name in rules.numberings if wanted is None else [wanted]:
        try:
            records[name] = _replayed(draft, Replay(start, rules.numberings[name]))
        except (NotationError, IllegalStepError) as error:
            errors[name] = error
    if not records:
        taken, why = next(iter(errors.items()))
        raise type(why)(f"{why} (points numbered by {taken})")
    taken, record = next(iter(records.items()))
    text = f"points are numbered by {taken}"
    for name, other in records.items():
        if other.game.turn_texts() != record.game.turn_texts():
            text += f", as PlayOK does; by {name} it would be another game, which --points {name} reads"
    return replace(record, notes=(Note(first, text), *record.notes))


def _replayed(draft: _Draft, replay: Replay) -> GameRecord:
    for token in draft.turns:
        replay.take(token)
    if replay.variation:
        raise NotationError(f"{replay.variation[0].place}: the variation that begins here is never closed")
    game, notes = replay.game, replay.notes
    place = draft.result.place if draft.result else draft.place
    given = draft.result.text if draft.result else draft.tag("Result")
    if draft.result and "Result" in draft.tags and draft.tag("Result") != given:
        raise NotationError(
            f"{draft.tags['Result'].place}: the tag Result is {reprlib.repr(draft.tag('Result'))}, but the "
            f"turns end with {given}"
        )
    if given not in (*WINNERS, UNDECIDED):
        given = UNDECIDED if game.outcome is None else result_text(game.outcome)
    if draft.result is None:
        notes.append(
            Note(draft.place, f"the game that begins here has no result at its end; taken as {given}")
        )
    with at_place(place):
        declared = _declared(game.outcome, given, draft.tag("Termination"))
    tags = {name: _padded(name, token.value) for name, token in draft.tags.items() if name not in GAME_TAGS}
    ended = game if declared is None else game.declare(declared)
    return GameRecord(ended, tags, replay.comments, tuple(notes))


def _padded(name: str, value: str) -> str:
    """Return the value of a tag; a date with two digits for the month and the day."""
    date = _DATE.fullmatch(value) if name.endswith("Date") else None
    return f"{date[1]}.{date[2].zfill(2)}.{date[3].zfill(2)}" if date else value


def _rules(draft: _Draft) -> Rules:
    variant, rules = draft.tags.get("Variant"), draft.tags.get("Rules")
    name = variant.value if variant else DEFAULT
    if rules is None:
        with at_place(variant.place if variant else draft.place):
            foreign = _FOREIGN_VARIANTS.get(name.strip().lower())
            return rule_set(name) if foreign is None else parse_rules(foreign)
    with at_place(rules.place):
        found = parse_rules(rules.value)
        if name in RULE_SETS and variant and name != found.name:
            raise NotationError(f"the tag Rules says {found.name}, but Variant {reprlib.repr(name)}")
    return found


def _start(draft: _Draft, rules: Rules) -> Position:
    if "FEN" not in draft.tags:
        return rules.start(rules.first or Player.WHITE)
    with at_place(draft.tags["FEN"].place):
        return rules.position(draft.tag("FEN"))


def _declared(outcome: Outcome | None, result: str, termination: str) -> Outcome | None:
    """Return the ending that the players declared, if the rules did not end the game."""
    if outcome is not None:
        if result != result_text(outcome):
            raise NotationError(
                f"the result is {result}, but by the rules it is {result_text(outcome)} ({outcome.reason})"
            )
        return None
    if termination in _RULE_REASONS:
        raise NotationError(f"the tag Termination is {termination!r}, but by the rules the game is not over")
    if result == UNDECIDED:
        return Outcome(Reason.ABANDONED, None) if termination == Reason.ABANDONED.value else None
    winner = WINNERS[result]
    if termination in _DECLARED_REASONS:
        return Outcome(_DECLARED_REASONS[termination], winner)
    return Outcome(Reason.RESIGNED if winner else Reason.AGREED, winner)


_DECLARED_REASONS = {reason.value: reason for reason in DECLARABLE}
_RULE_REASONS = {reason.value for reason in Reason} - set(_DECLARED_REASONS)
