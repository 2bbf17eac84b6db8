"""The catalogues of the pages' texts, and all messages of program and pages, read from their sources.

Invariants: a key is written where it is used, as a text or with gaps that `VALUES` knows. The texts of set-up
begin with `setup.` and are in catalogues of their own, which only its page loads; so are those of the drawer
(`drawer.`), of faults (`fault.`), which pages load when there is one, and of answers without a page
(`http.`), of far play (`link.`), which the link reports, of rooms (`rooms.`), of speech (`speech.`), of the
wall (`wall.`), of Mitsudomoe's lesson and rules (`mitsudomoe.`), of looking back on games (`study.`), of
puzzles (`puzzle.`), of the board's own Wi-Fi (`wifi.`), of technical settings (`config.`), and of the
doctor's findings (`doctor.`).
"""

import ast
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields
from functools import cache
from itertools import product
from operator import itemgetter
from pathlib import Path
from typing import get_args

from playwright.sync_api import Page

import firmware_host
import hardware
import sim
from firmware_host.config.chosen import CHOOSABLE
from firmware_host.games.game import Player, Reason
from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.games.options import choices
from firmware_host.games.rulesets import FAMILIES, LESSONS, LEVELS, RULE_SETS, rule_set
from firmware_host.i18n import Arg, Message
from firmware_host.lights.cues import Cue
from firmware_host.lights.themes import THEMES
from firmware_host.play.asking.options import QUESTION_PLACES
from firmware_host.play.durability import DISK
from firmware_host.play.other_board import QUESTIONS
from firmware_host.play.puzzle import MOTIFS
from firmware_host.settings import HINT_NAMES, PHRASES, SPEECH_LEVELS, STARTS, Sensors
from hardware.case.sensor_types import SensorType
from hardware.colour_order import BLUE, GREEN, NOTHING, OTHER, RED, WHITE
from hardware.doctor.controls.bars import NONE, OTHER_HALF, OTHER_SIDE, POINTS, SOME
from hardware.doctor.findings import Check
from hardware.doctor.part_names import Noun
from hardware.doctor.select_line_faults import SYMMETRIES
from hardware.setup.point_names import describe_point

PROGRAM = Path(firmware_host.__file__).parent
DRIVERS = Path(hardware.__file__).parent
SIMULATION = Path(sim.__file__).parent
STATIC = PROGRAM / "web" / "static"
LANGUAGES = ("en", "es", "pt", "de")
_TEXTS = {path.stem: json.loads(path.read_text("utf-8")) for path in (STATIC / "words").iterdir()}
CATALOGUES = {name: texts for name, texts in _TEXTS.items() if "." not in name}
SETUP_CATALOGUES = {
    name.removeprefix("setup."): texts for name, texts in _TEXTS.items() if name.startswith("setup.")
}
DRAWER_CATALOGUES = {
    name.removeprefix("drawer."): texts for name, texts in _TEXTS.items() if name.startswith("drawer.")
}
FAULT_CATALOGUES = {
    name.removeprefix("faults."): texts for name, texts in _TEXTS.items() if name.startswith("faults.")
}
HTTP_CATALOGUES = {
    name.removeprefix("http."): texts for name, texts in _TEXTS.items() if name.startswith("http.")
}
LINK_CATALOGUES = {
    name.removeprefix("link."): texts for name, texts in _TEXTS.items() if name.startswith("link.")
}
CARD_CATALOGUES = {
    name.removeprefix("card."): texts for name, texts in _TEXTS.items() if name.startswith("card.")
}
ROOMS_CATALOGUES = {
    name.removeprefix("rooms."): texts for name, texts in _TEXTS.items() if name.startswith("rooms.")
}
SPEECH_CATALOGUES = {
    name.removeprefix("speech."): texts for name, texts in _TEXTS.items() if name.startswith("speech.")
}
MITSUDOMOE_CATALOGUES = {
    name.removeprefix("mitsudomoe."): texts
    for name, texts in _TEXTS.items()
    if name.startswith("mitsudomoe.")
}
STUDY_CATALOGUES = {
    name.removeprefix("study."): texts for name, texts in _TEXTS.items() if name.startswith("study.")
}
PUZZLE_CATALOGUES = {
    name.removeprefix("puzzle."): texts for name, texts in _TEXTS.items() if name.startswith("puzzle.")
}
WIFI_CATALOGUES = {
    name.removeprefix("wifi."): texts for name, texts in _TEXTS.items() if name.startswith("wifi.")
}
UPDATE_CATALOGUES = {
    name.removeprefix("update."): texts for name, texts in _TEXTS.items() if name.startswith("update.")
}
WORKSHOP_CATALOGUES = {
    name.removeprefix("workshop."): texts for name, texts in _TEXTS.items() if name.startswith("workshop.")
}
CONFIG_CATALOGUES = {
    name.removeprefix("config."): texts for name, texts in _TEXTS.items() if name.startswith("config.")
}
DOCTOR_CATALOGUES = {
    name.removeprefix("doctor."): texts for name, texts in _TEXTS.items() if name.startswith("doctor.")
}
WALL_CATALOGUES = {
    name.removeprefix("wall."): texts for name, texts in _TEXTS.items() if name.startswith("wall.")
}
PLAYERS = tuple(map(str, Player))

_PIECES = {piece for name in RULE_SETS for piece in rule_set(name).box}

VALUES = {
    "player": PLAYERS,
    "other": PLAYERS,
    "winner": PLAYERS,
    "loser": PLAYERS,
    "reason": tuple(map(str, Reason)),
    "cue": tuple(map(str, Cue)),
    "name": (*RULE_SETS, *LESSONS),
    "option": (
        *(
            "take-back",
            "undo",
            "redo",
            "pause",
            "resume",
            "draw",
            "white-won",
            "black-won",
            "brightness",
            "sound",
        ),
        *("hint", "rules", "opponent", "board", "back", "off", "again", "people", "hints"),
        *("board-white", "board-black", "board-both", "clock", "clock-strict", "white-clock", "black-clock"),
        *(
            "set-up",
            "white-stands",
            "pieces-stand",
            "white-moves",
            "black-moves",
            "placing",
            "moving",
            "starting",
        ),
        *("phone-here", "lesson", "puzzle"),
        *("room", "meet", "ready", "accept", "decline", "claim-win", "claim-draw", "take-theirs", "leave"),
        *("offer-draw", "offer-take-back", "speech", "language"),
    ),
    "starts": STARTS,
    "sensors.kind": next(one for one in fields(Sensors) if one.name == "kind").metadata["among"],
    "mark": ("found", "configured", "recommended"),
    "sensor": tuple(one.name.lower() for one in SensorType),
    "answer": ("phone.sure", "phone.asked", "phone-in.asked", "phone-out.wrong"),
    "query": tuple(QUESTION_PLACES.values()),
    "speech": SPEECH_LEVELS,
    "area": ("outer", "middle", "inner", "border", "inside", "centre"),
    "phrase": PHRASES,
    "question": QUESTIONS,
    "offered": QUESTIONS,
    "stage": ("free", "full", "playing", "over"),
    "side": PLAYERS,
    "rules.name": (*RULE_SETS, *LESSONS),
    "part": (
        "sensors",
        "leds",
        DISK,
        "games",
        "settings",
        "program",
        "page",
        "journal",
        "clock",
        "pace",
        "engine",
        "supply",
        "files",
        "button",
        "care",
        "wifi",
        "sound",
        "speech",
    ),
    "rule": tuple(choices(*FAMILIES)),
    "choice": tuple(sorted({v for values in choices(*FAMILIES).values() for v in values if not v.isdigit()})),
    "theme": tuple(THEMES),
    "pair": ("swapped", "shorted"),
    "line": ("open", "high"),
    "level": tuple(map(str, LEVELS)),
    "kind": ("works", "stuck-on", "stuck-off", "chatter", "weak", "faint", "wrong-pole"),
    "broken": ("stuck-on", "stuck-off", "chatter", "weak", "faint", "wrong-pole"),
    "value": ("wins", "draws", "loses"),
    "state": ("unknown", "late", "missing"),
    "hint": HINT_NAMES,
    "seen": ("nothing", "piece"),
    "due": ("ring", "ball"),
    "held": ("ring", "ball", "both"),
    "top": tuple(sorted(map(str, _PIECES))),
    "lost": tuple(sorted(map(str, _PIECES))),
    "lifted": ("any", "ring"),
    "beneath": tuple(sorted(str(piece) for piece in _PIECES if piece.flat)),
    "piece": ("any", "white", "black", "ring"),
    "asked": tuple(sorted(str(piece) for piece in _PIECES if piece.kind)),
    "colour": PLAYERS,
    "verdict": ("pass", "warning", "fault", "skipped"),
    "phase": ("place", "move", "fly", "take"),
    "power": ("on", "off"),
    "wiring": ("mirrored", "upside-down", "half-turned", "turned-right", "turned-left"),
    "along": ("upper", "lower"),
    "across": ("left", "right"),
    "puzzle.result": ("win", "draw"),
    "puzzle.motif": MOTIFS,
    "setting": tuple(CHOOSABLE),
    "section": tuple({key.partition(".")[0] for key in CHOOSABLE}),
    "check": get_args(Check),
    "noun": get_args(Noun),
    "piece or 'any'": ("any", *PLAYERS),
    "look": (SOME, OTHER_HALF, OTHER_SIDE, POINTS, NONE),
    "look.name": (RED, GREEN, BLUE),
    "shade": (RED, GREEN, BLUE, WHITE, OTHER, NOTHING),
    "symmetry": tuple(SYMMETRIES),
    "role": ("select", "signal", "enable"),
    "axis": ("row", "column"),
    "unit": ("chip", "row", "column"),
    "number(points)": ("one", "many"),
    "number(theirs)": ("one", "many"),
}
"""The possible parts of a key with a gap, by the expression in the source."""

OF_ONE_PLAYER = ("few-pieces", "blocked", "start-covered", "resigned", "time")
IMPOSSIBLE = {f"why.{reason}" for reason in OF_ONE_PLAYER} | {
    f"why.{reason}.{player}"
    for reason in VALUES["reason"]
    if reason not in OF_ONE_PLAYER
    for player in PLAYERS
}
"""The loser is named where one player's doing ended the game, and only there."""

Told = tuple[str, frozenset[str]]
"""A key and the names of its slots."""


def in_python(path: Path) -> Iterator[Told]:
    """All that a module makes a Message of."""
    tree = ast.parse(path.read_text("utf-8"))
    assigned = sorted(
        (
            (node.lineno, target.id, node.value)
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        ),
        key=itemgetter(0),
    )
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Message":
            key, *rest = node.args
            slots = rest[0] if rest else ast.Dict(keys=[], values=[])
            if isinstance(slots, ast.Name):  # what it was assigned last, above
                above = [value for at, name, value in assigned if name == slots.id and at <= node.lineno]
                slots = above[-1]
            assert isinstance(slots, ast.Dict), ast.unparse(node)
            names = frozenset(ast.literal_eval(name) for name in slots.keys if name is not None)
            for text in keys_of(key):
                yield text, names


def keys_of(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Constant):
        yield str(node.value)
        return
    assert isinstance(node, ast.JoinedStr), f"a key must be written where it is said: {ast.unparse(node)}"
    parts = [
        VALUES[ast.unparse(part.value)] if isinstance(part, ast.FormattedValue) else (ast.literal_eval(part),)
        for part in node.values
    ]
    yield from map("".join, product(*parts))


IN_SCRIPT = re.compile(
    r"\b(?:say\(|sayTo\(|tell\(\{ key: )(?P<quote>[\"`])(?P<key>.+?)(?P=quote)(?:, \{(?P<slots>[^}]*)\})?"
)
IN_MARKUP = re.compile(r'data-say(?:-label)?="([^"]+)"')


def in_page() -> Iterator[Told]:
    """All that scripts and markup of the page ask the catalogue for."""
    for path in STATIC.glob("*.js"):
        for said in IN_SCRIPT.finditer(path.read_text("utf-8")):
            slots = frozenset(part.split(":")[0].strip() for part in (said["slots"] or "").split(",")) - {""}
            pieces = re.split(r"\$\{(\w+)\}", said["key"])
            choices = [VALUES[piece] if index % 2 else (piece,) for index, piece in enumerate(pieces)]
            for key in map("".join, product(*choices)):
                yield key, slots
    for path in STATIC.glob("*.html"):
        for key in IN_MARKUP.findall(path.read_text("utf-8")):
            yield key, frozenset()


@cache  # it takes a second, and few tests need it
def all_said() -> Mapping[str, frozenset[str]]:
    modules = [*PROGRAM.rglob("*.py"), *DRIVERS.rglob("*.py"), *SIMULATION.rglob("*.py")]
    sources = [path for path in modules if "Message(" in path.read_text("utf-8")]
    told = [*(told for path in sources for told in in_python(path)), *in_page()]
    slots_of: dict[str, frozenset[str]] = {}
    for key, slots in told:
        assert slots_of.setdefault(key, slots) == slots, f"{key} is said with {slots_of[key]} and {slots}"
    # The texts for browsers without scripts are in the markup itself.
    said = {key: slots for key, slots in told if key not in IMPOSSIBLE} | {"page.no-scripts": frozenset()}
    return said | dict(addressed(said))


def addressed(said: Mapping[str, frozenset[str]]) -> Iterator[Told]:
    """Yield the forms in which the page speaks to the only person who plays here, or of the board."""
    for key in CATALOGUES["en"]:
        coloured = re.sub(r"\.(you|board)(?=\.|$)", ".white", key)
        if coloured != key and coloured in said:
            yield key, said[coloured]


OWN_CATALOGUES = (
    *("setup", "drawer", "fault", "http", "wall", "rooms", "link", "speech"),
    *("mitsudomoe", "study", "card", "puzzle", "update", "wifi", "workshop", "config", "doctor"),
)
"""The first words of keys in catalogues of their own; all others are in the pages' main one."""


def said_in(catalogue: str = "") -> Mapping[str, frozenset[str]]:
    """Return the keys of a catalogue of its own, or without a name of the main one, and their slots."""
    return {
        key: slots
        for key, slots in all_said().items()
        if catalogue == (first if (first := key.partition(".")[0]) in OWN_CATALOGUES else "")
    }


def examples(catalogue: str = "") -> Iterator[Message]:
    """Each key of a catalogue, with each example of what fills its gaps."""
    for key, slots in said_in(catalogue).items():
        for number in range(max((len(EXAMPLES[slot]) for slot in slots), default=1)):
            yield Message(key, {slot: EXAMPLES[slot][number % len(EXAMPLES[slot])] for slot in slots})


def said_by(page: Page, sayings: list[Message]) -> list[str]:
    """Return the page's texts for the messages."""
    script = "(all) => import('/words.js').then(({ say }) => all.map(({ key, slots }) => say(key, slots)))"
    told: list[str] = page.evaluate(script, [said.as_dict() for said in sayings])
    return told


EXAMPLES: dict[str, tuple[Arg, ...]] = {
    "points": (("d6",), ("d6", "g7"), ("a1", "d6", "g7")),
    "count": (0, 1, 9),
    "minutes": (5, 15),
    "seconds": (3, 30),
    "text": ("pin 17 is busy", "{text} <b>{points}</b>"),
    "turn": ("d6-d5xa1",),
    "better": ("d6-d7",),
    "club": ("mill-club",),
    "mine": ("a1b2",),
    "theirs": ("c3d4",),
    "version": ("2",),
    "number": (1, 12),
    "reason": ("no space left on device",),
    "addresses": ("http://192.168.1.5:8765/",),
    "name": ("Firefox, Android",),
    "why": (Message("why.agreed"), Message("why.blocked.black")),
    "what": (
        Message("repair.take-away", {"points": ("b2",)}),
        Message(
            "repair.and",
            {
                "first": Message("repair.put-back.white.many", {"points": ("d6", "d7", "g1")}),
                "second": Message("repair.change-colour", {"points": ("f4",)}),
            },
        ),
    ),
    "hint": (Message("hint.unknown"), Message("hint.wins.one", {"points": ("d6",)})),
    "first": (Message("repair.take-away", {"points": ("b2",)}),),
    "second": (Message("repair.put-back.black.one", {"points": ("f4",)}),),
    "from": (("g7",),),
    "when": (Message("past.start"), Message("past.after", {"turn": "12. d6-d5"})),
    "kind": ("txt",),
    "piece": (Message("piece.white"), Message("on.black-ring", {"piece": Message("piece.white-ball")})),
    "done": (1,),
    "of": (24,),
    "lights": (3,),
    "due": (24,),
    "longest": (87,),
    "white": (3,),
    "black": (0,),
    "draws": (1,),
    "rules": ("mitsudomoe",),
    "changes": ("Pieces per player: 4 · Diagonal lines: on",),
    "others": (("d6",), ("a1", "d6", "g7")),
    "how": (Message("setup.wired.rotated.half"),),
    "place": (describe_point("d6", MORRIS), describe_point("b4", SQUARES), Message("setup.place.done")),
    "column": (2,),
    "row": (4,),
    "seat": (Message("setup.corner.upper.left"), Message("setup.side.lower")),
    "ring": (Message("setup.ring.inner"),),
    "keys": ("l, q",),
    "path": ("millwright.toml",),
    "form": (Message("setup.form.mux"),),
} | dict.fromkeys(("again", "believed", "led", "level", "number", "other", "raw"), ("7",))
"""The contents of the gaps of each name."""
