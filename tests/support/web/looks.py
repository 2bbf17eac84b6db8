"""The looks of the page, measured: contrasts, text that is cut, and axe-core's findings."""

from __future__ import annotations

from math import radians

from playwright.sync_api import FloatRect, Page

from tests.support.web.browsing import Spot, draw
from tests.support.web.pixels import decode

Colour = tuple[float, float, float]
LEAST = 3.0
"""The contrast that WCAG 2.2 asks of graphics at level AA."""
ANGLE = radians(20)
"""A direction in which a rim has no gap, and no line crosses it."""
# Locating each part takes half the time; it is done only for findings.
# Nor are sheets and media read before, which serves no rule that holds here.
LOOK = "axe.run(document, { resultTypes: ['violations'], preload: false, selectors: false })"
LOOK_WHERE = "axe.run(document, { resultTypes: ['violations'] })"
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
    const heard = (part) => part.closest("header")?.clientWidth === 1; // by those who can't see the page
    // Within details that are closed, sizes are of the last time they were open.
    const shown = parts.filter((part) => part.clientWidth && part.checkVisibility() && !heard(part));
    const isWide = (part) => part.scrollWidth > part.clientWidth + 1 && !part.matches("input");
    const isHigh = (part) => part.scrollHeight > part.clientHeight + 2;
    // A long name that its plaque has no room for is whole in its title.
    const isTitled = (part) => part.textContent && part.title.startsWith(part.textContent);
    const hides = (part) => getComputedStyle(part).overflowY === "hidden" && !isTitled(part);
    const cut = shown.filter((part) => (isWide(part) && !isTitled(part)) || (hides(part) && isHigh(part)));
    const outside = shown.filter((part) => part.getBoundingClientRect().right > innerWidth + 1);
    const narrow = shown.filter((part) => part.matches("select") && needs(part) > part.offsetWidth + 1);
    const lines = (part) => {
        const range = document.createRange();
        range.selectNodeContents(part);
        return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size;
    };
    const words = shown.filter((part) => part.matches("#players dt:not(.long)"));
    const broken = words.filter((part) => lines(part) > 1);
    return [...cut, ...outside, ...narrow, ...broken].map((part) => part.outerHTML.slice(0, 200));
}"""


def luminance(colour: Colour) -> float:
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: Colour, other: Colour) -> float:
    darker, lighter = sorted(map(luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def colour(page: Page, spot: Spot) -> tuple[float, float, float]:
    """Return the colour of one pixel of the window."""
    x, y = spot
    clip: FloatRect = {"x": int(x), "y": int(y), "width": 1, "height": 1}
    return decode(page.screenshot(clip=clip)).colour(0, 0)


def violations(page: Page, axe: str) -> list[str]:
    """Return axe-core's findings, each in a line: the rule, its subject, and its place."""
    if page.evaluate("!window.axe"):
        page.evaluate(axe)
    found = page.evaluate(LOOK)["violations"] and page.evaluate(LOOK_WHERE)["violations"]
    return [
        f"{rule['id']}: {rule['help']}: {node['target']} {node['html'][:120]}"
        + "".join(f" ({check['message']})" for check in (*node["any"], *node["all"], *node["none"]))
        for rule in found
        for node in rule["nodes"]
    ]


def cut(page: Page) -> list[str]:
    """Return the parts whose text is cut, outside the window, or wider than the list that shows it."""
    draw(page)
    found: list[str] = page.evaluate(CUT)
    return found
