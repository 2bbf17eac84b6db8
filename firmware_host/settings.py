"""The settings of a board as values with defaults; units are in the names.

`config/loader.py` fills these from a file; nothing here reads one. The metadata of a field describe it, list
its values or, for a number, its minimum and maximum, which the reader checks, and give the name by which
people change it while they play, if they may; `workshop` marks what the page's workshop may change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, field, fields
from functools import partial
from itertools import permutations
from pathlib import PurePath
from typing import Any, NamedTuple

from firmware_host.frozen import frozen
from firmware_host.i18n import ENGLISH, LANGUAGES

Microseconds = int
"""Time in whole microseconds since the program started: exact, so that 10 ms are two frames at 200 Hz."""

Gpio = int
"""A line of the Pi's 40-pin header by its BCM number, which is not the pin's number."""


def _number(default: float, least: float, most: float, about: str, **more: Any) -> Any:
    return field(default=default, metadata={"least": least, "most": most, "about": about, **more})


def _choice(default: object, about: str, *among: str, **more: Any) -> Any:
    return field(default=default, metadata={"about": about, **({"among": among} if among else {}), **more})


_tuned = partial(_number, workshop=True)


def _map(about: str) -> Any:
    return field(default_factory=dict, metadata={"about": about})


THEME_NAMES = ("harbour", "candle", "contrast")
"""The themes that `lights/themes.py` has."""
MIN_BRIGHTNESS = 0.05
"""The lowest brightness that can be set, since players might not find out why a board is dark.

A configuration can have less.
"""

EXTERNAL = "external"
"""The seat of another program."""
SEAT_NAMES = ("here", *(f"engine:{level}" for level in range(1, 9)), EXTERNAL)
"""The players that a side can have: people at the board, an engine of some level, or another program."""
FAR = "far"
"""The seat of a player on another board, which a link takes, and no configuration."""
WISHES = ("ready", "draw", "take-back", "accept", "decline", "take-theirs", "claim-win", "claim-draw")
"""The wishes of players there: to begin, to offer or answer, to end a disagreement or an absence."""
MEET, SAY_PHRASE, LEAVE = "meet", "say", "leave"
"""The further wishes of hands: to enter the room of four touched points, say a phrase, or leave the room."""
PHRASES = ("good-game", "wait", "your-turn", "again", "thanks", "bye")
"""The phrases that players can say to each other, which every page has in its own language."""

HINT_NAMES = ("auto", "off", "on-request", "always")
"""The occasions of hints, which show what wins, draws or loses; `auto`: on request against the board."""

GENTLE, STRICT = FLAG_NAMES = "gentle", "strict"
"""The consequences of time that is up: it is only shown, or the game is lost."""

STARTS = ("rules", "turns", "loser", "lot")
"""The ways to choose who begins: the people as they sit, by turns, the loser, or by lot."""

SOUND_OFF, SOUND_FEW, SOUND_ALL = SOUND_LEVELS = "off", "few", "all"
"""The sounds that a board plays: none, those that call for somebody, or all."""

SPEECH_OFF, SPEECH_ANSWERS, SPEECH_TURNS, SPEECH_ALL = SPEECH_LEVELS = "off", "answers", "turns", "all"
"""The sentences that a board speaks: none, those that need an answer, also every turn, or all."""

COLOUR_ORDERS = tuple("".join(order) for parts in ("GRB", "GRBW") for order in permutations(parts))
"""The orders in which LEDs may take their colours: all of three are sold, and a white part comes anywhere."""

MAX_PLAYER_NAME = 30
"""The most characters of a player's name."""
MAX_BOARD_NAME = 60
"""The most characters of a board's name."""
MESSAGE_BYTES = 4096
"""The most bytes of a request to the board's page."""

_UNITS = {
    "_hz": "Hz",
    "_s": "s",
    "_us": "us",
    "_ms": "ms",
    **dict.fromkeys(("_ma", "_ma_per_led", "_ma_per_colour"), "mA"),
}


def bounds(setting: Field[Any]) -> str:
    """Return the range of a number, with its unit."""
    return f"{setting.metadata['least']} to {setting.metadata['most']} {unit_of(setting)}".rstrip()


def unit_of(setting: Field[Any]) -> str:
    """Return the unit of a number, by the end of its name; an empty text if it has none."""
    return next((unit for suffix, unit in _UNITS.items() if setting.name.endswith(suffix)), "")


@frozen
class Timing:
    """Frame rate and waiting times."""

    frame_rate_hz: int = _tuned(200, 20, 1000, "frames per second; each reads all sensors once")
    debounce_ms: int = _tuned(10, 0, 200, "how long a sensor must be stable before its change is accepted")
    landing_ms: int = _tuned(40, 0, 2000, "wait after a landing, if the lifted piece has no other legal one")
    sliding_landing_ms: int = _tuned(240, 0, 5000, "wait after a landing from which a slide could go on")
    removal_ms: int = _tuned(300, 0, 5000, "wait after a capture; longer than a weak sensor drops out")
    put_back_ms: int = _tuned(
        1000, 0, 10000, "a piece that returns within this time was put back; whatever that would change waits"
    )
    illegal_landing_ms: int = _tuned(250, 0, 5000, "wait before an illegal landing is shown")
    mismatch_ms: int = _tuned(1000, 0, 10000, "wait before any other error is shown")
    take_back_rest_ms: int = _tuned(
        3000, 0, 10000, "wait before an earlier position of the game counts as a take-back"
    )
    cleared_ms: int = _tuned(3000, 500, 60000, "how long the board must be empty to start a new game")


@frozen
class Lights:
    """Appearance and power of the lights."""

    theme: str = _choice("harbour", "the colours and patterns of the lights", *THEME_NAMES, name="theme")
    brightness: float = _number(
        0.6, 0.0, 1.0, "the brightness of all lights", name="brightness", least_for_players=MIN_BRIGHTNESS
    )
    gamma: float = _tuned(2.2, 1.0, 4.0, "the exponent by which equal steps of brightness look equal")
    budget_ma: int = _number(500, 100, 20000, "the most current the whole strip may draw")
    idle_ma_per_led: float = _number(1.0, 0.0, 5.0, "the current of a dark LED")
    full_ma_per_colour: float = _number(
        20.0, 1.0, 60.0, "the current of one colour of an LED at full brightness"
    )
    hints: bool = _choice(
        default=True, about="whether legal moves are lit; everything else always is", name="hints"
    )


@frozen
class Play:
    """Options of play besides the rules."""

    rules: str = _choice("standard", "the rule set of a new game")
    switches: tuple[str, ...] = _choice((), 'options that override those of the rule set, each "name=value"')
    take_back: bool = _choice(
        default=True,
        about="whether turns older than the last can be taken back by moving back",
        name="take_back",
    )
    starts: str = _choice(
        "rules",
        "which of the two people has the side that begins: as they sit, by turns, the loser, or by lot",
        *STARTS,
        name="starts",
    )
    white: str = _choice(
        "here", "who plays White: people at the board, the board itself, or another program", *SEAT_NAMES
    )
    black: str = _choice("here", "who plays Black", *SEAT_NAMES)
    hint_white: str = _choice(
        "auto",
        "when White is shown which moves win, draw or lose; auto: on request, against the board only",
        *HINT_NAMES,
        name="hint_white",
    )
    hint_black: str = _choice(
        "auto", "when Black is shown which moves win, draw or lose", *HINT_NAMES, name="hint_black"
    )
    clock: str = _choice(
        "none",
        "the time of the players: minutes, as 10; with seconds for each turn, as 5+3; or seconds for a turn, "
        "as move:30; White's and Black's as 5+3/10",
        name="clock",
    )
    clock_flag: str = _choice(
        GENTLE,
        "gentle: time that is up is only shown; strict: it loses the game",
        *FLAG_NAMES,
        name="clock_flag",
    )
    external: tuple[str, ...] = _choice(
        (), "the other program: its command and arguments; it has to speak the line protocol of mill engines"
    )
    external_options: tuple[str, ...] = _choice((), 'the options that it is given, each "name=value"')
    external_name: str = _choice("", "its name on the page; empty: that of its file")

    @property
    def program(self) -> str | None:
        """The name of the other program; None if there is none."""
        return (self.external_name or PurePath(self.external[0]).name) if self.external else None


@frozen
class Sensors:
    """Wiring of the sensors.

    `points` has the wires of each point: for each of its contacts (presence one, polarity white and black; a
    linear sensor is one for all) its chip and channel, in a matrix its row and column, or without chips its
    line alone. With an empty map contacts are connected in order: contact after contact, in the order of the
    board's points, to channel after channel, chip after chip. `levels` has the readings of each linear sensor
    at rest, under a white piece and under a black one; with pieces, whose magnets have two strengths, also
    under the stronger ones.
    """

    kind: str = _choice(
        "mux",
        "how they are read: mux chips, GPIO lines, a diode matrix, expanders, an ADC (linear sensors), "
        "a microcontroller",
        "mux",
        "direct",
        "matrix",
        "mcp23017",
        "mcp3008",
        "serial",
    )
    alphabet: str = _choice("presence", "what a sensor can tell apart", "presence", "polarity", "pieces")
    select: tuple[Gpio, ...] = _choice(
        (17, 27, 22), "mux, mcp3008: the lines to A, B, C (and D) of all mux chips"
    )
    signal: tuple[Gpio, ...] = _choice(
        (23, 24, 25), "mux: the line from each chip, or one from all of them; direct: the lines"
    )
    enable: tuple[Gpio, ...] = _choice((), "mux: the line to each chip's E, where all share one signal line")
    rows: tuple[Gpio, ...] = _choice(
        (17, 27, 22, 23), "matrix: the line to each row, on the side of the diodes' bands"
    )
    columns: tuple[Gpio, ...] = _choice((24, 25, 5, 6, 16, 20), "matrix: the line from each column of reeds")
    pull_up: bool = _choice(
        default=True, about="mux, direct, matrix: whether the Pi's own resistors pull the signals up"
    )
    settling_us: int = _tuned(
        20, 0, 1000, "mux, matrix, mcp3008: how long a signal takes to follow the select lines or rows"
    )
    expanders: tuple[int, ...] = _choice((0x20, 0x21), "mcp23017: the I2C address of each, 32 to 39")
    i2c: str = _choice("/dev/i2c-1", "mcp23017: their bus")
    inputs: tuple[int, ...] = _choice((0, 1, 2), "mcp3008: its input for each mux chip, 0 to 7")
    adc: str = _choice(
        "/dev/spidev1.0", "mcp3008: its bus; not that of the strip, which would receive its data"
    )
    port: str = _choice("", "serial: the board's port, as /dev/serial/by-id/...; empty: find it")
    boards: bool = _choice(
        default=False, about="mux, mcp3008: whether it is built of the circuit boards in hardware/pcb"
    )
    points: Mapping[str, tuple[tuple[int, ...], ...]] = _map(
        "where each point is wired: [chip, channel], with polarity two (white, black); direct: its line; "
        "matrix: [row, column]"
    )
    levels: Mapping[str, tuple[int, ...]] = _map(
        "mcp3008: each point's levels at rest, under White and Black, as [512, 700, 324]; pieces: two more"
    )

    @property
    def is_linear(self) -> bool:
        """True if an ADC reads how strong the field at each point is, instead of contacts that close."""
        return self.kind == "mcp3008"


@frozen
class Strip:
    """Wiring of the LEDs. With an empty map each point has the LED of its own number."""

    backend: str = _choice("auto", "how its data leaves the Pi", "auto", "spi", "pio", "pwm", "serial")
    leds: int = _number(24, 1, 120, "the number of LEDs of the strip")
    order: str = _choice(
        "GRB", "the order of an LED's colours: R, G and B, and W if it has a white part", *COLOUR_ORDERS
    )
    chip: str = _choice(
        "auto",
        "spi: the LEDs' type; auto: sk6812 if order has a W",
        "auto",
        "ws2812b",
        "sk6812",
        workshop=True,
    )
    reset_us: int = _tuned(
        300, 50, 1000, "spi: how long the line is low before LEDs show a frame; some need 280 or more"
    )
    gpio: int = _number(18, 0, 27, "the data line of pio and pwm; that of spi is 10")
    white_bar: tuple[int, ...] = _choice(
        (), "the LEDs of the bar that shows White's time, the last to go out first; empty: there are no bars"
    )
    black_bar: tuple[int, ...] = _choice((), "the LEDs of Black's bar, as many as White's")
    points: Mapping[str, tuple[int, ...]] = _map("the LED of each point, or a list of them, counted from 0")


NO_LINE: Gpio = -1
"""The line of a part that a board doesn't have."""


@frozen
class Controls:
    """Parts beside the points, which a board may have."""

    button: int = _number(
        NO_LINE, NO_LINE, 27, "the line of a push button to ground, such as 26; -1: there is none"
    )
    off: bool = _choice(
        default=False,
        about="whether the menu and the button switch the machine off; it needs `millwright care`",
        workshop=True,
    )


@frozen
class Sound:
    """The sounds and the speech of a board that has a buzzer or a speaker."""

    level: str = _choice(
        SOUND_FEW,
        "which sounds are played; few: errors, chosen turns, little time, the end",
        *SOUND_LEVELS,
        name="sound",
    )
    buzzer: int = _number(
        NO_LINE,
        NO_LINE,
        27,
        "the line of an active buzzer, behind a transistor, such as 12; -1: there is none",
    )
    speech: str = _choice(
        SPEECH_OFF,
        "which sentences are spoken; answers: those that need an answer",
        *SPEECH_LEVELS,
        name="speech",
    )
    language: str = _choice(ENGLISH, "the language that the board speaks", *LANGUAGES, name="language")


PREFERENCES: Mapping[str, Field[Any]] = {
    setting.metadata["name"]: setting
    for section in (Lights, Play, Sound)
    for setting in fields(section)
    if "name" in setting.metadata
}
"""The settings that people change while they play, by their names in requests and on pages."""


@frozen
class Rest:
    """The rest of a board that nobody uses."""

    dim_after_s: int = _tuned(180, 0, 86400, "seconds after which the lights of moves fade; 0: never")
    sleep_after_s: int = _tuned(
        900, 0, 86400, "seconds after which one point breathes and sensors are read less often; 0: never"
    )
    night: str = _choice(
        "",
        'the hours with less light, such as "22:00-07:00", once the clock is synchronised; empty: none',
        workshop=True,
    )


@frozen
class Store:
    """Storage of games."""

    keep: bool = _choice(
        default=True,
        about="whether games are saved, and the last one continues after a power cut",
        workshop=True,
    )
    path: str = _choice(
        "", "the file of the games; empty: games.db in the system's or the user's data folder"
    )


@frozen
class Link:
    """Games with other boards over a broker, by `millwright link`."""

    broker: str = _choice("", "the broker of the room that is opened here, such as broker.example:8883")
    ca: str = _choice(
        "", "the file of the authority that signed the broker's certificate; empty: those of the system"
    )
    far_rest_ms: int = _number(300, 0, 5000, "how long a turn must not change before the other board gets it")
    name: str = _choice("", "the name of this board for others; empty: that of its machine")
    club: str = _choice("", "the club on that broker in whose lobby rooms are listed; empty: none")
    house_broker: str = _choice("", "the broker of Home Assistant, in which the board then appears")
    house: bool = _choice(default=False, about="whether Home Assistant can give the board commands")


_THIS_MACHINE = "127.0.0.1"


@frozen
class Web:
    """Address of the page, unless a service manager has opened its socket already."""

    host: str = _choice(_THIS_MACHINE, "the address; 127.0.0.1 is for browsers on this machine only")
    port: int = _number(8765, 0, 65535, "the port; 0 takes any free one")
    listen: bool = _choice(
        default=False, about="whether other devices may open the page, at all addresses unless host is set"
    )
    update: bool = _choice(
        default=True, about="whether the page takes signed packages of newer releases, on a board with one"
    )

    def at(self, host: str | None = None, port: int | None = None, *, listen: bool = False) -> Address:
        """Return the page's address, with the given parts replaced by those of a command line."""
        listen = listen or self.listen
        named = self.host if host is None else host
        everywhere = listen and host is None and self.host == _THIS_MACHINE
        return Address("" if everywhere else named, self.port if port is None else port, listen)


class Address(NamedTuple):
    """The page's host (empty: all addresses) and port, and whether other devices may reach it."""

    host: str
    port: int
    listen: bool = False
