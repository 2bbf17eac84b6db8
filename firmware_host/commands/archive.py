"""The command `millwright archive`: keeps the games of a broker's boards."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import click

from firmware_host.commands.broker import broker_of, broker_options, keys_of
from firmware_host.i18n import Message, to_english


@click.command()
@broker_options
@click.option(
    "--store",
    type=click.Path(path_type=Path),
    required=True,
    metavar="FILE",
    help="The games file to add to; `millwright games --store FILE` reads it.",
)
@click.option(
    "--invitations",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A file with the invitation to a room in each line: the seals of their records are checked.",
)
def archive(
    broker: str, user: str, password_file: Path | None, ca: str, store: Path, invitations: Path | None
) -> None:
    """Keep the games that boards far apart play over a broker, until it is stopped.

    A game is kept once it is over on both boards, and only if its turns are legal and both boards have
    published the same.
    """
    from firmware_host.club.archive import ArchiveFile, Archivist
    from firmware_host.club.following import follow
    from firmware_host.link.published import FILTERS, Rooms
    from firmware_host.runtime.clock import machine_clock
    from firmware_host.store.ownership import acting_as_owner
    from firmware_host.store.schema import check_is_ours

    address, login = broker_of(broker, user, password_file, ca, "archive")
    rooms = Rooms(keys_of(invitations))
    with acting_as_owner(store):
        check_is_ours(store)
        with closing(ArchiveFile(store, _warn, machine_clock())) as file:
            archivist = Archivist(rooms, file.add)

            def receive(topic: str, message: bytes) -> None:
                file.bring_dates()
                if (found := archivist.receive(topic, message, file.now())) is not None:
                    click.echo(str(found))

            def idle() -> None:
                file.bring_dates()
                for found in archivist.add_waiting(file.now()):
                    click.echo(str(found))

            follow(address, login, FILTERS, receive, idle)


def _warn(what: Message) -> None:
    click.echo(to_english(what), err=True)
