"""The rules of Mitsudomoe, on bits: the legal steps and their results.

A set of squares is an integer: bit `i` is the layout's point `i`. Players are 0 (White) and 1 (Black). A ball
always stands on a ring of its owner, and nothing stands on a ball; so the owner of the top ring on each
square, and the balls, determine every ball step. Nothing here checks that a step is legal, but `ring_steps`,
`ball_steps` and `relocations` return the legal ones.

Decisions where the wording of the rules leaves room:
- No step may lead into a turn that cannot be completed: a ring step needs a ball step after it. A vault needs
  one square for the vaulted balls, since each ball that is moved vacates one; the number of exposed rings
  decides, not that of vaulted balls.
- A ball that was vaulted is moved once, even if it then stands in its goal.
- The same position is the same stacks with the same player to begin a turn. A ring that was laid never
  returns to the supply, so no position from before it can recur.
- A start that its owner's balls cover before the first turn loses nothing: it counts after a turn.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from firmware_host.frozen import frozen
from firmware_host.games.game import Reason
from firmware_host.games.layout import SQUARES
from firmware_host.games.morris.bitboard import bits
from firmware_host.games.options import MitsudomoeOptions

RINGS, BALLS = 8, 3
"""The number of rings and of balls of each player."""
ALL = (1 << len(SQUARES)) - 1


def _squares(names: str) -> int:
    return sum(1 << SQUARES[name].index for name in names.split())


STARTS = (_squares("a1 b1 a2"), _squares("e5 d5 e4"))
"""The start of each player's balls; the opponent's start is a player's goal."""
_SIDE = 5


class Due(enum.Enum):
    """The step that the player to move has to play next."""

    RING = "ring"
    BALL = "ball"
    RELOCATION = "relocation"


def _rays(x: int, y: int) -> tuple[tuple[int, ...], ...]:
    """Return the rays of squares, as sets of one, in each of the eight directions that has any."""
    found = []
    for dx, dy in product((-1, 0, 1), repeat=2):
        ray = []
        across, up = x + dx, y + dy
        while (dx or dy) and 0 <= across < _SIDE and 0 <= up < _SIDE:
            ray.append(1 << (_SIDE * up + across))
            across, up = across + dx, up + dy
        if ray:
            found.append(tuple(ray))
    return tuple(found)


RAYS = {1 << point.index: _rays(point.x, point.y) for point in SQUARES.points}


class BallMove(NamedTuple):
    """A move of a ball as far as the balls are concerned: it needs its owner's ring on the target."""

    origin: int
    target: int
    vaulted: int
    """The opposing balls in between, each of which has to be moved afterwards."""


class MitsudomoeState(NamedTuple):
    """One moment of a game; pairs are White's and Black's. Its first three values make a repetition."""

    balls: tuple[int, int]
    rings: tuple[int, ...]
    """The rings of each square in bits, the lowest first behind a leading 1; a 1 is Black's."""
    black: int
    """1 if Black is to move, else 0."""
    tops: tuple[int, int]
    """The squares whose top ring is White's and Black's, with or without a ball on it."""
    supply: tuple[int, int]
    due: Due = Due.RING
    vaulted: int = 0
    """The opposing balls that were vaulted in this turn and not moved yet."""
    number: int = 1
    """The number of the turn, which increases after each of Black's."""
    past: tuple[tuple[object, ...], ...] = ()
    """The states at the starts of turns since the last ring was laid, if repetition counts."""
    ended: Reason | None = None
    """The reason why the game is over: by the last turn, or since the player to move cannot complete one."""

    @property
    def standing(self) -> int:
        """The squares with a ball."""
        return self.balls[0] | self.balls[1]


@frozen(slots=False)
class MitsudomoeMechanics:
    """The rules with these options, ready to play."""

    options: MitsudomoeOptions

    def start(self, black: bool) -> MitsudomoeState:
        """Return the state with three rings of each player, a ball on each, and five rings in supply."""
        white, others = STARTS
        rings = tuple(0b10 if one & white else 0b11 if one & others else 0b1 for one in bits(ALL))
        left = RINGS - BALLS
        return MitsudomoeState(STARTS, rings, int(black), STARTS, (left, left))

    def lay(self, state: MitsudomoeState, origin: int, target: int) -> MitsudomoeState:
        """Return the state after a ring went from `origin` (0: the supply) to `target`."""
        player, other = state.black, 1 - state.black
        rings, supply, past = list(state.rings), list(state.supply), state.past
        tops = tops_without(state, origin)
        if origin:
            rings[origin.bit_length() - 1] >>= 1
        else:
            supply[player] -= 1
            past = ()
        square = target.bit_length() - 1
        rings[square] = rings[square] << 1 | player
        tops[player] |= target
        tops[other] &= ~target
        return state._replace(
            rings=tuple(rings),
            tops=(tops[0], tops[1]),
            supply=(supply[0], supply[1]),
            due=Due.BALL,
            past=past if not self.options.repetition or not origin else self._remembering(state),
        )

    def _remembering(self, state: MitsudomoeState) -> tuple[tuple[object, ...], ...]:
        return (*state.past, state[:3])

    def move_ball(self, state: MitsudomoeState, way: BallMove) -> MitsudomoeState:
        """Return the state after one of `ball_steps`."""
        after = state._replace(balls=_moved(state.balls, state.black, way.origin, way.target))
        if way.vaulted:
            return after._replace(due=Due.RELOCATION, vaulted=way.vaulted)
        return self._passed(after)

    def relocate(self, state: MitsudomoeState, origin: int, target: int) -> MitsudomoeState:
        """Return the state after a vaulted ball was moved."""
        balls = _moved(state.balls, 1 - state.black, origin, target)
        after = state._replace(balls=balls, vaulted=state.vaulted ^ origin)
        return after if after.vaulted else self._passed(after)

    def _passed(self, state: MitsudomoeState) -> MitsudomoeState:
        after = state._replace(due=Due.RING, black=1 - state.black, number=state.number + state.black)
        return after._replace(ended=won_or_lost(after, state.black) or self.stuck_or_drawn(after))

    def stuck_or_drawn(self, state: MitsudomoeState) -> Reason | None:
        """Return why the game is over although the last turn decided nothing, or None."""
        if not any(targets for _, targets in ring_steps(state)):
            return Reason.BLOCKED
        repetition = self.options.repetition
        if repetition and state.past and state.past.count(state[:3]) >= repetition - 1:
            return Reason.REPETITION
        return None

    def ending(self, state: MitsudomoeState) -> Reason | None:
        """Return why the game is over, or None while it goes on."""
        return state.ended

    def after_steps(self, state: MitsudomoeState) -> Iterator[MitsudomoeState]:
        """Yield the state after each possible step, in the order of the steps."""
        if state.due is Due.RING:
            for origin, targets in ring_steps(state):
                for target in bits(targets):
                    yield self.lay(state, origin, target)
        elif state.due is Due.BALL:
            for way in ball_steps(state):
                yield self.move_ball(state, way)
        else:
            for origin, target in relocations(state):
                yield self.relocate(state, origin, target)

    def after_turns(self, state: MitsudomoeState) -> Iterator[MitsudomoeState]:
        """Yield each state that a whole turn, or the rest of one, can lead to, once, whatever its order."""
        unfinished, known = [state], set()
        while unfinished:
            for after in self.after_steps(unfinished.pop()):
                key = after[:3], after.vaulted
                if key not in known:
                    known.add(key)
                    if after.black == state.black:
                        unfinished.append(after)
                    else:
                        yield after

    def count_steps(self, state: MitsudomoeState) -> int:
        """Return the number of steps."""
        return sum(1 for _ in self.after_steps(state))

    def count_turns(self, state: MitsudomoeState) -> int:
        """Return the number of states that whole turns, or rests of one, can lead to."""
        return sum(1 for _ in self.after_turns(state))


def won_or_lost(state: MitsudomoeState, mover: int) -> Reason | None:
    """Return why the last turn, which was `mover`'s, decided the game; a win comes before a loss."""
    if state.balls[mover] == STARTS[1 - mover]:
        return Reason.GOAL
    return Reason.START_COVERED if state.standing & STARTS[mover] == STARTS[mover] else None


def ball_moves(state: MitsudomoeState) -> Iterator[BallMove]:
    """Yield the moves of the mover's balls, as far as the balls are concerned."""
    mine, theirs = state.balls[state.black], state.balls[1 - state.black]
    their_goal, my_goal = STARTS[state.black], STARTS[1 - state.black]
    for origin in bits(mine & ~my_goal):
        for ray in RAYS[origin]:
            vaulted = 0
            for square in ray:
                if square & theirs & their_goal:
                    break
                if square & theirs:
                    vaulted |= square
                elif not square & mine:
                    yield BallMove(origin, square, vaulted)
                    break


def exposed(state: MitsudomoeState, player: int) -> int:
    """Return the squares whose top piece is a ring of `player`."""
    return state.tops[player] & ~state.standing


def tops_without(state: MitsudomoeState, origin: int) -> list[int]:
    """Return the top rings as they would be if the ring on `origin` (0: none) were in the hand."""
    tops = list(state.tops)
    if origin:
        tops[state.black] &= ~origin
        beneath = state.rings[origin.bit_length() - 1] >> 1
        if beneath > 1:
            tops[beneath & 1] |= origin
    return tops


def ring_steps(state: MitsudomoeState) -> Iterator[tuple[int, int]]:
    """Yield the ring steps of the player to move as (origin, targets), with origin 0 for the supply."""
    player = state.black
    plain = vaulting = 0
    for way in ball_moves(state):
        if way.vaulted:
            vaulting |= way.target
        else:
            plain |= way.target
    free = ALL & ~state.standing
    origins = [0] if state.supply[player] else []
    for origin in (*origins, *bits(exposed(state, player))):
        tops = tops_without(state, origin)
        yield origin, _lasting(free, tops[player], tops[1 - player] & free, plain, vaulting) & ~origin


def _lasting(free: int, own: int, others: int, plain: int, vaulting: int) -> int:
    """Return the squares where a ring can be laid so that a ball step remains.

    `own` and `others` are the exposed rings for the player's balls and for those it vaults; `plain` and
    `vaulting` are the squares that its balls could reach without and with a vault.
    """
    if own & plain:
        return free
    targets = free & plain
    if others:
        candidates = free if own & vaulting else free & vaulting
        targets |= candidates if others & (others - 1) else candidates & ~others
    return targets


def ball_steps(state: MitsudomoeState) -> Iterator[BallMove]:
    """Yield the moves of the mover's balls that are legal after the ring step."""
    room, mine = exposed(state, 1 - state.black), state.tops[state.black]
    for way in ball_moves(state):
        if way.target & mine and (room or not way.vaulted):
            yield way


def relocations(state: MitsudomoeState) -> Iterator[tuple[int, int]]:
    """Return the legal (origin, target) pairs of vaulted balls."""
    targets = exposed(state, 1 - state.black)
    return product(bits(state.vaulted), bits(targets))


def _moved(balls: tuple[int, int], player: int, origin: int, target: int) -> tuple[int, int]:
    white, black = balls
    return (white, black ^ origin ^ target) if player else (white ^ origin ^ target, black)
