"""axe-core looks at every state of the page for what keeps people out, and finds nothing.

It comes by npm (`make test` fetches it where npm is found); tests/web/package.json says which. A state of the
page that is new is added to `STATES`; where a board that plays by the rules is needed for it, to `STACKED` or
`SHOWN`. `make test` passes through all of them and looks at those of `LOOKED_AT`, which together show
nearly all that the page can show; `make test-long` looks at each.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from itertools import count, cycle, product
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from firmware_host.errors import RequestError
from firmware_host.web import access as door
from firmware_host.web import addresses as place
from tests.support.reviews import keep_review, review_of, turned_game
from tests.support.scripted_board import after
from tests.support.store import kept
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, begin, choose, draw, leave, new_page, play_all
from tests.support.web.fake_board import FakeBoard
from tests.support.web.fake_setup import DONE, FORMS, FakeSetup
from tests.support.web.looks import violations
from tests.support.web.page_client import PageClient

Look = tuple[str, Any]
"""A size of the window, and the scheme of its colours."""
SIZES: dict[str, ViewportSize] = {
    "wide": {"width": 1280, "height": 800},
    "a phone": {"width": 360, "height": 740},
    "a small phone": {"width": 320, "height": 568},
    "a phone on its side": {"width": 844, "height": 390},
    "a tablet": {"width": 768, "height": 1024},
    "full HD": {"width": 1920, "height": 1080},
}
SCHEMES = ("light", "dark")
# `make test` looks once at each state, by turns in the first two of these; `make test-long` in all four.
LOOKS: list[Look] = [("wide", "dark"), ("a phone", "light"), ("wide", "light"), ("a phone", "dark")]
ALL_BUTTONS = ["take-back", "redo", "pause", "draw", "resign"]


Faults = Callable[..., list[str]]
LOOKED_AT = (
    "a removal that is due",
    "a fault",
    "masked sensors",
    "a ball that stands wrong",
    "a past position of stacks",
    "where a game turned",
    "saved games, unfolded",
    "a new game, unfolded",
    "settings, unfolded",
    "a question",
    "the drawer of faults, and what sensors feel",
)


@pytest.fixture(
    params=[
        pytest.param([[look] for look in LOOKS[:2]], id="one look each"),
        pytest.param([LOOKS], id="every look", marks=pytest.mark.long),
    ]
)
def faults(request: pytest.FixtureRequest, axe: str) -> Faults:
    """Return the faults of a page in each look; none of a state that is skipped."""

    looks = cycle(request.param)
    every = LOOKS in request.param

    def faults(page: Page, state: str = "") -> list[str]:
        if state and not every and state not in LOOKED_AT:
            return []
        own_first = sorted(next(looks), key=lambda look: SIZES[look[0]] != page.viewport_size)
        return [line for look in own_first for line in seen(page, axe, look)]

    return faults


def seen(page: Page, axe: str, look: Look) -> list[str]:
    """Return axe-core's findings in a look."""
    size, scheme = look
    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    if page.viewport_size != SIZES[size]:
        page.set_viewport_size(SIZES[size])
        draw(page)  # the board is laid out again,
        draw(page)  # and its pieces with it
    return [f"{size}, {scheme}: {line}" for line in violations(page, axe)]


@pytest.fixture
def page(pages: OpenPage) -> Page:
    return pages(locale="en")


def arrive(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.locator("#sentence")).not_to_have_text("Looking for the board …")


def test_what_keeps_people_out_is_found(page: Page, axe: str) -> None:
    page.goto("about:blank")  # without the board's policy, which a page keeps when it leaves by itself
    page.set_content('<p style="color: #777; background: #888">Hardly to be read</p><button></button>')
    found = "\n".join(seen(page, axe, LOOKS[0]))
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
        sentence="The board doesn't match the game: put a white piece back on d6.",
    )


def undecided(board: FakeBoard) -> None:
    for point in ("d2", "g7"):
        board.submit({"put": point, "piece": "white"})
    cues = {"d2": ["unclear"], "g7": ["unclear"], "d6": ["lifted"]}
    board.say(status="undecided", cues=cues, leds={"d2": "#009e73", "g7": "#009e73", "d6": "#222222"})


def taking_back(board: FakeBoard) -> None:
    cues = {"d2": ["take-back"], "d6": ["take-back"]}
    board.say(status="taking-back", cues=cues, leds={"d2": "#ffffff", "d6": "#ffffff"})


def over(board: FakeBoard) -> None:
    board.submit({"put": "d6", "piece": "white"})
    outcome = {"winner": "white", "reason": "blocked"}
    board.say(status="over", outcome=outcome, cues={"d6": ["winner"]}, turns=["d6", "f4", "d7"] * 9)


STATES: dict[str, Callable[[FakeBoard], None]] = {
    "the start": lambda board: None,
    "a lifted piece": lifted,
    "a removal that is due": removal,
    "an error": wrong,
    "an undecided board": undecided,
    "a take-back that waits": taking_back,
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


def test_whatever_is_told_keeps_nobody_out(page: Page, table: FakeBoard, faults: Faults) -> None:
    found = {}
    arrive(page, table.server.address)
    for name, prepare in STATES.items():
        table.reset()
        prepare(table)
        table.say(sentence=f"This is {name}.")
        expect(page.locator("#sentence")).to_have_text(f"This is {name}.")
        found[name] = faults(page, name)
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_a_complaint_and_a_lost_board_keep_nobody_out(browser: Browser, faults: Faults) -> None:
    board = FakeBoard()
    page = new_page(browser, locale="en")
    arrive(page, board.server.address)
    board.refuses = RequestError("this cannot be done now")
    begin(page)
    expect(page.locator("#note")).to_be_visible()
    found = faults(page)
    board.server.close()
    expect(page.locator("#banner")).to_be_visible()
    assert found + faults(page) == []
    page.context.close()


def test_asking_for_the_code_keeps_nobody_out(
    page: Page, faults: Faults, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "is_here", lambda _: False)
    board = FakeBoard(host=place.EVERYWHERE, others=tmp_path / "devices.json")
    arrive(page, board.server.address)
    expect(page.locator("#code")).to_be_visible()
    found = faults(page)
    leave(page)
    board.server.close()
    assert found == []


def test_a_set_up_keeps_nobody_out(page: Page, faults: Faults) -> None:
    setup = FakeSetup()
    arrive(page, f"{setup.server.address}setup.html")
    found = faults(page)
    setup.say(**FORMS)
    expect(page.locator("#answers .chain")).to_have_count(len(FORMS["answers"]) - 1)
    found += faults(page)
    setup.say(over=True, **DONE)
    expect(page.locator("#sentence")).to_have_text("Set-up is done.")
    found += faults(page)
    leave(page)
    setup.server.close()
    assert found == []


# ---- on a board that plays by the rules ----------------------------------------------------------------


def looked_back(page: Page) -> None:
    page.get_by_role("button", name="d7", exact=True).click()
    expect(page.locator("#past p").first).to_contain_text("d7")


def turned(page: Page) -> None:
    page.keyboard.press("Escape")
    choose(page, "saved-games")
    page.get_by_role("button", name="View game 1").click()
    expect(page.locator("#given-away li")).to_have_count(1)


def asked_back(page: Page) -> None:
    choose(page, "resign")
    expect(page.locator("#question")).to_be_visible()


def shared(page: Page) -> None:
    page.keyboard.press("Escape")
    choose(page, "share")
    expect(page.locator("#link")).to_be_visible()


def games_unfolded(page: Page) -> None:
    page.keyboard.press("Escape")
    choose(page, "saved-games")
    expect(page.locator("#game-list li")).not_to_have_count(0)
    unfold(page)


def new_game_unfolded(page: Page) -> None:
    choose(page, "new")
    expect(page.locator("#view-start")).to_be_visible()
    unfold(page)


def settings_unfolded(page: Page) -> None:
    choose(page, "to-settings")
    expect(page.locator("#view-settings")).to_be_visible()
    unfold(page)


def unfold(page: Page) -> None:
    """Open everything in the panel that is folded."""
    folded = page.locator("#panel details:visible:not([open])")
    for number in reversed(range(folded.count())):
        folded.first.locator("summary").click()
        expect(folded).to_have_count(number)


def broken(page: Page) -> None:
    page.locator("#question button").last.click()
    choose(page, "break-it")
    page.get_by_label("Show sensor readings").check()
    expect(page.locator("#drawer")).to_be_visible()


@contextmanager
def asking(address: str) -> Iterator[Callable[..., None]]:
    """Hands on a simulated board, which do one thing after the other."""
    numbers = count(1)
    with closing(PageClient(address)) as client:

        def ask(*requests: dict[str, Any]) -> None:
            for request in requests:
                client.send({"id": next(numbers), **request})
                assert client.until("reply").get("ok")

        yield ask


Ask = Callable[..., None]


def ball_due(page: Page, ask: Ask) -> None:
    ask({"put": "b2", "piece": "white-ring"})
    expect(page.locator("#sentence")).to_contain_text("now move a ball")


def ball_lifted(page: Page, ask: Ask) -> None:
    ask({"lift": "a1"})
    expect(page.locator("#sentence")).to_contain_text("White has lifted the ball")


def ball_wrong(page: Page, ask: Ask) -> None:
    ask({"put": "c4"})
    expect(page.locator("#sentence")).to_contain_text("put a white ball back on a1")


def turn_done(page: Page, ask: Ask) -> None:
    ask({"lift": "c4"}, {"put": "b2"})
    expect(page.locator("#sentence")).to_contain_text("Black to play")


def stacks_looked_back(page: Page, _ask: Ask) -> None:
    page.get_by_role("button", name="+b2 a1-b2", exact=True).click()
    expect(page.locator("#then .piece[data-from=box]")).not_to_have_count(0)


def cleared(page: Page, ask: Ask) -> None:
    page.keyboard.press("Escape")
    ask({"sweep": True})
    expect(page.locator("#sentence")).to_contain_text("To begin, set up")


STACKED: dict[str, Callable[[Page, Ask], None]] = {
    "a start with stacks": lambda page, _ask: expect(page.locator(".piece")).to_have_count(22),
    "a ball that is due": ball_due,
    "a ball that is lifted": ball_lifted,
    "a ball that stands wrong": ball_wrong,
    "stacks after a turn": turn_done,
    "a past position of stacks": stacks_looked_back,
    "a start that is to be set up": cleared,
}


def test_a_game_of_stacks_keeps_nobody_out(page: Page, faults: Faults) -> None:
    found = {}
    with simulated_board("--game", "mitsudomoe") as address:
        arrive(page, address)
        with asking(address) as ask:
            for name, prepare in STACKED.items():
                prepare(page, ask)
                found[name] = faults(page, name)
        leave(page)
    assert {name: lines for name, lines in found.items() if lines} == {}


SHOWN: dict[str, Callable[[Page], None]] = {
    "a past position": looked_back,
    "a link to a game": shared,
    "where a game turned": turned,
    "saved games, unfolded": games_unfolded,
    "a new game, unfolded": new_game_unfolded,
    "settings, unfolded": settings_unfolded,
    "a question": asked_back,
    "the drawer of faults, and what sensors feel": broken,
}


def test_whatever_is_opened_keeps_nobody_out(page: Page, faults: Faults, tmp_path: Path) -> None:
    game = turned_game()
    kept(tmp_path / "games.db", game, after("", "six").session.game)
    keep_review(tmp_path / "games.db", 1, review_of(game))
    found = {}
    with simulated_board("--store", str(tmp_path / "games.db"), "--rules", "six") as address:
        arrive(page, address)
        play_all(page, ["d6", "f4", "d7"])
        for name, show in SHOWN.items():
            show(page)
            found[name] = faults(page, name)
        leave(page)
    assert {name: lines for name, lines in found.items() if lines} == {}


@pytest.mark.long
@pytest.mark.parametrize("language", ["de", "es", "pt", "en"])
def test_every_size_scheme_and_language_keeps_nobody_out(pages: OpenPage, axe: str, language: str) -> None:
    """The board with what lies beside it, the menu and the settings; the scheme is the chosen one."""
    found: list[str] = []
    with simulated_board() as address:
        page = pages(locale="en")
        arrive(page, f"{address}?lang={language}")
        play_all(page, ["d6", "f4"])
        for size, scheme in product(SIZES, SCHEMES):
            look = size, {"light": "dark", "dark": "light"}[scheme]
            choose(page, "to-settings")
            page.locator("#scheme").select_option(scheme)
            found += seen(page, axe, look)
            page.locator("#more").click()
            found += seen(page, axe, look)
            page.keyboard.press("Escape")
            found += seen(page, axe, look)
        leave(page)
    assert found == []


def test_all_that_is_looked_at_is_a_state_of_the_page() -> None:
    """Otherwise a renamed state would no longer be checked, and nobody would notice."""
    assert set(LOOKED_AT) <= {*STATES, *STACKED, *SHOWN}
