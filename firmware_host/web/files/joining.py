"""The scripts and the style sheets of a page, joined into one file each.

A browser is done with one file sooner than with fifty small ones, of which each costs a request.

Invariants: a module runs once, after those it imports, and one that is imported by an expression only then,
as if a browser loaded them one by one. In the joined file, each follows a comment with its name, and its
lines count from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from graphlib import TopologicalSorter

_IMPORT = re.compile(r'^import \{ ([^}]*) \} from "\./(\w+)\.js";$', re.MULTILINE)
_LATER = re.compile(r'\bimport\("\./(\w+)\.js"\)')
_EXPORT = re.compile(r"^export ((?:async )?function\*? |class |const )(\w+)", re.MULTILINE)
_HEAD = """\
//# allFunctionsCalledOnLoad
const $once = (run) => { let ran; return () => (ran ??= run()); };
"""
"""Its first line asks a browser to compile the file in the background while the document comes in. Otherwise
Chromium compiles each function at its first call, before the board is drawn."""
_MODULE = """\
const ${name} = $once(async () => {{ // {name}.js
{text}return {{ {exported} }};
}});
"""
_TAIL = """\
for (const $early of [{early}]) $early();
if (document.readyState === "loading") {{
  await new Promise((go) => document.addEventListener("DOMContentLoaded", go, {{ once: true }}));
}}
await ${last}();
"""

Read = Callable[[str], str]
"""Returns the text of a file without its comments, by its name."""


def joined_styles(names: Iterable[str], read: Read) -> str:
    """Return the style sheets with these names, one after the other."""
    return "".join(f"/* {name} */{read(name)}\n" for name in names)


def joined_modules(early: Iterable[str], last: str, read: Read) -> str:
    """Return a module that runs those named `early` at once and `last` when the document is there.

    Modules are named without their ending. Raises ValueError where the file would fail only in a browser: if
    one imports or exports in a form that is not read here, or modules that import each other in a circle
    would wait for each other.
    """
    early = list(early)
    modules: dict[str, str] = {}
    imports: dict[str, list[str]] = {}
    found = [*early, last]
    while found:
        name = found.pop()
        if name not in modules:
            text = read(f"{name}.js")
            modules[name] = _function(name, text)
            imports[name] = [other for _, other in _IMPORT.findall(text)]
            found += imports[name] + _LATER.findall(text)
    TopologicalSorter(imports).prepare()
    tail = _TAIL.format(early=", ".join(f"${name}" for name in early), last=last)
    return "".join([_HEAD, *modules.values(), tail])


def _function(name: str, text: str) -> str:
    """Return a module as a function that runs it once and resolves to what it exports."""
    exported = [found[2] for found in _EXPORT.finditer(text)]
    text = _EXPORT.sub(r"\1\2", text)
    text = _IMPORT.sub(lambda found: f"const {{ {_renamed(found[1])} }} = await ${found[2]}();", text)
    text = _LATER.sub(r"$\1()", text)
    if left := re.search(r"^(?:import|export)\b.*|\bimport\(.*", text, re.MULTILINE):
        raise ValueError(f"{name}.js can't be joined with others: {left[0]}")
    return _MODULE.format(name=name, text=text, exported=", ".join(exported))


def _renamed(names: str) -> str:
    return names.replace(" as ", ": ")
