"""axe-core looks at every state of the page for what keeps people out, and finds nothing.

It comes by npm (`make test` fetches it where npm is found); tests/web/package.json says which. A state of the
page that is new is added to `STATES`, or to `SHOWN` where a board that plays by the rules is needed for it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import play_all, simulated_board
from fake_board import FakeBoard
from felt_board import after
from playwright.sync_api import Browser, Page, expect
from test_games_page import kept
from test_setup_page import DONE, FakeSetup

from firmware_host.errors import RequestError
from firmware_host.web import door, place

pytestmark = pytest.mark.xdist_group("browser")

AXE = Path(__file__).parent / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {"wide": {"width": 1280, "height": 800}, "a phone": {"width": 360, "height": 740}}
LOOKS = {
    f"{name}, and {scheme}": {"viewport": size, "color_scheme": scheme}
    for name, size in SIZES.items()
    for scheme in ("dark", "light")
}
RUN = "() => axe.run(document, { resultTypes: ['violations'] })"
ALL_BUTTONS = ["take-back", "pause", "draw", "resign"]


@pytest.fixture(scope="module")
def axe() -> str:
    if not AXE.exists():
        if os.environ.get("MILLWRIGHT_AXE_REQUIRED"):
            pytest.fail("the page cannot be looked at: axe-core is missing (npm ci --prefix tests/web)")
        pytest.skip("there is no axe-core to look at the page with (npm ci --prefix tests/web)")
    return AXE.read_text("utf-8")


@pytest.fixture(params=LOOKS)
def context(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {"locale": "en", "reduced_motion": "reduce", **LOOKS[request.param]}


def faults(page: Page, axe: str) -> list[str]:
    """What axe-core finds, each in a line: the rule, what it is about, and where."""
    page.evaluate(axe)
    found = page.evaluate(RUN)["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {node['target']} {node['html'][:120]}"
        + "".join(f" ({check['message']})" for check in (*node["any"], *node["all"], *node["none"]))
        for rule in found
        for node in rule["nodes"]
    ]


def opened(browser: Browser, address: str, context: dict[str, Any]) -> Page:
    page = browser.new_page(**context)
    page.goto(address)
    expect(page.locator("#sentence")).not_to_have_text("Looking for the board …")
    return page


def test_what_keeps_people_out_is_found(browser: Browser, axe: str) -> None:
    page = browser.new_page()
    page.set_content('<p style="color: #777; background: #888">Hardly to be read</p><button></button>')
    found = "\n".join(faults(page, axe))
    page.context.close()
    assert "color-contrast" in found
    assert "button-name" in found


# ---- on a table without rules --------------------------------------------------------------------------


def lifted(board: FakeBoard) -> None:
    board.submit({"put": "d6", "piece": "white"})
    board.submit({"lift": "d6"})
    board.say(status="lifted", cues={"d6": ["lifted"], "d7": ["destination"]}, leds={"d7": "#0a3c00"})


def removal(board: FakeBoard) -> None:
    for point in ("d6", "d7", "d5"):
        board.submit({"put": point, "piece": "white"})
    board.submit({"put": "a1", "piece": "black"})
    cues = {"d5": ["last-move", "mill"], "a1": ["removable"]}
    board.say(
        status="remove", moves=["x-", "xa1"], can=["decline", *ALL_BUTTONS], cues=cues, turns=["d6", "a1"]
    )


def wrong(board: FakeBoard) -> None:
    board.say(
        status="mismatch",
        missing=["d6"],
        extra=["a1"],
        wrong=["d7"],
        cues={"d6": ["missing"], "a1": ["extra"], "d7": ["wrong"]},
        sentence="The board stands wrong: put a white piece back on d6.",
    )


def over(board: FakeBoard) -> None:
    board.submit({"put": "d6", "piece": "white"})
    outcome = {"winner": "white", "reason": "blocked"}
    board.say(status="over", outcome=outcome, cues={"d6": ["winner"]}, turns=["d6", "f4", "d7"] * 9)


STATES: dict[str, Callable[[FakeBoard], None]] = {
    "the start": lambda board: None,
    "a lifted piece": lifted,
    "a removal that is due": removal,
    "an error": wrong,
    "a game that is over": over,
    "a paused game": lambda board: board.say(status="paused", can=["resume"], sentence="The game is paused."),
    "a fault": lambda board: board.say(
        status="fault", faults=["Sensors: no mux answers", "Disk: it is full"]
    ),
    "masked sensors": lambda board: board.say(masked=["d6"], confirm=["d6", "d7"]),
    "a board to be cleared": lambda board: board.say(status="clear", cues={"d6": ["clear"]}),
}


@pytest.fixture(scope="module")
def table() -> Iterator[FakeBoard]:
    board = FakeBoard()
    yield board
    board.server.close()


def test_whatever_is_told_keeps_nobody_out(
    browser: Browser, table: FakeBoard, axe: str, context: dict[str, Any]
) -> None:
    found = {}
    page = opened(browser, table.server.address, context)
    for name, prepare in STATES.items():
        table.reset()
        prepare(table)
        table.say(sentence=f"This is {name}.")
        expect(page.locator("#sentence")).to_have_text(f"This is {name}.")
        found[name] = faults(page, axe)
    page.context.close()
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_complaint_and_a_lost_board_keep_nobody_out(
    browser: Browser, axe: str, context: dict[str, Any]
) -> None:
    board = FakeBoard()
    page = opened(browser, board.server.address, context)
    board.refuses = RequestError("this cannot be done now")
    page.locator("#begin").click()
    expect(page.locator("#note")).to_be_visible()
    found = faults(page, axe)
    board.server.close()
    expect(page.locator("#banner")).to_be_visible()
    assert found + faults(page, axe) == []
    page.context.close()


def test_asking_for_the_code_keeps_nobody_out(
    browser: Browser, axe: str, context: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "is_here", lambda _: False)
    board = FakeBoard(host=place.EVERYWHERE, others=tmp_path / "page.key")
    page = opened(browser, board.server.address, context)
    expect(page.locator("#code")).to_be_visible()
    found = faults(page, axe)
    page.context.close()
    board.server.close()
    assert found == []


def test_a_set_up_keeps_nobody_out(browser: Browser, axe: str, context: dict[str, Any]) -> None:
    setup = FakeSetup()
    page = opened(browser, f"{setup.server.address}setup.html", context)
    found = faults(page, axe)
    setup.say(over=True, **DONE)
    expect(page.locator("#sentence")).to_have_text("Set-up is done.")
    found += faults(page, axe)
    page.context.close()
    setup.server.close()
    assert found == []


# ---- on a board that plays by the rules ----------------------------------------------------------------


def looked_back(page: Page) -> None:
    page.get_by_role("button", name="d7", exact=True).click()
    expect(page.locator("#past p")).to_contain_text("d7")


def asked_back(page: Page) -> None:
    page.locator("#resign").click()
    expect(page.locator("#question")).to_be_visible()


def unfolded(page: Page) -> None:
    page.keyboard.press("Escape")
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    expect(page.locator("#game-list li")).not_to_have_count(0)


def broken(page: Page) -> None:
    page.locator("#question button").last.click()
    page.get_by_role("button", name="Break it").click()
    page.get_by_label("Show what the sensors feel").check()
    expect(page.locator("#drawer")).to_be_visible()


SHOWN: dict[str, Callable[[Page], None]] = {
    "a past position": looked_back,
    "all that can be unfolded": unfolded,
    "a question": asked_back,
    "the drawer of faults, and what sensors feel": broken,
}


def test_whatever_is_opened_keeps_nobody_out(
    browser: Browser, axe: str, context: dict[str, Any], tmp_path: Path
) -> None:
    won, begun = after("d6 f4 d7 a1 d5xa1", "standard", "pieces=3"), after("", "six")
    kept(tmp_path / "games.db", won.session.game, begun.session.game)
    found = {}
    with simulated_board("--store", str(tmp_path / "games.db"), "--rules", "six") as address:
        page = opened(browser, address, context)
        play_all(page, ["d6", "f4", "d7"])
        for name, show in SHOWN.items():
            show(page)
            found[name] = faults(page, axe)
        page.context.close()
    assert {name: lines for name, lines in found.items() if lines} == {}
