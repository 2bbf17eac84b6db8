"""A set-up that begins with the hardware form: asked, recognised, remembered, and left for another one."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.config import found
from firmware_host.config.loader import Config, combined_faults, load
from firmware_host.errors import RequestError, SensorError
from firmware_host.games.layout import MORRIS
from firmware_host.i18n import Message
from firmware_host.maintenance.form_session import FormSession
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.maintenance.setup_run import form_session
from firmware_host.ports import SensorKind
from firmware_host.settings import Controls, Sensors
from hardware.bus.gpio import Pull
from hardware.scanner import Scanner
from hardware.setup.forms import offered_forms
from hardware.setup.prompts import STOP, Answer
from hardware.setup.wizard import key_of
from hardware.wiring.plan import FORMS, BoardPlan
from sim.clock import VirtualClock
from sim.electronics.board import SimulatedBoard
from tests.support.hardware.service_folder import service_folder

SWITCHES = "[sensors]\nkind = "


class Evening:
    """A person who sets up a board that is wired by `sensors`, with the configuration at `path`."""

    def __init__(self, path: Path, sensors: Sensors | None = None) -> None:
        self.clock = VirtualClock()
        self.board = SimulatedBoard(MORRIS, SensorKind.PRESENCE, self.clock, sensors=sensors)
        self.files = SetupFiles(path)
        self.opened: list[Sensors] = []
        self.opening: Callable[..., Scanner] = self.board.open_scanner
        self.start()

    def start(self) -> None:
        board = self.board

        def opened(sensors: Sensors, pull: Pull | None = None) -> Scanner:
            self.opened.append(sensors)
            return self.opening(sensors, pull)

        board.open_scanner = opened  # type: ignore[method-assign]
        config = self.files.config()
        self.session: FormSession = form_session(board, config, self.files)
        self.rest()

    def rest(self, seconds: float = 5) -> None:
        for _ in range(round(seconds * 20)):
            self.clock.sleep(0.05)
            self.session.tick(self.clock.now())

    def cut_the_power(self) -> None:
        self.session.close()
        self.opened.clear()
        self.start()

    def answer(self, kind: str) -> None:
        """Choose the form in which sensors are read by `kind`."""
        key = next(one.key for one in self.session.prompt.answers if kind in str(one.label.as_dict()))
        self.session.answer(key)
        self.rest()

    @property
    def stage(self) -> str:
        return self.session.prompt.stage

    @property
    def labels(self) -> list[str]:
        return [str(one.label.key) for one in self.session.prompt.answers]


def find(evening: Evening) -> None:
    """Answer until something was found that is kept."""
    while evening.stage != "find":
        keys = [one.key for one in evening.session.prompt.answers]
        evening.session.answer("n" if "n" in keys else next(key for key in ("w", "") if key in keys))
        evening.rest()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "millwright.toml"


def test_a_bare_board_asks_for_its_form_before_a_line_is_driven(path):
    evening = Evening(path)
    assert (evening.stage, evening.opened) == ("form", [])
    first, *others = evening.session.prompt.answers
    assert (first.key, first.label.key) == ("", "setup.form.recommended")
    assert first.parts == ((24, "reed"), (3, "74HC4051"))
    assert len(others) == len(FORMS) - 1, "all but the one for squares, and a way to stop"
    evening.session.answer("")
    assert (evening.stage, evening.opened) == ("colour", [Sensors()])
    assert not path.exists()


def test_forms_that_the_checker_refuses_are_not_offered():
    busy = replace(Config(), controls=Controls(button=20))
    kinds = [form.config.sensors.kind for form in offered_forms(busy)]
    assert "matrix" not in kinds
    assert kinds[0] == "mux"
    assert [fault for form in offered_forms(busy) for fault in combined_faults(form.config)] == []


@pytest.mark.parametrize("form", [name for name in FORMS if name != "squares"])
def test_each_form_of_the_guide_is_opened_as_it_is_drawn(path, form):
    drawn = BoardPlan.of_form(MORRIS, FORMS[form]).sensors
    evening = Evening(path, drawn)
    names = [one for one in offered_forms(Config()) if one.config.sensors == drawn]
    assert len(names) == 1
    label = next(
        one for one in evening.session.prompt.answers if one.parts == names[0].parts and one.key != "q"
    )
    evening.session.answer(label.key)
    assert evening.stage == "colour"
    assert evening.opened == [drawn]


def test_a_choice_survives_a_power_cut_and_can_be_gone_back_to(path):
    evening = Evening(path, BoardPlan.recommended(MORRIS, "presence", "matrix").sensors)
    evening.answer("setup.form.matrix")
    evening.cut_the_power()
    assert (evening.stage, [one.kind for one in evening.opened]) == ("colour", ["matrix"])
    assert evening.labels[-2:] == ["setup.form.other", "setup.stop"]
    evening.session.answer("b")
    evening.rest()
    assert evening.stage == "form"
    evening.answer("setup.form.recommended")
    evening.cut_the_power()
    assert (evening.stage, [one.kind for one in evening.opened]) == ("colour", ["mux"])


def test_what_was_found_in_one_form_outlasts_a_visit_to_another(path):
    """Another form is chosen by mistake, and the power is cut at each step of going back."""
    evening = Evening(path)
    evening.session.answer("")
    find(evening)
    for _ in range(2):
        evening.cut_the_power()
        assert evening.stage == "resume"
        evening.session.answer("b")
        evening.rest()
        evening.answer("setup.form.matrix")
        evening.cut_the_power()
        assert evening.stage == "colour"
        evening.session.answer("b")
        evening.rest()
        evening.answer("setup.form.recommended")
        assert evening.stage == "resume"
    evening.files.forget()
    assert list(path.parent.iterdir()) == []


def test_power_cut_between_two_forms_keeps_the_first_one(path):
    evening = Evening(path)
    evening.session.answer("")
    find(evening)
    found, _ = evening.files.earlier(evening.files.config())
    matrix = BoardPlan.recommended(MORRIS, "presence", "matrix").sensors
    assert evening.files.earlier(Config(sensors=matrix))[0] is None  # nothing is saved for it any more
    evening.cut_the_power()
    assert evening.stage == "form"
    evening.answer("setup.form.recommended")
    assert (found is None, evening.stage) == (False, "resume")


@pytest.mark.parametrize("kind", ["pipe", "folder", "huge", "deep", "values", "seats"])
def test_damaged_progress_leads_back_to_the_choice(path, kind):
    evening = Evening(path)
    evening.answer("setup.form.matrix")
    progress = evening.files.progress
    whole = progress.read_bytes()
    progress.unlink()
    match kind:
        case "pipe":
            os.mkfifo(progress)
        case "folder":
            progress.mkdir()
        case "huge":
            progress.write_bytes(b" " * (2 << 20) + whole)
        case "deep":
            progress.write_bytes(b"[" * 200_000)
        case "seats":
            progress.write_bytes(whole.replace(b'"seats": []', b'"seats": [1.5]'))
        case _:
            progress.write_bytes(whole.replace(b'"sensors.inputs": [', b'"sensors.inputs": [{"a": []}, '))
    evening.cut_the_power()
    assert evening.stage == "form"


def test_the_slower_of_two_phones_answers_no_question_that_it_has_not_shown(path):
    evening = Evening(path)
    asked = evening.session.texts["question"]
    evening.session.do({"answer": "", "to": asked})
    asks, opened = evening.session.texts["question"], list(evening.opened)
    for request in ({"answer": "", "to": asked}, {"answer": "b", "to": asked}, {"answer": "b", "to": None}):
        with pytest.raises(RequestError, match="answered already"):
            evening.session.do(request)
    assert (evening.stage, evening.session.texts["question"]) == ("colour", asks)
    assert evening.opened == opened
    evening.session.do({"answer": "b", "to": asks})
    assert evening.stage == "form"


def test_each_light_is_another_question_though_the_sentence_is_the_same(path):
    evening = Evening(path)
    evening.session.answer("")
    while evening.stage != "find":
        keys = [one.key for one in evening.session.prompt.answers]
        evening.session.answer("g" if "g" in keys else next(key for key in ("r", "") if key in keys))
        evening.rest()
    asked = evening.session.texts
    evening.session.do({"answer": "d", "to": asked["question"]})
    assert evening.session.texts["sentence"] == asked["sentence"]
    with pytest.raises(RequestError, match="answered already"):
        evening.session.do({"answer": "d", "to": asked["question"]})


def test_the_eleventh_form_is_not_taken_for_the_second():
    answers = [Answer(str(number) if number else "", Message("x")) for number in range(11)]
    assert [key_of(text, answers) for text in ("10", " 1 ", "")] == ["10", "1", ""]
    with pytest.raises(RequestError):
        key_of("11", answers)
    assert key_of("Quit", (STOP,)) == "q"


def test_a_choice_ends_where_the_configuration_was_changed_since(path):
    evening = Evening(path, BoardPlan.recommended(MORRIS, "presence", "matrix").sensors)
    evening.answer("setup.form.matrix")
    path.write_text(f'{SWITCHES}"mux"\n')
    evening.cut_the_power()
    assert [one.kind for one in evening.opened] == ["mux"]


def test_what_is_found_goes_on_after_a_choice_without_being_asked_for_it(path):
    evening = Evening(path)
    evening.session.answer("")
    find(evening)
    evening.cut_the_power()
    assert evening.stage == "resume"


def test_a_written_configuration_is_not_asked_for_its_form(path):
    path.write_text(f'{SWITCHES}"mux"\n')
    evening = Evening(path)
    assert evening.stage == "colour"
    evening.session.answer("b")
    evening.rest()
    assert evening.labels[0] == "setup.form.configured"


@pytest.mark.parametrize(
    ("wired", "kind"),
    [
        (Sensors(kind="serial"), "serial"),
        (BoardPlan.recommended(MORRIS, "presence", "mcp23017").sensors, "mcp23017"),
        (BoardPlan.recommended(MORRIS, "polarity", "mcp3008").sensors, "mcp3008"),
    ],
    ids=["controller", "expanders", "converter"],
)
def test_parts_that_answer_are_recognised_and_offered_first(path, wired, kind):
    evening = Evening(path, wired)
    first, second, *_ = evening.session.prompt.answers
    assert first.label.as_dict() == {
        "key": "setup.form.found",
        "slots": {"form": evening.session.prompt.answers[0].label.args["form"].as_dict()},
    }
    assert kind in str(first.label.as_dict())
    assert second.label.key == "setup.form.recommended"
    evening.session.answer("")
    assert (evening.stage, evening.opened[0].kind) == ("colour", kind)


def test_a_controller_that_is_configured_and_answers_is_offered_once(path):
    points = "\n".join(f"{point.name} = [{point.index // 8}, {point.index % 8}]" for point in MORRIS.points)
    path.write_text(f'{SWITCHES}"serial"\n[sensors.points]\n{points}\n')
    evening = Evening(path, Sensors(kind="serial"))
    evening.session.answer("b")
    evening.rest()
    offered = [str(one.label.as_dict()) for one in evening.session.prompt.answers]
    assert sum("setup.form.serial" in label for label in offered) == 1
    assert evening.labels[0] == "setup.form.found"
    evening.session.answer("")
    assert evening.stage == "colour"


def test_a_controller_that_is_silent_is_not_waited_for(path):
    evening = Evening(path)
    evening.answer("setup.form.serial")
    assert (evening.stage, evening.opened) == ("form", [])
    assert [note.key for note in evening.session.prompt.notes] == ["setup.form.silent"]


def test_a_form_that_cannot_be_opened_says_why_above_the_others(path):
    evening = Evening(path)

    def fails(*_: object) -> Scanner:
        raise SensorError(Message("fault.pi.none", {"device": "x"}))

    evening.opening = fails
    evening.answer("setup.form.recommended")
    assert evening.stage == "form"
    (note,) = evening.session.prompt.notes
    assert (note.key, note.args["text"].key) == ("setup.form.unopened", "fault.pi.none")
    evening.cut_the_power()
    assert evening.session.prompt.notes == ()
    path.write_text(f'{SWITCHES}"mux"\n')
    evening.cut_the_power()
    assert (evening.stage, len(evening.session.prompt.notes)) == ("form", 1)


def test_it_can_be_stopped_before_a_form_is_chosen(path):
    evening = Evening(path)
    with pytest.raises(RequestError):
        evening.session.answer("x")
    with pytest.raises(RequestError):
        evening.session.do({"answer": "1", "form": "mux"})
    evening.session.answer("q")
    assert evening.session.over
    assert not evening.files.progress.exists()


def test_a_service_plays_with_the_form_that_its_page_was_told(tmp_path, monkeypatch):
    etc, environ = service_folder(tmp_path, monkeypatch)
    files = SetupFiles.of_board(None, environ)
    drawn = BoardPlan.recommended(MORRIS, "presence", "matrix").sensors
    wired = replace(drawn, points={point.name: (divmod(point.index, 6),) for point in MORRIS.points})
    files.save(replace(files.config(), sensors=wired), "2026-11-30")
    settings = found.configured(None, environ)
    assert settings.sensors == wired
    assert (settings.lights.brightness, load(etc).sensors) == (0.3, Sensors())
    etc.write_text(f'{SWITCHES}"mux"\n')
    assert found.configured(None, environ).sensors == Sensors()
