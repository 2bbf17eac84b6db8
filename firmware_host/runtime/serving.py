"""Where the page of a real board is served, whatever the board does meanwhile."""

from __future__ import annotations

from dataclasses import dataclass
from socket import socket

from firmware_host.config.loader import Config
from firmware_host.config.paths import secret_path
from firmware_host.web.app import Submit, TellStatus
from firmware_host.web.downloads import Games
from firmware_host.web.server import WebServer


@dataclass(frozen=True)
class Page:
    """Where the page is wanted; None and False: where the settings say.

    It is served at `listening` where that was opened for it: who opened that to others means them to come.
    """

    host: str | None = None
    port: int | None = None
    listen: bool = False
    listening: socket | None = None

    def server(
        self,
        config: Config,
        submit: Submit,
        tell_status: TellStatus | None,
        games: Games | None = None,
    ) -> WebServer:
        """The page's server, which has requests done by `submit`; raises PageError where it cannot be."""
        at = config.web.at(self.host, self.port, listen=self.listen)
        given = self.listening
        return WebServer(
            submit,
            at.host,
            at.port,
            tell_status=tell_status,
            games=games,
            others=secret_path() if at.listen or given is not None else None,
            listening=None if given is None else given.dup(),
        )
