"""A Chromium for tests of the page, and what a mouse does in it.

Rule kept here: what hands did is drawn before a test looks. The page draws pieces with its next frame, which
on a busy machine may be long in coming; until then it shows them where they were.
"""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, FloatRect, Locator, Page, ViewportSize, expect, sync_playwright

_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
CHROMIUM = next(filter(None, map(shutil.which, _NAMES)), None)
"""The one without windows of its own is the same browser, and opens a page for half the work."""
_QUIET = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
    "--host-resolver-rules=MAP *.local 127.0.0.1",
)
"""By a name in the house, which has no secure connection, a page is opened as on a phone."""
TAKING_MS = 120_000
"""The timeout for anything while pictures are taken: on a machine that is busy with other work, a single one
has taken more than half a minute. Only what hangs takes longer than this.
"""
MILLWRIGHT = str(Path(sys.executable).with_name("millwright"))
USUAL: ViewportSize = {"width": 1024, "height": 640}
USUAL_TEXT = 16
"""A small laptop, whose page takes an eighth less work to draw than one of 1280 by 800."""
_WITHOUT_GRAIN = """
const sheet = new CSSStyleSheet();
sheet.replaceSync("#wood [filter] { filter: none !important }");
document.adoptedStyleSheets = [sheet];
"""
"""To draw the grain of the wood without a graphics card is a sixth of the work of opening a page."""
_WITH_SLOW_HANDS = """
addEventListener("DOMContentLoaded", () => {
  const hands = document.querySelector("#hands");
  if (hands) hands.dataset.liftsAfter = 3_600_000;
});
"""
"""On a busy machine a click may last as long as holding still: here nothing is lifted by that."""
_IGNORED = "The Cross-Origin-Opener-Policy header has been ignored"
_MOVED = """async ([number, x, y]) => {
    const distance = () => {
        const body = document.querySelector(`.piece[data-number='${number}'] .body`);
        const { left, top, width, height } = body.getBoundingClientRect();
        return Math.hypot(left + width / 2 - x, top + height / 2 - y);
    };
    while (distance() < 1) await new Promise((drawn) => requestAnimationFrame(drawn));
}"""
_RESTS = "piece => Promise.allSettled(piece.getAnimations({ subtree: true }).map((one) => one.finished))"
_UNTIL = """async (arg) => {
    const holds = %s;
    const patience = performance.now() + 60000;
    while (!(await holds(arg))) {
        if (performance.now() > patience) throw new Error("it never came true");
        await new Promise((drawn) => requestAnimationFrame(drawn));
    }
}"""
FLICK_MS = 100
"""The rest after which a released piece is not flicked; longer than trail.js looks back."""
Spot = tuple[float, float]
OpenPage = Callable[..., Page]


@contextmanager
def chromium() -> Iterator[Browser]:
    """A browser without a window, as long as the context lasts."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_QUIET)
        yield browser
        browser.close()


def new_page(browser: Browser, **context: Any) -> Page:
    """Return a page that shares nothing with others, and whose pieces do not glide."""
    page = browser.new_page(**{"reduced_motion": "reduce", **context})
    page.add_init_script(_WITHOUT_GRAIN)
    page.add_init_script(_WITH_SLOW_HANDS)
    return page


def patient_page(browser: Browser, **context: Any) -> Page:
    """Return a page to take pictures of, for which nothing comes too late."""
    expect.set_options(timeout=TAKING_MS)
    page = browser.new_page(**context)
    page.set_default_timeout(TAKING_MS)
    return page


def pace(page: Page, name: str, **milliseconds: int) -> None:
    """Set times for which a part of the page waits, so that no test depends on the speed of this machine."""
    page.locator(f"#{name}").evaluate("(part, times) => Object.assign(part.dataset, times)", milliseconds)


def lift_by_holding(page: Page) -> None:
    """Have the page lift a piece on which a finger or the mouse holds still for a moment."""
    pace(page, "hands", liftsAfter=50)


def forget(page: Page, address: str) -> None:
    """Forget what the page at an address has kept in this browser, as people do in the browser's settings."""
    browser = page.context.new_cdp_session(page)
    browser.send("Storage.clearDataForOrigin", {"origin": address, "storageTypes": "local_storage"})
    browser.detach()


def leave(page: Page) -> None:
    """Have a page let go of its board.

    It goes by itself: sent by the browser, it would end the process that draws it, and the next page would
    need a new one, which is half the work of opening a page.
    """
    page.evaluate("location.href = 'about:blank'")
    page.wait_for_url("about:blank")


def resize_text(page: Page, size: int) -> None:
    """Have the browser's text be of this size in px, as people set it for all pages."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setFontSizes", {"fontSizes": {"standard": size, "fixed": 13}})


class Lender:
    """Lends the pages of a browser to one test after the other.

    To open a page in a context of its own takes twice the work of another address in one that is there
    already. Each begins at its address with nothing that the test before has left.
    """

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._idle: dict[str, list[Page]] = {}
        self._complaints: dict[Page, list[str]] = {}

    @contextmanager
    def lending(self) -> Iterator[OpenPage]:
        """Lend pages for as long as the context lasts; an AssertionError where one complains of an error."""
        lent: list[tuple[str, Page]] = []

        def lend(**look: Any) -> Page:
            lent.append(self._lend(**look))
            return lent[-1][1]

        yield lend
        for like, page in lent:
            self._take_back(like, page)
        said = [complaint for _, page in lent for complaint in self._complaints[page]]
        for _, page in lent:
            self._complaints[page].clear()
        assert said == [], said

    def _lend(
        self, *, viewport: ViewportSize = USUAL, color_scheme: Any = "light", **context: Any
    ) -> tuple[str, Page]:
        """A page of this size and scheme in a context like this, where nothing glides."""
        like = json.dumps(context, sort_keys=True)
        idle = self._idle.get(like)
        page = idle.pop() if idle else self._new(**context)
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=color_scheme, reduced_motion="reduce")
        return like, page

    def _take_back(self, like: str, page: Page) -> None:
        address = page.url
        if address != "about:blank":
            leave(page)
        if address.startswith("http:"):
            forget(page, address)
        page.unroute_all()
        page.context.clear_cookies()
        resize_text(page, USUAL_TEXT)
        self._idle.setdefault(like, []).append(page)

    def _new(self, **context: Any) -> Page:
        page = new_page(self.browser, **context)
        self._complaints[page] = complaints(page)
        return page


def complaints(page: Page) -> list[str]:
    """Collect the page's errors from now on, in its console or uncaught.

    Chromium also reports there that it ignores a header because the page is not a secure one.
    """
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.on(
        "console",
        lambda one: said.append(one.text) if one.type == "error" and _IGNORED not in one.text else None,
    )
    return said


def point(page: Page, name: str) -> Spot:
    """Return the place of a point in the window."""
    return middle(page.locator(f"#hands [data-point={name}]").bounding_box())


def middle(box: FloatRect | None) -> Spot:
    """The middle of an element that is there."""
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def box(page: Page, player: str) -> Spot:
    """Return the place of a player's box in the window, at its end that is empty first."""
    tray = page.locator(f"#wood [data-box={player}]").bounding_box()
    assert tray is not None
    if tray["height"] > tray["width"]:
        return tray["x"] + tray["width"] / 2, tray["y"] + tray["width"] / 2
    return tray["x"] + tray["width"] - tray["height"] / 2, tray["y"] + tray["height"] / 2


def pieces_at(page: Page, name: str) -> Locator:
    """The pieces on a point, on the `table` beside the points, in the `box` or in the `hands`."""
    return page.locator(f".piece[data-from={name}]")


def drag(page: Page, start: Spot, end: Spot, *, rests: bool = False) -> None:
    """Press at `start` and let go at `end`; a hand that `rests` there first does not flick."""
    grasp(page, start)
    page.mouse.move(*end, steps=3)
    if rests:
        page.wait_for_timeout(FLICK_MS)
    page.mouse.up()
    draw(page)


def grasp(page: Page, spot: Spot) -> None:
    """Press at `spot`, and hold on."""
    page.mouse.move(*spot)
    page.mouse.down()


def click(page: Page, spot: Spot) -> None:
    """Press and let go at `spot`."""
    page.mouse.click(*spot)
    draw(page)


def draw(page: Page) -> None:
    """Wait until everything done and reported so far is drawn."""
    page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => drawn()))")


def play(page: Page, turn: str, player: str) -> None:
    """Do a turn as hands do, once its point is free, and take what it won off the board."""
    step, *removed = turn.split("x")
    origin, _, target = step.rpartition("-")
    expect(pieces_at(page, target)).to_have_count(0)
    in_box = page.locator(f".piece[data-piece={player}][data-from=box]:not(.captured)")
    drag(page, point(page, origin) if origin else resting(in_box.last), point(page, target))
    for name in removed:
        expect(page.locator("#sentence")).to_contain_text("closed a mill")
        drag(page, point(page, name), box(page, "black" if player == "white" else "white"))


def resting(piece: Locator) -> Spot:
    """Wait until a piece has glided to its place, and return the place."""
    piece.evaluate(_RESTS)
    return middle(piece.bounding_box())


def play_all(page: Page, turns: list[str]) -> None:
    """Do one turn after the other, each when the one before it is written down."""
    for number, turn in enumerate(turns, start=1):
        play(page, turn, "white" if number % 2 else "black")
        written(page, turns[:number])


def written(page: Page, turns: list[str]) -> None:
    """Wait until these turns are listed and over: a turn that has begun is listed as well."""
    expect(page.locator("#turns span")).to_have_text(turns)


def steps_of(turn: str) -> list[tuple[str, str]]:
    """From where to where a piece goes in each step of a turn with stacks; from nowhere if it is laid.

    >>> steps_of("+b2 a1^c3/b2-d4")
    [('', 'b2'), ('a1', 'c3'), ('b2', 'd4')]
    """
    return [(step[:2] if step[0] != "+" else "", step[-2:]) for step in turn.replace("/", " ").split()]


def play_steps(page: Page, turns: list[str], *, after: Sequence[str] = ()) -> None:
    """Drag what each step of turns moves, one when the other lies, `after` those that are played already."""
    done = list(after)
    for number, turn in enumerate(turns, start=len(done) + 1):
        for origin, target in steps_of(turn):
            laid = page.locator(
                f".piece[data-piece={'white' if number % 2 else 'black'}-ring][data-from=box]"
            )
            there = pieces_at(page, target)
            before = there.count()
            start = point(page, origin) if origin else middle(laid.last.bounding_box())
            drag(page, start, point(page, target), rests=True)
            expect(there).to_have_count(before + 1)
        done.append(turn)
        written(page, done)


def choose(page: Page, name: str) -> None:
    """Press the button `name` of what lies under "More"."""
    if not page.locator("#view-menu").is_visible():
        page.locator("#more").click()
    page.locator(f"#{name}").click()


def turn_board(page: Page, quarters: int) -> None:
    """Have the board lie turned to the right by quarters."""
    choose(page, "to-settings")
    page.locator("#quarters").select_option(str(quarters))
    page.locator("#done").click()
    draw(page)


def choose_rules(page: Page, rules: str) -> None:
    """Open the choice of a game, unless it lies open beside the board, and choose these rules."""
    if not page.locator("#view-start").is_visible():
        choose(page, "new")
    page.locator("#rule-set").select_option(rules)


def begin(page: Page) -> None:
    """Begin a game by the rules that are chosen, even if one goes on."""
    if not page.locator("#view-start").is_visible():
        choose(page, "new")
    page.locator("#begin").click()


def learn(page: Page) -> None:
    """Begin the lesson, once it is offered."""
    choose, lesson = page.locator("#choose"), page.locator("#learn")
    expect(choose.or_(lesson).filter(visible=True)).to_have_count(1)
    if choose.is_visible():
        choose.click()
        expect(lesson).to_be_visible()
    lesson.click()


def until(page: Page, condition: str, arg: object = None) -> None:
    """Wait until a function of JavaScript returns true for `arg`.

    Playwright's own waiting evaluates a text again and again, which our pages forbid: it works only where the
    condition holds at once.
    """
    page.evaluate(_UNTIL % condition, arg)


def moved(page: Page, before: Spot, number: int = 1) -> Spot:
    """Wait until a piece is drawn elsewhere than `before`, and return its place."""
    page.evaluate(_MOVED, [number, *before])
    return middle(page.locator(f".piece[data-number='{number}'] .body").bounding_box())


class Fingers:
    """Fingers on the screen of a page, by their numbers."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._screen = page.context.new_cdp_session(page)
        self._down: dict[int, Spot] = {}

    def press(self, finger: int, spot: Spot) -> None:
        """Put a finger down."""
        self._down[finger] = spot
        self._tell("touchStart")

    def move(self, finger: int, spot: Spot, steps: int = 4) -> None:
        """Move a finger that is down straight to `spot`."""
        x, y = self._down[finger]
        for step in range(1, steps + 1):
            part = step / steps
            self._down[finger] = x + (spot[0] - x) * part, y + (spot[1] - y) * part
            self._tell("touchMove")

    def lift(self) -> None:
        """Take all fingers away, which is all that the browser lets a test do."""
        self._down.clear()
        self._tell("touchEnd")

    def be_taken_away(self) -> None:
        """Let the system take the touch for itself."""
        self._down.clear()
        self._tell("touchCancel")

    def drag(self, start: Spot, end: Spot) -> None:
        """Press at `start` and let go at `end`."""
        self.press(0, start)
        self.move(0, end)
        self.lift()
        draw(self._page)

    def _tell(self, kind: str) -> None:
        points = [{"id": finger, "x": x, "y": y} for finger, (x, y) in self._down.items()]
        self._screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
