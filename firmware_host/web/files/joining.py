"""The modules and the style sheets of a page, joined into a few files.

A browser is done with one file sooner than with fifty small ones, of which each costs a request. It compiles
a file before it runs any of it, so modules that are needed only later have a file of their own.

Invariants: a module runs once, after those it imports, and one that is imported by an expression only then,
as if a browser loaded them one by one; but what failed is tried again at the next import. If the second file
can't be fetched, an import fails with a DOMException "NetworkError". In a joined file, each module follows a
comment with its name, and its lines count from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from graphlib import TopologicalSorter
from typing import NamedTuple

_IMPORT = re.compile(r'^import \{ ([^}]*) \} from "\./(\w+)\.js";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("\./(\w+)\.js"\)')
_EXPORT = re.compile(r"^export ((?:async )?function\*? |class |const )(\w+)", re.MULTILINE)
_MODULE = """\
const ${name} = $once(async () => {{ // {name}.js
{text}return {{ {exported} }};
}});
"""
_ELSEWHERE = """\
const ${name} = async () => (await $second()).${name}();
"""
_FIRST = """\
//# allFunctionsCalledOnLoad
const $once = (run) => {{
  let ran;
  return () => (ran ??= run().catch((error) => {{ ran = undefined; throw error; }}));
}};
let $failures = 0;
const $second = $once(async () => {{
  try {{
    return await import("./{second}" + ($failures ? `?${{$failures}}` : ""));
  }} catch ({{ message }}) {{
    $failures++;
    throw new DOMException(message, "NetworkError");
  }}
}});
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
    """The texts of the two files that all modules of a page are joined into."""

    first: str
    """Runs the main module when the document is there; it has all that this module imports."""
    second: str
    """The modules that are imported by expressions alone."""


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


def joined_modules(main: str, read: Read, *, first: str, second: str) -> JoinedModules:
    """Return the files to be served as `first` and `second`, of which the former runs the module `main`.

    Modules are named without their ending. Raises ValueError where a file would fail only in a browser: if a
    module imports or exports in a form that is not read here, or modules that import each other in a circle
    would wait for each other.
    """
    modules = _read([main], read, lambda module: module.uses)
    TopologicalSorter({name: module.imports for name, module in modules.items()}).prepare()
    at_once = _read([main], read, lambda module: module.imports)
    apart = {name: module for name, module in modules.items() if name not in at_once}
    entered = [name for name in apart if any(name in module.uses for module in at_once.values())]
    used = [name for name in at_once if any(name in module.uses for module in apart.values())]
    shared = _listed(["once", *used])
    links = [_ELSEWHERE.format(name=name) for name in entered]
    return JoinedModules(
        _FIRST.format(modules=_joined(at_once) + "".join(links), second=second, shared=shared, main=main),
        _SECOND.format(modules=_joined(apart), shared=shared, first=first, entered=_listed(entered)),
    )


def _read(names: Iterable[str], read: Read, more: Callable[[_Module], list[str]]) -> dict[str, _Module]:
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
