"""The readings of actions of hands: all runs of legal turns that explain them, found by trying.

Hands do two things: a piece leaves a point (it reads as nothing from then on) or is set down on one. From a
position on which everybody agrees, `readings` tries every run of legal turns whose actions were detected,
each action at a change of its point. The last turn may be thought over first: its piece is lifted again and
goes elsewhere, or back. All changes that a run leaves over must cancel out: a piece left its point and came
back (it was straightened), or touched a point and left it. What a run must obey:

1. A piece is lifted before it is set down. The actions of a turn have no other order.
2. A turn begins after the turn before it has begun; a player ends a turn before beginning the next. So both
   players' hands may be on the board at once, and changes of one frame have no order.
3. The run explains the last frame whole: nothing is in the air but captured pieces.

With that alone nearly everything can be read twice, so a reading has a price, and those of the lowest price
count. Where all is back as it was, that nothing was done has no price, however long pieces were away: they
fell off, or a chip dropped out.

| price | assumption |
|---|---|
| 1 | a piece was away for more than a second, and yet did not move |
| 1 | a piece that had been set down for less than 240 ms was captured or moved on by the opponent |
| 1 | of a turn that was undone, the removed piece came back first, and after more than a second |
| 1 | the next piece was placed for 240 ms or more, and taken back |
| 1 | a piece was placed before one of the turn before landed, and no sensor tells whose it is |
| 2 | a point that was empty for a second at most is held by another piece than before, and reads alike * |
| 2 | a removed piece came back after more than a second, and nothing else of its turn was undone |
| 2 | something touched a point that was no piece in the air |

* Where its piece was removed, there is no price if the other one was lifted 300 ms later or more. To the
board this is so unlikely that it also thinks over what has counted, which is not tried here: such a reading
is never the only one.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from tests.fuzz.oracle import plain_rules as plain
from tests.fuzz.oracle.felt import Felt, FeltChange
from tests.fuzz.oracle.handiwork import ends
from tests.fuzz.oracle.plain_rules import MillMoment
from tests.fuzz.oracle.table import NOTHING

SECOND = 1_000_000
SAME_PIECE = SECOND
"""A piece that is back on its point so soon is taken for the one that left it."""
REMOVED = 300_000
"""The time after which a piece was removed, and the opponent may reply."""
LANDED = 240_000
"""The time after which a piece was put down, and did not just pass."""
MAX_TURNS = 3
LONG_AWAY, HASTY_CAPTURE, RETURNED_FIRST, PLACED_FIRST, WITHDRAWN = 1, 1, 1, 1, 1
OTHER_PIECE, LATE_RETURN, NOBODYS_TOUCH = 2, 2, 2
_FOREVER = 2**62


@dataclass(frozen=True)
class Agreed:
    """A position on which everybody agrees, and how it came about."""

    now: MillMoment
    before: MillMoment | None = None
    """The position before the last turn, if that may be thought over."""
    last: tuple[str, ...] = ()
    removed: Mapping[str, int] = field(default_factory=dict)
    """The times at which the removed pieces of the last turn left their points."""


@dataclass(frozen=True)
class TurnRun:
    """A run of turns that explains the changes; `undone`: it begins before the last turn."""

    position: str
    steps: tuple[str, ...]
    undone: bool
    price: int
    is_doubtful: bool = False
    """True if a point that was empty for a second at most is held by another piece that reads alike."""


@dataclass(frozen=True)
class _Act:
    """An action of hands that sensors must have detected, at one change of its point.

    `turn`: of which turn of the run, 0 for the last turn thought over; `piece`: acts of one number are done
    with one piece, in their order; a negative one belongs to a removed piece that is back.
    """

    point: str
    reading: str
    turn: int
    piece: int
    colour: str


@dataclass(frozen=True)
class _Run:
    moment: MillMoment
    turn: int
    acts: tuple[_Act, ...] = ()
    steps: tuple[str, ...] = ()
    airborne: tuple[_Act, ...] = ()
    """The ways in which pieces lifted to change the last turn would come back."""
    undone: bool = False


@dataclass(frozen=True)
class _Spare:
    """A pair of changes that cancel out: a piece was away, or something (`reading`) touched the point."""

    point: str
    since: int
    until: int
    reading: str


@dataclass(frozen=True)
class _Flight:
    """A piece in the air."""

    since: int
    until: int
    reading: str

    def covers(self, touch: _Spare) -> bool:
        """Return whether this piece can have touched the point."""
        return self.since <= touch.since and touch.until <= self.until and self.reading in (touch.reading, "")


_Times = dict[_Act, int]
_Option = tuple[_Times, tuple[_Spare, ...]]


def readings(agreed: Agreed, felt: Felt, *, colours: bool) -> list[TurnRun]:
    """Return every position that explains the changes, each by its cheapest run, the cheapest first.

    `colours`: the sensors report owners.
    """
    best: dict[str, TurnRun] = {}
    changes = {point: felt.of(point) for point in {change.point for change in felt.changes}}
    supply = Counter((point, change.reading) for point, found in changes.items() for change in found)
    for run in _runs(agreed, supply, colours=colours):
        priced = _price(run, felt, changes, agreed)
        if priced is None:
            continue
        position, (price, is_doubtful) = plain.position_text(run.moment), priced
        if position not in best or price < best[position].price:
            best[position] = TurnRun(position, run.steps, run.undone, price, is_doubtful)
    return sorted(best.values(), key=lambda one: (one.price, one.position))


def cheapest(found: list[TurnRun]) -> list[TurnRun]:
    """Those of the lowest price: one must be decided, several are ambiguous, none is a mismatch."""
    return [one for one in found if one.price == found[0].price]


# ---- runs of turns ---------------------------------------------------------------------------------------


def _runs(agreed: Agreed, supply: Counter[tuple[str, str]], *, colours: bool) -> Iterator[_Run]:
    for root in _roots(agreed, colours=colours):
        if _is_covered(root.acts, supply):
            yield from _grown(root, supply, colours=colours)


def _roots(agreed: Agreed, *, colours: bool) -> Iterator[_Run]:
    """The agreed position, and those within the last turn, from which it may be done in another way."""
    yield _Run(agreed.now, 1)
    if agreed.before is None or not agreed.last:
        return
    mover, other = agreed.before.to_move, plain.OTHER[agreed.before.to_move]
    landing, *removals = agreed.last
    back = [
        _Act(step[1:], _read(other, colours), 0, -number, other)
        for number, step in enumerate(removals, start=1)
        if step != "x-"
    ]
    origin, target = ends(landing)
    assert target is not None
    lifted = _Act(target, NOTHING, 0, 0, mover)
    own = _Act(origin or "", _read(mover, colours), 0, 0, mover)
    yield _Run(agreed.before, 0, (lifted,), airborne=(own, *back), undone=True)
    if back:
        due = plain.play(agreed.before, landing)
        yield _Run(due, 0, steps=(landing,), airborne=tuple(back), undone=True)


def _grown(run: _Run, supply: Counter[tuple[str, str]], *, colours: bool) -> Iterator[_Run]:
    """A run, as far as it goes, and every longer one."""
    if not run.steps or run.steps[-1] != "x-":
        back = [act for act in run.airborne if act.point]
        whole = replace(run, acts=(*back, *run.acts))
        if _is_covered(whole.acts, supply):
            yield whole
    if run.turn > MAX_TURNS:
        return
    for text in sorted(plain.legal_steps(run.moment)):
        longer = _with_step(run, text, colours=colours)
        if not _is_covered(longer.acts, supply):
            continue
        after = plain.play(run.moment, text)
        turn = run.turn + (after.to_move != run.moment.to_move)
        yield from _grown(replace(longer, moment=after, turn=turn), supply, colours=colours)


def _with_step(run: _Run, text: str, *, colours: bool) -> _Run:
    """A run with the actions of one more step, which is not played yet."""
    origin, target = ends(text)
    mover = run.moment.to_move
    owner = plain.OTHER[mover] if target is None else mover
    piece = len(run.steps) + 1
    acts, airborne = list(run.acts), list(run.airborne)
    held = next((act for act in airborne if act.point == (origin or "") and act.colour == owner), None)
    if held is not None and text != "x-":
        airborne.remove(held)
        piece = held.piece
    elif origin:
        acts.append(_Act(origin, NOTHING, run.turn, piece, owner))
    if target:
        acts.append(_Act(target, _read(mover, colours), run.turn, piece, mover))
    return replace(run, acts=tuple(acts), airborne=tuple(airborne), steps=(*run.steps, text))


def _is_covered(acts: Iterable[_Act], supply: Counter[tuple[str, str]]) -> bool:
    needed = Counter((act.point, act.reading) for act in acts)
    return all(count <= supply[what] for what, count in needed.items())


def _read(colour: str, colours: bool) -> str:
    return colour if colours else "piece"


# ---- the readings ----------------------------------------------------------------------------------------


def _price(
    run: _Run, felt: Felt, changes: Mapping[str, list[FeltChange]], agreed: Agreed
) -> tuple[int, bool] | None:
    """The lowest price at which a run explains the changes, and whether that is doubtful."""
    options = []
    for point, found in changes.items():
        acts = [act for act in run.acts if act.point == point]
        those = list(_options(felt.before.get(point, NOTHING), found, acts))
        if not those:
            return None
        options.append(those)
    prices = []
    for chosen in itertools.product(*options):
        times = {act: at for those, _ in chosen for act, at in those.items()}
        spares = [spare for _, those in chosen for spare in those]
        if not run.acts:
            return 0, False
        if _in_order(run, times):
            touching = _price_of_touches(run, times, spares, felt)
            following, others = _price_of_points(run, times, agreed)
            is_doubtful = others > 0 or _follows_a_piece(run, times, spares)
            price = touching + following + OTHER_PIECE * others
            prices.append((price + PLACED_FIRST * _was_placed_first(run, times), is_doubtful))
    return min(prices, default=None)


def _follows_a_piece(run: _Run, times: _Times, spares: list[_Spare]) -> bool:
    """Return whether a piece landed within a second where nobody's had stood, which reads alike."""
    stood = [one for one in spares if one.reading and one.until - one.since >= LANDED]
    return any(
        one.point == act.point and one.reading == act.reading and 0 <= times[act] - one.until <= SAME_PIECE
        for act in run.acts
        for one in stood
    )


def _options(reading: str, changes: list[FeltChange], acts: list[_Act]) -> Iterator[_Option]:
    """The ways to find the actions at one point among its changes, in their order, the rest in pairs."""
    for skipped in range(0, len(changes) + 1, 2):
        if skipped and changes[skipped - 1].reading != reading:
            return
        pairs = zip(changes[:skipped:2], changes[1:skipped:2], strict=True)
        spares = tuple(_Spare(one.point, one.at, two.at, one.reading) for one, two in pairs)
        if not acts:
            if skipped == len(changes):
                yield {}, spares
        elif skipped < len(changes) and changes[skipped].reading == acts[0].reading:
            felt = changes[skipped]
            for times, more in _options(felt.reading, changes[skipped + 1 :], acts[1:]):
                yield {acts[0]: felt.at, **times}, (*spares, *more)


def _in_order(run: _Run, times: _Times) -> bool:
    """Return whether pieces are lifted before they land, and turns begin and end as players take them."""
    turns: dict[int, list[int]] = {}
    last_of_piece: dict[int, int] = {}
    for act in run.acts:
        turns.setdefault(act.turn, []).append(times[act])
    for act in sorted(run.acts, key=lambda act: bool(act.reading)):
        if times[act] < last_of_piece.get(act.piece, 0):
            return False
        last_of_piece[act.piece] = times[act]
    return all(
        min(those) >= min(turns.get(number - 1, [0])) and min(those) >= max(turns.get(number - 2, [0]))
        for number, those in turns.items()
    )


def _price_of_touches(run: _Run, times: _Times, spares: list[_Spare], felt: Felt) -> int:
    """Return the price of pieces that were away for long, and of touches of points."""
    away = [spare for spare in spares if not spare.reading]
    flights = _flights(run, times, felt)
    flights += [_Flight(spare.since, spare.until, felt.before.get(spare.point, NOTHING)) for spare in away]
    nobodys = [one for one in spares if one.reading and not any(flight.covers(one) for flight in flights)]
    long = [spare for spare in away if spare.until - spare.since > SAME_PIECE]
    withdrawn = [one for one in nobodys if _was_withdrawn(run, times, one)][:1]
    price = LONG_AWAY * len(long) + NOBODYS_TOUCH * (len(nobodys) - len(withdrawn))
    return price + WITHDRAWN * len(withdrawn)


def _was_withdrawn(run: _Run, times: _Times, touch: _Spare) -> bool:
    """Return whether the next turn may have been a piece on that point, which was then taken back."""
    moment = run.moment
    is_placed = touch.point in plain.legal_steps(moment) and touch.reading in (moment.to_move, "piece")
    has_stood = touch.until - touch.since >= LANDED
    return is_placed and has_stood and touch.since >= max(times.values(), default=0)


def _flights(run: _Run, times: _Times, felt: Felt) -> list[_Flight]:
    """Return the times at which the pieces of the run were in the air; placed ones always were."""
    flights = []
    for piece in {act.piece for act in run.acts}:
        own = [act for act in run.acts if act.piece == piece]
        lifted = [times[act] for act in own if not act.reading]
        landed = [act for act in own if act.reading]
        until = times[landed[-1]] if landed else _FOREVER
        reading = landed[-1].reading if landed else felt.before.get(own[0].point, NOTHING)
        flights.append(_Flight(min(lifted, default=0), until, reading))
    return flights


def _was_placed_first(run: _Run, times: _Times) -> bool:
    """Return whether a piece of an unknown owner was placed before one of the turn before landed."""
    lifted = {act.piece for act in run.acts if not act.reading}
    landed = [act for act in run.acts if act.reading and act.piece >= 0]
    placed = [act for act in landed if act.reading == "piece" and act.piece not in lifted]
    return any(
        before.turn == act.turn - 1 and times[act] < times[before] for act in placed for before in landed
    )


def _price_of_points(run: _Run, times: _Times, agreed: Agreed) -> tuple[int, int]:
    """Return the price of pieces that followed each other on a point too soon, and how many others did."""
    left = {point: (at, _owner_of_removed(agreed)) for point, at in agreed.removed.items()}
    landed: dict[str, int] = {}
    undone_at = next((times[act] for act in run.acts if act.piece == 0 and not act.reading), None)
    lifted = {act.piece: times[act] for act in run.acts if not act.reading}
    set_down = {act.piece for act in run.acts if act.reading}
    removed = {act.point for act in run.acts if act.piece not in set_down} | agreed.removed.keys()
    price = others = 0
    for act in run.acts:
        at = times[act]
        if not act.reading:
            price += HASTY_CAPTURE * (at - landed.pop(act.point, -LANDED) < LANDED)
            left[act.point] = (at, act.colour)
            continue
        since, colour = left.pop(act.point, (-_FOREVER, NOTHING))
        soon = at - since <= SAME_PIECE
        replied = act.point in removed and lifted.get(act.piece, 0) - since >= REMOVED
        if act.piece < 0:
            price += 0 if soon else _price_of_return(at, undone_at)
        elif soon and not replied and (act.reading == "piece" or act.colour == colour):
            others += 1
        landed[act.point] = at
    return price, others


def _price_of_return(at: int, undone_at: int | None) -> int:
    """Return the price of a removed piece that came back late, whether its turn was undone or not."""
    if undone_at is None:
        return LATE_RETURN
    return RETURNED_FIRST if at < undone_at else 0


def _owner_of_removed(agreed: Agreed) -> str:
    return plain.OTHER[agreed.before.to_move] if agreed.before else NOTHING
