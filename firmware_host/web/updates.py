"""A package that a page hands to the board: `PUT /update` takes it in pieces, `GET /update` has the result.

Invariants: only visitors that may play send or see anything. A package is written beside the games, whole or
not at all, and nothing of it is read or run here: root's part, systemd/update/update.sh, checks its signer.
A piece has no more bytes than a file of games, and a package no more than `MAX_PACKAGE`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from firmware_host import __version__
from firmware_host.errors import RequestError
from firmware_host.i18n import Message
from firmware_host.state_files import sync_folder
from firmware_host.web.access import Access
from firmware_host.web.saved_games import read_body, refused

MAX_PACKAGE = 1 << 26
_UPLOAD = "update.deb"
_RESULT = Path("/var/lib/millwright-update/result")
_SIGNERS = (Path("/etc/millwright/release.signers"), Path("/usr/share/millwright/release.signers"))
_MAX_DIGITS = 9

_RESULTS: Mapping[str, Callable[[str], Message]] = {
    "installing": lambda version: Message("update.result.installing", {"text": version}),
    "installed": lambda version: Message("update.result.installed", {"text": version}),
    "undone": lambda version: Message("update.result.undone", {"text": version}),
    "stuck": lambda version: Message("update.result.stuck", {"text": version}),
    "older": lambda version: Message("update.result.older", {"text": version}),
    "unsigned": lambda _: Message("update.result.unsigned"),
    "other": lambda _: Message("update.result.other"),
    "no-room": lambda _: Message("update.result.no-room"),
}
"""The words of update.sh, and what they say to people."""


class Updates:
    """The package on its way into `folder`, and the `result` of the last one."""

    def __init__(self, folder: Path, result: Path = _RESULT) -> None:
        self._upload, self._result = folder / _UPLOAD, result
        self._part = folder / f".{_UPLOAD}.part"

    @classmethod
    def of(
        cls, environ: Mapping[str, str] = os.environ, signers: tuple[Path, ...] = _SIGNERS
    ) -> Updates | None:
        """Return the updates of a service; None where no package could be installed."""
        folder = environ.get("STATE_DIRECTORY", "").partition(":")[0]
        return cls(Path(folder)) if folder and any(map(_has_key, signers)) else None

    @property
    def state(self) -> dict[str, Any]:
        """The version that runs, and what became of the last package."""
        word, _, version = "", "", ""
        with suppress(OSError, ValueError):
            word, _, version = self._result.read_text("utf-8").strip().partition(" ")
        result = _RESULTS[word](version).as_dict() if word in _RESULTS else None
        return {"version": __version__, "result": result, "is_waiting": self._upload.exists()}

    def take(self, data: bytes, at: int, size: int) -> bool:
        """Take the bytes of a package that begin `at`; return False if others are due.

        Raises OSError. The package is handed over with its last byte.
        """
        with self._part.open("wb" if at == 0 else "r+b") as file:
            if file.seek(0, os.SEEK_END) != at:
                return False
            file.write(data)
            file.flush()
            if at + len(data) == size:
                os.fsync(file.fileno())
        if at + len(data) == size:
            self._part.replace(self._upload)
            sync_folder(self._upload.parent)
        return True


def update_routes(updates: Updates | None, access: Access) -> list[Route]:
    """Return the routes by which a page updates the board; none where it can't."""
    if updates is None:
        return []

    async def state(request: Request) -> Response:
        if not access.visit(request).may_play:
            return refused(Message("refused.only-looks"), 403)
        return JSONResponse(await run_in_threadpool(lambda: updates.state))

    async def taken(request: Request) -> Response:
        if not access.visit(request).may_play:
            return refused(Message("refused.only-looks"), 403)
        at, size = (_number(request.query_params.get(name, "")) for name in ("at", "of"))
        if at is None or size is None or size > MAX_PACKAGE:
            return refused(Message("update.too-large"), 413)
        try:
            data = await read_body(request)
            if not data or at + len(data) > size:
                return refused(Message("refused.not-understood"), 400)
            if not await run_in_threadpool(updates.take, data, at, size):
                return refused(Message("update.again"), 409)
        except TimeoutError:
            return refused(Message("refused.no-answer"), 408)
        except (RequestError, ClientDisconnect):
            return refused(Message("update.too-large"), 413)
        except OSError as error:
            return refused(Message("update.unsaved", {"text": str(error.strerror)}), 507)
        return JSONResponse({"at": at + len(data)})

    return [Route("/update", state, methods=["GET"]), Route("/update", taken, methods=["PUT"])]


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _MAX_DIGITS else None


def _has_key(signers: Path) -> bool:
    try:
        lines = signers.read_text("utf-8").splitlines()
    except (OSError, ValueError):
        return False
    return any(line.strip() and not line.startswith("#") for line in lines)
