"""`millwright bench --page`: what the page costs the board, and how fast it is, on this machine.

Rules kept here: the board and its server run in this process, as when one plays, on a game whose lights
pulse; pages and attackers are other processes; times are medians and 99th percentiles; nothing is asserted.
"""

from __future__ import annotations

import json
import multiprocessing
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from importlib.util import find_spec
from random import Random
from threading import Timer
from typing import Any

from firmware_host.daemon import Loop
from firmware_host.games.game import legal_turns
from firmware_host.games.rulesets import rule_set
from firmware_host.looking import Looking
from firmware_host.settings import Microseconds
from firmware_host.web.messages import Message
from firmware_host.web.server import WebServer
from sim.assembly import Blueprint
from sim.bench_crowd import Seen, attack, look
from sim.bench_figures import Figures, machine, spread
from sim.live_table import LiveTable

_RATE_HZ = 200
_SECONDS = 20.0
_MANY = 20
_LOADS = 20
_FRAMES_TO_SETTLE = 200

_DRAWN = """new MutationObserver(() => {
  if (document.querySelector("#wood")?.childElementCount) window.drawnAt ??= performance.now();
}).observe(document, { childList: true, subtree: true });"""


def run(*, quick: bool = False) -> str:
    """Measure all of it, in about two minutes (`quick`: a tenth of it), and tell it as JSON."""
    seconds = _SECONDS * (0.1 if quick else 1.0)
    figures: Figures = {"machine": machine(), "quick": quick}
    figures["no_page"] = _measured(seconds)
    figures["one_page"] = _measured(seconds, pages=1)
    figures["twenty_pages"] = _measured(seconds, pages=_MANY)
    figures["one_page_and_an_attack"] = _measured(seconds, pages=1, attacked=True)
    figures["load"] = _loads(3 if quick else _LOADS)
    return json.dumps(figures, indent=2)


# ---- the board -----------------------------------------------------------------------------------------


def _measured(seconds: float, *, pages: int = 0, attacked: bool = False) -> Figures:
    """What the board costs, how late its frames are, and when light comes to a page, with such a crowd."""
    with _playing() as (table, server, loop):
        told: list[Seen] = []
        watch = _Watch(told)

        def publish(message: Message) -> None:
            light = message.get("leds", message.get("state", {}).get("leds"))
            if light is not None:
                told.append((time.monotonic_ns(), dict(light)))
            server.publish(message)

        def after(_events: object, due: Microseconds) -> None:
            table.tell(publish, server.watchers)
            watch.passed(due)

        with ExitStack() as crowd:
            ends = [crowd.enter_context(_crowd(look, server.address, pages))] if pages else []
            if attacked:
                crowd.enter_context(_crowd(attack, server.address))
            watch.begin()
            Timer(seconds, loop.stop).start()
            loop.run(after)
            used = watch.cpu_percent()
            seen = ends[0]() if ends else []
    figures: Figures = {
        "cpu_percent_of_a_core": used,
        "frame_late_ms": spread(watch.late, 1e-3),
        "missed_frames": loop.missed,
        "frames": len(watch.late),
    }
    if pages:
        figures["light_to_page_ms"] = spread(list(_delays(told, seen)), 1e-6)
    return figures


@contextmanager
def _playing() -> Iterator[tuple[LiveTable, WebServer, Loop]]:
    """A board with all pieces placed, whose movable ones pulse, and its server."""
    with ExitStack() as parts:
        table = LiveTable(Blueprint(rules=rule_set("standard", ["repetition=0", "quiet=0"])))
        parts.callback(table.close)
        _place_all(table, Random(1))  # noqa: S311 - the same game each time
        loop = Loop(table, _RATE_HZ)
        looking = Looking(lambda: table.game)
        parts.callback(looking.close)
        server = WebServer(
            lambda request: (
                looking.submit(request) if "ask" in request else loop.submit(lambda: table.do(request))
            ),
            port=0,
        )
        parts.callback(server.close)
        server.start()
        yield table, server, loop


def _place_all(table: LiveTable, random: Random) -> None:
    """Have hands place all pieces without closing a mill, before time is measured."""
    session = table.life.play.controller.session
    while session.game.position.in_hand(session.game.position.to_move):
        quiet = [turn.steps[0] for turn in legal_turns(session.game.position) if len(turn.steps) == 1]
        step = random.choice(quiet)
        assert step.target is not None  # noqa: S101 - it is a placement
        table.do({"put": step.target.name, "piece": str(session.game.position.to_move)})
        for _ in range(_FRAMES_TO_SETTLE):
            table.tick(0)


class _Watch:
    """Counts what the loop takes."""

    def __init__(self, told: list[Seen]) -> None:
        self.late: list[Microseconds] = []
        """How long behind its time each frame was done."""
        self._told = told

    def begin(self) -> None:
        """Count from now on; the first frame is due now."""
        self._began_ns = time.monotonic_ns()
        self._used = time.process_time()

    def passed(self, due: Microseconds) -> None:
        """Take in that the frame of that time is done."""
        self.late.append((time.monotonic_ns() - self._began_ns) // 1000 - due)

    def cpu_percent(self) -> float:
        """The share of a core that this process took since the beginning."""
        passed = (time.monotonic_ns() - self._began_ns) / 1e9
        return round(100 * (time.process_time() - self._used) / passed, 1)


def _delays(told: list[Seen], seen: list[Seen]) -> Iterator[int]:
    """Nanoseconds from each light that was told to its coming, where it was not outdated before."""
    first = 0
    for came, light in seen:
        match = next((n for n in range(first, len(told)) if told[n][1] == light), None)
        if match is not None and told[match][0] <= came:
            yield came - told[match][0]
            first = match + 1


@contextmanager
def _crowd(task: Callable[..., None], *arguments: Any) -> Iterator[Callable[[], Any]]:
    """A process that does `task` from now on; what is yielded ends it, and gives what it sends back."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=task, args=(theirs, *arguments), daemon=True)
    process.start()
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
    """Bytes and time of a first visit in a headless Chromium, until the board is drawn."""
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

        def after(_events: object, _now: Microseconds) -> None:
            table.tell(server.publish)
            if ours.poll():
                loop.stop()

        loop.run(after)
        sizes, drawn = ours.recv()
        process.join()
    return {"bytes": max(sizes), "drawn_after_ms": spread(drawn)}


def _visit(orders: Any, address: str, chromium: str, times: int) -> None:
    from playwright.sync_api import sync_playwright

    sizes, drawn = [], []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        for _ in range(times):
            page = browser.new_page()
            page.add_init_script(_DRAWN)
            asked: list[Any] = []
            page.on("requestfinished", partial(_keep, asked))
            page.goto(address)
            page.wait_for_function("window.drawnAt")
            drawn.append(page.evaluate("window.drawnAt"))
            page.wait_for_load_state("networkidle")
            found = [request.sizes() for request in asked]
            sizes.append(sum(size["responseBodySize"] + size["responseHeadersSize"] for size in found))
            page.context.close()
        browser.close()
    orders.send((sizes, drawn))


def _keep(asked: list[Any], request: Any) -> None:
    asked.append(request)
