"""No text of the page is cut or runs out of its place, in any language, on a phone and beside the board."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.support.matrix import sampled
from tests.support.web.boards import simulated_board
from tests.support.web.browsing import OpenPage, draw

pytestmark = pytest.mark.ci

SIZES: list[ViewportSize] = [
    {"width": 360, "height": 740},
    {"width": 1024, "height": 640},
    {"width": 1280, "height": 800},
]
CUT = """() => {
    const needs = (select) => {
        const copy = select.cloneNode(true);
        copy.style.cssText = "position: absolute; width: max-content; max-width: none";
        select.after(copy);
        const { offsetWidth } = copy;
        copy.remove();
        return offsetWidth;
    };
    const parts = [...document.querySelectorAll("body :not(svg, svg *, .unseen)")];
    const shown = parts.filter((part) => part.clientWidth);
    const cut = shown.filter((part) => part.scrollWidth > part.clientWidth + 1);
    const outside = shown.filter((part) => part.getBoundingClientRect().right > innerWidth + 1);
    const narrow = shown.filter((part) => part.matches("select") && needs(part) > part.offsetWidth + 1);
    return [...cut, ...outside, ...narrow].map((part) => part.outerHTML);
}"""


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
        page.locator("#switches summary").click()
        expect(page.locator("#switches select").first).to_be_visible()
        page.locator("#settings summary").click()
        assert cut(page) == [], size
        page.locator("#break").click()
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


def cut(page: Page) -> list[str]:
    """Return the parts whose text is cut, outside the window, or wider than the list that shows it."""
    draw(page)
    found: list[str] = page.evaluate(CUT)
    return found
