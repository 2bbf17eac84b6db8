"""The stored form of clocks: what outlasts a power cut.

The times of all turns are stored, so that a turn can be taken back after a cut as well, and what the present
turn has cost. Times are milliseconds.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from firmware_host.errors import NotationError
from firmware_host.games.game import Game, Player
from firmware_host.games.time_control import TimeControls
from firmware_host.play.clock.game_clock import GameClock, TurnStart
from firmware_host.settings import Microseconds


def kept_clock(clock: GameClock, now: Microseconds) -> dict[str, Any]:
    """Return what is stored of `clock`."""
    turns = [[turn.ply, *(_ms(turn.left.get(player)) for player in Player)] for turn in clock.turns]
    return {
        "control": str(clock.controls),
        "turns": turns,
        "ply": clock.turn.ply,
        "used": _ms(clock.charged(now)),
    }


def restored_clock(
    kept: object, game: Game, furthest: Game, free: Collection[Player], now: Microseconds
) -> GameClock | None:
    """Return the clocks that were `kept` of `game`; None if there were none, or they are not of this game.

    `furthest` is the game with all that can be redone, and `free` are the players whose turns cost nothing.
    """
    if not isinstance(kept, Mapping):
        return None
    try:
        controls = TimeControls.parse(kept["control"])
        turns = tuple(_turn(entry, furthest, free, now) for entry in kept["turns"])
        at = max(index for index, turn in enumerate(turns) if turn.ply <= game.ply)
        used = int(kept["used"]) * 1000 if turns[at].ply == kept["ply"] else 0
    except (NotationError, LookupError, TypeError, ValueError, AttributeError):
        return None  # another version has written it, or it is of another game
    return GameClock(controls, turns, at).resume(now, used)


def was_running(kept: object) -> bool:
    """Return whether the clocks that were `kept` had begun to run, so that people have to resume them."""
    turns = kept.get("turns") if isinstance(kept, Mapping) else None
    return isinstance(turns, list) and len(turns) > 1


def _turn(entry: Any, furthest: Game, free: Collection[Player], now: Microseconds) -> TurnStart:
    ply, *times = entry
    if ply not in (*furthest.turn_starts, furthest.ply):
        raise ValueError(f"no turn begins after {ply} steps")
    mover = furthest.positions[ply].to_move
    left = {player: int(ms) * 1000 for player, ms in zip(Player, times, strict=True) if ms is not None}
    return TurnStart(ply, mover, left, now, is_free=not ply or mover in free)


def _ms(time: Microseconds | None) -> int | None:
    return None if time is None else round(time / 1000)
