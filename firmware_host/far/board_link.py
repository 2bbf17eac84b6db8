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
from firmware_host.far.record import ASKING, common_turns
from firmware_host.far.seat import FarSeat
from firmware_host.frozen import frozen
from firmware_host.games.game import Outcome, Player, Reason
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
    """True if hands have a turn to carry out for the other board.

    Until the board `rests`, it may be one that they are changing their own last turn to.
    """
    paused: bool = False
    is_asking: bool = False
    """True while the board asks its player something that the other player has not caused."""
    rests: bool = True
    """True if the board has taken in everything that hands have done."""

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
            state["rests"],
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
    if not is_going_on or led is None:
        return seat
    if led != seat.edition:
        return _given_up(seat, board)
    turns = board.turns
    if len(turns) >= len(seat.turns) and turns[: len(seat.turns)] == seat.turns:
        seat = _with_own_turn(seat, turns, used_ms)
    elif _took_back_own(seat, turns):
        seat = _revised(seat, turns, used_ms)
    seat = seat.carry(common_turns(seat.turns, turns))
    return _given_up(seat, board)


def wishes(
    seat: FarSeat, board: BoardState, *, led: int | None, is_away: bool, is_new: bool = False
) -> Iterator[Request]:
    """Yield the requests that bring the board to the seat's game, and report the other board's status.

    Once all are done, the board is led to the seat's edition. A board that `is_new`, as after a power cut,
    may have chosen an older turn.
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
        if not _has_ended_alike(seat, board):
            yield from _to_the_end(seat)
        return
    status = far_status(seat, is_away=is_away)
    if status == "disagree":
        if board.status != status:
            yield {"do": "far", "status": status, "points": sorted(_differing(seat))}
        return
    yield from _to_the_game(seat, board, led, is_new=is_new)
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


def _to_the_game(seat: FarSeat, board: BoardState, led: int | None, *, is_new: bool) -> Iterator[Request]:
    """Yield the requests for the turns that the board lacks, and for the end of the game."""
    wood, turns = _on_wood(seat), board.turns
    end = _declared_end(seat)
    if end is not None:
        if turns != seat.turns:
            yield {"do": "far", "turns": list(seat.turns)}
        yield {"do": "far", "end": end.as_dict()}
        return
    is_under_way = led == seat.edition and _goes_on(seat, wood, turns)
    is_due = len(wood) < len(seat.turns) and turns != seat.turns
    was_taken_back = board.chosen and board.rests and not is_due
    if was_taken_back or (not is_under_way and turns not in (wood, seat.turns)):
        yield {"do": "far", "turns": list(wood)}
    is_chosen = board.chosen and is_under_way and not (is_new and turns == wood)
    if is_due and not is_chosen:
        yield {"do": "choose", "turn": seat.turns[-1]}


def _goes_on(seat: FarSeat, wood: tuple[str, ...], turns: tuple[str, ...]) -> bool:
    """Return whether hands have done nothing after `wood`, or a part of the turn that follows there."""
    begun = turns[len(wood) :]
    if turns[: len(wood)] != wood or len(begun) > 1:
        return False
    return not begun or len(wood) == len(seat.turns) or seat.turns[-1].startswith(begun[0])


def _has_ended_alike(seat: FarSeat, board: BoardState) -> bool:
    """Return whether the board shows the seat's end, after the same turns if players declared it."""
    if seat.outcome is None or board.outcome is None or dict(board.outcome) != seat.outcome.as_dict():
        return False
    return board.turns == seat.turns or _declared_end(seat) is None


def _to_the_end(seat: FarSeat) -> Iterator[Request]:
    """Yield the requests for a board that ended the game otherwise, before both agreed on the seat's end."""
    end = _declared_end(seat)
    yield {"do": "far", "turns": list(_on_wood(seat) if end is None else seat.turns), "undo": True}
    if end is not None:
        yield {"do": "far", "end": end.as_dict()}


def _declared_end(seat: FarSeat) -> Outcome | None:
    """Return the end that players declared; None if the game goes on, or ended by its rules."""
    return seat.declared if seat.outcome == seat.declared else None


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
