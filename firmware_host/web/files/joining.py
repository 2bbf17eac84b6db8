"""The modules and the style sheets of a page, joined into a few files.

A browser is done with one file sooner than with fifty small ones, of which each costs a request. It compiles
a file before it runs any of it, so modules that are needed only later have a file of their own, and those
that few people open another one, which is fetched when they do.

Invariants: a module runs once, after those it imports, and one that is imported by an expression only then,
as if a browser loaded them one by one; but what failed is tried again at the next import. If a file
can't be fetched, an import fails with a DOMException "NetworkError". In a joined file, each module follows a
comment with its name, and its lines count from there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
    modules = _read([main], read, lambda module: module.uses)
    TopologicalSorter({name: module.imports for name, module in modules.items()}).prepare()
    at_once = _read([main], read, lambda module: module.imports)
    apart = {name: module for name, module in modules.items() if name not in at_once}
    seldom = {name: apart[name] for name in _read(rare, read, lambda module: module.imports) if name in apart}
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
