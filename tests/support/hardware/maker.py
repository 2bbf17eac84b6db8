"""A maker at a simulated board: does what the prompts say, and knows nothing but what there is to see.

What there is to see is the wood, the pieces on it, and where it shines; which wire and which LED is whose,
only the board knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from firmware_host.config.loader import Config
from firmware_host.config.wiring_map import contact_names
from firmware_host.games.layout import MORRIS, Layout
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.maintenance.setup_session import SetupSession
from firmware_host.ports import SensorKind
from firmware_host.settings import COLOUR_ORDERS, Controls, Sensors, Sound, Strip
from hardware.setup.prompts import Prompt
from hardware.wiring.contacts import MuxWiring, every_wire
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from sim.table.table import Make, TablePiece

NAMES = [point.name for point in MORRIS.points]
STEPS_US = (5000, 5000, 5000, 90_000, 90_000, 90_000, 90_000, 90_000)
"""The steps of time after an action: frame by frame while contacts bounce, then in leaps."""


@dataclass(frozen=True)
class Truth:
    """The real wiring of a board, whatever its configuration says."""

    sensors: Sensors
    strip: Strip
    layout: Layout = MORRIS
    controls: Controls = field(default_factory=Controls)
    sound: Sound = field(default_factory=Sound)

    @property
    def lights(self) -> Mapping[str, tuple[int, ...]]:
        """The LEDs of each point."""
        return self.strip.points

    @classmethod
    def drawn(
        cls,
        random: Random,
        sensors: Sensors,
        *,
        per_point: int = 1,
        spare: int = 0,
        layout: Layout = MORRIS,
    ) -> Truth:
        """A board whose wires and LEDs ended up anywhere; `spare` LEDs along its strip shine for no point."""
        names = [point.name for point in layout.points]
        wires = list(every_wire(sensors)) or [(chip, channel) for chip in range(3) for channel in range(8)]
        random.shuffle(wires)
        free = iter(wires)
        points: dict[str, tuple[tuple[int, ...], ...]]
        points = {name: tuple(next(free) for _ in contact_names(sensors)) for name in names}
        if sensors.kind == "direct":
            lines = MuxWiring.bare(sensors).signals
            points = {name: tuple((lines[chip],) for chip, _ in own) for name, own in points.items()}
        leds = list(range(len(names) + spare))
        random.shuffle(leds)
        lights = {
            name: tuple(range(per_point * led, per_point * (led + 1)))
            for name, led in zip(names, leds, strict=False)
        }
        # The firmware of a microcontroller has its wiring compiled in.
        sizes = (3,) if sensors.kind == "serial" else (3, 4)
        order = random.choice([order for order in COLOUR_ORDERS if len(order) in sizes])
        strip = Strip(leds=per_point * (len(names) + spare), order=order, points=lights)
        return cls(replace(sensors, points=points), strip, layout)

    def board(self, clock: VirtualClock, seed: int = 0) -> SimulatedBoard:
        """The board itself."""
        alphabet = SensorKind(self.sensors.alphabet)
        return SimulatedBoard(
            self.layout,
            alphabet,
            clock,
            seed=seed,
            sensors=self.sensors,
            strip=self.strip,
            controls=self.controls,
            sound=self.sound,
        )


@dataclass
class Workbench:
    """A set-up on a board, and the maker who does it."""

    truth: Truth
    path: Path
    random: Random
    pieces: tuple[int, int] = (9, 9)
    config: Config = field(default_factory=Config)
    kinds: Mapping[str, tuple[int, Make]] = field(default_factory=dict)
    """Other pieces than plain ones: how many of each kind there are, and how they are made."""
    steps_us: Sequence[int] = STEPS_US
    files: SetupFiles | None = None
    """The files of a board that its page sets up; otherwise those at `path`."""
    tries: int = 2
    """The number of retries if not everything was found."""

    def __post_init__(self) -> None:
        self.clock = VirtualClock()
        self.board = self.truth.board(self.clock, self.random.randrange(1 << 30))
        self.table = self.board.table
        self.layout = self.truth.layout
        self.stock()
        self.placements = 0
        self.answers: list[str] = []
        self.heard: set[bool] = set()
        self.last = ""
        self.tried: object = None
        self.deeds: list[tuple[str, str, str]] = []
        self.start()

    def stock(self) -> None:
        """Lay the pieces beside the board."""
        if self.kinds:
            counts = {kind: count for kind, (count, _) in self.kinds.items()}
            self.table.stock(counts, {kind: make for kind, (_, make) in self.kinds.items()})
        else:
            self.table.stock({"white": self.pieces[0], "black": self.pieces[1]})

    def start(self) -> None:
        """Start the program."""
        files = self.files or SetupFiles(self.path)
        self.run = SetupSession(self.board, self.config, files, lambda: "2026-11-21")
        self.pass_time()

    def pass_time(self) -> None:
        """Let the board come to rest, and the program see it."""
        for step in self.steps_us:
            self.clock.reach(self.clock.now() + step)
            self.run.tick(self.clock.now())
            self.heard.add(self.board.buzzer.is_on)

    # ---- what there is to see ------------------------------------------------------------------------------

    def shining(self) -> dict[str, tuple[int, int, int]]:
        """The points that shine brightly, with the colour of theirs that is brightest."""
        seen = {}
        for name, leds in self.truth.lights.items():
            colour = max((self.board.spi.leds[led] for led in leds), key=max)
            if max(colour) > 50:
                seen[name] = colour
        return seen

    def stands(self, name: str) -> str | None:
        piece = self.table.standing(self.layout[name], self.clock.now())
        return piece.kind if piece else None

    # ---- hands ---------------------------------------------------------------------------------------------

    def put(self, name: str, kind: str | None) -> None:
        piece = self._of(kind) if kind else self._any()
        assert piece is not None
        self.table.put(piece, self.table.spots[self.layout[name].index], self.clock.now())
        self.placements += 1
        self.deeds.append(("put", name, piece.kind))

    def lift(self, name: str) -> None:
        piece = self.table.standing(self.layout[name], self.clock.now())
        assert piece is not None, name
        self.table.stow(piece, self.clock.now())
        self.deeds.append(("lift", name, piece.kind))

    def has(self, kind: str | None) -> bool:
        return (self._any() if kind is None else self._of(kind)) is not None

    def _any(self) -> TablePiece | None:
        """A piece where the prompt names no kind: of several strengths of magnets, a weak one."""
        plain = [kind for kind, (_, make) in self.kinds.items() if not make.magnet] or ["white", "black"]
        return next((piece for kind in plain if (piece := self._of(kind))), None)

    def _of(self, kind: str) -> TablePiece | None:
        return next((p for p in (*self.table.hands, *self.table.box) if p.kind == kind), None)

    def say(self, key: str) -> None:
        self.answers.append(key)
        self.run.answer(key)

    # ---- what the maker does -------------------------------------------------------------------------------

    def obey(self) -> None:
        """Do what the prompt asks for, and wait for what comes of it."""
        prompt = self.run.prompt
        keys = {answer.key for answer in prompt.answers}
        if prompt.stage == "colour":
            self.say(colour_seen(self.shining()))
        elif prompt.move is not None:
            self.move(prompt)
        elif prompt.stage == "clear" and (standing := self.standing()):
            for name in standing:
                self.lift(name)
        elif prompt.stage == "review" and "a" in keys and self.answers.count("a") < self.tries:
            self.say("a")
        elif prompt.stage in ("resume", "review", "clear") and "" in keys:
            self.say("")
        elif prompt.stage in ("clear", "learn"):
            pass
        elif prompt.stage == "free":
            assert prompt.point
            self.lift(prompt.point)
        elif prompt.stage == "measure":
            self.measure(prompt)
        elif prompt.stage == "button":
            self.press()
        elif prompt.stage == "buzzer":
            self.listen()
        elif prompt.stage == "sure":
            name = self.deeds[-1][1]
            self.say("" if name in (prompt.point or list(self.shining())) else "t")
        elif prompt.stage == "find":
            self.undo(prompt)
        else:
            raise AssertionError(f"what now? {prompt}")
        self.pass_time()

    def press(self) -> None:
        """Press the button, or say that there is none."""
        if self.board.has_button:
            self.board.press(300_000)
        else:
            self.say("")

    def listen(self) -> None:
        """Say what the buzzer does for some seconds."""
        self.heard.clear()
        for _ in range(5):
            self.pass_time()
        self.say("y" if self.heard == {True, False} else "")

    def standing(self) -> list[str]:
        """The points that a piece stands on."""
        return [point.name for point in self.layout.points if self.stands(point.name)]

    def undo(self, prompt: Prompt) -> None:
        """Undo what was done last, as is asked."""
        verb, name, kind = self.deeds[-1] if self.deeds else ("", "", "")
        asked = prompt.sentence.key
        other = {"put": "setup.undo.lifted", "lift": "setup.undo.set-down"}.get(verb, asked)
        if asked == other or (verb == "put") != (self.stands(name) is not None):
            self.say("")
            return
        self.deeds.pop()
        kept = list(self.deeds)
        if verb == "put":
            self.lift(name)
        else:
            self.put(name, kind)
        self.deeds = kept

    def measure(self, prompt: Prompt) -> None:
        """Set the kind of piece that is asked for down at the point that is spoken of, alone."""
        assert prompt.point
        if self.stands(prompt.point):
            self.lift(prompt.point)
            self.pass_time()
        verb, _, kind = prompt.sentence.key.rpartition(".")
        if verb == "setup.measure":
            self.put(prompt.point, kind)

    # ---- what goes wrong -----------------------------------------------------------------------------------

    def blunder(self) -> str:
        """Do something that was not asked for, notice it, and correct it; return its name."""
        kind = self.random.choice(["wrong point", "two at once", "knock", "slide", "back", "interrupt"])
        standing = self.standing()
        free = [point.name for point in self.layout.points if point.name not in standing]
        deeds = list(self.deeds)
        put = None
        coloured = self.run.prompt.colour is not None
        match kind:
            case "wrong point" | "two at once" | "knock" | "slide" if coloured:
                return "none"  # what is half exchanged is taken back by a key
            case "wrong point" if free and self.has(None):
                name = self.random.choice(free)
                self.put(name, None)
                self.pass_time()
                self.lift(name)
            case "two at once" if len(free) > 1 and self.has(None):
                prompt = self.run.prompt
                asked = prompt.point or next(iter(self.shining()), None)
                other = self.random.choice([point for point in free if point != asked])
                if prompt.move in ("put", "either") and asked in free:
                    self.put(asked, None)
                    put = self.deeds[-1]
                if self.has(None):
                    self.put(other, None)
                    self.pass_time()
                    self.lift(other)
            case "knock" if free and standing:
                origin, target = self.random.choice(standing), self.random.choice(free)
                self.knock(origin, target)
                self.pass_time()
                self.knock(target, origin)
            case "slide" if len(free) > 2 and self.has(None):
                a, b = self.random.sample(free, 2)
                self.put(a, None)
                now = self.clock.now()
                piece = self.table.standing(self.layout[a], now)
                assert piece is not None
                spots = [self.table.spots[self.layout[name].index] for name in (b, a)]
                self.table.push(piece, spots, now, now + 300_000)
                self.pass_time()
                self.lift(a)
            case "back" if "b" in {answer.key for answer in self.run.prompt.answers}:
                self.say("b")
            case "interrupt":
                self.interrupt()
        self.deeds, self.tried = deeds, None
        if put is not None:
            self.deeds.append(put)
        self.pass_time()
        return kind

    def knock(self, origin: str, target: str) -> None:
        """A piece jumps from one point to another."""
        piece = self.table.standing(self.layout[origin], self.clock.now())
        assert piece is not None
        self.table.put(piece, self.table.spots[self.layout[target].index], self.clock.now())

    def move(self, prompt: Prompt) -> None:
        name = prompt.point or next(iter(self.shining()), None)
        if name is None:
            self.say("d")
            return
        keys = {answer.key for answer in prompt.answers}
        there = self.stands(name)
        tried, self.tried = self.tried, (prompt.sentence, dict(prompt.light))
        if tried == self.tried:
            self.say("l" if "l" in keys else "")
        elif prompt.move == "exchange":
            if not self.has(prompt.colour):
                self.say("n")
            else:
                self.lift(name)
                self.put(name, prompt.colour)
        elif "s" in keys and name == self.last and len(self.truth.lights[name]) > 1:
            self.say("s")
        elif there and prompt.move in ("lift", "either"):
            self.lift(name)
        elif there:
            self.say("l")
        elif prompt.move == "lift":
            self.say("")
        elif not self.has(prompt.colour):
            self.say("n")
        else:
            self.put(name, prompt.colour)
        self.last = name

    def finish(self, most: int = 400) -> None:
        """Go on until set-up is over."""
        for _ in range(most):
            if self.run.over:
                return
            self.obey()
        raise AssertionError(f"no end: {self.run.prompt}")

    def interrupt(self) -> None:
        """End the program and start it again."""
        self.run.close()
        self.start()


def colour_seen(shining: Mapping[str, tuple[int, int, int]]) -> str:
    """The answer to what shines: the key of a colour, of none, or of several."""
    lit = {
        "".join(part for part, level in zip("rgu", colour, strict=True) if level > 50)
        for colour in shining.values()
    }
    if len(lit) > 1:
        return "s"
    return {"rgu": "w", **{key: key for key in "rgu"}}.get(lit.pop(), "s") if lit else "n"
