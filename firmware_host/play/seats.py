"""The seats of a board: who plays each side, by which name, and who begins the next game.

Hands play the turns of a side that is `here`. Of any other side somebody else chooses the turn, and hands
only carry it out.

Invariants: a name is a short line of printable text, or empty where nobody gave one; a side that an engine
plays goes by the engine's name in a record.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Literal

from firmware_host.errors import RequestError, did_you_mean
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player, Rules, Step, legal_turns
from firmware_host.games.layout import Layout, Point
from firmware_host.games.rulesets import LESSONS
from firmware_host.lights.cues import Cue
from firmware_host.lights.scene import Scene
from firmware_host.play import events as ev
from firmware_host.play.timeline import GameTimeline
from firmware_host.settings import EXTERNAL, FAR, MAX_PLAYER_NAME, SEAT_NAMES, Play
from firmware_host.tracking.verdict import Mismatch, Settled, Unchanged


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


# ---- who begins the next game ---------------------------------------------------------------------------
# The two people sit at two corners of the board. The one in the lower right corner has White in the first
# game.
#
# Invariants: only a game in which something was played decides about the next; a lot decides about each after
# the first. Names and seats go with the people, so all of them change sides together.


BY_RULES: Literal["rules"] = "rules"


def changes_sides(starts: str, last: Game, first: Player, draw_lot: Callable[[], Player]) -> bool:
    """Return whether the people change sides for a game that `first` begins, after the game `last`.

    `starts` is one of STARTS; `draw_lot` returns either player, by chance.
    """
    if starts == "lot":
        return draw_lot() is not first
    if starts == BY_RULES or not last.ply:
        return False
    begins = last.positions[0].to_move.other
    if starts == "loser" and last.outcome is not None and last.outcome.winner is not None:
        begins = last.outcome.winner.other
    return begins is not first


def corner_of_white(layout: Layout, *, turned: bool) -> Point:
    """Return the corner at which White sits: the lower right one, or the upper left if they have `turned`."""
    way = -1 if turned else 1
    return max(layout.points, key=lambda point: way * (point.x - point.y))


class Sides:
    """The sides of the two people at one board, with the seats and names that go with them."""

    names = PlayerNames()
    """The names of the players."""
    turned = False
    """True if the people have changed sides since the first game."""
    _sat_in: tuple[Game, bool] | None = None  # the game that can be gone on with, and `turned` in it

    def __init__(self, starts: str, seats: Seats, timeline: GameTimeline) -> None:
        self.starts = starts
        """The way to choose the person who begins: one of STARTS."""
        self.seats = seats
        """The players of both sides."""
        self._timeline = timeline

    def take(self, seats: Seats) -> None:
        """Have both sides played by `seats` from now on. Players who exchange sides keep their names."""
        if seats != self.seats:
            exchanged = seats == Seats(self.seats.black, self.seats.white)
            self.seats = seats
            self._timeline.add(ev.SeatsChanged(**seats.as_dict()))
            if exchanged and self.names != self.names.exchanged:
                self.call(self.names.exchanged)

    def call(self, names: PlayerNames) -> None:
        """Call the players by `names` from now on, in the record of the game as well unless it is over."""
        self.names = names
        self._timeline.add(ev.PlayersNamed(names.white, names.black), records=True)

    def leave(self, players: frozenset[Player]) -> None:
        """Have people at the board play the sides of `players`, whose names go with them."""
        self._change(self.seats.changed(dict.fromkeys(players, HERE)), self.names.without(players))

    def choose_for(self, first: Player, last: Game, draw_lot: Callable[[], Player]) -> None:
        """Have the people change sides for a game that `first` begins, if `starts` says so after `last`."""
        if last.ply or last.outcome is not None:
            self._sat_in = last, self.turned
        if changes_sides(self.starts, last, first, draw_lot):
            self._swap()

    def undo(self, game: Game) -> None:
        """Have the people sit as they did in `game`, if they changed sides after it."""
        (before, turned), self._sat_in = self._sat_in or (None, False), None
        if before is not None and before.positions[0] is game.positions[0] and turned is not self.turned:
            self._swap()

    def _swap(self) -> None:
        self.turned = not self.turned
        self._change(Seats(self.seats.black, self.seats.white), self.names.exchanged)

    def _change(self, seats: Seats, names: PlayerNames) -> None:
        self.take(seats)
        if names != self.names:
            self.call(names)

    def with_white(self, scene: Scene, game: Game, verdict: Unchanged) -> Scene:
        """Return `scene` with the corner of White lit, before a game for which people may have changed sides.

        Where pieces have to be set up first, they hide it once they stand.
        """
        if self.starts == BY_RULES or game.ply or game.is_set_up or game.outcome is not None:
            return scene
        is_waiting = isinstance(verdict, Mismatch) and not verdict.extra | verdict.wrong
        if is_waiting != any(game.position.stacks) or not (is_waiting or verdict == Settled()):
            return scene
        corner = corner_of_white(game.rules.layout, turned=self.turned)
        return Scene({**scene.cues, corner: frozenset({Cue.WHITE})}, scene.to_move)
