"""The questions of the ask and their options: which place offers which request.

A question is the menu that is lit at one moment. The first has what is needed most, so that one touch does
it, and groups that lead to further questions. The same place offers the same in each game; what is not
possible is left out.

Invariants: nothing here knows a rule; an option is a request, or leads to another question. `back` stands at
the same place in every question. An option that ends a game has to be confirmed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from firmware_host.frozen import frozen
from firmware_host.games.layout import MORRIS, SQUARES, Layout, Point
from firmware_host.games.rulesets import DEFAULT, PUZZLE, levels, standard_options
from firmware_host.i18n import LANGUAGES
from firmware_host.play.controls import GameControls
from firmware_host.play.hint_light import HintKind, kind_in_turn
from firmware_host.play.other_board import RoomReport
from firmware_host.play.preferences import PreferenceValues
from firmware_host.play.speech import SpeechTracker
from firmware_host.play.switching_off import SwitchOff
from firmware_host.settings import (
    FAR,
    GENTLE,
    LEAVE,
    MEET,
    PHRASES,
    SAY_PHRASE,
    SOUND_LEVELS,
    SPEECH_LEVELS,
    SPEECH_OFF,
    STARTS,
    STRICT,
    THEME_NAMES,
    Lights,
    Play,
    Sound,
)

# ---- places ---------------------------------------------------------------------------------------------
# The places at which the ask offers its options: three rings of eight directions on every board.
#
# The 25 squares have the same rings around their middle square, so that an option has the same direction on
# each board. Index order is ring after ring from the inside, each clockwise from its top.


_DIRECTIONS = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
_RINGS = ("inner", "middle", "outer")
PLACES = tuple(f"{ring}-{direction}" for ring in _RINGS for direction in _DIRECTIONS)
"""The names of all places: `inner-n` is the top of the inner ring."""

_ON_SQUARES = "c4 d4 d3 d2 c2 b2 b3 b4  c5 e5 e3 e1 c1 a1 a3 a5  d5 e4 e2 d1 b1 a2 a4 b5"
_POINTS = {
    MORRIS.points: MORRIS.points,
    SQUARES.points: tuple(SQUARES[name] for name in _ON_SQUARES.split()),
}


def places(layout: Layout) -> Mapping[str, Point]:
    """Return the point of each place on a board with this layout."""
    return MappingProxyType(dict(zip(PLACES, _POINTS[layout.points], strict=True)))


# ---- facts ----------------------------------------------------------------------------------------------
# The facts about a board that decide which options the ask has.


_REQUESTS = ("take-back", "redo", "undo", "pause", "resume", "draw")
"""The requests that are options without arguments."""


def situation_of(
    off: SwitchOff,
    controls: GameControls,
    values: PreferenceValues,
    rule_sets: tuple[str, ...],
    speech: SpeechTracker,
) -> Situation:
    """Return the situation of a board with these preferences, which can play by `rule_sets`."""
    session = off.session
    game, seats = session.game, session.seats.as_dict()
    switches = dict(switch.split("=") for switch in game.rules.describe().split()[1:])
    return Situation(
        possible=_possible(off, controls, values),
        is_begun=game.ply > 0,
        is_over=game.outcome is not None,
        rules=game.rules.name,
        rule_sets=rule_sets,
        levels=tuple(levels(game.rules)),
        white=seats["white"],
        black=seats["black"],
        lights=values.lights,
        play=values.play,
        sound=values.sound,
        switches=switches,
        odds={**standard_options(game.rules.name), **switches}.get("odds"),
        plays_sounds=bool(speech.sounds.parts),
        speaks=speech.can_be_chosen,
        room=controls.far.room.report,
    )


def _possible(off: SwitchOff, controls: GameControls, values: PreferenceValues) -> frozenset[str]:
    """Return the names of the requests without arguments that are possible once the ask closes."""
    possible = {name for name in _REQUESTS if controls.unavailable_reason(name) is None}
    may_hint = kind_in_turn(off.session, values) is not HintKind.OFF
    others = {"hint": may_hint, "off": off.is_possible}
    return frozenset(possible | {name for name, may in others.items() if may})


# ---- questions and options ------------------------------------------------------------------------------


GAME, OPPONENT, RULES, BOARD, CLOCK, RESULT = "game", "opponent", "rules", "board", "clock", "result"
STARTING, PHONE, WORKSHOP = "starting", "phone", "workshop"
PHONE_IN, PHONE_OUT = "phone-in", "phone-out"
WHITE_CLOCK, BLACK_CLOCK = "white-clock", "black-clock"
ROOM, OFFER, BEGIN = "room", "offer", "begin"
"""The names of the questions."""
TOUCH_QUESTIONS = (PHONE, WORKSHOP)
"""The questions whether somebody is at the board, which only hands can answer."""
PHONE_ANSWERS = (PHONE_IN, PHONE_OUT)
"""The answers to a phone, which are shown for a moment and offer nothing: it is let in, or not."""
WORKSHOPS = SET_UP, DOCTOR, SETTINGS = "setup", "doctor", "settings"
"""The kinds of the workshop, which begin by a touch."""
NETWORK = "network"
"""The choice of the board's network, which somebody at the board agrees to in the same way."""
_BY_THEMSELVES = (GAME, OFFER, BEGIN)
"""The questions that no other leads to."""

BACK_AT = "middle-s"
PHRASE_PLACES = {
    phrase: f"outer-{place}"
    for phrase, place in zip(PHRASES, ("nw", "n", "ne", "se", "s", "sw"), strict=True)
}
"""The places at which a phrase is sent, and lit when the other player sends it."""
QUESTION_PLACES = {
    f"outer-{place}": query
    for place, query in zip(
        ("n", "ne", "e", "se", "s"), ("turn", "last", "board", "counts", "clock"), strict=True
    )
}
"""The places at which a board that speaks is asked."""
BRIGHTNESS_STEPS = (0.15, 0.3, 0.6, 1.0)
CLOCK_CONTROLS = ("none", "3+2", "5+3", "10+5", "15+10", "30", "move:30")
"""The time controls to choose from, clockwise from the top."""
_FIRST_LEVEL = 3
"""The level of the board's opponent until another is chosen: for casual players."""
_BOARD_SEATS = "engine:"
TWICE = 2
"""The touches of an option that ends a game: the second one confirms it."""


@frozen
class Option:
    """A choice of the ask."""

    does: str
    """Its public name, such as `take-back` or `rules:lasker`."""
    request: Mapping[str, Any] | None = None
    """The request that it makes; None if it only leads on or back."""
    leads_to: str | None = None
    """The question that follows; None if the ask closes."""
    touches: int = 1
    """The number of touches that choose it."""
    is_counted: bool = False
    """True if it takes exactly that many touches, and then none for a while."""
    holds: bool = False
    """True if it is in force already."""


@frozen
class Situation:
    """The facts about a board that decide which options it has."""

    possible: frozenset[str]
    """The names of the requests without arguments that are possible now."""
    is_begun: bool
    is_over: bool
    rules: str
    """The name of the rules."""
    rule_sets: tuple[str, ...]
    """The names of those that the board can play."""
    levels: tuple[int, ...]
    """The levels that the board has as an opponent."""
    white: str
    black: str
    """The players of both sides, as in the request `seats`."""
    lights: Lights
    play: Play
    sound: Sound
    """The settings that apply, those included that players have changed."""
    switches: Mapping[str, str]
    """The options that override those of the rule set."""
    odds: str | None
    """The handicap; None if these rules have none."""
    plays_sounds: bool
    """True if something plays the sounds."""
    speaks: bool
    """True if something can speak."""
    room: RoomReport | None
    """The room of the program that links boards; None without one."""

    @property
    def can_be_decided(self) -> bool:
        """True if players can say how the game ends."""
        return self.is_begun and not self.is_over

    @property
    def touches_for_new_game(self) -> int:
        """The touches of an option that begins a new game, which may end one."""
        return TWICE if self.can_be_decided else 1

    @property
    def is_shared(self) -> bool:
        """True during a game with another board, which nobody leaves alone, unless its room was left."""
        has_left = self.room is not None and self.room.stage == "outside"
        return FAR in (self.white, self.black) and not (self.is_over or has_left)


def options(question: str, now: Situation) -> dict[str, Option]:
    """Return the options of `question` by their places, without those that are not possible."""
    found = dict(_QUESTIONS[question](now))
    if question == RESULT or not found:
        return found
    return {**found, BACK_AT: Option("back", leads_to=None if question in _BY_THEMSELVES else GAME)}


def _game(now: Situation) -> Iterator[tuple[str, Option]]:
    requests = (("inner-nw", "hint"), ("inner-n", "undo"), ("inner-n", "take-back"), ("inner-ne", "redo"))
    for place, name in requests:
        if name in now.possible:
            yield place, Option(name, {"do": name})
    if "resume" in now.possible:
        yield "inner-se", Option("resume", {"do": "resume"})
    elif "pause" in now.possible and now.is_begun:
        yield "inner-se", Option("pause", {"do": "pause"})
    if now.rules == PUZZLE:
        yield "inner-s", Option(PUZZLE, {"do": "puzzle"})
    elif now.can_be_decided:
        yield from _ends(now)
    if now.room is not None:
        yield "middle-n", Option(ROOM, leads_to=ROOM)
    brightness = next(
        (step for step in BRIGHTNESS_STEPS if step > now.lights.brightness + 0.01), BRIGHTNESS_STEPS[0]
    )
    yield "inner-sw", Option("brightness", {"do": "set", "brightness": brightness}, leads_to=GAME)
    yield from _audible(now)
    if "off" in now.possible:
        yield "middle-e", Option("off", {"do": "off"}, touches=TWICE)
    groups = {"middle-sw": BOARD, "middle-se": CLOCK}
    if not now.is_shared:
        groups |= {"middle-nw": RULES, "middle-ne": OPPONENT}
    for place, group in groups.items():
        yield place, Option(group, leads_to=group)


def _audible(now: Situation) -> Iterator[tuple[str, Option]]:
    """Yield the level of the sounds, and what a board that speaks can be asked."""
    if now.plays_sounds:
        sound = {"do": "set", "sound": _next(SOUND_LEVELS, now.sound.level)}
        yield "middle-w", Option("sound", sound, leads_to=GAME)
    if now.speaks and now.sound.speech != SPEECH_OFF:
        for place, query in QUESTION_PLACES.items():
            yield place, Option(f"tell:{query}", {"do": "tell", "what": query}, leads_to=GAME)


def _next(among: Sequence[str], present: str) -> str:
    """Return the value after the `present` one, going round."""
    return among[(among.index(present) + 1) % len(among)]


def _ends(now: Situation) -> Iterator[tuple[str, Option]]:
    """Yield the ends of a game that its players can declare; the other board's player isn't here."""
    if now.black != FAR:
        yield "inner-w", Option("white-won", {"do": "resign", "player": "black"}, touches=TWICE)
    if now.white != FAR:
        yield "inner-e", Option("black-won", {"do": "resign", "player": "white"}, touches=TWICE)
    if "draw" in now.possible:
        yield "inner-s", Option("draw", {"do": "draw"}, touches=TWICE)
    if now.is_shared and now.room is not None and now.room.stage == "playing":
        yield "inner-n", _wish("offer-take-back", "take-back")
        yield "inner-s", _wish("offer-draw", "draw", touches=TWICE)


def _wish(does: str, wish: str, *, touches: int = 1, **members: Any) -> Option:
    """Return an option that the link carries out, if the records of both boards allow it."""
    return Option(does, {"do": "wish", "wish": wish, **members}, touches=touches)


def _room(now: Situation) -> Iterator[tuple[str, Option]]:
    """Yield how another board is met, and what there is to do and to say in the room with it."""
    room = now.room
    if room is None:
        return
    if room.stage == "outside":
        yield "inner-n", Option(MEET, leads_to=MEET)
        return
    yield from _begin(now)
    if room.stage == "over":
        yield "inner-n", _wish("ready", "ready")
    yield from _offer(now)
    if room.may_claim:
        yield "inner-w", _wish("claim-win", "claim-win", touches=TWICE)
        yield "inner-e", _wish("claim-draw", "claim-draw", touches=TWICE)
    if room.trouble is not None:
        yield "inner-nw", _wish("take-theirs", "take-theirs", touches=TWICE)
    yield "inner-sw", _wish("leave", LEAVE, touches=TWICE)
    if room.stage not in ("unconnected", "alone"):
        for phrase, place in PHRASE_PLACES.items():
            yield place, _wish(f"say:{phrase}", SAY_PHRASE, phrase=phrase)


def _begin(now: Situation) -> Iterator[tuple[str, Option]]:
    if now.room is not None and now.room.stage == "waiting":
        yield "inner-n", _wish("ready", "ready")


def _offer(now: Situation) -> Iterator[tuple[str, Option]]:
    """Yield the answers to what the other player offers."""
    question = None if now.room is None else now.room.question
    if question is not None:
        yield "inner-n", _wish("accept", "accept", touches=TWICE if question == "draw" else 1)
        yield "inner-s", _wish("decline", "decline")


def _rules(now: Situation) -> Iterator[tuple[str, Option]]:
    touches = now.touches_for_new_game
    ring = (*PLACES[1:8], PLACES[23], *PLACES[16:23])
    if now.rules in now.rule_sets:
        yield PLACES[0], Option("again", {"do": "new-game"}, touches=touches)
    for place, name in zip(ring, now.rule_sets, strict=False):
        request = {"do": "new-game", "rules": name}
        yield place, Option(f"rules:{name}", request, touches=touches, holds=name == now.rules)
    if now.rules in now.rule_sets:
        yield "middle-nw", Option("set-up", {"do": "set-up"}, touches=touches)
    yield "middle-ne", Option(STARTING, leads_to=STARTING)
    if DEFAULT in now.rule_sets:
        yield "middle-e", Option("lesson", {"do": "lesson"}, touches=touches)
        yield "middle-se", Option(PUZZLE, {"do": "puzzle"}, touches=touches)


def _opponent(now: Situation) -> Iterator[tuple[str, Option]]:
    """Yield who can play each side, and how well the board plays those it has."""
    levels = (seat for seat in (now.black, now.white) if seat.startswith(_BOARD_SEATS))
    level = next(levels, f"{_BOARD_SEATS}{min(_FIRST_LEVEL, now.levels[-1])}")
    seats = {
        "inner-n": ("people", "here", "here"),
        "inner-w": ("board-white", level, "here"),
        "inner-e": ("board-black", "here", level),
        "inner-s": ("board-both", level, level),
    }
    for place, (does, white, black) in seats.items():
        yield place, _seats(does, white, black, holds=(white, black) == (now.white, now.black))
    for place, number in zip((PLACES[23], *PLACES[16:23]), now.levels, strict=False):
        seat = f"{_BOARD_SEATS}{number}"
        sides = [seat if side.startswith(_BOARD_SEATS) else side for side in (now.white, now.black)]
        white, black = sides if seat in sides else ("here", seat)
        yield place, _seats(seat, white, black, holds=(white, black) == (now.white, now.black))


def _seats(does: str, white: str, black: str, *, holds: bool) -> Option:
    return Option(does, {"do": "seats", "white": white, "black": black}, leads_to=OPPONENT, holds=holds)


def _board(now: Situation) -> Iterator[tuple[str, Option]]:
    for place, theme in zip(("inner-nw", "inner-n", "inner-ne"), THEME_NAMES, strict=False):
        yield (
            place,
            Option(
                f"theme:{theme}",
                {"do": "set", "theme": theme},
                leads_to=BOARD,
                holds=theme == now.lights.theme,
            ),
        )
    yield (
        "inner-e",
        Option("hints", {"do": "set", "hints": not now.lights.hints}, leads_to=BOARD, holds=now.lights.hints),
    )
    for place, step in zip(("inner-w", "inner-sw", "inner-s", "inner-se"), BRIGHTNESS_STEPS, strict=True):
        holds = abs(step - now.lights.brightness) < 0.01
        request = {"do": "set", "brightness": step}
        yield place, Option(f"brightness:{step:.0%}", request, leads_to=BOARD, holds=holds)
    if now.speaks:
        level = _next(SPEECH_LEVELS, now.sound.speech)
        yield "middle-w", Option("speech", {"do": "set", "speech": level}, leads_to=BOARD)
        language = _next(LANGUAGES, now.sound.language)
        yield "middle-e", Option("language", {"do": "set", "language": language}, leads_to=BOARD)


def _starting(now: Situation) -> Iterator[tuple[str, Option]]:
    """Yield who begins, and the handicaps of a game by the present rules: White's on the left."""
    for place, starts in zip(("inner-n", "inner-e", "inner-s", "inner-w"), STARTS, strict=True):
        request = {"do": "set", "starts": starts}
        yield place, Option(f"starts:{starts}", request, leads_to=STARTING, holds=starts == now.play.starts)
    if now.odds is None or now.rules not in now.rule_sets:
        return
    handicaps = {"outer-n": "even"}
    for count, height in enumerate(("nw", "w", "sw"), 1):
        handicaps[f"outer-{height}"] = f"white:-{count}"
        handicaps[f"outer-{height.replace('w', 'e')}"] = f"black:-{count}"
    for place, odds in handicaps.items():
        switches = {**now.switches, "odds": odds}
        handicap = {"do": "new-game", "rules": now.rules, "set": switches}
        does = f"odds:{odds.replace(':', '')}"
        yield place, Option(does, handicap, touches=now.touches_for_new_game, holds=odds == now.odds)


def _clock(now: Situation) -> Iterator[tuple[str, Option]]:
    """Yield the time controls of the next game, and whether time that is up loses it."""
    for place, control in zip(PLACES[:7], CLOCK_CONTROLS, strict=True):
        request = {"do": "set", "clock": control}
        yield place, Option(f"clock:{control}", request, leads_to=CLOCK, holds=control == now.play.clock)
    for place, question in (("middle-w", WHITE_CLOCK), ("middle-e", BLACK_CLOCK)):
        yield place, Option(question, leads_to=question)
    is_strict = now.play.clock_flag == STRICT
    request = {"do": "set", "clock_flag": GENTLE if is_strict else STRICT}
    yield PLACES[7], Option("clock-strict", request, leads_to=CLOCK, holds=is_strict)


def _white_clock(now: Situation) -> Iterator[tuple[str, Option]]:
    """Yield the time controls of White, whose opponent's stays."""
    white, black = _clocks(now)
    for place, control in zip(PLACES[:7], CLOCK_CONTROLS, strict=True):
        yield place, _clock_of(WHITE_CLOCK, control, f"{control}/{black}", holds=control == white)


def _black_clock(now: Situation) -> Iterator[tuple[str, Option]]:
    """Yield the time controls of Black, whose opponent's stays."""
    white, black = _clocks(now)
    for place, control in zip(PLACES[:7], CLOCK_CONTROLS, strict=True):
        yield place, _clock_of(BLACK_CLOCK, control, f"{white}/{control}", holds=control == black)


def _clocks(now: Situation) -> tuple[str, str]:
    """Return the time controls of White and Black."""
    white, _, black = now.play.clock.partition("/")
    return white, black or white


def _clock_of(question: str, control: str, both: str, *, holds: bool) -> Option:
    request = {"do": "set", "clock": both}
    return Option(f"{question}:{control}", request, leads_to=question, holds=holds)


def _result(now: Situation) -> Iterator[tuple[str, Option]]:
    """Yield how a game can have ended whose board was cleared; the next one is not over."""
    yield "inner-w", Option("white-won", {"do": "result", "winner": "white"}, touches=TWICE)
    yield "inner-e", Option("black-won", {"do": "result", "winner": "black"}, touches=TWICE)
    if "draw" in now.possible:
        yield "inner-s", Option("draw", {"do": "result", "winner": None}, touches=TWICE)


_QUESTIONS: Mapping[str, Callable[[Situation], Iterator[tuple[str, Option]]]] = {
    GAME: _game,
    OPPONENT: _opponent,
    RULES: _rules,
    BOARD: _board,
    CLOCK: _clock,
    WHITE_CLOCK: _white_clock,
    BLACK_CLOCK: _black_clock,
    STARTING: _starting,
    RESULT: _result,
    ROOM: _room,
    OFFER: _offer,
    BEGIN: _begin,
}
