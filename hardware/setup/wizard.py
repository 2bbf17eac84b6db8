"""Set-up: finds out, by hands and light alone, which contact and which LED each point of a board has.

Each place gets a piece once and loses it once. One of the two is asked for by light ("put a piece on the lit
point"), the other by name ("take the piece off a7"); together they say whose the LED and the contact are. So
24 placements do for 24 points, and with fewer pieces it only changes oftener between light and names.

Rules kept here: what hands do is judged by what stands once all is at rest, never by how it came about; what
was done is taken back by doing the reverse; whatever does not answer can be put off, and nothing goes on
without end; no clock and no I/O. `step` and `answer` are all that happens to a set-up, `prompt` all it says.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from firmware_host.config.wiring_map import contacts_of
from firmware_host.errors import RequestError
from firmware_host.games.layout import Layout
from firmware_host.i18n import Message
from firmware_host.settings import Microseconds, Sensors, Strip
from hardware.scanner import Levels, Wire
from hardware.setup import transitions as moves
from hardware.setup.discovery import Finding
from hardware.setup.level_watch import Change, Watch
from hardware.setup.plan import Plan
from hardware.setup.point_names import walk
from hardware.setup.progress import Found
from hardware.setup.prompts import Answer, Prompt, Situation, prompt
from hardware.setup.result import Result, result

HINT_AFTER: Microseconds = 12_000_000
"""How long a maker may take before they are told what to try."""

ORDERS: Mapping[str, Mapping[str, str]] = {
    "GRB": {"g": "GRB", "r": "RGB"},
    "GRBW": {"g": "GRBW", "r": "RGBW"},
    "white": {"r": "GRBW", "g": "RGBW"},
}
"""The order of colours that follows from the colour that is seen, for what was shown in which order."""


class Setup(Finding):
    """The set-up of one board, by the levels of the `wires` of the scanner that `sensors` tells of.

    `found` is what an earlier set-up of the same wiring found, to be gone on with if the maker likes.
    """

    def __init__(
        self,
        layout: Layout,
        sensors: Sensors,
        strip: Strip,
        wires: Sequence[Wire],
        *,
        found: Found | None = None,
        kinds: Sequence[str] = (),
    ) -> None:
        """`kinds` are the pieces that linear sensors are to tell apart, the weaker magnets first."""
        plan = Plan(
            layout=layout,
            strip=strip,
            contacts=len(contacts_of(sensors)),
            coloured=sensors.alphabet == "polarity",
            # What a microcontroller sends is compiled into it.
            guess="GRBW" if sensors.kind == "serial" and "W" in strip.order else "GRB",
            kinds=tuple(kinds),
        )
        self._fresh = Found(leds=tuple(range(strip.leds)), points=walk(layout))
        super().__init__(plan, wires, found or self._fresh, "colour" if found is None else "resume")
        self._sensors = sensors
        self._linear = sensors.kind == "mcp3008"
        self._trouble: Message | str = ""
        if not self._linear:
            self._watch = Watch(len(self._wires))

    @property
    def found(self) -> Found:
        """All that was found so far."""
        return self._found

    @property
    def prompt(self) -> Prompt:
        """What to show and to say now; the same object until something else is to be."""
        if self._prompt is None:
            watch = self._watch
            now = Situation(
                stage=self._stage,
                felt=watch.felt if watch else (),
                excused=tuple(sorted(self._excused)),
                restless=self._restless,
                notes=tuple(self._notes),
                trouble=self._trouble,
                hints=self._hints,
                back=bool(self._history),
                linear=self._linear,
                result=self.result() if self._stage in ("review", "done") else None,
            )
            self._prompt = prompt(self._plan, self._found, now)
        return self._prompt

    def result(self) -> Result:
        """The settings that follow from what was found."""
        return result(self._plan, self._sensors, self._wires, self._found)

    def step(self, levels: Levels, now: Microseconds) -> Prompt:
        """Take in the levels of all wires at `now`."""
        self._now = now
        watch = self._watch
        if watch is not None:
            change = watch.step(levels, now)
            if watch.restless != self._restless:
                self._restless, self._prompt = watch.restless, None
            if change is not None:
                self._prompt = None
                self._feel(change)
            self._wait_for_rest(watch)
            if self._stage == "measure":
                self._measure(watch)
            if self._excused and not self._still_excused():
                self._prompt = None
                self._feel(Change((), ()))
        if not self._hints and self._stage == "find" and now - self._asked_at >= HINT_AFTER:
            self._hints, self._prompt = True, None
        return self.prompt

    def answer(self, text: str, now: Microseconds) -> Prompt:
        """Take in what was answered by a key or a button; raises RequestError where that is no answer now."""
        key = key_of(text, self.prompt.answers)
        self._now = now
        self._prompt = None
        if key == "b":
            self._go_back()
        elif key == "q":
            self._stage = "left"
        else:
            getattr(self, f"_answer_{self._stage}")(key)
        return self.prompt

    def light_failed(self, what: Message | str) -> None:
        """Tell the maker that the strip cannot be written, and why."""
        if self._stage not in ("dark", "done", "left") and self._found.lit:
            self._stage, self._trouble, self._prompt = "dark", what, None

    # ---- before anything is found --------------------------------------------------------------------------

    def _answer_resume(self, key: str) -> None:
        if key == "n":
            self._found = self._fresh
        elif self._linear and self._found.rests is not None:
            self._watch = Watch(len(self._wires), linear=True, rests=self._found.rests)
        self._enter("colour" if self._found.order is None and self._found.lit else "clear")

    def _answer_colour(self, key: str) -> None:
        self._remember()
        if key == "n":
            self._enter("dark")
        elif key == "w" and self._stage == "colour":
            self._enter("white")
        else:
            if key == "u":
                self._notes = [Message("setup.no-order")]
            shown = self._plan.guess
            orders = ORDERS["white" if self._stage == "white" else shown]
            self._found = replace(self._found, order=orders.get(key, shown))
            self._enter("clear", keep_notes=True)

    _answer_white = _answer_colour

    def _answer_dark(self, key: str) -> None:
        self._trouble = ""
        if key == "w":
            self._remember()
            self._found = replace(self._found, lit=False, leds=())
            self._enter("clear")
        else:
            self._enter("colour" if self._found.order is None else "clear")

    def _answer_clear(self, _key: str) -> None:
        if self._watch is None:
            self._watch = Watch(len(self._wires), linear=True)
            self._enter("learn", keep_notes=True)
            return
        self._found = replace(self._found, stuck=(*self._found.stuck, *self._strange()))
        self._begin()

    def _wait_for_rest(self, watch: Watch) -> None:
        if self._stage == "clear" and watch.at_rest and not self._strange():
            self._begin()
        elif self._stage == "learn" and watch.rests is not None:
            self._found = replace(self._found, rests=watch.rests)
            self._begin()

    def _strange(self) -> list[int]:
        """Wires that feel something although nobody was asked to put a piece there."""
        if self._watch is None:
            return []
        known = self._found.expected() | {*self._found.stuck}
        return [wire for wire, felt in enumerate(self._watch.felt) if felt and wire not in known]

    def _begin(self) -> None:
        """Begin to look for places, from what stands now."""
        if self._watch is not None:
            for number, seat in enumerate(self._found.seats):
                if seat.held is not None and not self._watch.felt[seat.held]:
                    self._found = self._found.with_seat(number, stands=None)
        self._enter("find", keep_notes=True)
        self._choose()

    def _answer_sure(self, key: str) -> None:
        wire, self._doubt = self._doubt, None
        self._enter("find")
        if wire is not None and key == "":
            self._take(wire, ())
        elif wire is not None:
            self._found = replace(self._found, side=moves.other(self._found.side))
            self._take_back([wire], [])

    def _answer_find(self, key: str) -> None:
        if self._excused:
            self._accept_reality()
            return
        self._remember()
        found, plan = self._found, self._plan
        if key == "s" and found.last is not None:
            leds = found.seats[found.last].leds
            self._found = replace(
                found.with_seat(found.last, leds=(*leds, found.leds[0])), leds=found.leds[1:], later=()
            )
        elif key == "d":
            self._found = plan.without_led(found)
        elif key == "n":
            self._found = plan.run_out(found)
        else:
            self._put_off()
        self._enter("find")
        self._choose()

    _answer_free = _answer_find

    def _answer_measure(self, key: str) -> None:
        self._remember()
        if key == "l":
            self._found = replace(self._found, kinds=(*self._found.kinds, None))
            self._measure_or_review()
        else:
            self._enter("review")

    def _answer_review(self, key: str) -> None:
        self._remember()
        if key == "a":
            self._found = replace(self._found, later=())
            self._begin()
        else:
            self._enter("done")


def key_of(text: str, answers: Sequence[Answer]) -> str:
    """The key of the one of `answers` that `text` means; raises RequestError where it is none of them."""
    key = text.strip().lower()[:1]
    keys = [answer.key for answer in answers]
    if key in keys:
        return key
    slots = {"text": repr(text.strip()), "keys": ", ".join(filter(None, keys))}
    raise RequestError(
        Message("setup.no-answer.enter", slots) if "" in keys else Message("setup.no-answer", slots)
    )
