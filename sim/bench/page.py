"""`millwright bench --page`: cost and speed of the page on this machine.

Invariants: the board and its server run in this process, as in play, on a game with pulsing lights; pages and
attackers are other processes. Times are medians and 99th percentiles. Results stand beside their goals, and
nothing is asserted. A page is loaded by a browser that has opened its window.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from importlib.util import find_spec
from math import cos, pi, sin
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any

from firmware_host.config.paths import GAMES_NAME
from firmware_host.games.game import Game, legal_turns
from firmware_host.games.rulesets import rule_set
from firmware_host.runtime.clock import machine_clock
from firmware_host.runtime.loop import Loop, prioritized_loop
from firmware_host.runtime.page import request_router
from firmware_host.settings import Microseconds
from firmware_host.store.store import SqliteStore
from firmware_host.store.writer import StoreWriter
from firmware_host.views.queries import QueryService
from firmware_host.web.messages import PageMessage
from firmware_host.web.server import WebServer
from sim.assembly import Blueprint
from sim.bench.clients import AnswerTimes, SeenLight, ask, attack, look
from sim.bench.figures import Figures, machine, spread
from sim.live.board import LiveBoard

_RATE_HZ = 200
_SECONDS = 20.0
_MANY = 20
_LOADS = 20
_LEAST_LOADS = 5
"""Visits of a page that is one small picture: the least that this browser and machine take for any page."""
_GAMES = 50
"""Number of kept games in the list that pages request."""
_FRAMES_TO_SETTLE = 200
_SECONDS_TO_OPEN = 3.5
"""Delay for a newly opened window, which keeps the browser busy for a moment.

In that time the server also forgets a visit: visits in a quick row are slowed down as an attack."""

_WOOD = "#wood > *"
_DRAWN = f"""new MutationObserver(() => {{
  if (document.querySelector("{_WOOD}")) window.drawnAt ??= performance.now();
}}).observe(document, {{ childList: true, subtree: true }});"""
_DRAGS, _MOVES = 5, 40
"""The drags of a piece by a finger, and the steps of each, one for each frame of a screen."""
_SLOWER = 4
_TASK, _LONG_MS = "ThreadControllerImpl::RunTask", 50
"""The tasks of a page, measured in processor time, so that other work on the machine doesn't count."""
_LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"


def run(*, quick: bool = False) -> str:
    """Measure everything, in about two minutes (`quick`: a tenth of it), and return it as JSON.

    `table` has it as lines of Markdown, with the goals.
    """
    seconds = _SECONDS * (0.1 if quick else 1.0)
    figures: Figures = {"machine": machine(), "quick": quick}
    figures["no_page"] = _measured(seconds)
    figures["one_page"] = _measured(seconds, pages=1)
    figures["twenty_pages"] = _measured(seconds, pages=_MANY)
    figures["one_page_and_an_attack"] = _measured(seconds, pages=1, attacked=True)
    figures["one_page_and_twenty_that_ask"] = _measured(seconds, pages=1, asking=_MANY)
    figures["load"] = _loads(3 if quick else _LOADS)
    figures["table"] = _table(figures)
    return json.dumps(figures, indent=2, ensure_ascii=False)


def _table(figures: Figures) -> list[str]:
    """Return the figures that have a goal, each beside it."""
    rest, one, many = (figures[name] for name in ("no_page", "one_page", "twenty_pages"))
    attacked, asked = figures["one_page_and_an_attack"], figures["one_page_and_twenty_that_ask"]
    load = figures["load"]
    cost = max(0.0, many["cpu_percent_of_a_core"] - rest["cpu_percent_of_a_core"])
    lines = ["| | measured | goal |", "|---|---|---|"]
    if isinstance(load, str):
        lines.append(f"| a first visit | {load} | |")
    else:
        loaded, drawn = load["loaded_after_ms"], load["drawn_after_ms"]
        lines += [
            f"| a first visit: bytes that come | {load['bytes'] / 1000:.0f} kB | 85 kB |",
            f"| - until it is loaded, and the board drawn (medians of {drawn['of']} visits) "
            f"| {loaded['median']:.0f} and {drawn['median']:.0f} ms | 300 ms |",
            "| - of that, what the same browser takes to load a page that is one small picture "
            f"| {load['least_loaded_after_ms']['median']:.0f} ms | a quarter |",
            f"| tasks of over 50 ms while a finger drags a piece {_DRAGS} times on a phone, its processor "
            f"slowed down {_SLOWER} times | {len(load['long_tasks_ms'])} | none |",
        ]
    return [
        *lines,
        f"| from another light to a page, 99th percentile | {one['light_to_page_ms']['p99']} ms | 50 ms |",
        f"| - with twenty pages, under attack, and with twenty that ask | {many['light_to_page_ms']['p99']}, "
        f"{attacked['light_to_page_ms']['p99']} and {asked['light_to_page_ms']['p99']} ms | 50 ms |",
        f"| CPU that twenty pages cost | {cost:.1f}% of a core | 15% |",
        "| how late a frame is done, 99th percentile: without a page, with twenty, under attack, with twenty "
        f"that ask | {_late(rest)}, {_late(many)}, {_late(attacked)} and {_late(asked)} ms "
        f"| {1000 // _RATE_HZ} ms |",
        f"| frames that are left out, likewise | {_left_out(rest)}, {_left_out(many)}, "
        f"{_left_out(attacked)} and {_left_out(asked)} | 1% |",
    ]


def _late(measured: Figures) -> float:
    p99: float = measured["frame_late_ms"]["p99"]
    return p99


def _left_out(measured: Figures) -> str:
    missed = measured["missed_frames"]
    return f"{100 * missed / (missed + measured['frames']):.1f}%"


# ---- the board -----------------------------------------------------------------------------------------


def _measured(seconds: float, *, pages: int = 0, attacked: bool = False, asking: int = 0) -> Figures:
    """Measure the board's CPU time, the lateness of its frames, and the delay of light to a page.

    `pages` watch, and `request_router` pages send requests as fast as they are answered.
    """
    with _playing() as (table, server, loop):
        published: list[SeenLight] = []
        watch = _Watch(published)

        def publish(message: PageMessage) -> None:
            light = message.get("leds", message.get("state", {}).get("leds"))
            if light is not None:
                published.append((time.monotonic_ns(), dict(light)))
            server.publish(message)

        def after(_events: object, due: Microseconds) -> None:
            table.publish_changes(publish, server.watchers)
            watch.passed(due)

        with ExitStack() as crowd:
            ends = [crowd.enter_context(_process(look, server.address, pages))] if pages else []
            if attacked:
                crowd.enter_context(_process(attack, server.address))
            if asking:
                ends.append(crowd.enter_context(_process(ask, server.address, asking)))
            watch.begin()
            Timer(seconds, loop.stop).start()
            loop.run(after)
            figures = watch.figures(loop.missed)
            saw = [end() for end in ends]
    if pages:
        figures["light_to_page_ms"] = spread(list(_delays(published, saw[0])), 1e-6)
    if asking:
        figures |= _answered(saw[-1], seconds)
    return figures


def _answered(answers: AnswerTimes, seconds: float) -> Figures:
    """Return the duration of requests, and how many were answered and refused."""
    return {
        "answered_after_ms": spread(answers.took_ns, 1e-6),
        "answered_a_second": round(len(answers.took_ns) / seconds),
        "refused": answers.refused,
    }


@contextmanager
def _playing() -> Iterator[tuple[LiveBoard, WebServer, Loop]]:
    """Yield a board with all pieces placed, of which the movable ones pulse, and its server."""
    with ExitStack() as parts:
        table = LiveBoard(Blueprint(rules=rule_set("standard", ["repetition=0", "quiet=0"])))
        parts.callback(table.close)
        _place_all(table, Random(1))  # noqa: S311 - the same game each time
        loop = Loop(table, _RATE_HZ, min_period=lambda: table.min_period)
        queries = QueryService(lambda: table.game, parts.enter_context(_kept(table.game)))
        parts.callback(queries.close)
        server = WebServer(request_router(table, loop, queries), port=0)
        parts.callback(server.close)
        parts.enter_context(prioritized_loop())
        server.start()
        yield table, server, loop


@contextmanager
def _kept(game: Game) -> Iterator[StoreWriter]:
    """Yield a database of games like this one, read by a thread of its own, as on a real board."""
    with TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / GAMES_NAME, wall_ms=machine_clock().now)
        for _ in range(_GAMES):
            store.keep(Game.begin(game.rules, game.positions[0]).play(*game.steps))
        writer = StoreWriter(store)
        writer.start()
        try:
            yield writer
        finally:
            writer.close()


def _place_all(table: LiveBoard, random: Random) -> None:
    """Place all pieces by hand without closing a mill, before time is measured."""
    session = table.life.play.controller.session
    while session.game.position.in_hand(session.game.position.to_move):
        quiet = [turn.steps[0] for turn in legal_turns(session.game.position) if len(turn.steps) == 1]
        step = random.choice(quiet)
        assert step.target is not None  # noqa: S101 - it is a placement
        table.do({"put": step.target.name, "piece": str(session.game.position.to_move)})
        for _ in range(_FRAMES_TO_SETTLE):
            table.tick(0)


class _Watch:
    """Counters of the loop."""

    def __init__(self, published: list[SeenLight]) -> None:
        self.late: list[Microseconds] = []
        """The lateness of each frame."""
        self._published = published

    def begin(self) -> None:
        """Start counting; the first frame is due now."""
        self._began_ns = time.monotonic_ns()
        self._used = time.process_time()

    def passed(self, due: Microseconds) -> None:
        """Record that the frame due at that time is done."""
        self.late.append((time.monotonic_ns() - self._began_ns) // 1000 - due)

    def figures(self, missed: int) -> Figures:
        """Return the counts, and the share of a core that this process has used since `begin`."""
        passed = (time.monotonic_ns() - self._began_ns) / 1e9
        fastest = min(self.late)  # what a frame takes at least, and what the loop took to begin
        return {
            "cpu_percent_of_a_core": round(100 * (time.process_time() - self._used) / passed, 1),
            "frame_late_ms": spread([late - fastest for late in self.late], 1e-3),
            "missed_frames": missed,
            "frames": len(self.late),
        }


def _delays(published: list[SeenLight], seen: list[SeenLight]) -> Iterator[int]:
    """Yield the nanoseconds from publishing each light to its arrival, unless it was outdated by then."""
    first = 0
    for came, light in seen:
        match = next((n for n in range(first, len(published)) if published[n][1] == light), None)
        if match is not None and published[match][0] <= came:
            yield came - published[match][0]
            first = match + 1


@contextmanager
def _process(task: Callable[..., None], *arguments: Any) -> Iterator[Callable[[], Any]]:
    """Run `task` in a process of its own; yield a function that ends it and returns its result."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=task, args=(theirs, *arguments), daemon=True)
    process.start()
    theirs.close()  # so that one that dies ends the wait for it
    ours.recv()

    def end() -> Any:
        ours.send(None)
        return ours.recv()

    try:
        yield end
    finally:
        process.terminate()
        process.join()


# ---- the page ------------------------------------------------------------------------------------------


def _loads(times: int) -> Figures | str:
    """Measure bytes and times of a first visit in a headless Chromium, until loaded and until drawn."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if find_spec("playwright") is None:
        return "not measured: playwright is missing, which `make test` installs"
    if chromium is None:
        return "not measured: there is no Chromium here"
    with _playing() as (table, server, loop):
        spawn = multiprocessing.get_context("spawn")
        ours, theirs = spawn.Pipe()
        process = spawn.Process(target=_visit, args=(theirs, server.address, chromium, times), daemon=True)
        process.start()
        theirs.close()

        def after(_events: object, _now: Microseconds) -> None:
            table.publish_changes(server.publish)
            if ours.poll():
                loop.stop()

        loop.run(after)
        try:
            size, loaded, drawn, least, tasks = ours.recv()
        except EOFError:
            return "not measured: the browser failed, and said why"
        finally:
            process.join()
    return {
        "bytes": size,
        "loaded_after_ms": spread(loaded),
        "drawn_after_ms": spread(drawn),
        "least_loaded_after_ms": spread(least),
        "long_tasks_ms": tasks,
    }


def _visit(orders: Any, address: str, chromium: str, times: int) -> None:
    from playwright.sync_api import sync_playwright

    drawn, loaded, least = [], [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        size = _size(browser.new_page(), address)
        for _ in range(times):
            with _opened(browser, address) as page:
                page.locator(_WOOD).first.wait_for(state="attached")
                loaded.append(page.evaluate(_LOADED))
                drawn.append(page.evaluate("window.drawnAt"))
        for _ in range(min(times, _LEAST_LOADS)):
            with _opened(browser, f"{address.rstrip('/')}/icon.svg") as page:
                least.append(page.evaluate(_LOADED))
        tasks = _long_tasks(browser, address)
        browser.close()
    orders.send((size, loaded, drawn, least, tasks))


def _long_tasks(browser: Any, address: str) -> list[float]:
    """Return the milliseconds of each long task of a slow phone while a finger drags a piece."""
    context = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = context.new_page()
    page.goto(address)
    page.locator(_WOOD).first.wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    screen = context.new_cdp_session(page)
    screen.send("Emulation.setCPUThrottlingRate", {"rate": _SLOWER})
    at = page.locator(".piece .body").first.bounding_box()
    x, y = at["x"] + at["width"] / 2, at["y"] + at["height"] / 2
    browser.start_tracing(page=page, categories=["toplevel"])
    for _ in range(_DRAGS):
        _touch(screen, "touchStart", x, y)
        for angle in (2 * pi * move / _MOVES for move in range(_MOVES + 1)):
            _touch(screen, "touchMove", x + 100 * sin(angle), y + 100 * (1 - cos(angle)))
            page.wait_for_timeout(16)
        _touch(screen, "touchEnd")
        page.wait_for_timeout(500)
    trace = json.loads(browser.stop_tracing())["traceEvents"]
    context.close()
    (pages,) = (one["pid"] for one in trace if one.get("args", {}).get("name") == "CrRendererMain")
    tasks = (one.get("tdur", 0) / 1000 for one in trace if one["pid"] == pages and one["name"] == _TASK)
    return sorted(task for task in tasks if task > _LONG_MS)


def _touch(screen: Any, kind: str, *spot: float) -> None:
    points = [{"x": spot[0], "y": spot[1]}] if spot else []
    screen.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})


@contextmanager
def _opened(browser: Any, address: str) -> Iterator[Any]:
    """Yield a page that has loaded `address` in a new window."""
    page = browser.new_page()
    page.add_init_script(_DRAWN)
    page.wait_for_timeout(1000 * _SECONDS_TO_OPEN)
    page.goto(address)
    try:
        yield page
    finally:
        page.context.close()


def _size(page: Any, address: str) -> int:
    """Return the bytes of a visit of its own, since logging every request makes a browser slow."""
    asked: list[Any] = []
    page.on("requestfinished", lambda request: asked.append(request))  # one that can carry an attribute
    page.goto(address)
    page.locator(_WOOD).first.wait_for(state="attached")
    page.wait_for_load_state("networkidle")
    found = [request.sizes() for request in asked]
    page.context.close()
    return sum(size["responseBodySize"] + size["responseHeadersSize"] for size in found)
