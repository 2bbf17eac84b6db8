"""`millwright setup` put together: the session, its loop, its page and its terminal.

Invariants: start-up is a list, shutdown its reverse. The loop runs in the main thread, and only it touches
the drivers. Terminal and page show the same, and either may answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from contextlib import ExitStack
from typing import Any, Protocol

from firmware_host.config.loader import Config
from firmware_host.config.paths import devices_path
from firmware_host.games.layout import Layout
from firmware_host.games.rulesets import rule_set
from firmware_host.i18n import Message, to_english
from firmware_host.maintenance.form_session import FormSession
from firmware_host.maintenance.setup_files import SetupFiles
from firmware_host.maintenance.setup_session import PLAYS, SetupSession
from firmware_host.maintenance.terminal import Say, Terminal
from firmware_host.runtime.clock import machine_clock
from firmware_host.runtime.journal import recent_lines
from firmware_host.runtime.loop import Loop, TickingBoard, stopped_by_signals
from firmware_host.settings import Address
from firmware_host.web import messages
from firmware_host.web.app import Submit
from firmware_host.web.server import WebServer
from hardware.electronics import PiElectronics, UnknownElectronics
from hardware.setup.prompts import LEFT, Prompt

_LOG = {"log": True}
"""The request for the last lines of the log."""


class WorkshopSession(TickingBoard, Protocol):
    """A use of a board in the workshop: its set-up, its examination, or a choice of settings."""

    status: str
    """The board's status in the meantime."""

    @property
    def layout(self) -> Layout:
        """The points of the board."""

    @property
    def prompt(self) -> Prompt:
        """The prompt to show now."""

    @property
    def revision(self) -> int:
        """A number that grows if the message changes and the prompt doesn't."""

    @property
    def over(self) -> bool:
        """True if there are no more questions."""

    def do(self, request: dict[str, Any]) -> Any:
        """Carry out a request of a page and return its result. Raise RequestError."""

    def close(self) -> None:
        """Darken the strip and release everything."""

    @property
    def texts(self) -> messages.PageMessage:
        """The prompt for pages, with what goes with it."""


class SetupBoard(Protocol):
    """The table at which hands work, in `sim`, which nothing here may import; a real board has none."""

    @property
    def kinds(self) -> messages.PageMessage:
        """The properties of each kind of piece."""

    def do(self, request: dict[str, Any]) -> None:
        """Carry out a request of a page's hands. Raise HandsError."""

    def news(self) -> tuple[bool, messages.PageMessage, dict[str, str]]:
        """Return whether more than the light changed, where all pieces are, and which LEDs are lit."""


def set_up(
    given: str | None, page: tuple[str | None, int | None] | None, say: Say, tell: Say, typed: Iterable[str]
) -> None:
    """Set up this Pi's board with the configuration `given` or the default one.

    `page` is its address, each part None for the configured one; `say` receives prompts, `tell` errors, and
    `typed` yields the answers. Raises ConfigError, SensorError, and PageError if there can be no page.
    """
    files = SetupFiles.of(given)
    config = files.config()
    setting = form_session(PiElectronics(tell), config, files)
    address = None if page is None else config.web.at(*page)
    run_session(setting, config.timing.frame_rate_hz, address, say, typed)


def form_session(
    electronics: UnknownElectronics, config: Config, files: SetupFiles, *, ending: Message = PLAYS
) -> FormSession:
    """Return a set-up of the board of `electronics` that begins with its form; raises as `FormSession`."""

    def begin(chosen: Config, files: SetupFiles) -> SetupSession:
        return SetupSession(electronics, chosen, files, today, ending=ending)

    points = len(rule_set(config.play.rules, config.play.switches).layout)
    return FormSession(config, files, begin, electronics.probe(points))


def today() -> str:
    """Return the date, for names of files; `undated` if nobody knows it."""
    return machine_clock().day()


def run_session(
    setting: FormSession,
    frame_rate_hz: int,
    page: Address | None,
    say: Say,
    typed: Iterable[str],
    table: SetupBoard | None = None,
    browse: Say | None = None,
) -> None:
    """Guide an operator to the end of `setting`, or until SIGINT or SIGTERM.

    `table` is that of a simulated board; `browse` receives the page's address, to open it.
    """
    with ExitStack() as parts:
        parts.callback(setting.close)
        loop = Loop(setting, frame_rate_hz)
        terminal = Terminal(setting.layout, say, typed)
        server: WebServer | None = None
        if page is not None:
            server = _server(lambda request: loop.submit(lambda: do_request(setting, table, request)), page)
            parts.callback(server.close)
        parts.enter_context(stopped_by_signals(loop.stop))
        if server is not None:
            server.start()
            say(f"The same is asked at {server.address}setup.html")
            if server.invitation:
                say(server.invitation)
            if browse is not None:
                browse(f"{server.address}setup.html")
        terminal.listen(lambda text: _answered(loop, setting, text))
        telling = SetupPublisher(setting, terminal, server.publish if server else None, table)
        loop.run(lambda _events, _now: loop.stop() if telling.tell() else None)
        if not setting.over and table is None:
            say(f"\n{to_english(LEFT)}")


def _server(submit: Submit, page: Address) -> WebServer:
    others = devices_path() if page.listen else None
    return WebServer(submit, page.host, page.port, others=others, pairs=True, clock=machine_clock())


def _answered(loop: Loop, setting: FormSession, text: str) -> Future[None]:
    return loop.submit(lambda: setting.answer(text))


def do_request(setting: WorkshopSession, table: SetupBoard | None, request: dict[str, Any]) -> Any:
    """Carry out a page's request: one of the session's own, or what hands do at a simulated `table`."""
    if request == _LOG:
        from firmware_host.maintenance.report import log_text  # simulated boards lack what it looks at

        return {"log": log_text(recent_lines())}
    if table is None or "answer" in request or "report" in request:
        return setting.do(request)
    table.do(request)
    return None


class SetupPublisher:
    """Publishes changes of the prompt to terminal and page."""

    def __init__(
        self,
        setting: WorkshopSession,
        terminal: Terminal | None,
        publish: Callable[[messages.PageMessage], None] | None,
        table: SetupBoard | None,
    ) -> None:
        self._setting = setting
        self._terminal = terminal
        self._publish = publish or (lambda _: None)
        self._table = table
        self._shown: object = None
        self._light: dict[str, str] = {}

    def tell(self) -> bool:
        """Publish what has changed. Return whether the session is over."""
        prompt = self._setting.prompt
        shown = prompt, self._setting.revision
        changed, pieces, light = self._table.news() if self._table else (False, None, {})
        if shown != self._shown or changed:
            self._shown = shown
            if self._terminal is not None:
                self._terminal.show(prompt)
            kinds = self._table.kinds if self._table else {}
            self._publish(
                messages.setup_prompt(self._setting.layout, self._setting.texts, pieces, kinds, light)
            )
        elif light != self._light:
            self._publish(messages.leds(light))
        self._light = light
        return self._setting.over
