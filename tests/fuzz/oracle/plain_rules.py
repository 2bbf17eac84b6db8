"""The rules of the mill family a second time, from their description alone: slow, and plain to read.

Nothing of the program is imported here, and nothing was taken from it, so that where the two agree, the rules
are what was written down. A `MillMoment` is a board as a dictionary and what lies in the hands; every
question about it is answered by going through all lines and all points again.

Where the description leaves a case open, a comment gives the interpretation.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

_CACHE_SIZE = 4096
"""The number of moments of which the answer to a question is kept; hands look at few, again and again."""

WHITE, BLACK = "white", "black"
OTHER = {WHITE: BLACK, BLACK: WHITE}


def _lines(text: str) -> list[list[str]]:
    return [line.split() for line in text.split(",")]


LINES = _lines(
    "a7 d7 g7, b6 d6 f6, c5 d5 e5, a4 b4 c4, e4 f4 g4, c3 d3 e3, b2 d2 f2, a1 d1 g1, "
    "a1 a4 a7, b2 b4 b6, c3 c4 c5, d1 d2 d3, d5 d6 d7, e3 e4 e5, f2 f4 f6, g1 g4 g7"
)
DIAGONALS = _lines("a7 b6 c5, g7 f6 e5, a1 b2 c3, g1 f2 e3")
INNER, MIDDLE, OUTER = _lines("d5 e5 e4 e3 d3 c3 c4 c5, d6 f6 f4 f2 d2 b2 b4 b6, d7 g7 g4 g1 d1 a1 a4 a7")
"""The rings, each clockwise from its top middle."""


@dataclass(frozen=True)
class Switches:
    """One way to play; the names and values are those of the description."""

    name: str = "standard"
    pieces: int = 9
    diagonals: str = "no"
    points: str = "all"
    flying: str = "own"
    captures: str = "one"
    protection: str = "unless-all"
    removal: str = "must"
    move_while_placing: str = "no"
    first: str = "white"
    repetition: int = 3
    quiet: int = 100
    full_board: str = "draw"

    def with_set(self, switches: Mapping[str, object]) -> Switches:
        """These switches with some set over them."""
        numbers = ("pieces", "repetition", "quiet")
        values = {key: int(str(v)) if key in numbers else str(v) for key, v in switches.items()}
        return replace(self, **values)  # type: ignore[arg-type]


VALUES: dict[str, list[object]] = {
    "pieces": [*range(3, 13)],
    "diagonals": ["no", "yes"],
    "points": ["all", "outer"],
    "flying": ["never", "own", "both"],
    "captures": ["one", "per-mill"],
    "protection": ["unless-all", "always", "unless-three", "none"],
    "removal": ["must", "may"],
    "move_while_placing": ["no", "yes"],
    "first": ["white", "black", "lot"],
    "repetition": [0, 3],
    "quiet": [0, 100],
    "full_board": ["draw", "first-loses"],
}
"""Every value of every switch."""


def _free(name: str, flying: str, protection: str, **others: str) -> Switches:
    """The rule sets without draws."""
    return Switches(name, flying=flying, protection=protection, repetition=0, quiet=0, **others)  # type: ignore[arg-type]


RULE_SETS = {
    rules.name: rules
    for rules in (
        Switches("standard"),
        _free("molendinum", "never", "always"),
        _free("simple", "never", "unless-all", removal="may"),
        _free("arena", "own", "unless-all", removal="may"),
        _free("the-mill", "both", "always", captures="per-mill", first="lot"),
        _free("pounding", "both", "always", captures="per-mill", first="lot"),
        _free("pounding-0.3b", "both", "unless-three", first="lot"),
        Switches("lasker", pieces=10, move_while_placing="yes"),
        Switches("twelve", pieces=12, diagonals="yes", full_board="draw"),
        Switches("six", pieces=6, points="outer", flying="never"),
    )
}


@dataclass(frozen=True, eq=False)
class MillMoment:
    """A position and what of the past the rules need.

    `due`: removals that the player to move has earned and not made. `placing`: whether the last placement of
    the game, with the removal that it earned, is not over. `seen`: what the rule of repetition compares, for
    each position so far with this one; `first`: who began.
    """

    rules: Switches
    board: Mapping[str, str]
    hand: Mapping[str, int]
    to_move: str
    first: str
    due: int = 0
    quiet: int = 0
    move_number: int = 1
    placing: bool = True
    seen: tuple[object, ...] = field(default=(), repr=False)


def start(rules: Switches, first: str) -> MillMoment:
    """The position before the first step, with `first` to move."""
    begun = MillMoment(rules, {}, {WHITE: rules.pieces, BLACK: rules.pieces}, first, first)
    return replace(begun, seen=(_what_repeats(begun),))


# ---- the board ------------------------------------------------------------------------------------------


@functools.cache
def points(rules: Switches) -> list[str]:
    """Return the points of the board."""
    return OUTER + MIDDLE if rules.points == "outer" else OUTER + MIDDLE + INNER


@functools.cache
def drawn_lines(rules: Switches) -> list[list[str]]:
    """The lines that exist, each with those of its points where one may stand."""
    lines = LINES + DIAGONALS if rules.diagonals == "yes" else LINES
    return [[point for point in line if point in points(rules)] for line in lines]


@functools.cache
def neighbours(rules: Switches) -> set[tuple[str, str]]:
    """The points that are neighbours on a line, each pair both ways round."""
    return {
        (one, other)
        for line in drawn_lines(rules)
        for one in line
        for other in line
        if abs(line.index(one) - line.index(other)) == 1
    }


@functools.cache
def lines_through(rules: Switches, point: str) -> list[list[str]]:
    """The lines of three that `point` is on."""
    return [line for line in drawn_lines(rules) if len(line) == 3 and point in line]


def mills_through(rules: Switches, board: Mapping[str, str], point: str) -> list[list[str]]:
    """The lines of three through `point` that the owner of its piece holds whole."""
    owner = board.get(point)
    return [line for line in lines_through(rules, point) if all(board.get(p) == owner for p in line)]


def on_board(moment: MillMoment, player: str) -> list[str]:
    """Return the points of `player`'s pieces."""
    return [point for point in points(moment.rules) if moment.board.get(point) == player]


def empty(moment: MillMoment) -> list[str]:
    """Return the empty points."""
    return [point for point in points(moment.rules) if point not in moment.board]


# ---- what may be done ------------------------------------------------------------------------------------


@functools.lru_cache(_CACHE_SIZE)
def legal_steps(moment: MillMoment) -> frozenset[str]:
    """The texts of all steps that may be played now; none when the game is over."""
    if outcome(moment) is not None:
        return frozenset()
    return frozenset(_removals(moment) if moment.due else _placements(moment) | _moves(moment))


def _placements(moment: MillMoment) -> set[str]:
    return set(empty(moment)) if moment.hand[moment.to_move] else set()


def _moves(moment: MillMoment) -> set[str]:
    mover, rules = moment.to_move, moment.rules
    if moment.hand[mover] and rules.move_while_placing == "no":
        return set()
    anywhere, near, targets = flies(moment, mover), neighbours(rules), empty(moment)
    return {
        f"{origin}-{target}"
        for origin in on_board(moment, mover)
        for target in targets
        if anywhere or (origin, target) in near
    }


def flies(moment: MillMoment, player: str) -> bool:
    """Return whether `player` may move to any empty point now."""
    if moment.rules.flying == "own":
        return len(on_board(moment, player)) == 3 and not moment.hand[player]
    if moment.rules.flying == "both":
        someone_is_down = any(len(on_board(moment, p)) <= 3 for p in (WHITE, BLACK))
        return someone_is_down and not any(moment.hand.values())
    return False


def _removals(moment: MillMoment) -> set[str]:
    texts = {f"x{point}" for point in removable(moment)}
    return texts | {"x-"} if moment.rules.removal == "may" else texts


def removable(moment: MillMoment) -> list[str]:
    """The opponent's pieces that may be removed, were a removal due."""
    theirs = on_board(moment, OTHER[moment.to_move])
    loose = [point for point in theirs if not mills_through(moment.rules, moment.board, point)]
    match moment.rules.protection:
        case "unless-all":
            return loose or theirs
        case "always":
            return loose
        case "unless-three":
            return theirs if len(theirs) == 3 else loose
        case "none":
            return theirs
    raise ValueError(moment.rules.protection)


# ---- what comes of it ------------------------------------------------------------------------------------


def play(moment: MillMoment, text: str) -> MillMoment:
    """The moment after a legal step."""
    assert text in legal_steps(moment), f"{text} is not legal in {position_text(moment)}"
    if text.startswith("x"):
        after = _remove(moment, text[1:])
    elif "-" in text:
        after = _land(moment, *text.split("-"))
    else:
        after = _land(moment, None, text)
    return replace(after, seen=(*moment.seen, _what_repeats(after)))


def _land(moment: MillMoment, origin: str | None, target: str) -> MillMoment:
    mover, board, hand = moment.to_move, dict(moment.board), dict(moment.hand)
    quiet = moment.quiet + 1
    if origin is None:
        hand[mover] -= 1
        quiet = 0
    else:
        del board[origin]
    board[target] = mover
    closed = len(mills_through(moment.rules, board, target))
    due = min(closed, 1) if moment.rules.captures == "one" else closed
    after = replace(moment, board=board, hand=hand, quiet=quiet, due=due)
    return _pass_on(after)


def _remove(moment: MillMoment, point: str) -> MillMoment:
    """Declining gives up all that is due; and is a quiet step, being neither placement nor removal."""
    if point == "-":
        return _pass_on(replace(moment, due=0, quiet=moment.quiet + 1))
    board = {where: owner for where, owner in moment.board.items() if where != point}
    return _pass_on(replace(moment, board=board, due=moment.due - 1, quiet=0))


def _pass_on(moment: MillMoment) -> MillMoment:
    """The same player's, while there is something to remove, else the other's."""
    if moment.due and removable(moment) and _few_pieces(moment) is None:
        return moment
    number = moment.move_number + (moment.to_move == BLACK)
    placing = any(moment.hand.values())
    return replace(moment, due=0, to_move=OTHER[moment.to_move], move_number=number, placing=placing)


@functools.lru_cache(_CACHE_SIZE)
def outcome(moment: MillMoment) -> tuple[str | None, str] | None:
    """The winner (None: nobody) and the reason, or None while the game goes on."""
    if loser := _few_pieces(moment):
        return OTHER[loser], "few-pieces"
    if moment.due:
        return None
    if not empty(moment):
        winner = OTHER[moment.first] if moment.rules.full_board == "first-loses" else None
        return winner, "full-board"
    if not _placements(moment) and not _moves(moment):
        return OTHER[moment.to_move], "blocked"
    if moment.rules.repetition and moment.seen.count(_what_repeats(moment)) >= moment.rules.repetition:
        return None, "repetition"
    if moment.rules.quiet and moment.quiet >= moment.rules.quiet:
        return None, "quiet"
    return None


def _few_pieces(moment: MillMoment) -> str | None:
    for player in (WHITE, BLACK):
        if len(on_board(moment, player)) + moment.hand[player] < 3:
            return player
    return None


def _what_repeats(moment: MillMoment) -> object:
    hands = (moment.hand[WHITE], moment.hand[BLACK])
    return frozenset(moment.board.items()), hands, moment.to_move, moment.due


@functools.lru_cache(_CACHE_SIZE)
def whole_turns(moment: MillMoment) -> tuple[tuple[str, ...], ...]:
    """Every run of steps until the other player is to move or the game is over."""
    turns: list[tuple[str, ...]] = []
    for text in sorted(legal_steps(moment)):
        after = play(moment, text)
        if after.to_move != moment.to_move or outcome(after) is not None:
            turns.append((text,))
        else:
            turns += [(text, *rest) for rest in whole_turns(after)]
    return tuple(turns)


# ---- text ------------------------------------------------------------------------------------------------


def position_text(moment: MillMoment) -> str:
    """The 17 fields; the removals that are due are of the player to move."""
    marks = {WHITE: "O", BLACK: "@"}
    board = "/".join(
        "".join(marks.get(moment.board.get(point, ""), "*") for point in ring)
        for ring in (INNER, MIDDLE, OUTER)
    )
    due = {moment.to_move: moment.due}
    fields = [
        board,
        moment.to_move[0],
        phase(moment),
        action(moment),
        *(n for p in (WHITE, BLACK) for n in (len(on_board(moment, p)), moment.hand[p])),
        due.get(WHITE, 0),
        due.get(BLACK, 0),
        *[0] * 5,
        moment.quiet,
        moment.move_number,
    ]
    return " ".join(map(str, fields))


def phase(moment: MillMoment) -> str:
    """Over, placing or moving."""
    if outcome(moment) is not None:
        return "o"
    return "p" if moment.placing else "m"


def action(moment: MillMoment) -> str:
    """Remove, place or select; one who may place or move is asked to place."""
    if moment.due:
        return "r"
    return "p" if moment.hand[moment.to_move] else "s"
