"""The page's files, read once and kept in memory; each is compressed when it is asked for the first time.

Comments are left out of scripts and style sheets, a quarter of their bytes. Their lines stay, so that an
error names the line of the file. The modules of the page are sent as two files, and its style sheets as one.

Invariants: only files that are in `static/` at start-up are served. Their names are looked up and never
opened, so that no path from a client reaches the disk. A browser that has a file already gets no second copy.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Mapping
from functools import cache, cached_property, partial
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from firmware_host.i18n import Message
from firmware_host.web.error_pages import error_response
from firmware_host.web.files.joining import JoinedModules, joined_modules, joined_styles

_CHECK_FIRST = "no-cache"
"""The page and its modules belong together: after an upgrade, none may be an old one."""
_TYPES = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
_COMMENTS = {
    "text/html; charset=utf-8": re.compile(rb"<!--.*?-->", re.DOTALL),
    "text/css; charset=utf-8": re.compile(rb"/\*.*?\*/", re.DOTALL),
    "text/javascript; charset=utf-8": re.compile(
        rb"^ *(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)$", re.DOTALL | re.MULTILINE
    ),
}
"""The comments of each kind of file; in a script only those with lines of their own."""
_INDENTATION = re.compile(rb"^ +", re.MULTILINE)

_MAIN_MODULE, _FIRST_SCRIPT, _SECOND_SCRIPT = "page", "index.js", "later.js"
_RARE_MODULES, _THIRD_SCRIPT = ("study", "importing", "mitsudomoe", "updating"), "seldom.js"
_STYLES = ("colours.css", "page.css", "table.css", "layout.css", "lights.css", "face.css", "lesson.css")
"""The parts of the scripts and of `/index.css`, which only index.html uses."""


class _StaticFile:
    """A file as it is sent; most languages and panels are never asked for, so nothing is made before."""

    def __init__(self, kind: str, make: Callable[[], bytes]) -> None:
        """Make a file whose content is what `make` returns."""
        self.kind = kind
        self._make = make

    @cached_property
    def plain(self) -> bytes:
        """The file as it is sent, uncompressed."""
        return self._make()

    @cached_property
    def compressed(self) -> bytes | None:
        """The compressed file; None for one that is as small already."""
        return None if self.kind == _TYPES["png"] else gzip.compress(self.plain, 9, mtime=0)

    @cached_property
    def tag(self) -> str:
        """The name of this very content."""
        return f'"{sha256(self.plain).hexdigest()[:20]}"'


class PageFiles:
    """An application that answers with the page's files."""

    def __init__(self) -> None:
        self._files = _all()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request; no page's connection is accepted here."""
        asked = Headers(scope=scope)
        if scope["type"] == "websocket":
            answer = error_response(asked, Message("http.no-page"), 404)
        else:
            answer = self._answer(scope["method"], scope["path"], asked)
        await answer(scope, receive, send)

    def _answer(self, method: str, path: str, asked: Headers) -> Response:
        if method not in ("GET", "HEAD"):
            return error_response(asked, Message("http.only-read"), 405, headers={"Allow": "GET, HEAD"})
        file = self._files.get(path)
        if file is None:
            return error_response(asked, Message("http.no-page"), 404)
        headers = {"ETag": file.tag, "Vary": "Accept-Encoding", "Cache-Control": _CHECK_FIRST}
        if file.tag in asked.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        if file.compressed is None or "gzip" not in asked.get("accept-encoding", ""):
            return Response(file.plain, headers=headers, media_type=file.kind)
        return Response(
            file.compressed, headers={**headers, "Content-Encoding": "gzip"}, media_type=file.kind
        )


def is_part(path: str) -> bool:
    """Return whether the path is that of a file that only a document uses, such as a script or words.

    A picture of lines is a document itself to a browser that opens it.
    """
    file = _all().get(path)
    return file is not None and file.kind not in (_TYPES["html"], _TYPES["svg"])


@cache  # a program may serve its page more than once
def _all() -> Mapping[str, _StaticFile]:
    """Return every file by its URL path."""
    found = dict(_read(files("firmware_host.web") / "static", "/"))

    def read(name: str) -> str:
        return found[f"/{name}"].plain.decode()

    @cache
    def scripts() -> JoinedModules:
        return joined_modules(
            _MAIN_MODULE,
            read,
            first=_FIRST_SCRIPT,
            second=_SECOND_SCRIPT,
            third=_THIRD_SCRIPT,
            rare=_RARE_MODULES,
        )

    def styles() -> bytes:
        return joined_styles(_STYLES, read).encode()

    joined = {
        f"/{_FIRST_SCRIPT}": _StaticFile(_TYPES["js"], lambda: scripts().first.encode()),
        f"/{_SECOND_SCRIPT}": _StaticFile(_TYPES["js"], lambda: scripts().second.encode()),
        f"/{_THIRD_SCRIPT}": _StaticFile(_TYPES["js"], lambda: scripts().third.encode()),
        "/index.css": _StaticFile(_TYPES["css"], styles),
    }
    return {**found, **joined, "/": found["/index.html"]}


def _read(folder: Traversable, path: str) -> list[tuple[str, _StaticFile]]:
    """Return the files below a folder by their URL paths."""
    found: list[tuple[str, _StaticFile]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            found += _read(entry, f"{path}{entry.name}/")
        elif (kind := _TYPES.get(entry.name.rpartition(".")[2])) is not None:
            make = partial(_lean, kind, entry.read_bytes())
            found.append((f"{path}{entry.name}", _StaticFile(kind, make)))
    return found


def _lean(kind: str, content: bytes) -> bytes:
    """Return pages, scripts and sheets without comments and indentation, 4 % of a first visit; lines stay."""
    comments = _COMMENTS.get(kind)
    if comments is None:
        return content
    return _INDENTATION.sub(b"", comments.sub(lambda found: b"\n" * found[0].count(b"\n"), content))
