"""A maker at a simulated board: does what the prompts say, and knows nothing but what there is to see.

What there is to see is the wood, the pieces on it, and where it shines; which wire and which LED is whose,
only the board knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from firmware_host.config import Config
from firmware_host.games.layout import MORRIS
from firmware_host.ports import Alphabet
from firmware_host.setting_up import SettingUp
from firmware_host.settings import Sensors
from firmware_host.setup_files import Files
from hardware.setup_prompts import Prompt
from hardware.wiring import READINGS, MuxWiring
from sim.clock import VirtualClock
from sim.electronics import SimulatedBoard
from sim.spi import SimulatedSpi
from sim.table import Piece

NAMES = [point.name for point in MORRIS.points]
STEPS_US = (5000, 5000, 5000, 90_000, 90_000, 90_000, 90_000, 90_000)
"""How time passes after a deed: frame by frame while contacts bounce, then in leaps while nothing moves."""


@dataclass(frozen=True)
class Truth:
    """How a board is wired, whatever its configuration says."""

    sensors: Sensors
    contacts: Mapping[tuple[int, int], tuple[int, int]]
    lights: Mapping[str, tuple[int, ...]]
    order: str = "GRB"
    alphabet: Alphabet = Alphabet.PRESENCE

    @property
    def leds(self) -> int:
        """How many LEDs the strip has."""
        return 1 + max(led for leds in self.lights.values() for led in leds)

    @classmethod
    def drawn(
        cls, random: Random, *, sensors: Sensors | None = None, per_point: int = 1, spare: int = 0
    ) -> Truth:
        """A board whose wires and LEDs ended up anywhere; `spare` LEDs along its strip shine for no point."""
        sensors = sensors or Sensors()
        alphabet = Alphabet(sensors.alphabet)
        bare = MuxWiring.bare(sensors)
        wires = [(chip, channel) for chip in range(bare.chips) for channel in range(1 << len(bare.select))]
        random.shuffle(wires)
        contacts = [(point, reading) for point in range(24) for reading in READINGS[alphabet]]
        leds = list(range(24 + spare))
        random.shuffle(leds)
        lights = {
            name: tuple(range(per_point * led, per_point * (led + 1)))
            for name, led in zip(NAMES, leds, strict=False)
        }
        order = random.choice(["GRB", "RGB", "GRBW", "RGBW"])
        return cls(sensors, dict(zip(contacts, wires, strict=False)), lights, order, alphabet)

    def board(self, clock: VirtualClock, seed: int = 0) -> SimulatedBoard:
        """The board itself."""
        bare = MuxWiring.bare(self.sensors)
        wiring = replace(bare, layout=MORRIS, alphabet=self.alphabet, contacts=self.contacts)
        board = SimulatedBoard(MORRIS, self.alphabet, clock, seed=seed, wiring=wiring)
        board.spi = SimulatedSpi(self.leds, self.order)
        return board


@dataclass
class Evening:
    """A set-up on a board, and the maker who does it."""

    truth: Truth
    path: Path
    random: Random
    pieces: tuple[int, int] = (9, 9)
    config: Config = field(default_factory=Config)

    def __post_init__(self) -> None:
        self.clock = VirtualClock()
        self.board = self.truth.board(self.clock, self.random.randrange(1 << 30))
        self.table = self.board.table
        self.table.stock({"white": self.pieces[0], "black": self.pieces[1]})
        self.placements = 0
        self.answers: list[str] = []
        self.last = ""
        self.start()

    def start(self) -> None:
        """Start the program."""
        files = Files(self.path)
        self.run = SettingUp(self.board, self.config, files, lambda: "2026-11-21")
        self.pass_time()

    def pass_time(self, steps: Sequence[int] = STEPS_US) -> None:
        """Let the board come to rest, and the program see it."""
        for step in steps:
            self.clock.reach(self.clock.now() + step)
            self.run.tick(self.clock.now())

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
        piece = self.table.standing(MORRIS[name], self.clock.now())
        return piece.kind if piece else None

    # ---- hands ---------------------------------------------------------------------------------------------

    def put(self, name: str, kind: str | None) -> None:
        kinds = [piece.kind for piece in (*self.table.hands, *self.table.box)]
        piece = self._of(kind or ("white" if "white" in kinds else "black"))
        assert piece is not None
        self.table.put(piece, self.table.spots[MORRIS[name].index], self.clock.now())
        self.placements += 1

    def lift(self, name: str) -> None:
        piece = self.table.standing(MORRIS[name], self.clock.now())
        assert piece is not None, name
        self.table.stow(piece, self.clock.now())

    def has(self, kind: str | None) -> bool:
        return bool(self.table.hands or self.table.box) if kind is None else self._of(kind) is not None

    def _of(self, kind: str) -> Piece | None:
        return next((p for p in (*self.table.hands, *self.table.box) if p.kind == kind), None)

    def say(self, key: str) -> None:
        self.answers.append(key)
        self.run.answer(key)

    # ---- what the maker does -------------------------------------------------------------------------------

    def obey(self) -> None:
        """Do what the prompt asks for, and wait for what comes of it."""
        prompt = self.run.prompt
        if prompt.stage in ("colour", "white"):
            self.say(colour_seen(self.shining()))
        elif prompt.move is not None:
            self.move(prompt)
        elif prompt.stage == "clear" and "" not in {answer.key for answer in prompt.answers}:
            pass
        elif prompt.stage in ("resume", "review"):
            self.say("")
        else:
            raise AssertionError(f"what now? {prompt}")
        self.pass_time()

    def move(self, prompt: Prompt) -> None:
        name = prompt.point or next(iter(self.shining()), None)
        if name is None:
            self.say("d")
            return
        keys = {answer.key for answer in prompt.answers}
        there = self.stands(name)
        if prompt.move == "exchange":
            if not self.has(prompt.colour):
                self.say("n")
            else:
                self.lift(name)
                self.put(name, prompt.colour)
        elif "s" in keys and prompt.point is None and name == self.last:
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
    """The answer to what shines."""
    if not shining:
        return "n"
    red, green, blue = next(iter(shining.values()))
    if min(red, green, blue) > 50:
        return "w"
    return "r" if red > 50 else "g" if green > 50 else "u"
