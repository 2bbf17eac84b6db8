"""The command `millwright wall`: all boards of a broker on one screen."""

from __future__ import annotations

import time
from contextlib import closing, suppress
from pathlib import Path
from threading import Thread

import click

from firmware_host.club.standings import KeptResult
from firmware_host.club.wall import Wall
from firmware_host.commands.broker import broker_of, broker_options
from firmware_host.errors import DamagedStoreError, StoreError

_PORT = 8766
_EVENING_MS = 12 * 3_600_000


@click.command()
@broker_options
@click.option("--title", default="", metavar="TEXT", help="The title above the boards.")
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="The file of `millwright archive`: results of its last twelve hours count as well.",
)
@click.option("--port", default=_PORT, show_default=True, help="The port of the page.")
@click.option("--listen", is_flag=True, help="Serve the page to other machines of the house as well.")
def wall(
    broker: str,
    user: str,
    password_file: Path | None,
    ca: str,
    title: str,
    store: Path | None,
    port: int,
    listen: bool,
) -> None:
    """Show the boards of a broker and the standings of an evening as a page, until it is stopped.

    Everybody plays everybody once.
    """
    from firmware_host.club.following import follow
    from firmware_host.club.wall_server import WallServer
    from firmware_host.link.packets import require_paho
    from firmware_host.link.published import FILTERS
    from firmware_host.web.addresses import EVERYWHERE, listening_socket, local_url, network_urls

    require_paho()
    address, login = broker_of(broker, user, password_file, ca, "wall")
    shown = Wall(title)
    evening = _Evening(shown, store)
    evening.begin()
    with listening_socket(EVERYWHERE if listen else "127.0.0.1", port, others=listen) as listening:

        def receive(topic: str, message: bytes) -> None:
            shown.receive(topic, message, _now())

        following = (address, login, FILTERS, receive, evening.learn_time)
        Thread(target=follow, args=following, name="boards", daemon=True).start()
        click.echo(f"The wall is at {local_url(listening)}")
        if listen:
            click.echo(
                f"Others in the house see it at {' or '.join(network_urls(listening.getsockname()[1]))}"
            )
        with suppress(KeyboardInterrupt):
            WallServer(listening, lambda: shown.picture(_now())).run()


class _Evening:
    """The results of this evening in the archive's file, which the machine's clock parts from others."""

    def __init__(self, wall: Wall, store: Path | None) -> None:
        from firmware_host.runtime.clock import machine_clock

        self._wall, self._store, self._clock = wall, store, machine_clock()

    def begin(self) -> None:
        """Count the results whose age is known; raise StoreError if the file can't be read."""
        if self._store is not None:
            self._wall.is_undated = not self._clock.is_right
            self._wall.add_results(self._results(self._store))

    def learn_time(self) -> None:
        """Count the others as soon as the clock is right."""
        if self._store is None or not (self._wall.is_undated and self._clock.is_right):
            return
        self._wall.is_undated = False
        try:
            self._wall.add_results(self._results(self._store))
        except StoreError as error:  # the boards are still shown
            self._wall.is_unread = True
            click.echo(f"The results of earlier games can't be read: {error}", err=True)

    def _results(self, store: Path) -> list[KeptResult]:
        from firmware_host.club.archive import recent_results
        from firmware_host.store.database import open_read_only
        from firmware_host.store.ownership import acting_as_owner

        with acting_as_owner(store):
            try:
                with closing(open_read_only(store)) as file:
                    return recent_results(file, self._clock.age_ms, _EVENING_MS)
            except DamagedStoreError as error:  # the archive sets its file aside; the evening goes on
                self._wall.is_unread = True
                click.echo(f"Without the results of {store}, which is damaged: {error}", err=True)
                return []


def _now() -> int:
    return time.monotonic_ns() // 1000
