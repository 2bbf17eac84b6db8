"""The contrast of the lights that are due, measured in pixels of screenshots, and what moves in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import cos, sin
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.support.matrix import sampled
from tests.support.web.browsing import draw, leave, point
from tests.support.web.fake_board import FakeBoard
from tests.support.web.looks import ANGLE, LEAST, colour, contrast

PHONE: ViewportSize = {"width": 390, "height": 844}
LAPTOP: ViewportSize = {"width": 1280, "height": 800}
LOOKS = [(theme, scheme) for theme in ("harbour", "candle", "contrast") for scheme in ("light", "dark")]

# The radius of the rim of each meaning, in units, and the player whose piece stands there.
DUE: dict[str, tuple[float, str | None, str]] = {
    "destination": (0.235, None, "white"),
    "destination of Black": (0.235, None, "black"),
    "movable": (0.43, "white", "white"),
    "movable of Black": (0.43, "black", "black"),
    "removable": (0.46, "black", "white"),
    "mill": (0.41, "white", "white"),
    "hint": (0.46, "black", "black"),
    "winner": (0.43, "white", "white"),
    "missing": (0.38, None, "white"),
    "extra": (0.46, "black", "white"),
    "wrong": (0.46, "black", "white"),
}
POINTS = ["a7", "e4", "g1"]
"""Wood is lighter and darker from place to place."""


@pytest.fixture
def open_board(browser: Browser, board: FakeBoard) -> Iterator[Callable[..., Page]]:
    """Opens the board's page with the grain of its wood."""
    opened: list[Page] = []

    def open_page(**look: Any) -> Page:
        page = browser.new_page(**look)
        opened.append(page)
        page.goto(board.server.address)
        expect(page.locator("#sentence")).to_have_text(board.state["sentence"])
        return page

    yield open_page
    for page in opened:
        leave(page)
        page.close()


def show(board: FakeBoard, page: Page, meaning: str, theme: str) -> None:
    """Light all POINTS with one meaning, at its dimmest: the LED itself is dark."""
    _, piece, player = DUE[meaning]
    cue = meaning.split()[0]
    standing = dict.fromkeys(POINTS, piece) if piece else {}
    settings = {**board.state["settings"], "theme": theme}
    board.say(
        cues={name: [cue] for name in POINTS},
        leds={},
        standing=standing,
        to_move=player,
        settings=settings,
        sentence=meaning,
    )
    expect(page.locator("#sentence")).to_have_text(meaning)
    draw(page)


@pytest.mark.parametrize(("theme", "scheme"), sampled(LOOKS))
@pytest.mark.parametrize("viewport", sampled([PHONE, LAPTOP]), ids=lambda size: str(size["width"]))
def test_due_light_at_its_dimmest_is_seen_on_wood(
    board: FakeBoard, open_board: Callable[..., Page], theme: str, scheme: Any, viewport: ViewportSize
) -> None:
    page = open_board(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
    unit = (point(page, "g1")[0] - point(page, "a1")[0]) / 6
    spots = {
        (meaning, name): (x + radius * unit * sin(ANGLE), y - radius * unit * cos(ANGLE))
        for meaning, (radius, _, _) in DUE.items()
        for name in POINTS
        for x, y in (point(page, name),)
    }
    bare = {key: colour(page, spot) for key, spot in spots.items()}
    found: dict[tuple[str, str], float] = {}
    for meaning in DUE:
        show(board, page, meaning, theme)
        for name in POINTS:
            key = meaning, name
            found[key] = contrast(colour(page, spots[key]), bare[key])
    assert {key: round(ratio, 2) for key, ratio in found.items() if ratio < LEAST} == {}


def running(page: Page) -> int:
    """The number of animations that run in the lights."""
    count: int = page.evaluate(
        "document.getAnimations().filter(({ effect }) => effect.target.closest('.marks')).length"
    )
    return count


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_only_due_pieces_move_and_none_with_reduced_motion(
    board: FakeBoard, open_board: Callable[..., Page], motion: Any, moves: bool
) -> None:
    page = open_board(viewport=LAPTOP, reduced_motion=motion)
    show(board, page, "removable", "harbour")
    assert (running(page) > 0) is moves
    show(board, page, "destination", "harbour")
    assert running(page) == 0


def test_mill_is_joined_by_a_line(board: FakeBoard, open_board: Callable[..., Page]) -> None:
    page = open_board(viewport=LAPTOP, reduced_motion="reduce")
    board.say(cues={name: ["mill"] for name in ("a7", "d7", "g7", "a1")})
    expect(page.locator(".ways .way")).to_have_count(1)
    expect(page.locator("[data-mark=a1].mark-mill")).to_have_count(1)


def test_light_is_held_still_with_reduced_motion(board: FakeBoard, open_board: Callable[..., Page]) -> None:
    page = open_board(viewport=LAPTOP, reduced_motion="reduce")
    disc = page.locator("#light [data-point=d6] circle").first
    board.say(cues={"d6": ["removable"]}, leds={"d6": "#0a3c00"})
    expect(disc).not_to_have_attribute("opacity", "0.000")
    before = disc.get_attribute("opacity")
    board.light(d6="#020400")
    expect(page.locator("#light [data-point=d6]")).to_have_attribute("data-led", "#020400")
    assert disc.get_attribute("opacity") == before


def test_side_bars_are_held_still_with_reduced_motion(
    board: FakeBoard, open_board: Callable[..., Page]
) -> None:
    page = open_board(viewport=LAPTOP, reduced_motion="reduce")
    clock = {"control": "5", "black_s": 200.0, "flag": None, "strict": False, "bar_leds": 2}
    first, second = (page.locator(f"#light [data-bar=white] >> nth={number}") for number in (0, 1))

    def shines(led: Locator) -> str | None:
        return led.locator("circle").first.get_attribute("opacity")

    bright, faint = {"white-bar-1": "#0000ff"}, {"white-bar-1": "#000030"}
    board.say(clock={**clock, "white_s": 7.0, "running": "white"}, leds={**bright, "white-bar-2": "#0000ff"})
    expect(second).to_have_attribute("data-led", "#0000ff")
    before = shines(first)
    board.light(**faint)
    expect(first).to_have_attribute("data-led", "#000030")
    expect(second).to_have_attribute("data-led", "")
    assert (shines(first), shines(second)) == (before, "0.000"), "it pulses no more, and goes out"
    board.say(clock={**clock, "white_s": 0.0, "running": None, "flag": "white"}, leds=bright)
    expect(first).to_have_attribute("data-led", "#0000ff")
    board.light()
    expect(first).to_have_attribute("data-led", "")
    assert shines(first) == before, "time that is up blinks no more"


@pytest.mark.parametrize("seat", ["engine:3", "here"])
def test_hint_is_named_by_who_has_the_turn(board: FakeBoard, page: Page, seat: str) -> None:
    board.say(cues={"d6": ["hint"]}, seats={"white": seat, "black": "here"})
    words = "hint" if seat == "here" else "comes next in the board's turn"
    expect(page.locator("#legend li")).to_have_text(words)
    expect(page.locator("#hands [data-point=d6]")).to_have_attribute("aria-label", f"d6, empty, {words}")


def test_legend_shows_a_light_as_it_is_on_the_board(board: FakeBoard, page: Page) -> None:
    swatch = page.locator("#legend .swatch")
    for standing, shape in (({}, "mark-free"), ({"d6": "black"}, "mark-lift")):
        board.say(cues={"d6": ["hint"]}, standing=standing)
        expect(page.locator("[data-mark=d6]")).to_have_class(shape)
        expect(swatch).to_have_class(f"swatch {shape}")
    expect(swatch.locator("circle").first).to_have_attribute("fill", "#241b16")
