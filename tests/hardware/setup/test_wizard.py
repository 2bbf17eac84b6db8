"""Set-up as a list of levels, answers and times: its questions, and its reactions to mistakes."""

from __future__ import annotations

import pytest

from firmware_host.errors import RequestError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message, to_english
from firmware_host.settings import Sensors, Strip
from hardware.setup.point_names import clockwise, describe_point, likeness
from hardware.setup.progress import Seat, SetupFindings, SetupProgress
from hardware.setup.wizard import HINT_DELAY, SetupWizard
from hardware.wiring.contacts import contacts_of, every_wire

FRAME = 5000
POINTS = clockwise(MORRIS)
NAMES = [point.name for point in MORRIS.points]


class WizardBench:
    """A set-up whose wires a test closes: wire n belongs to the nth point of the layout, as does LED n."""

    def __init__(self, sensors: Sensors | None = None, **setup) -> None:
        self.sensors = sensors or Sensors()
        self.wires = every_wire(self.sensors)
        strip = setup.pop("strip", Strip())
        self.setup = SetupWizard(MORRIS, self.sensors, strip, self.wires, **setup)
        self.levels = [512 if self.sensors.kind == "mcp3008" else 0] * len(self.wires)
        self.now = 0

    @property
    def prompt(self):
        return self.setup.prompt

    def wait(self, milliseconds: int = 500):
        for _ in range(milliseconds * 1000 // FRAME):
            self.now += FRAME
            self.setup.step(tuple(self.levels), self.now)
        return self.prompt

    def feel(self, *wires: int, level: int = 1):
        for wire in wires:
            self.levels[wire] = level
        return self.wait()

    def say(self, key: str):
        self.setup.answer(key, self.now)
        return self.wait()

    def begun(self) -> WizardBench:
        self.wait()
        self.say("r")
        self.say("g")
        if self.sensors.kind == "mcp3008":
            self.say("")
            self.wait(1000)
        assert self.sentence == "Put a piece on the lit point."
        return self

    @property
    def sentence(self) -> str:
        return to_english(self.prompt.sentence)

    @property
    def lit(self) -> list[int]:
        return sorted(self.prompt.light)


def test_each_place_gets_a_piece_once_and_loses_it_once():
    bench = WizardBench().begun()
    for led in range(24):
        assert bench.lit == [led]
        bench.feel(led)
    for name in POINTS:
        assert bench.prompt.point == name
        assert bench.sentence == f"Take the piece off {to_english(describe_point(name, MORRIS))}."
        bench.feel(NAMES.index(name), level=0)
        if name == "a7":  # which was set down last: it could as well be taken back
            assert bench.prompt.stage == "sure"
            bench.say("")
    assert bench.prompt.stage == "review"
    assert [to_english(note) for note in bench.prompt.notes] == [
        "The sensors are wired as recommended.",
        "The LEDs are wired as recommended.",
    ]
    assert bench.setup.result().sensors == Sensors()
    assert bench.feel(5).light.keys() == {5}
    assert bench.say("").stage == "done"


@pytest.mark.parametrize(
    ("turn", "text"),
    [
        (lambda x, y: (6 - x, y), "mirrored from left to right"),
        (lambda x, y: (y, 6 - x), "rotated a quarter turn to the right"),
        (lambda x, y: (6 - x, 6 - y), "rotated half a turn"),
    ],
)
def test_a_board_turned_over_or_around_is_known_again(turn, text):
    at = {(p.x, p.y): p.name for p in MORRIS.points}
    wires = {MORRIS.points[i].name: wire for (i, _), wire in contacts_of(MORRIS, Sensors()).items()}
    found = {at[turn(p.x, p.y)]: wires[p.name] for p in MORRIS.points}
    said = likeness(MORRIS, found, wires)
    assert said is not None
    assert to_english(said) == f"as recommended, but {text}"
    found["a1"], found["d1"] = found["d1"], found["a1"]
    assert likeness(MORRIS, found, wires) is None


@pytest.mark.parametrize(
    ("keys", "order"),
    [
        ("rg", "GRB"),
        ("gr", "RGB"),
        ("ug", "GBR"),
        ("srgu", "GRBW"),
        ("wgru", "RGBW"),
        ("srgw", "GRWB"),
    ],
)
def test_set_up_looks_until_one_order_is_left(keys, order):
    bench = WizardBench()
    bench.wait()
    for key in keys:
        assert bench.prompt.stage == "colour"
        bench.say(key)
    assert (bench.prompt.stage, bench.prompt.order) == ("find", order)


@pytest.mark.parametrize("keys", ["rr", "gw", "rs", "ss", "srr"])
def test_set_up_contradictory_looks_leave_the_settings(keys):
    strip = Strip(order="BRG")
    bench = WizardBench(strip=strip)
    bench.levels[3] = 1
    bench.wait()
    for key in keys:
        bench.say(key)
    assert bench.prompt.stage == "clear"
    assert Message("setup.no-order") in bench.prompt.notes
    assert bench.setup.result().strip.order == "BRG"


def test_set_up_no_light_at_the_second_look_begins_again():
    bench = WizardBench()
    bench.wait()
    bench.say("g")
    assert bench.say("n").stage == "dark"
    assert bench.say("").stage == "colour"
    assert bench.prompt.sentence == Message("setup.which-colour")
    bench.say("r")
    bench.say("b")
    bench.say("g")
    assert bench.say("r").order == "RGB"


def test_a_dark_strip_is_told_and_can_be_done_without():
    bench = WizardBench()
    bench.wait()
    assert "DIN" in to_english(bench.say("n").sentence)
    assert bench.say("").stage == "colour"
    bench.say("n")
    assert (
        to_english(bench.say("w").sentence) == f"Put a piece on {to_english(describe_point('a7', MORRIS))}."
    )
    for name in POINTS[:18]:
        bench.feel(NAMES.index(name))
    bench.say("n")
    for name in POINTS[18:]:
        assert bench.prompt.stage == "free"
        bench.feel(NAMES.index(str(bench.prompt.point)), level=0)
        assert bench.prompt.point == name
        bench.feel(NAMES.index(name))
    assert bench.prompt.stage == "review"
    assert bench.setup.result().strip == Strip()


def test_a_strip_that_cannot_be_written_is_told_with_its_reason():
    bench = WizardBench().begun()
    bench.setup.light_failed("there is no /dev/spidev0.0")
    assert bench.sentence == "There is no light: there is no /dev/spidev0.0."
    assert to_english(bench.say("").sentence) == "Put a piece on the lit point."
    assert bench.lit == [0]


def test_two_pieces_at_once_are_no_answer_until_one_is_taken_off():
    bench = WizardBench().begun()
    assert to_english(bench.feel(0, 7).notes[0]).startswith("Several sensors answered at once")
    assert bench.lit == [0]
    bench.feel(7, level=0)
    assert bench.lit == [1]
    assert bench.setup.found.seats[0].wires == (0,)


def test_a_neighbour_that_always_answers_too_is_told_and_told_apart_later():
    bench = WizardBench().begun()
    bench.feel(0, 1)  # a piece on d5 also closes e5's contact
    bench.say("l")
    assert bench.sentence == "Take off the piece you put down last."
    bench.feel(0, 1, level=0)
    assert bench.lit == [1]
    bench.feel(1)
    for led in range(2, 24):
        bench.feel(led)
    assert bench.lit == [0]
    bench.feel(0)
    assert bench.prompt.point == "a7"
    assert {seat.wires for seat in bench.setup.found.seats} == {(n,) for n in range(24)}


def test_a_place_where_two_always_answer_goes_to_the_first_of_them():
    bench = WizardBench().begun()
    bench.feel(3, 4)
    bench.say("l")
    bench.feel(3, 4, level=0)
    for led in range(1, 24):
        if led in (3, 4):
            bench.say("l")
        else:
            bench.feel(led)
    assert bench.lit == [0]
    bench.levels[4] = 1
    bench.wait(20)
    assert "the one that answered first" in to_english(bench.feel(3).notes[0])
    assert (0,) in [seat.leds for seat in bench.setup.found.seats if seat.wires == (4,)]


def test_note_of_an_ambiguous_answer_goes_with_the_next_answer():
    bench = WizardBench().begun()
    bench.feel(3, 4)
    bench.say("l")
    bench.feel(3, 4, level=0)
    for led in range(1, 24):
        if led in (3, 4):
            bench.say("l")
        else:
            bench.feel(led)
    bench.feel(3, 4)
    assert [note.key for note in bench.prompt.notes] == ["setup.first-taken", "setup.felt-beside"]
    assert bench.lit == [3]
    bench.feel(0)
    assert bench.lit == [4]
    assert bench.prompt.notes == ()


def test_accepted_wires_are_stuck_in_ascending_order():
    bench = WizardBench().begun()
    bench.feel(9, 17, 1)
    bench.say("l")
    assert bench.sentence == "Take off the piece you put down last."
    bench.say("")
    assert bench.setup.found.stuck == (1, 9, 17)


def test_a_linear_neighbour_is_told_by_how_little_it_feels():
    bench = WizardBench(Sensors(kind="mcp3008")).begun()
    bench.levels[1] = 540
    bench.feel(0, level=640)
    assert bench.lit == [1]
    assert "as well" in to_english(bench.prompt.notes[0])
    assert bench.setup.found.seats[0].wires == (0,)
    assert bench.setup.found.seats[0].levels == (640, None)
    bench.levels[1] = 512
    assert "weak reading" in to_english(bench.feel(5, level=490).notes[0])


def test_levels_of_the_other_colour_lie_on_the_other_side_of_rest():
    bench = WizardBench(Sensors(kind="mcp3008")).begun()
    for led in range(24):
        bench.feel(led, level=640 if led % 2 else 400)
    for name in POINTS:
        bench.feel(NAMES.index(name), level=512)
    levels = bench.setup.result().sensors.levels
    assert levels["d5"] == (512, 400, 624)
    assert levels["e5"] == (512, 640, 384)


def test_a_contact_that_is_closed_from_the_beginning_can_be_left_aside():
    bench = WizardBench()
    bench.feel(9)
    bench.say("r")
    bench.say("g")
    assert bench.sentence == "Take all pieces off the board. 1 is still there."
    bench.say("")
    assert bench.sentence == "Put a piece on the lit point."
    assert bench.setup.found.stuck == (9,)


def test_a_piece_that_is_lifted_again_is_asked_for_again():
    bench = WizardBench().begun()
    bench.feel(0)
    bench.feel(4)
    assert bench.lit == [2]
    bench.feel(4, level=0)
    assert bench.lit == [1]
    bench.feel(1)
    assert bench.lit == [2]


def test_back_goes_back_when_hands_have_done_the_reverse():
    bench = WizardBench().begun()
    bench.feel(0)
    bench.feel(1)
    bench.say("b")
    assert bench.sentence == "Take off the piece you put down last."
    bench.feel(1, level=0)
    assert bench.lit == [1]


def test_who_takes_long_is_told_what_to_try():
    bench = WizardBench().begun()
    assert bench.prompt.notes == ()
    assert "Turn the piece over" in to_english(bench.wait(HINT_DELAY // 1000 + 10).notes[-1])
    assert bench.feel(0).notes == ()


def test_what_is_no_answer_is_refused():
    bench = WizardBench().begun()
    with pytest.raises(RequestError, match="'z' isn't an answer here; choose from n, d, l, b, q"):
        bench.setup.answer("z", bench.now)


def test_nothing_that_never_answers_keeps_set_up_from_its_end():
    bench = WizardBench().begun()
    for _ in range(200):
        if bench.prompt.stage == "review":
            break
        keys = [answer.key for answer in bench.prompt.answers]
        bench.say("l" if "l" in keys else "")
    assert bench.prompt.stage == "review"
    assert any("No sensor answered for" in to_english(note) for note in bench.prompt.notes)
    result = bench.setup.result()
    assert len(contacts_of(MORRIS, result.sensors)) == 24


@pytest.mark.parametrize("leds", [(), (3,)], ids=["no LED left", "the last LED put off"])
def test_free_without_a_piece_puts_off_an_open_question(leds):
    seat = Seat((0,), leds=(0,), point="a7", stands=0)
    found = SetupFindings(leds, ("d7",), (seat,), order="GRB", ends=True, later=leds, pieces=(1, None))
    bench = WizardBench(found=found)
    bench.feel(0)
    assert bench.say("").stage == "free"
    assert bench.say("").stage == "review"


def test_progress_is_read_as_it_was_written():
    bench = WizardBench().begun()
    for led in range(10):
        bench.feel(led)
    bench.say("n")
    bench.feel(2, level=0)
    found = bench.setup.found
    assert SetupProgress.parse(SetupProgress({"strip.leds": 24}, found).as_bytes()).found == found
    for data in (b"", b"{}", b'{"version": 2}', b'{"version": 1, "wiring": {}, "found": {}}', b"[]"):
        with pytest.raises((ValueError, KeyError), match=r".+"):
            SetupProgress.parse(data)


def test_who_begins_anew_forgets_what_was_found():
    bench = WizardBench(found=SetupFindings(leds=(3,), points=("a1",), order="RGB"))
    assert bench.wait().stage == "resume"
    assert bench.say("n").stage == "colour"
    assert bench.setup.found.leds == tuple(range(24))
