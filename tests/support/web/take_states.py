"""Takes a picture of every state of the page, at six sizes and in both schemes, to be opened and looked at.

Run by `make states`; needs the browser of the page's tests. A picture is called
`STATE-LANGUAGE-SIZE-SCHEME.jpg`. The states of play but two are of one board, which is played on with the
mouse from each to the next; then come the workshop's.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from playwright.sync_api import Page, ViewportSize, expect

from firmware_host.games.layout import MORRIS
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import LANGUAGES, Message
from firmware_host.play.asking.options import options, places
from firmware_host.ports import SensorKind
from firmware_host.views.card import CardBoard, everything
from hardware.setup.prompts import Answer
from tests.support.hardware.doctoring import examined
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import choose, chromium, click, drag, leave, pace, patient_page, point
from tests.support.web.fake_board import FakeBoard
from tests.support.web.fake_setup import FORMS, FakeSetup, SettingsPage

WINDOW: ViewportSize = {"width": 1280, "height": 800}
"""Of the mouse; it is the first size of the pictures."""
PHONE: ViewportSize = {"width": 390, "height": 844}
SIZES: list[ViewportSize] = [
    WINDOW,
    PHONE,
    {"width": 844, "height": 390},
    {"width": 768, "height": 1024},
    {"width": 1920, "height": 1080},
    {"width": 320, "height": 568},
]
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
QUALITY = 78
A_WHILE_MS = 600_000
NEVER_RESTS = "[rest]\ndim_after_s = 0\nsleep_after_s = 0\n"
"""Pictures and checks in all sizes take longer than a board waits until its lights fade."""
Take = Callable[[str], None]


def every_state(page: Page) -> Iterator[str]:
    """Bring the page from state to state, and yield the name of each; none ends by itself."""
    with TemporaryDirectory() as folder:
        config = Path(folder) / "millwright.toml"
        config.write_text(NEVER_RESTS, "utf-8")
        with simulated_board("--sensors", "polarity", "--config", str(config)) as address:
            page.goto(address)
            expect(page.locator("#begin")).to_be_visible()
            for part in (beginning, turns, menus, faults, against_the_board):
                yield from part(page)
            leave(page)
    board = FakeBoard()
    page.goto(board.server.address)
    yield from no_sensors(page, board)
    yield from menu_of_light(page, board)
    yield from way_to_workshop(page, board)
    yield from own_wifi(page, board)
    leave(page)
    board.server.close()
    yield from set_up_and_examined(page)
    yield from technical_settings(page)


def beginning(page: Page) -> Iterator[str]:
    """Nothing is on the board, and the lesson begins."""
    yield "before"
    page.locator("#learn").click()
    expect(page.locator("[data-mark=d7].mark-free")).to_have_count(1)
    expect(page.locator("[data-mark=d6].mark-free")).to_have_count(0)
    yield "lesson"
    page.locator("#leave").click()
    expect(page.locator("#begin")).to_be_visible()


def turns(page: Page) -> Iterator[str]:
    """Turns of two people: an error, a mill, a turn taken back, and one looked back at."""
    _place(page, "d6", "f4", "d7")
    yield "placing"
    drag(page, point(page, "d6"), point(page, "g1"))
    expect(page.locator("#set-right")).to_be_visible()
    yield "error"
    page.locator("#set-right").click()
    expect(page.locator("#set-right")).to_be_hidden()
    _place(page, "b4", "d5")
    expect(page.locator("[data-mark=f4].mark-pieces")).to_have_count(1)
    yield "removal"
    click(page, point(page, "f4"))
    expect(page.locator("#turns button").last).to_have_text("d5xf4")
    page.locator("#take-back").click()
    expect(page.locator("#set-right")).to_be_visible()
    yield "take-back"
    page.locator("#set-right").click()
    expect(page.locator("#set-right")).to_be_hidden()
    page.locator("#turns button").first.click()
    expect(page.locator("#now")).to_be_visible()
    expect(page.locator("#study-value")).not_to_be_empty()  # which comes a moment later, and moves the rest
    yield "past"
    page.locator("#now").click()


def _place(page: Page, *points: str) -> None:
    """Click on free points, one when the piece on the one before it stands and its turn is over."""
    for name in points:
        turns = page.locator("#turns button")
        before = turns.count()
        click(page, point(page, name))
        expect(turns).to_have_count(before + 1)


def menus(page: Page) -> Iterator[str]:
    """Whatever is opened beside the board, or over it."""
    page.locator("#more").click()
    yield "menu"
    for name in ("to-settings", "saved-games", "share", "new", "new-position"):
        choose(page, name)
        yield name.removeprefix("to-")
        page.keyboard.press("Escape")


def faults(page: Page) -> Iterator[str]:
    """The drawer, with a sensor that sticks and counts as a placement, and is repaired again."""
    turns = page.locator("#turns button")
    before = turns.count()
    choose(page, "break-it")
    page.locator("#drawer .stories button").first.click()
    expect(turns).to_have_count(before + 1)
    expect(page.locator("#drawer .broken")).to_be_visible()
    yield "drawer"
    page.locator("#repair").click()
    expect(turns).to_have_count(before)
    page.locator("#done").click()


def against_the_board(page: Page) -> Iterator[str]:
    """A game against the board, to its end."""
    choose(page, "new")
    page.locator("#who [value=board]").check()
    page.locator("#carries-out-first").uncheck()  # its turn waits for hands then
    yield "against"
    pace(page, "undo", offered=A_WHILE_MS)
    page.locator("#begin").click()
    expect(page.locator("#undo")).to_be_visible()
    yield "undo"
    _place(page, "d6")
    expect(page.locator("#move-for")).to_be_visible()
    yield "turn-of-the-board"
    page.locator("#move-for").click()
    expect(page.locator("#players .to-move[data-player=white]")).to_be_visible()
    advice = page.locator("#advice").inner_text()
    page.locator("#hint").click()
    expect(page.locator("#hint[aria-pressed=true]")).to_be_visible()
    expect(page.locator("#advice")).not_to_have_text(advice)
    expect(page.locator("#legend li").nth(1)).to_be_visible()  # a hint that knows nothing dims for a second
    yield "hint"
    choose(page, "resign")
    yield "question"
    pace(page, "undo", offered=1)
    page.locator("#question button").first.click()
    expect(page.locator("#again")).to_be_visible()
    yield "over"


def no_sensors(page: Page, board: FakeBoard) -> Iterator[str]:
    """A board that never could read its sensors."""
    said = {"key": "cannot-feel", "slots": {"text": "lgpio is missing"}}
    board.say(status="fault", sentence="It has stopped.", said=said, can=[])
    expect(page.locator("#command")).to_be_visible()
    yield "no-sensors"


def menu_of_light(page: Page, board: FakeBoard) -> Iterator[str]:
    """All that can be asked for during a game; a real board would close its menu after a while."""
    now = everything(CardBoard(rule_set("standard"), SensorKind.POLARITY))
    points = places(MORRIS)
    lit = {points[place].name: option.does for place, option in options("game", now).items()}
    board.reset()
    board.say(
        status="asking",
        asking={"question": "game", "options": lit, "sure": None, "seconds": 12.0},
        cues={point: ["ask"] for point in lit},
        leds=dict.fromkeys(lit, "#ffffff"),
        sentence="Touch a lit point to choose.",
        said={"key": "asking", "slots": {}},
        turns=["d6", "f4"],
    )
    expect(page.locator("#asking button")).to_have_count(len(lit))
    yield "menu-of-light"


def way_to_workshop(page: Page, board: FakeBoard) -> Iterator[str]:
    """The end of the settings, which begins set-up, examination and a choice of technical settings."""
    board.reset()
    choose(page, "to-settings")
    page.locator("#workshop summary").click()
    expect(page.locator("#workshop button")).to_have_count(3)
    page.locator("#workshop p").scroll_into_view_if_needed()
    yield "workshop"
    page.locator("#workshop button").last.click()
    expect(page.locator("dialog[open]")).to_be_visible()
    yield "workshop-question"
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")


def own_wifi(page: Page, board: FakeBoard) -> Iterator[str]:
    """The page of the board's own Wi-Fi, after a wrong password."""
    trouble = {"key": "wifi.trouble.password", "slots": {}}
    networks = [
        {"name": "Home", "strength": 90, "locked": True},
        {"name": "A-very-long-name-without-a-blank", "strength": 50, "locked": True},
        {"name": "Guests", "strength": 10, "locked": False},
    ]
    home = "http://millwright-in-the-kitchen.local:8765/"
    state = {"stage": "own", "networks": networks, "chosen": None, "trouble": trouble, "home": home}
    page.route("**/wifi.json", lambda route: route.fulfill(json=state))
    page.goto(f"{board.server.address}wifi.html")
    page.get_by_text("Home", exact=True).click()
    expect(page.locator("#wifi-password")).to_be_visible()
    yield "own-wifi"


def set_up_and_examined(page: Page) -> Iterator[str]:
    """A set-up, and an examination that has found faults."""
    setup = FakeSetup()
    page.goto(f"{setup.server.address}setup.html")
    expect(page.locator("[data-asked]")).to_be_visible()
    yield "set-up"
    setup.say(**FORMS)
    expect(page.locator("#answers .chain")).to_have_count(len(FORMS["answers"]) - 1)
    yield "hardware-form"
    findings = examined({"mux": 1, "kind": "dead"})
    over = Message("setup.doctor.failed")
    play = (Answer("", Message("setup.doctor.play")),)
    setup.say(findings=findings, sentence=over, answers=play, notes=(), point=None, known=(), done=0, of=0)
    expect(page.locator("#findings li")).to_have_count(len(findings))
    yield "examination"
    leave(page)
    setup.server.close()


def technical_settings(page: Page) -> Iterator[str]:
    """The settings of the configuration, of which one was just changed."""
    with TemporaryDirectory() as folder:
        settings = SettingsPage(Path(folder) / "millwright.toml")
        page.goto(f"{settings.server.address}setup.html")
        field = page.locator("[data-setting='timing.debounce_ms'] input")
        field.fill("25")
        field.blur()
        expect(page.locator("#settings .saved")).not_to_be_empty()
        yield "technical-settings"
        leave(page)
        settings.server.close()


def taker(page: Page, folder: Path, language: str) -> Take:
    """Return a function that takes the pictures of a state, and leaves the window as it was."""

    def take(state: str) -> None:
        for size, scheme in product(SIZES, SCHEMES):
            page.set_viewport_size(size)
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            page.wait_for_timeout(150)  # the board is laid out again
            name = f"{state}-{language}-{size['width']}x{size['height']}-{scheme}.jpg"
            page.screenshot(path=folder / name, type="jpeg", quality=QUALITY)
        page.set_viewport_size(WINDOW)
        page.wait_for_timeout(150)

    return take


def main() -> None:
    """Write the pictures of all states into a folder."""
    parser = argparse.ArgumentParser(prog="python -m tests.support.web.take_states")
    parser.add_argument("folder", type=Path, help="where the pictures go; it's made if it isn't there")
    parser.add_argument("languages", nargs="*", type=_language, help="en if none is named")
    given = parser.parse_args()
    folder: Path = given.folder
    folder.mkdir(parents=True, exist_ok=True)
    with chromium() as browser:
        for language in given.languages or ["en"]:
            page = patient_page(browser, viewport=WINDOW, locale=language, reduced_motion="reduce")
            take = taker(page, folder, language)
            for state in every_state(page):
                take(state)
            page.context.close()


def _language(text: str) -> str:
    if text not in LANGUAGES:
        raise argparse.ArgumentTypeError(f"{text} is not one of {', '.join(LANGUAGES)}")
    return text


if __name__ == "__main__":
    main()
