"""The life of a simulated board: time that passes frame by frame, and what hands and life do in between.

Rules kept here: frames are due on a grid that begins at 0, and a request is answered by a frame of its own at
once; whoever asks for the same at the same times gets the same, however fast time passes for them: so what
happened in real time can be told again in virtual time.

Where nothing can change before the next deadline, frames are left out. That changes nothing that happens: the
light's own patterns are caught up with as far back as they are remembered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, TypeAlias, TypeVar

from firmware_host.decoding import Must, decode
from firmware_host.errors import HandsError
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.play.durability import Keeper, NoKeeper
from firmware_host.settings import Microseconds
from firmware_host.store.archive import Shelf
from sim.assembly import Blueprint, SimulatedPlay
from sim.clock import VirtualClock
from sim.disk import is_of_disk
from sim.store import SimulatedStoring, WallMs
from sim.table import hands

_T = TypeVar("_T")
_SECOND: Microseconds = 1_000_000

_LIGHT_REMEMBERS: Microseconds = 20 * _SECOND
"""Two periods of the slowest pattern; what was shown longer ago has no trace in what is shown now."""

_Power: TypeAlias = Annotated[str, Must('"on" or "off"', lambda value: value in ("on", "off"))]

Tell = Callable[[Mapping[str, Any]], None]
"""Told what happens, as the public form has it, while `now` is when."""


class Life:
    """A simulated board on which time passes when it is told to. It lives from `begin` to `close`."""

    def __init__(
        self,
        blueprint: Blueprint,
        tell: Tell,
        *,
        game: Game | None = None,
        settings: Mapping[str, Any] | None = None,
        skip: bool = True,
        wall_ms: WallMs | None = None,
    ) -> None:
        """`game` is gone on with, whatever was kept last, and `settings` are as if they had been kept.

        `skip`: leave out frames in which nothing can change. `wall_ms` tells the times of day of games;
        without it they count from when every simulated board is switched on.
        """
        self.now: Microseconds = 0
        self.period = _SECOND // blueprint.config.timing.frame_rate_hz
        self.powered = True
        self.clock = VirtualClock()
        self._blueprint = blueprint
        self._tell = tell
        self._skip = skip
        self._storing = SimulatedStoring(blueprint, self.clock, wall_ms)
        kept, self._keeper = self._open()
        for name, value in (settings or {}).items():
            self._keeper.put(name, value)
        self.play: SimulatedPlay = blueprint.build(self.clock, game or kept, self._keeper)
        self._framed: Microseconds = 0
        self._sent_before_fault = -1
        """How many frames had left for the strip when something was broken or mended last."""
        self._unfelt = False
        """Whether hands did something, or a contact changed, that the last frame has not felt."""

    def begin(self) -> None:
        """Do the first frame."""
        self._frame(0)

    def close(self) -> None:
        """Go dark, and keep what is still to be kept."""
        if self.powered:
            self._storing.close()
        self.play.close()

    @property
    def faults(self) -> tuple[Mapping[str, Any], ...]:
        """What is broken, as it was said."""
        return (*self.play.electronics.faults, *self._storing.faults)

    @property
    def keeps_games(self) -> bool:
        """Whether there is a disk."""
        return self._blueprint.store is not None

    def read(self, work: Callable[[Shelf], _T]) -> _T:
        """What `work` finds among the games that are kept, or wait to be; raises StoreError."""
        return self._storing.read(work)

    @property
    def settings(self) -> dict[str, Any]:
        """What was set, as it is kept."""
        return dict(self._keeper.settings)

    @property
    def rests(self) -> bool:
        """Whether the board could as well have been switched on just now, with its game on it.

        So it is when nothing is broken, due or in the hands, and the pieces stand as the game has them.
        """
        play = self.play
        session = play.controller.session
        calm = self.powered and not (self.faults or play.controller.faults or play.hands.held)
        return (
            calm
            and session.settled
            and not session.game.mid_turn
            and play.board.deadline is None
            and self._storing.disk.due is None
            and play.electronics.next_change(self.now) is None
            and play.stands_right(self.now)
        )

    def do(self, command: Mapping[str, Any]) -> Microseconds:
        """Do what one object says, now; how long it goes on, if time is to pass until it ends.

        Raises MillwrightError where that cannot be done, and then nothing has changed.
        """
        verb = hands.only_verb(command, VERBS)
        if verb in hands.VERBS:
            self.clock.reach(self.now)
            return self._by_hands(command, verb)
        if verb == "power":
            self._switch(**decode(Life._switch, command, verb, HandsError))
        else:
            self.must_have_power()
            self.play.perform(command)
            self._frame(self.now)
        return 0

    def let_pass(self, lasts: Microseconds) -> None:
        """Let time pass, frame by frame; the last frame of it is never left out."""
        end = self.now + lasts
        last = end - end % self.period
        while self.powered and self._framed < last:
            due = self._next_frame(last)
            self._catch_up_light(due)
            self.now = due
            self._frame(due)
        self.now = end
        if not self.powered:
            self.play.electronics.next_change(end)  # pieces may still fall off the board

    def must_have_power(self) -> None:
        """Raise HandsError while the plug is pulled."""
        if not self.powered:
            raise HandsError("the board has no power", Message("no-power"))

    def _by_hands(self, command: Mapping[str, Any], verb: str) -> Microseconds:
        """Do what hands do, or break what is broken."""
        self._unfelt = True
        if is_of_disk(described := command.get("fault", command.get("repair"))):
            decode(hands.ACTIONS[verb], command, verb, HandsError)
            (self._storing.inject if verb == "fault" else self._storing.repair)(described)
            return 0
        if described is not None:
            self._sent_before_fault = self.play.electronics.spi.writes
        lasts = self.play.hands.do(command, self.now)
        if described is True:
            self._storing.repair()
        return lasts

    def _open(self) -> tuple[Game | None, Keeper]:
        """What is on the disk, and who keeps what comes."""
        kept, keeper = self._storing.open()
        return kept, keeper or NoKeeper()

    def _switch(self, *, power: _Power) -> None:
        """Pull the plug, or put it in again; the program then starts from what is on the disk."""
        if (power == "on") == self.powered:
            raise HandsError(f"the power is {power} already", Message(f"refused.power.{power}"))
        self.clock.reach(self.now)
        self.powered = power == "on"
        if self.powered:
            kept, self._keeper = self._open()
            self.play.plug_in(self._blueprint.controller(kept, self._keeper))
        else:
            self._storing.cut()
            self.play.unplug()
        self._tell({"event": "power", "power": power})
        if self.powered:
            self._frame(self.now)

    # ---- frames ----------------------------------------------------------------------------------------

    def _next_frame(self, last: Microseconds) -> Microseconds:
        """The next frame on the grid in which something may happen, or `last`."""
        following = self._on_grid(self._framed + 1)
        if self._unfelt or not self._skip:
            return following
        board, electronics = self.play.board, self.play.electronics
        frames = [last]
        if (deadline := board.deadline) is not None:
            frames.append(self._on_grid(deadline))
        if (change := electronics.next_change(self._framed)) is not None:
            frames.append(change - change % self.period)  # a scan takes time, and part of it may feel this
        if (written := self._storing.disk.due) is not None:
            frames.append(self._on_grid(written))
        if not electronics.spi.plugged and (light := board.controller.next_light(self._framed)) is not None:
            frames.append(self._on_grid(light))
        if (
            electronics.spi.writes == self._sent_before_fault
        ):  # the strip may show other light than it was sent
            frames.append(self._on_grid(board.sending.again_at))
        return max(following, min(frames))

    def _on_grid(self, time: Microseconds) -> Microseconds:
        """The first frame at or after `time`."""
        return -(-time // self.period) * self.period

    def _catch_up_light(self, due: Microseconds) -> None:
        """Let the light go through what it would have shown before `due`, as far back as that matters."""
        self.play.board.sending.rested(due)
        at = max(self._framed, due - _LIGHT_REMEMBERS)
        while (light := self.play.controller.next_light(at)) is not None:
            at = self._on_grid(max(light, at))
            if at >= due:
                return
            self.play.controller.glow(at)

    def _frame(self, now: Microseconds) -> None:
        """Do one pass of the board's loop, and tell what happened."""
        self.clock.reach(now)
        self._storing.disk.run(now)
        change = self.play.electronics.next_change(now)
        for event in self.play.board.tick(now):
            self._tell(event.as_dict())
        self._framed = now
        self._unfelt = change is not None and change <= self.clock.now()


VERBS = dict.fromkeys((*hands.VERBS, "do", "power"))
"""What can be done to a board."""
