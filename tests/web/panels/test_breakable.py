"""Every fault that the simulated board can have has a control in the drawer, which breaks and repairs it."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import sim
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import MILLWRIGHT, OpenPage, leave
from tests.support.web.page_client import PageClient

README = (Path(sim.__file__).parent / "README.md").read_text("utf-8")

Fault = dict[str, Any]

MATRIX = ("row", "column", "diode")
"""The parts that only a board with a matrix has."""


def described() -> Iterator[Fault]:
    """Each fault that the manual of the headless board names, with each of its kinds."""
    for row in re.findall(r"^\| `\{\"fault\": .*$", README, re.M):
        fault = json.loads(re.findall(r"`(\{\"fault\": .*?\})`", row)[0])["fault"]
        told = row.partition("|")[2].partition("|")[2]
        words = [word for word in re.findall(r"`([\w-]+)`", told) if not word.startswith("millwright")]
        key = "kind" if "kind" in fault else "order" if "order" in fault else next(iter(fault))
        others = [{**fault, key: word} for word in words if word != fault[key]]
        yield from (fault, *others)
        if '"mux"' in told:
            yield from ({**one, "mux": 1} for one in (fault, *others))
        if isinstance(fault.get("wiring"), str):
            yield {"wiring": ["d6", "f6"]}


def form(fault: Mapping[str, Any]) -> str:
    """Return the part of a fault that is the same for all parts of its kind and all amounts."""
    own = {
        key: value if isinstance(value, str) and not re.fullmatch(r"[a-g][1-7]|[RGBW]+", value) else "…"
        for key, value in fault.items()
    }
    if isinstance(fault.get("select"), list):
        own["select"] = "two"
    return json.dumps(own, sort_keys=True)


def test_the_manual_names_the_faults_that_there_are() -> None:
    """Else what is held against the drawer would be nothing."""
    forms = {form(fault) for fault in described()}
    assert len(forms) > 30
    for known in (
        {"point": "d6", "kind": "wrong-pole"},
        {"mux": 0, "kind": "dead"},
        {"signal": 2, "kind": "slow"},
        {"select": 1, "kind": "high", "mux": 2},
        {"select": [0, 2], "kind": "shorted"},
        {"wiring": "turned-left"},
        {"wiring": ["a1", "d1"]},
        {"magnets": "weak"},
        {"leds": "first-green"},
        {"leds": "colours", "order": "RGBW"},
        {"supply": "sags"},
        {"disk": "slow", "seconds": 9},
        {"column": 3, "kind": "slow"},
        {"row": 1, "column": 2, "kind": "touching"},
        {"diode": "a1", "kind": "shorted"},
    ):
        assert form(known) in forms, known


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with simulated_board("--store", str(tmp_path_factory.mktemp("store") / "games.db")) as found:
        yield found


class Witness:
    """Another page, which sees the faults and repairs them."""

    def __init__(self, address: str) -> None:
        self.client = PageClient(address)
        self.client.until("snapshot")

    def sees(self, seen: Callable[[list[Fault]], bool]) -> list[Fault]:
        """Return the faults, as soon as they are the expected ones."""
        while not seen(self.client.whole["simulated"]["faults"]):
            self.client.until("snapshot")
        return list(self.client.whole["simulated"]["faults"])

    def mend(self) -> None:
        """Have all repaired."""
        self.client.send({"id": 1, "repair": True})
        self.sees(lambda faults: not faults)


@pytest.fixture
def witness(address: str) -> Iterator[Witness]:
    witness = Witness(address)
    witness.mend()
    yield witness
    witness.client.close()


@pytest.fixture
def drawer(pages: OpenPage, address: str, witness: Witness) -> Page:
    """A page with an open drawer, and the sensor of d6 chosen, on a board that is whole."""
    page = pages()
    page.goto(address)
    page.get_by_role("button", name="Break it").click()
    page.get_by_label("Sensor of the point").select_option("d6")
    return page


def choice(page: Page, title: str) -> Locator:
    return page.get_by_role("combobox", name=title, exact=True)


def broken(witness: Witness, part: Locator, resting: str, *, value: object) -> list[Fault]:
    """Return the faults caused by a control, which shows `value` while `resting` after the repair."""
    found = witness.sees(lambda faults: len(faults) == 1)
    witness.mend()
    expect(part).to_have_js_property(resting, value)
    return found


def by_boxes(page: Page, witness: Witness) -> Iterator[Fault]:
    boxes = page.locator("#drawer .group [type=checkbox]")
    for number in range(boxes.count()):
        boxes.nth(number).click()
        yield from broken(witness, boxes.nth(number), "checked", value=False)


def by_choices(page: Page, witness: Witness) -> Iterator[Fault]:
    choices = page.locator("#drawer .group label select, #drawer .sensor .choice select")
    for number in range(choices.count()):
        for option in some(choices.nth(number)):
            choices.nth(number).select_option(index=option)
            yield from broken(witness, choices.nth(number), "selectedIndex", value=0)


def some(choice: Locator) -> list[int]:
    """Of a choice with the same for each of many parts only the first few and the last."""
    free = choice.locator("option").evaluate_all("all => all.map((option) => !option.disabled)")
    count = len(free)
    return [at for at in range(1, count) if free[at] and (count < 20 or at < 3 or at == count - 1)]


def by_sliders(page: Page, witness: Witness) -> Iterator[Fault]:
    sliders = page.locator("#drawer [type=range]")
    for number in range(sliders.count()):
        usual = sliders.nth(number).input_value()
        sliders.nth(number).fill("15")
        yield from broken(witness, sliders.nth(number), "value", value=usual)


def by_kinds(page: Page, witness: Witness) -> Iterator[Fault]:
    kinds = page.locator("#drawer [name=kind]")
    for number in range(1, kinds.count()):
        kinds.nth(number).click()
        yield from broken(witness, kinds.first, "checked", value=True)


def at_one_chip(page: Page, witness: Witness) -> Iterator[Fault]:
    for kind in ("1 has come off", "1 is always high"):
        choice(page, "Select lines").select_option(kind)
        expect(choice(page, "At which multiplexer")).to_be_enabled()
        choice(page, "At which multiplexer").select_option("at multiplexer 2")
        witness.sees(lambda faults: any("mux" in fault for fault in faults))
        yield from broken(witness, choice(page, "At which multiplexer"), "disabled", value=True)


WAYS = (by_kinds, by_boxes, by_choices, by_sliders, at_one_chip)


def test_controls_of_each_kind_break_and_mend_what_the_manual_names(drawer: Page, witness: Witness) -> None:
    found = {form(fault) for way in WAYS for fault in islice(way(drawer, witness), 2)}
    assert len(found) > len(WAYS)
    assert found - {form(fault) for fault in described()} == set()


@pytest.mark.long
def test_every_fault_of_the_headless_board_has_a_control_that_breaks_and_mends_it(
    drawer: Page, witness: Witness
) -> None:
    found = {form(fault) for way in WAYS for fault in way(drawer, witness)}
    wanted = {form(fault) for fault in described() if not fault.keys() & set(MATRIX)}
    assert wanted - found == set()
    assert found - {form(fault) for fault in described()} == set()


def test_every_fault_of_a_matrix_has_a_control_that_breaks_and_mends_it(
    pages: OpenPage, tmp_path: Path
) -> None:
    config = tmp_path / "millwright.toml"
    config.write_text(
        '[sensors]\nkind = "matrix"\nrows = [17, 27, 22]\ncolumns = [5, 6, 12, 13, 16, 20, 24, 25]\n'
    )
    with simulated_board("--config", str(config)) as address:
        page, witness = pages(), Witness(address)
        page.goto(address)
        page.get_by_role("button", name="Break it").click()
        page.get_by_label("Sensor of the point").select_option("d6")
        found = {form(fault) for fault in by_choices(page, witness) if fault.keys() & set(MATRIX)}
        witness.client.close()
        leave(page)
    assert found == {form(fault) for fault in described() if fault.keys() & set(MATRIX)}


def test_what_excludes_each_other_takes_each_others_place(drawer: Page, witness: Witness) -> None:
    lines = drawer.get_by_label("Signal line 1")
    lines.select_option("has come off")
    expect(drawer.locator("#drawer .tally")).to_have_text("One thing is broken.")
    lines.select_option("rises too slowly")
    witness.sees(lambda faults: {"signal": 1, "kind": "slow"} in faults)
    choice(drawer, "The LED strip").select_option("is broken before LED 8")
    expect(drawer.locator("#drawer .tally")).to_have_text("2 things are broken.")
    wanted = [{"signal": 1, "kind": "slow"}, {"leds": "broken", "led": 8}]
    assert witness.sees(lambda faults: len(faults) == 2) == wanted
    drawer.reload()
    drawer.get_by_role("button", name="Break it").click()
    expect(drawer.get_by_label("Signal line 1").locator("option:checked")).to_have_text("rises too slowly")
    expect(drawer.get_by_label("Signal line 0").locator("option:checked")).to_have_text("normal")
    drawer.get_by_label("Signal line 1").select_option("normal")
    choice(drawer, "The LED strip").select_option("normal")
    expect(drawer.locator("#drawer .tally")).to_have_text("Nothing is broken.")


def test_an_exchanged_wire_is_seen_from_both_its_points(drawer: Page) -> None:
    drawer.get_by_label("Its wire is swapped").select_option("f6")
    expect(drawer.locator("#drawer .tally")).to_have_text("One thing is broken.")
    drawer.get_by_label("Sensor of the point").select_option("f6")
    expect(drawer.get_by_label("Its wire is swapped")).to_have_value("d6")
    drawer.get_by_label("Sensor of the point").select_option("a1")
    expect(drawer.get_by_label("Its wire is swapped")).to_have_value("–")
    expect(drawer.get_by_label("Its wire is swapped").locator("option:disabled")).to_have_text(["a1"])
    drawer.get_by_label("Sensor of the point").select_option("d6")
    drawer.get_by_label("Its wire is swapped").select_option("–")
    expect(drawer.locator("#drawer .tally")).to_have_text("Nothing is broken.")


def test_a_script_has_what_was_broken_and_plays_it_again(pages: OpenPage) -> None:
    with simulated_board() as address:
        page = pages()
        page.goto(address)
        page.get_by_role("button", name="Break it").click()
        page.get_by_label("Sensor of the point").select_option("d6")
        page.get_by_label("Its wire is swapped").select_option("f6")
        page.get_by_label("The supply sags").click()
        page.get_by_label("Select lines").select_option("1 and 2 touch")
        page.get_by_label("Signal line 2").select_option("has come off")
        page.get_by_label("All magnets").select_option("also reach the next points")
        expect(page.locator("#drawer .tally")).to_have_text("5 things are broken.")
        page.get_by_label("Signal line 2").select_option("normal")
        expect(page.locator("#drawer .tally")).to_have_text("4 things are broken.")
        with page.expect_download() as saved:
            page.get_by_role("button", name="Save as script").click()
        other = Witness(address)
        told = other.sees(lambda faults: len(faults) == 4)
        other.client.close()
        lines = Path(saved.value.path()).read_text("utf-8").splitlines()
        leave(page)
    done = [json.loads(line) for line in lines]
    assert [one["fault"] for one in done if "fault" in one and one["fault"] in told] == told
    assert {"repair": {"signal": 2, "kind": "floating"}} in done
    call = done[0]["note"].partition("to replay: millwright ")[2].removesuffix(" < FILE")
    replayed = subprocess.run(  # noqa: S603 - our own program
        [MILLWRIGHT, *shlex.split(call)],
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert "error" not in replayed.stdout
    assert json.loads(replayed.stdout.splitlines()[-1])["state"]["status"] == "ready"
