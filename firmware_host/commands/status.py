"""The command `millwright status`: asks the board that runs on this machine how it is."""

from __future__ import annotations

import json
from http.client import HTTPConnection, HTTPException
from typing import Any

import click

from firmware_host.errors import ConfigError, PageError

_PATIENCE_S = 10.0


@click.command()
@click.option("--host", help="The address of its page; else the config's, else 127.0.0.1.")
@click.option("--port", type=int, help="Its port; else the config's, else 8765.")
@click.option("--config", "given", metavar="FILE", help="The file; else your own, else the system's.")
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def status(host: str | None, port: int | None, given: str | None, as_json: bool) -> None:
    """Say how the running board is."""
    from firmware_host.config import Config, load
    from firmware_host.status import screen
    from firmware_host.whereabouts import find

    try:
        web = load(find(given)).web
    except ConfigError:  # the board plays by the defaults, too, and says what is wrong
        web = Config.default().web
    told = ask(web.host if host is None else host, web.port if port is None else port)
    click.echo(json.dumps(told) if as_json else screen(told))


def ask(host: str, port: int) -> dict[str, Any]:
    """What the board at this address says of itself; raises PageError where there is none."""
    connection = HTTPConnection(host, port, timeout=_PATIENCE_S)
    where = f"at {host} port {port}"
    try:
        connection.request("GET", "/status")
        answer = connection.getresponse()
        text = answer.read().decode()
        told = json.loads(text) if answer.status == 200 else None
    except (OSError, HTTPException, ValueError) as error:
        raise PageError(
            f"no board answers {where} ({error}): `millwright run` starts one, and where it is a service, "
            "`systemctl status millwright` says how that is"
        ) from error
    finally:
        connection.close()
    if not isinstance(told, dict):
        raise PageError(f"what answers {where} does not say how it is: {answer.status} {text.strip()[:80]}")
    return told
