"""The seats of a board: who plays each side, and by which name.

Hands play the turns of a side that is `here`. Of any other side somebody else chooses the turn, and hands
only carry it out.

Invariants: a name is a short line of printable text, or empty where nobody gave one; a side that an engine
plays goes by the engine's name in a record.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

from firmware_host.errors import RequestError, did_you_mean
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player, Rules, Step, legal_turns
from firmware_host.games.rulesets import LESSONS
from firmware_host.settings import EXTERNAL, FAR, MAX_PLAYER_NAME, SEAT_NAMES, Play


@frozen
class SeatHolder:
    """The player of one side: people at the board, an engine of some level, or another program."""

    engine: int | None = None
    """The level of the engine; None: somebody else."""
    external: bool = False
    """True for the other program of the configuration."""
    far: bool = False
    """True for a player on another board."""

    @classmethod
    def named(cls, name: str) -> SeatHolder:
        """Return the seat of that name, such as `engine:4`; raise RequestError if there is none."""
        if name == FAR:
            return cls(far=True)
        if name not in SEAT_NAMES:
            raise RequestError(f"nobody called {name!r} can play; {did_you_mean(name, SEAT_NAMES)}")
        _, _, level = name.partition(":")
        return cls(int(level) if level else None, external=name == EXTERNAL)

    def __str__(self) -> str:
        if self.external or self.far:
            return EXTERNAL if self.external else FAR
        return "here" if self.engine is None else f"engine:{self.engine}"


HERE = SeatHolder()


@frozen
class Seats:
    """The seats of both sides."""

    white: SeatHolder = HERE
    black: SeatHolder = HERE

    @classmethod
    def of(cls, play: Play, kept: object = None) -> Seats:
        """Return the seats that a board starts with.

        They are those that were `kept`, unless the configuration has changed since then, or has no other
        program any more, and otherwise those of the configuration.
        """
        configured = cls(SeatHolder.named(play.white), SeatHolder.named(play.black))
        known = kept if isinstance(kept, Mapping) else {}
        if known.get("configured") != configured.as_dict():
            return configured
        try:
            seats = cls(*(SeatHolder.named(str(known.get(str(player)))) for player in Player))
        except RequestError:  # another version has written it
            return configured
        return configured if play.program is None and seats.need_program else seats

    def changed(self, seats: Mapping[Player, SeatHolder]) -> Seats:
        """Return these seats with some of them taken by others."""
        return replace(self, **{str(player): seat for player, seat in seats.items()})

    @property
    def need_program(self) -> bool:
        """True if another program plays a side."""
        return self.white.external or self.black.external

    @property
    def need_engine(self) -> bool:
        """True if an engine plays a side, or another program for which it stands in."""
        return self.need_program or self.white.engine is not None or self.black.engine is not None

    @property
    def has_far(self) -> bool:
        """True if another board plays a side."""
        return bool(self.far_players)

    @property
    def far_players(self) -> frozenset[Player]:
        """The players on another board."""
        return frozenset(player for player in Player if self.at(player).far)

    def at(self, player: Player) -> SeatHolder:
        """Return the seat of `player`."""
        return self.white if player is Player.WHITE else self.black

    def under(self, rules: Rules) -> Seats:
        """Return who plays a game by these rules; lessons and puzzles are played here."""
        return Seats(HERE, HERE) if rules.name in LESSONS else self

    def bound(self, rules: Rules) -> frozenset[Player]:
        """Return the players whose turns are chosen by others."""
        seats = self.under(rules)
        return frozenset(player for player in Player if seats.at(player) != HERE)

    def as_dict(self) -> dict[str, str]:
        """Return the public form, such as `{"white": "here", "black": "engine:4"}`."""
        return {str(player): str(self.at(player)) for player in Player}

    def kept_over(self, configured: Seats) -> dict[str, Any] | None:
        """Return what is stored of these seats, for `of`; None if they are the `configured` ones."""
        return None if self == configured else {**self.as_dict(), "configured": configured.as_dict()}


@frozen
class PlayerNames:
    """The names of both players."""

    white: str = ""
    black: str = ""

    @classmethod
    def of(cls, kept: object) -> PlayerNames:
        """Return the names that were `kept`; none if that is not the form of names."""
        return cls(**kept) if is_names(kept) and isinstance(kept, Mapping) else cls()

    def at(self, player: Player) -> str:
        """Return the name of `player`, or nothing."""
        return self.white if player is Player.WHITE else self.black

    @property
    def exchanged(self) -> PlayerNames:
        """The names of players who have exchanged their sides."""
        return PlayerNames(self.black, self.white)

    def without(self, players: Collection[Player]) -> PlayerNames:
        """Return these names without those of `players`."""
        return replace(self, **{str(player): "" for player in players})

    def as_dict(self) -> dict[str, str]:
        """Return the public form, such as `{"white": "Anna", "black": ""}`."""
        return {"white": self.white, "black": self.black}

    def kept(self) -> dict[str, Any] | None:
        """Return what is stored of these names, for `of`; None if nobody has one."""
        return self.as_dict() if self != PlayerNames() else None

    def tags(self, seats: Seats) -> dict[str, str]:
        """Return the tags White and Black of a record, as far as they are known."""
        named = {str(player).capitalize(): self._recorded(player, seats) for player in Player}
        return {tag: name for tag, name in named.items() if name}

    def _recorded(self, player: Player, seats: Seats) -> str:
        level = seats.at(player).engine
        return self.at(player) if level is None else f"Millwright, level {level}"


def is_names(value: object) -> bool:
    """Return whether `value` has names of one or both players, and nothing else."""
    return (
        isinstance(value, Mapping)
        and value.keys() <= {"white", "black"}
        and all(isinstance(name, str) and _is_name(name) for name in value.values())
    )


def _is_name(name: str) -> bool:
    return len(name) <= MAX_PLAYER_NAME and name.isprintable() and name == name.strip()


def last_own_turn(game: Game, bound: frozenset[Player]) -> int:
    """Return the ply at which the last turn began that hands have chosen; if there is none, the last turn."""
    starts = (start for start in reversed(game.turn_starts) if start < game.ply)
    return next((ply for ply in starts if game.positions[ply].to_move not in bound), game.last_turn)


def rest_of_chosen(game: Game, kept: object) -> tuple[Step, ...] | None:
    """Return the rest of the turn that was `kept` as chosen; None if it isn't one of this position."""
    if game.outcome is not None or not isinstance(kept, Mapping) or kept.get("ply") != game.turn_starts[-1]:
        return None
    begun = game.steps[game.turn_starts[-1] :]
    turns = (turn.steps for turn in legal_turns(game.position))
    return next((rest for rest in turns if game.rules.turn_text(begun + rest) == kept.get("turn")), None)


def kept_choice(game: Game, rest: tuple[Step, ...] | None) -> dict[str, Any] | None:
    """Return what is stored of a turn that another chose, of which `rest` is left; None if there is none."""
    if not rest:
        return None
    begun = game.turn_starts[-1]
    return {"ply": begun, "turn": game.rules.turn_text(game.steps[begun:] + rest)}
