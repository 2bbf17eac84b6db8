"""The page's files, read once and kept in memory; each is compressed when it is asked for the first time.

Comments are left out of scripts and style sheets, a quarter of their bytes. Their lines stay, so that an
error names the line of the file. The modules of the page are sent as two files, and its style sheets as one.

Invariants: only files that are in `static/` at start-up are served. Their names are looked up and never
opened, so that no path from a client reaches the disk. A browser that has a file already gets no second copy.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property, partial
from graphlib import TopologicalSorter
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import NamedTuple

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from firmware_host.i18n import Message
from firmware_host.web.error_pages import error_response

# ---- joined files ---------------------------------------------------------------------------------------
# The modules and the style sheets of a page, joined into a few files.
#
# A browser is done with one file sooner than with fifty small ones, of which each costs a request. It
# compiles a file before it runs any of it, so modules that are needed only later have a file of their own,
# and those that few people open another one, which is fetched when they do.
#
# Invariants: a module runs once, after those it imports, and one that is imported by an expression only
# then, as if a browser loaded them one by one; but what failed is tried again at the next import. If a file
# can't be fetched, an import fails with a DOMException "NetworkError". In a joined file, each module follows
# a comment with its name, and its lines count from there.


_IMPORT = re.compile(r'^import \{ ([^}]*) \} from "\./(\w+)\.js";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("\./(\w+)\.js"\)')
_EXPORT = re.compile(r"^export ((?:async )?function\*? |class |const )(\w+)", re.MULTILINE)
_MODULE = """\
const ${name} = $once(async () => {{ // {name}.js
{text}return {{ {exported} }};
}});
"""
_ELSEWHERE = """\
const ${name} = async () => (await ${file}()).${name}();
"""
_FIRST = """\
//# allFunctionsCalledOnLoad
const $once = (run) => {{
  let ran;
  return () => (ran ??= run().catch((error) => {{ ran = undefined; throw error; }}));
}};
let $failures = 0;
const $fetched = (file) => $once(async () => {{
  try {{
    return await import(`./${{file}}` + ($failures ? `?${{$failures}}` : ""));
  }} catch ({{ message }}) {{
    $failures++;
    throw new DOMException(message, "NetworkError");
  }}
}});
const $second = $fetched("{second}");
const $third = $fetched("{third}");
{modules}export {{ {shared} }};
if (document.readyState === "loading") {{
  await new Promise((go) => document.addEventListener("DOMContentLoaded", go, {{ once: true }}));
}}
await ${main}();
"""
"""Its first line asks a browser to compile the file in the background while the document comes in. Otherwise
Chromium compiles each function at its first call, before the board is drawn. The second file is fetched under
another address after each failure, since a browser may remember which address failed."""
_SECOND = """\
import {{ {shared} }} from "./{first}";
{modules}export {{ {entered} }};
"""

Read = Callable[[str], str]
"""Returns the text of a file without its comments, by its name."""


class JoinedModules(NamedTuple):
    """The texts of the files that all modules of a page are joined into."""

    first: str
    """Runs the main module when the document is there; it has all that this module imports."""
    second: str
    """The modules that are imported by expressions alone."""
    third: str
    """Those of them that few people need, with all that only these import."""


class _Module(NamedTuple):
    """A module as a function that runs it once and resolves to what it exports."""

    text: str
    imports: list[str]
    imports_later: list[str]
    """Those that an expression imports."""

    @property
    def uses(self) -> list[str]:
        return self.imports + self.imports_later


def joined_styles(names: Iterable[str], read: Read) -> str:
    """Return the style sheets with these names, one after the other."""
    return "".join(f"/* {name} */{read(name)}\n" for name in names)


def joined_modules(
    main: str, read: Read, *, first: str, second: str, third: str = "", rare: Collection[str] = ()
) -> JoinedModules:
    """Return the files to be served as `first`, which runs the module `main`, `second` and `third`.

    The third has the `rare` modules. All are named without their ending. Raises ValueError where a file would
    fail only in a browser: if a module imports or exports in a form that is not read here, modules that
    import each other in a circle would wait for each other, or one needs another of a later file.
    """
    modules = _reached([main], read, lambda module: module.uses)
    TopologicalSorter({name: module.imports for name, module in modules.items()}).prepare()
    at_once = _reached([main], read, lambda module: module.imports)
    apart = {name: module for name, module in modules.items() if name not in at_once}
    seldom = {
        name: apart[name] for name in _reached(rare, read, lambda module: module.imports) if name in apart
    }
    later = {name: module for name, module in apart.items() if name not in seldom}
    _check_order((at_once, later, seldom))
    links = [
        _ELSEWHERE.format(name=name, file=file)
        for file, own in (("second", later), ("third", seldom))
        for name in _entered(own, modules)
    ]
    linked = _entered(later, modules) + _entered(seldom, modules)

    def listed(used: Collection[str]) -> str:
        return _listed(["once", *(name for name in [*at_once, *linked] if name in used)])

    return JoinedModules(
        _FIRST.format(
            modules=_joined(at_once) + "".join(links),
            second=second,
            third=third,
            shared=listed(_used_outside(later) | _used_outside(seldom)),
            main=main,
        ),
        _later_file(later, listed(_used_outside(later)), first, _entered(later, modules)),
        _later_file(seldom, listed(_used_outside(seldom)), first, _entered(seldom, modules)),
    )


def _used_outside(own: Mapping[str, _Module]) -> set[str]:
    """Return the names of the modules that those of a file use and that are not in it."""
    return {name for module in own.values() for name in module.uses} - own.keys()


def _later_file(own: Mapping[str, _Module], shared: str, first: str, entered: Iterable[str]) -> str:
    return _SECOND.format(shared=shared, first=first, modules=_joined(own), entered=_listed(entered))


def _entered(own: Mapping[str, _Module], modules: Mapping[str, _Module]) -> list[str]:
    """Return the modules of a file that others use."""
    used = {name for other, module in modules.items() if other not in own for name in module.uses}
    return [name for name in own if name in used]


def _check_order(files: Sequence[Mapping[str, _Module]]) -> None:
    """Raise ValueError if a module needs another that is neither in its file nor in the first."""
    for index, own in enumerate(files):
        allowed = {*own, *files[0]}
        for name, module in own.items():
            if missing := [other for other in module.imports if other not in allowed]:
                raise ValueError(
                    f"{name}.js needs {missing[0]}.js, which is in another file than the {index + 1}."
                )


def _reached(names: Iterable[str], read: Read, more: Callable[[_Module], list[str]]) -> dict[str, _Module]:
    """Return these modules with all those that `more` leads to from them."""
    modules: dict[str, _Module] = {}
    found = [*names]
    while found:
        name = found.pop()
        if name not in modules:
            modules[name] = _function(name, read(f"{name}.js"))
            found += more(modules[name])
    return modules


def _function(name: str, text: str) -> _Module:
    imports = [other for _, other in _IMPORT.findall(text)]
    later = _LATER.findall(text)
    exported = [found[2] for found in _EXPORT.finditer(text)]
    text = _EXPORT.sub(r"\1\2", text)
    text = _IMPORT.sub(lambda found: f"const {{ {_renamed(found[1])} }} = await ${found[2]}();", text)
    text = _LATER.sub(r"$\1()", text)
    if left := re.search(r"^(?:import|export)\b.*|\bimport\(.*", text, re.MULTILINE):
        raise ValueError(f"{name}.js can't be joined with others: {left[0]}")
    return _Module(_MODULE.format(name=name, text=text, exported=", ".join(exported)), imports, later)


def _joined(modules: Mapping[str, _Module]) -> str:
    return "".join(module.text for module in modules.values())


def _listed(names: Iterable[str]) -> str:
    return ", ".join(f"${name}" for name in names)


def _renamed(names: str) -> str:
    return names.replace(" as ", ": ")


# ---- the files ------------------------------------------------------------------------------------------


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
