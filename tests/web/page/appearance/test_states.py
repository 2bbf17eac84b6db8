"""Every state of the page, in every language: axe-core finds nothing, and all text can be read.

The states are those that `make states` takes pictures of. One size is checked, and all for cut text;
test_accessibility.py goes through all sizes, schemes and languages with a few. `make test-looks` runs both.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.support.web.browsing import OpenPage, draw
from tests.support.web.looks import cut, violations
from tests.support.web.spoken import LANGUAGES
from tests.support.web.take_states import PHONE, SCHEMES, SIZES, WINDOW, every_state

READABLE, LARGE = 4.5, 3.0
"""The contrasts of text and of large text that WCAG 2.2 asks for at level AA."""

# The lines of text that do not rest and are wholly in sight, with their colours. Then all text vanishes.
LINES = """() => {
    const opacity = (part) => (part ? getComputedStyle(part).opacity * opacity(part.parentElement) : 1);
    const left = "[aria-disabled=true], :disabled, svg, .unseen";
    const isLeft = (part) => opacity(part) < 1 || part.closest(left);
    const clipped = (part, line) => {
        let { left, right } = line;
        let top = line.top + line.height / 10; // letters stand inside of their line
        let bottom = line.bottom - line.height / 10;
        for (let at = part; at; at = at.parentElement) {
            const edges = at.getBoundingClientRect();
            if (getComputedStyle(at).overflow !== "visible") {
                left = Math.max(left, edges.left);
                top = Math.max(top, edges.top);
                right = Math.min(right, edges.right);
                bottom = Math.min(bottom, edges.bottom);
            }
        }
        return { left, top, width: right - left, height: bottom - top };
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (texts.nextNode()) {
        const { parentElement: part, textContent } = texts.currentNode;
        const isShown = textContent.trim() && part.checkVisibility({ visibilityProperty: true });
        if (!isShown || isLeft(part)) continue;
        const { color, fontSize, fontWeight } = getComputedStyle(part);
        const range = document.createRange();
        range.selectNodeContents(texts.currentNode);
        for (const line of range.getClientRects()) {
            const { left, top, width, height } = clipped(part, line);
            const isSeen = (y) => {
                const above = document.elementFromPoint(left + width / 2, y);
                return above && (part.contains(above) || above.contains(part));
            };
            if (width > 2 && height > 2 && [top + 1, top + height / 2, top + height - 1].every(isSeen)) {
                const isLarge = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
                found.push({ text: textContent.trim(), color, isLarge, left, top, width, height });
            }
        }
    }
    const sheet = new CSSStyleSheet();
    sheet.replaceSync("* { color: transparent !important; transition: none !important }");
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return found;
}"""
# The least contrast of each line to the ground on which it stood.
CONTRASTS = """async ([png, lines]) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.slice(0, -1);
    const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
    const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const context = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    context.drawImage(picture, 0, 0);
    const light = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const luminance = ([red, green, blue]) =>
        0.2126 * light(red / 255) + 0.7152 * light(green / 255) + 0.0722 * light(blue / 255);
    return lines.map(({ color, left, top, width, height }) => {
        const own = luminance(color.match(/[\\d.]+/g).map(Number));
        const { data } = context.getImageData(left, top, Math.max(1, width), Math.max(1, height));
        let least = 21;
        for (let at = 0; at < data.length; at += 4) {
            const ground = luminance(data.slice(at, at + 3));
            const ratio = (Math.max(own, ground) + 0.05) / (Math.min(own, ground) + 0.05);
            least = data[at + 3] ? Math.min(least, ratio) : least;
        }
        return least;
    });
}"""


def faint(page: Page) -> list[str]:
    """Return the lines of text that are hardly to be read on the ground that a screenshot shows."""
    lines: list[dict[str, Any]] = page.evaluate(LINES)
    png = b64encode(page.screenshot()).decode()
    ratios: list[float] = page.evaluate(CONTRASTS, [png, lines])
    assert len(ratios) == len(lines)
    return [
        f"{line['text']}: {ratio:.2f}"
        for line, ratio in zip(lines, ratios, strict=True)
        if ratio < (LARGE if line["isLarge"] else READABLE)
    ]


def findings(page: Page, axe: str, sizes: list[ViewportSize]) -> Iterator[str]:
    """Yield all that is wrong with the state that the page is in."""
    for size in sizes:
        page.set_viewport_size(size)
        yield from (f"{size['width']}: cut: {part}" for part in cut(page))
        for scheme in SCHEMES if size in (PHONE, WINDOW) else ():
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            draw(page)  # the board is laid out again,
            draw(page)  # and its names with it
            yield from (f"{size['width']}, {scheme}: faint: {line}" for line in faint(page))
            if size == PHONE:
                yield from (f"{scheme}: {line}" for line in violations(page, axe))
    page.set_viewport_size(WINDOW)
    draw(page)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_state_can_be_read_by_everybody(pages: OpenPage, axe: str, language: str) -> None:
    page = pages(viewport=WINDOW, locale=language)
    found = {state: [*findings(page, axe, SIZES)] for state in every_state(page)}
    assert {state: lines for state, lines in found.items() if lines} == {}


def test_what_can_hardly_be_read_is_found(pages: OpenPage) -> None:
    page = pages(viewport=PHONE)
    page.goto("about:blank")  # without the board's policy, which a page keeps when it leaves by itself
    page.set_content('<p style="color: #777; background: linear-gradient(#fff, #bbb)">faint</p><p>clear</p>')
    assert [line.split(":")[0] for line in faint(page)] == ["faint"]
    assert page.evaluate("getComputedStyle(document.querySelector('p')).color") == "rgb(119, 119, 119)"
