"""The command `millwright engine`: the engine for other programs, on standard input and output."""

from __future__ import annotations

import click

from firmware_host.engine.worker import serve


@click.command()
def engine() -> None:
    """Answer other programs by the line protocol that chess and mill programs speak.

    Send uci for its options, then position and go. See firmware_host/engine/README.md for all requests. It
    ends with quit at once, or at the end of its input when the last request is answered.
    """
    serve()
