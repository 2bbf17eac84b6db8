"""The hints of one board: what is wanted of an engine for them, and what it has answered.

**Invariants:** each position has a hint of its own; an answer to another wish, or one that comes
HINT_TIMEOUT after the wish or later, is not shown. A hint that was asked for lasts until the turn is over.
Time is an argument, and nothing here computes a value.

A hint is shown only to a player at the board, in the own turn, and never in a lesson, which its page leads.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from firmware_host.errors import RequestError
from firmware_host.frozen import frozen
from firmware_host.games.game import Game, Player, Position
from firmware_host.games.rulesets import LESSONS
from firmware_host.games.values import Result, TurnResults
from firmware_host.i18n import Message
from firmware_host.lights.scene import Knowledge
from firmware_host.play import events as ev
from firmware_host.play.part import PlayPart
from firmware_host.play.preferences import PreferenceValues
from firmware_host.play.seats import HERE, Seats
from firmware_host.play.session import Session
from firmware_host.settings import Microseconds


class HintKind(StrEnum):
    """The occasions on which a player is shown hints."""

    OFF = "off"
    ON_REQUEST = "on-request"
    ALWAYS = "always"


AUTO = "auto"
"""The setting for hints on request against the board, and none between people."""


def hint_kinds(values: PreferenceValues, seats: Seats) -> Mapping[Player, HintKind]:
    """Return the hints of both players under these settings; a side that isn't played here has none."""
    settings = {Player.WHITE: values.play.hint_white, Player.BLACK: values.play.hint_black}
    return {player: _kind(settings[player], player, seats) for player in Player}


def _kind(setting: str, player: Player, seats: Seats) -> HintKind:
    if seats.at(player) != HERE:
        return HintKind.OFF
    if setting == AUTO:
        return HintKind.OFF if seats.at(player.other) == HERE else HintKind.ON_REQUEST
    return HintKind(setting)


def kind_now(session: Session, values: PreferenceValues) -> HintKind:
    """Return the hints of the player to move; OFF if somebody or something else decides what is done next."""
    return HintKind.OFF if session.suspended else kind_in_turn(session, values)


def kind_in_turn(session: Session, values: PreferenceValues) -> HintKind:
    """Return the same, whether hands are asked something in the meantime or not."""
    rules, chosen = session.game.rules, session.chosen
    if session.paused or session.must_clear or session.game.outcome is not None:
        return HintKind.OFF
    if rules.name in LESSONS or session.seats.has_far or session.is_others_turn or chosen is not None:
        return HintKind.OFF
    return hint_kinds(values, session.seats)[session.game.position.to_move]


HINT_TIMEOUT: Microseconds = 1_000_000
"""The longest that a player waits for a hint; later it would only confuse."""
SHRUG: Microseconds = 1_000_000
"""The time for which the lights of moves go out when there is no hint for a player who has asked."""


@frozen(eq=False)
class WantedHint:
    """The results of all turns, which are wanted for a hint in the current position of `game`."""

    game: Game
    since: Microseconds

    @property
    def due(self) -> Microseconds:
        """The earliest time at which it may be shown."""
        return self.since


class HintTracker(PlayPart):
    """The hints of one board, one after the other."""

    _values: PreferenceValues

    def __init__(self, session: Session) -> None:
        self._session = session
        self.kind = HintKind.OFF
        """The hints of the player to move."""
        self.wanted: WantedHint | None = None
        """The hint that is wanted now; another object whenever it is another wish."""
        self.known: Knowledge | None = None
        """The answer to it; None until there is one."""
        self._late_at: Microseconds | None = None
        """The time after which an answer is too late; None if none is wanted, or there is one."""
        self.is_late = False
        """True if there was no answer in time."""
        self.shrugs_until: Microseconds | None = None
        """The end of the time in which light says that there is no hint; None if it doesn't."""
        self._asked_in: Position | None = None
        """The position in which the turn began that a hint was asked for."""
        self._asks = False
        self._events: list[ev.Event] = []

    @property
    def deadline(self) -> Microseconds | None:
        """The time at which something happens although nothing is answered; None if nothing will."""
        return min((due for due in (self._late_at, self.shrugs_until) if due is not None), default=None)

    @property
    def is_asked_for(self) -> bool:
        """True if somebody has asked for a hint in this turn."""
        return self._asks or self._asked_in is not None

    def ask(self) -> None:
        """Want a hint until the turn is over, again if there was no answer; raise RequestError."""
        if self.kind is HintKind.OFF:
            raise RequestError(Message("refused.no-hint"))
        self._asks = True
        if self.is_late:
            self.wanted = None

    def dismiss(self) -> None:
        """Want no hint that was asked for."""
        self._asked_in = None
        self._asks = False

    def on_preferences(self, values: PreferenceValues, _before: PreferenceValues | None) -> None:
        """Give hints as players have chosen."""
        self._values = values

    def on_frame(self, now: Microseconds) -> None:
        """Want what the player to move is to be shown."""
        self.want_hint(self._session.game, kind_now(self._session, self._values), now)

    def want_hint(self, game: Game, kind: HintKind, now: Microseconds) -> None:
        """Want what the player to move in `game`, who gets hints of this `kind`, is to be shown."""
        self.kind = kind
        begun_at = game.positions[game.turn_starts[-1]]
        if self._asks:
            self._asks, self._asked_in = False, begun_at
        if kind is HintKind.OFF or self._asked_in is not begun_at:
            self._asked_in = None
        if kind is HintKind.OFF or (kind is HintKind.ON_REQUEST and self._asked_in is None):
            self._want(None)
        elif self.wanted is None or self.wanted.game.position is not game.position:
            self._want(WantedHint(game, now))
        if self.shrugs_until is not None and now >= self.shrugs_until:
            self.shrugs_until = None
        if self._late_at is not None and now >= self._late_at:
            self.is_late, self._late_at = True, None
            self._shrug(now)

    def _want(self, wanted: WantedHint | None) -> None:
        self.wanted, self.known, self.is_late = wanted, None, False
        self.shrugs_until = None
        self._late_at = None if wanted is None else wanted.since + HINT_TIMEOUT

    def _shrug(self, now: Microseconds) -> None:
        """Let light say that there is no hint, if it was asked for in this position."""
        if self.wanted is not None and self.wanted.game.position is self._asked_in:
            self.shrugs_until = now + SHRUG

    def show_results(self, wanted: WantedHint, results: TurnResults, now: Microseconds) -> bool:
        """Show the results that were `wanted`; return False if they are out of date or too late."""
        if wanted is not self.wanted or self.known is not None or now >= wanted.since + HINT_TIMEOUT:
            return False
        self.known = Knowledge(wanted.game, results)
        self._late_at = None
        if self.known.is_empty and not self.known.suggests:
            self._shrug(now)
        self._events.append(_hint_found(wanted.game, self.known))
        return True

    def take_events(self) -> tuple[ev.Event, ...]:
        """Return the events since the last call, in order."""
        events = tuple(self._events)
        self._events.clear()
        return events


def _hint_found(game: Game, known: Knowledge) -> ev.HintFound:
    by_result = {
        result: frozenset(point for point, one in known.at_rest.items() if one is result) for result in Result
    }
    return ev.HintFound(
        game.position.to_move,
        wins=by_result[Result.WIN],
        draws=by_result[Result.DRAW],
        loses=by_result[Result.LOSS],
        unknown=by_result[Result.UNKNOWN],
        suggested=known.suggested_at_rest,
    )
