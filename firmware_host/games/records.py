"""Records of games, like PGN: tags, numbered turns, a result; and their writing.

    [Event "?"]
    [Result "1-0"]
    [Variant "standard"]

    1. d6 f4 2. d7 a1 3. d5xa1 1-0

Invariants:
- Tags that the game determines (Result, Variant, PlyCount, SetUp, FEN, Rules, Termination) are written from
  the game, never from given tags. PlyCount counts steps, as a game's ply does; Termination is why it ended.
- A start that is not the rule set's own with its first player to move (for a lot: White) is written as FEN.
  The steps before a set-up position are not known, so repetition is counted from it.
- Remarks about a turn are comments in braces after it; those before the first turn have the index -1.
- A game of PlayOK is written with numbers for points, as that site does: other programs expect them in a
  record whose Site it is.

`record_reader` reads them.
"""

from __future__ import annotations

import json
import re
import reprlib
import textwrap
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from firmware_host.errors import NotationError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Numbering, Outcome, Player, Reason
from firmware_host.games.record_tokens import TextPlace

_UNKNOWN = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
GAME_TAGS = {"Result", "Variant", "PlyCount", "SetUp", "FEN", "Rules", "Termination"}
_NEEDED_TAGS = {"Variant", "FEN", "Rules", "Termination"}
WINNERS = {"1-0": Player.WHITE, "0-1": Player.BLACK, "1/2-1/2": None}
UNDECIDED = "*"
PLAYOK = "PlayOK"
"""The site that numbers points, as its lists of turns have it in the tag Site."""
_WIDTH = 80
MAX_TAG_LENGTH = 100_000
"""The times of a very long game's clocks are a tag as well."""
_NO_COMMENTS: Mapping[int, str] = {}

CLOCK_TIMES_TAG = "ClockTimes"
"""The tag of the times that clocks showed at the end of each turn.

It has a word for each turn, `0:05:03.2` or `-` for a turn of a player without a clock. In a record the same
words stand as comments, as other programs write them: `6. d6 {[%clk 0:05:03.2]}`.
"""
_NO_CLOCK = "-"
_CLOCK_TIME = r"[0-9]{1,2}:[0-5][0-9]:[0-5][0-9](?:\.[0-9])?"
_CLOCK_WORD = re.compile(_CLOCK_TIME, re.ASCII)
_CLOCK_COMMENT = re.compile(rf"\[%clk ({_CLOCK_TIME})\]", re.ASCII)
BOARD_TAGS = ("White", "Black", "TimeControl", "WhiteTimeControl", "BlackTimeControl", CLOCK_TIMES_TAG)
"""The tags of a record that the board writes."""
COMMENTS_TAG = "TurnComments"
"""The tag by which comments are kept with a game: a JSON object of texts by the indexes of turns."""


@frozen
class Note:
    """Something about a record that was read, which its reader should know."""

    place: TextPlace
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}"


@frozen(slots=False)
class GameRecord:
    """A game and its free tags: Event, Site, Date, Round, White, Black and any other."""

    game: Game
    tags: Mapping[str, str] = field(default_factory=dict)
    comments: Mapping[int, str] = field(default_factory=dict)
    """Texts about turns, by the turn's index; without closing braces, which would end them."""
    notes: tuple[Note, ...] = ()
    """The choices that were made in reading it."""


def record_text(record: GameRecord) -> str:
    """Return the text of a record, ending with a line break.

    Raises NotationError for an invalid tag name, or a comment with a closing brace.
    """
    game = record.game
    given = {name: text for name, text in record.tags.items() if name not in GAME_TAGS}
    tags = {**_UNKNOWN, **_game_tag_values(game)}
    tags = {**tags, **given}
    lines = _tag_lines(tags)
    numbering = _usual_numbering(game) if tags["Site"] == PLAYOK else None
    turns = " ".join((*_numbered(game, record.comments, numbering), result_text(game.outcome)))
    return "\n".join((*lines, "", _in_lines(turns), ""))


def _usual_numbering(game: Game) -> Numbering | None:
    return next(iter(game.rules.numberings.values()), None)


def _in_lines(turns: str) -> str:
    """Return the turns in lines, none of which begins with a word of a comment that looks like a tag."""
    kept = re.sub(r" (?=\[ ?\w+ ?\")", "\0", turns)
    body = textwrap.fill(kept, _WIDTH, break_long_words=False, break_on_hyphens=False)
    return body.replace("\0", " ")


def short_record(record: GameRecord) -> str:
    """Return the shortest text from which the game can be read, with the players' names, for a link."""
    game = record.game
    named = {name: record.tags[name] for name in ("White", "Black") if record.tags.get(name)}
    tags = {name: text for name, text in _game_tag_values(game).items() if name in _NEEDED_TAGS}
    lines = _tag_lines({**tags, **named})
    return "\n".join((*lines, " ".join((*_numbered(game), result_text(game.outcome)))))


def _game_tag_values(game: Game) -> dict[str, str]:
    rules = game.rules
    tags = {"Result": result_text(game.outcome), "Variant": rules.name, "PlyCount": str(game.ply)}
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


def result_text(outcome: Outcome | None) -> str:
    """Return an outcome as records write it, None for a game that is not over."""
    if outcome is None or outcome == Outcome(Reason.ABANDONED, None):
        return UNDECIDED
    return next(text for text, winner in WINNERS.items() if winner is outcome.winner)


def _numbered(
    game: Game, comments: Mapping[int, str] = _NO_COMMENTS, numbering: Numbering | None = None
) -> Iterator[str]:
    """Yield the turns in order with their comments, and numbers before White's and after a comment."""
    number = 1
    if before := comments.get(-1):
        yield _comment_text(before)
    for index, text in enumerate(game.turn_texts()):
        black = game.positions[game.turn_starts[index]].to_move is Player.BLACK
        if not black or index == 0 or comments.get(index - 1):
            yield f"{number}{'...' if black else '.'}"
        yield text if numbering is None else by_numbers(text, numbering)
        if comment := comments.get(index):
            yield _comment_text(comment)
        number += black


def by_numbers(turn: str, numbering: Numbering) -> str:
    """Return the text of a turn with numbers in the place of the names of points."""
    numbers = {name: number for number, name in numbering.items()}
    return re.sub("[a-g][1-7]", lambda name: numbers[name[0]], turn)


def by_names(turn: str, numbering: Numbering) -> str:
    """Return the text of a turn with names for the numbers of points. Raise NotationError for others."""
    for number in re.findall("[0-9]+", turn):
        if number not in numbering:
            raise NotationError(
                f"{reprlib.repr(turn)}: {number} is not a point; they are numbered from 1 to {len(numbering)}"
            )
    return re.sub("[0-9]+", lambda number: numbering[number[0]], turn)


def _comment_text(comment: str) -> str:
    if "}" in comment:
        raise NotationError(f"a comment cannot contain a closing brace: {reprlib.repr(comment)}")
    return f"{{{' '.join(one_line(comment).split())}}}"


def comments_text(comments: Mapping[int, str]) -> str:
    """Return the value of the tag; empty if there is no comment."""
    kept = {turn: text for turn, text in sorted(comments.items()) if text.strip()}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")) if kept else ""


def comments_of_text(text: str) -> dict[int, str]:
    """Return the comments in the value of the tag, as a record can hold them; none if it has another form."""
    try:
        found = json.loads(text or "{}")
        return {int(turn): _one_line(comment) for turn, comment in found.items() if int(turn) >= -1}
    except (ValueError, AttributeError, TypeError, RecursionError):
        return {}


def _one_line(text: str) -> str:
    return " ".join(text.replace("}", ")").split())


# ---- the times of clocks ---------------------------------------------------------------------------------


def clock_times_text(times_ms: Iterable[int | None]) -> str:
    """Return the value of the tag for the times left in milliseconds, None for a turn without a clock."""
    return " ".join(_NO_CLOCK if ms is None else _clock_word(ms) for ms in times_ms)


def _clock_word(ms: int) -> str:
    tenths = max(ms, 0) // 100
    return f"{tenths // 36_000}:{tenths // 600 % 60:02}:{tenths // 10 % 60:02}.{tenths % 10}"


def clock_comments(text: str) -> dict[int, str]:
    """Return the comments for the value of a tag, by the index of their turn; nothing for other words."""
    words = enumerate(text.split())
    return {index: f"[%clk {word}]" for index, word in words if _CLOCK_WORD.fullmatch(word)}


def clock_times_of_comments(comments: Mapping[int, str], turns: int) -> str:
    """Return the value of the tag of a game with `turns` and these comments; empty if none has a time."""
    found = [_CLOCK_COMMENT.search(comments.get(index, "")) for index in range(turns)]
    while found and found[-1] is None:
        found.pop()
    return " ".join(_NO_CLOCK if one is None else one[1] for one in found)


def without_clock_time(comment: str) -> str:
    """Return a comment without the time that `clock_times_of_comments` reads from it."""
    return _CLOCK_COMMENT.sub("", comment, count=1)
