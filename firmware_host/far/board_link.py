"""The link between a board and its seat: the changes that each of them makes in the other.

Invariants: a turn reaches the seat only after the board has stored it, and the board only after the seat has
it. Whatever was lost between the two, following the board's state again brings them together: the seat takes
over what this player's hands may do, and otherwise leads the board to its own game.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from firmware_host.errors import FarError
from firmware_host.far.judging import common_turns
from firmware_host.far.record import ASKING
from firmware_host.far.seat import FarSeat
from firmware_host.frozen import frozen
from firmware_host.games.game import Player, Reason
from firmware_host.settings import FAR

Request = dict[str, Any]

ROOM_ASKS = ("begin", "offer")
"""The questions that a board asks because of the other player."""


@frozen
class BoardState:
    """The members of a board's public state that a link needs."""

    turns: tuple[str, ...]
    """The accepted turns; the last may be unfinished."""
    seats: Mapping[str, str]
    outcome: Mapping[str, str | None] | None
    status: str | None
    """The last status that was reported; None if no other board plays."""
    chosen: bool
    """True if hands have a turn to carry out for the other board."""
    paused: bool = False
    is_asking: bool = False
    """True while the board asks its player something that the other player has not caused."""

    @classmethod
    def of(cls, state: Mapping[str, Any]) -> BoardState:
        """Return what is needed of the state that pages get."""
        far, seats = state.get("far"), state["seats"]
        return cls(
            tuple(state["turns"]),
            seats,
            state["outcome"],
            None if far is None else far["status"],
            bool(state["moves"]) and seats[state["to_move"]] == FAR,
            state["status"] == "paused",
            asks_by_itself(state.get("asking")),
        )


def asks_by_itself(asking: Mapping[str, Any] | None) -> bool:
    """Return whether a board asks its player, by its public `asking`, something else than a room does."""
    return asking is not None and asking["question"] not in ROOM_ASKS


def taken_over(seat: FarSeat, board: BoardState, used_ms: int, *, led: int | None) -> FarSeat:
    """Return the seat after what hands have done on its board; `used_ms` is the time of a new turn.

    `led` is the edition that the board was led to last, None before it has begun this game. Turns that it
    still has of an older one, or of the game before, are no new turns.
    """
    seat = seat if seat.is_asking is board.is_asking else replace(seat, is_asking=board.is_asking)
    is_going_on = seat.game is not None and seat.outcome is None and _is_seated(seat, board)
    if not is_going_on or led != seat.edition:
        return seat
    turns = board.turns
    if len(turns) >= len(seat.turns) and turns[: len(seat.turns)] == seat.turns:
        seat = _with_own_turn(seat, turns, used_ms)
    elif _took_back_own(seat, turns):
        seat = _revised(seat, turns, used_ms)
    seat = seat.carry(common_turns(seat.turns, turns))
    return _given_up(seat, board)


def wishes(seat: FarSeat, board: BoardState, *, led: int | None, is_away: bool) -> Iterator[Request]:
    """Yield the requests that bring the board to the seat's game, and report the other board's status.

    Once all are done, the board is led to the seat's edition.
    """
    if seat.game is None:
        return
    if not _is_seated(seat, board) and seat.outcome is not None:
        return  # its players have seen the end, and play something else
    if not _is_seated(seat, board) or (board.outcome is not None and seat.outcome is None):
        name, *switches = seat.rules.describe().split()
        set_ = {"set": dict(switch.split("=", 1) for switch in switches)} if switches else {}
        yield {"do": "new-game", "rules": name, **set_, **_seats(seat)}
        if seat.turns:
            yield {"do": "far", "turns": list(_on_wood(seat))}
        return
    if board.outcome is not None:
        if seat.declared is not None and dict(board.outcome) != seat.declared.as_dict():
            yield from _to_the_game(seat, board, led)  # the boards disagreed about the end
        return
    status = far_status(seat, is_away=is_away)
    if status == "disagree":
        if board.status != status:
            yield {"do": "far", "status": status, "points": sorted(_differing(seat))}
        return
    yield from _to_the_game(seat, board, led)
    if seat.outcome is None and board.status != status:
        yield {"do": "far", "status": status}


def far_status(seat: FarSeat, *, is_away: bool) -> str:
    """Return how the other board is, and how this player's last turn fares."""
    if seat.trouble is not None:
        return "disagree"
    if is_away:
        return "away"
    if not seat.is_agreed or seat.theirs is None:
        return "sent"
    if seat.theirs.doing == ASKING:
        return "asking"
    return "stands" if seat.theirs.carried >= len(seat.turns) else "arrived"


def _to_the_game(seat: FarSeat, board: BoardState, led: int | None) -> Iterator[Request]:
    """Yield the requests for the turns that the board lacks, and for the end of the game."""
    wood, turns = _on_wood(seat), board.turns
    if seat.declared is not None:
        if turns != seat.turns:
            yield {"do": "far", "turns": list(seat.turns)}
        yield {"do": "far", "end": seat.declared.as_dict()}
        return
    is_under_way = led == seat.edition and turns[: len(wood)] == wood and len(turns) <= len(wood) + 1
    if not is_under_way and (board.chosen or turns not in (wood, seat.turns)):
        yield {"do": "far", "turns": list(wood)}  # which ends a choice that was taken back
    is_chosen = board.chosen and is_under_way
    if len(wood) < len(seat.turns) and turns != seat.turns and not is_chosen:
        yield {"do": "choose", "turn": seat.turns[-1]}


def has_begun(seat: FarSeat, board: BoardState) -> bool:
    """Return whether the board plays the seat's game, and no longer shows the end of the one before."""
    return seat.game is not None and _is_seated(seat, board) and board.outcome is None


def _is_seated(seat: FarSeat, board: BoardState) -> bool:
    return dict(board.seats) == _seats(seat)


def _seats(seat: FarSeat) -> dict[str, str]:
    return {str(player): "here" if player is seat.player else FAR for player in Player}


def _on_wood(seat: FarSeat) -> tuple[str, ...]:
    """Return the turns that hands need not be led to: all but a last one of the other player."""
    count = len(seat.turns)
    is_theirs = count > 0 and seat.mover(count - 1) is not seat.player and seat.carried < count
    return seat.turns[: count - 1] if is_theirs else seat.turns


def _with_own_turn(seat: FarSeat, turns: Sequence[str], used_ms: int) -> FarSeat:
    """Return the seat with the one more turn of its board, if that is whole and this player's."""
    count = len(seat.turns)
    if len(turns) == count or not seat.may_play:
        return seat
    try:
        return seat.play(turns[count], used_ms)
    except FarError:  # it is not finished yet
        return seat


def _took_back_own(seat: FarSeat, turns: Sequence[str]) -> bool:
    """Return whether hands have taken back this player's last turn, and no other."""
    last = len(seat.turns) - 1
    is_own = last >= 0 and seat.mover(last) is seat.player
    return is_own and tuple(turns[:last]) == seat.turns[:last] and len(turns) <= last + 1


def _revised(seat: FarSeat, turns: Sequence[str], used_ms: int) -> FarSeat:
    try:
        return _with_own_turn(seat.revise(), turns, used_ms)
    except FarError:  # the other board has carried it out: the light leads back
        return seat


def _given_up(seat: FarSeat, board: BoardState) -> FarSeat:
    outcome = board.outcome
    if outcome is None or seat.outcome is not None or outcome["reason"] != str(Reason.RESIGNED):
        return seat
    lost = seat.player is not None and outcome["winner"] == str(seat.player.other)
    return seat.resign() if lost else seat


def _differing(seat: FarSeat) -> set[str]:
    """Return the names of the points of the first turn that differs, in both games."""
    theirs = () if seat.theirs is None else seat.theirs.turns
    index = common_turns(seat.turns, theirs)
    points: set[str] = set()
    for turn in (*seat.turns[index : index + 1], *theirs[index : index + 1]):
        try:
            steps = seat.rules.parse_turn(turn)
        except ValueError:  # the other board may have written anything
            continue
        points |= {point.name for step in steps for point in (step.origin, step.target) if point is not None}
    return points
