"""A room's game as pages draw it, for walls and spectators."""

from __future__ import annotations

from typing import Any

from firmware_host.errors import FarError
from firmware_host.far.verifying import FarGame
from firmware_host.games.drawn import drawn_layout, kinds_of, position_after
from firmware_host.games.game import Rules
from firmware_host.link.published import FollowedRoom, PublishedGame, Rooms


def drawn_game(room: FollowedRoom, seat: PublishedGame) -> tuple[dict[str, Any], FarGame | None]:
    """Return the picture of a seat's game, and the game itself once it is over on both boards."""
    game, other = seat.game, room.opposite(seat)
    trouble = bool(seat.record.refused or (other is not None and other.record.refused))
    try:
        over = room.verified(seat.record.board)
    except FarError:
        over, trouble = None, True
    drawn = {
        **position_after(game, len(seat.record.turns)),
        "outcome": None if trouble or game.outcome is None else game.outcome.as_dict(),
        "agreed": over is not None,
        "trouble": trouble,
    }
    return drawn, over


def named_game(rooms: Rooms, room: FollowedRoom, seat: PublishedGame) -> dict[str, Any]:
    """Return the names that go with the picture of a game."""
    return {
        "room": room.name,
        "title": room.title_of(seat),
        "rules": seat.record.rules,
        "players": {
            player: {"name": rooms.label_of(board), "here": rooms.is_present(board)}
            for player, board in boards_of(seat).items()
        },
    }


def look_of(rules: Rules) -> dict[str, Any]:
    """Return what a board of these rules and its pieces are like."""
    return {"layout": drawn_layout(rules.layout), "kinds": kinds_of(rules.box)}


def boards_of(seat: PublishedGame) -> dict[str, str]:
    """Return the boards of both players."""
    return {"white": seat.record.white, "black": seat.record.black}
