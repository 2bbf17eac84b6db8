"""No text of the page is cut or runs out of its place, in any language, on a phone and beside the board."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, choose, draw, leave, play_all, resize_text
from tests.support.web.fake_board import FakeBoard
from tests.support.web.looks import cut

SIZES: list[ViewportSize] = [
    {"width": 320, "height": 568},
    {"width": 360, "height": 740},
    {"width": 390, "height": 844},
    {"width": 640, "height": 400},
    {"width": 768, "height": 1024},
    {"width": 844, "height": 390},
    {"width": 1024, "height": 640},
    {"width": 1280, "height": 800},
    {"width": 1920, "height": 1080},
]
"""Phones upright and on their side, a tablet, and windows; one is zoomed to twice its size."""

LINES = "part => new Set([...part.getClientRects()].map((line) => line.top)).size"
FONT = "part => parseFloat(getComputedStyle(part).fontSize)"
PLAQUES = """() => [...document.querySelectorAll("#players dt")].map((name) => {
    const size = (part, pseudo) => parseFloat(getComputedStyle(part, pseudo).fontSize);
    const count = name.parentElement.querySelector("dd:not(.time)");
    const range = document.createRange();
    range.selectNodeContents(name);
    const sign = name.clientHeight > 0 && getComputedStyle(name, "::before").content !== "none";
    return {
        name: size(name),
        count: size(count) || size(count, "::before"),
        sign: size(name) === 0 && sign,
        lines: new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size,
        ends: getComputedStyle(name).textOverflow,
        cut: name.scrollWidth > name.clientWidth,
    };
})"""
"""The sizes of names and counts on the plaques, whether a side is its sign, and how many lines a name has."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A simulated board with the longest name of rules, and an option that is written beside it."""
    with simulated_board("--rules", "pounding-0.3b", "--set", "flying=never") as found:
        yield found


@pytest.mark.parametrize("language", sampled(["de", "en", "es", "pt"]))
def test_no_text_is_cut_in_rules_and_drawer(pages: OpenPage, address: str, language: str) -> None:
    page = pages()
    for size in SIZES:
        page.set_viewport_size(size)
        page.goto(f"{address}?lang={language}")
        expect(page.locator("#players .to-move")).to_be_visible()
        assert cut(page) == [], size
        choose(page, "new")
        page.locator("#switches summary").click()
        expect(page.locator("#switches select").first).to_be_visible()
        assert cut(page) == [], size
        page.locator("#names summary").click()
        assert cut(page) == [], size
        choose(page, "to-settings")
        assert cut(page) == [], size
        page.locator("#more").click()
        assert cut(page) == [], size
        page.locator("#break-it").click()
        expect(page.locator("#drawer")).to_be_visible()
        assert cut(page) == [], size


@pytest.mark.parametrize("language", sampled(["de", "en", "es", "pt"]))
def test_no_text_is_cut_where_set_up_begins(pages: OpenPage, language: str) -> None:
    page = pages()
    with simulated_board("--setup", "--seed", "3") as address:
        for size in SIZES:
            page.set_viewport_size(size)
            page.goto(f"{address}?lang={language}")
            expect(page.locator("#answers button").first).to_be_visible()
            assert cut(page) == [], size
        page.goto("about:blank")


NAMES = {"white": "Maximiliane zu Hohenlohe-Berge", "black": "Wolfeschlegelsteinhausenberger"}
"""As long as names can be, one of them in a single word."""


@pytest.mark.parametrize("language", sampled(["de", "en", "es", "pt"]))
def test_no_text_is_cut_in_names_games_and_links(pages: OpenPage, tmp_path: Path, language: str) -> None:
    page = pages()
    with simulated_board("--store", str(tmp_path / "games.db")) as address:
        page.goto(f"{address}?lang={language}")
        play_all(page, ["d6", "f4"])
        choose(page, "to-settings")
        for player, name in NAMES.items():
            page.locator(f"#called-{player}").fill(name)
            page.keyboard.press("Enter")
            expect(page.locator(f"#players [data-player={player}] dt")).to_have_text(name)
        for size in SIZES:
            page.set_viewport_size(size)
            page.goto(f"{address}?lang={language}")
            expect(page.locator("#players .to-move")).to_contain_text(NAMES["white"])
            assert cut(page) == [], size
            choose(page, "saved-games")
            expect(page.locator("#game-list")).to_contain_text(NAMES["black"])
            assert cut(page) == [], size
            page.locator("#done").click()
            page.locator("#look-back").click()
            expect(page.locator("#turned")).to_be_visible()
            assert cut(page) == [], size
            page.locator("#share-then").click()
            expect(page.locator("#link")).to_be_visible()
            assert cut(page) == [], size
        leave(page)


PHASES: dict[str, dict[str, Any]] = {
    "place": {"moves": ["d6"], "in_hand": {"white": 9, "black": 9}},
    "move": {"moves": ["d6-d7"], "in_hand": {"white": 0, "black": 0}},
    "fly": {"moves": ["d6-a1"], "in_hand": {"white": 0, "black": 0}},
    "take": {"moves": ["xd6"], "in_hand": {"white": 0, "black": 0}, "status": "remove"},
}


@pytest.mark.parametrize("language", sampled(["de", "en", "es", "pt"]))
def test_no_text_is_cut_in_any_phase(pages: OpenPage, board: FakeBoard, language: str) -> None:
    page = pages()
    for size in SIZES:
        page.set_viewport_size(size)
        page.goto(f"{board.server.address}?lang={language}")
        for phase, state in PHASES.items():
            board.say(turns=["d6"], **{"status": "ready", **state})
            expect(page.locator("#phases [aria-current]")).to_have_attribute("data-phase", phase)
            assert cut(page) == [], (size, phase)


@pytest.mark.parametrize("language", sampled(["de", "en", "es", "pt"]))
def test_large_text_reaches_all_parts(pages: OpenPage, board: FakeBoard, language: str) -> None:
    page = pages()
    board.say(turns=["d6"], status="ready", moves=["d6-d7"], in_hand={"white": 0, "black": 0})
    for width, height in ((390, 844), (844, 390), (768, 1024), (1024, 768)):
        sizes = []
        for size in (16, 24):
            resize_text(page, size)
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{board.server.address}?lang={language}")
            expect(page.locator("#players .to-move")).to_be_visible()
            draw(page)
            assert cut(page) == [], (width, size)
            if width < height:  # elsewhere the page's head is for screen readers alone
                page.evaluate("document.querySelector('#break').hidden = false")  # as on a simulated board
                assert page.locator("#rules-name").evaluate(LINES) <= 1, (width, size)
            sizes.append(
                [page.locator(part).first.evaluate(FONT) for part in ("#sentence", ".tools span", "#advice")]
            )
        assert all(large > 1.15 * usual for usual, large in zip(*sizes, strict=True)), (width, sizes)


@pytest.mark.parametrize("language", sampled(["de", "en", "es", "pt"]))
def test_plaques_grow_with_large_text(pages: OpenPage, board: FakeBoard, language: str) -> None:
    """Names keep 14 px at least; both sides are their signs where one has no room for its name."""
    page = pages(has_touch=True)
    board.say(turns=["d6"], status="ready", moves=["d6"], names={})
    for width, height in ((390, 844), (844, 390)):
        counts = []
        for size in (16, 24):
            resize_text(page, size)
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{board.server.address}?lang={language}")
            expect(page.locator("#players .to-move")).to_be_visible()
            draw(page)
            plaques = page.evaluate(PLAQUES)
            assert len({plaque["sign"] for plaque in plaques}) == 1, (width, size)
            assert all(plaque["sign"] or plaque["name"] >= 14 for plaque in plaques), (width, size)
            assert all(plaque["lines"] == 1 for plaque in plaques if not plaque["sign"]), (width, size)
            assert cut(page) == [], (width, size)
            counts.append(min(plaque["count"] for plaque in plaques))
        usual, large = counts
        assert large > 1.3 * usual, (width, counts)


def test_no_word_of_a_name_is_broken(pages: OpenPage, board: FakeBoard) -> None:
    """A word without room for it shows its first letters, and ends in an ellipsis."""
    page = pages(has_touch=True)
    board.say(turns=["d6"], status="ready", moves=["d6"], names={"white": "Maximiliane", "black": "Jo"})
    for width, height in ((844, 390), (568, 320), (320, 568)):
        page.set_viewport_size({"width": width, "height": height})
        page.goto(board.server.address)
        expect(page.locator("#players dt").first).to_have_text("Maximiliane")
        draw(page)
        long, short = page.evaluate(PLAQUES)
        assert (long["lines"], long["cut"], long["ends"]) == (1, True, "ellipsis"), width
        assert (short["lines"], short["cut"], short["sign"]) == (1, False, False), width
