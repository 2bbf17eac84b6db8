"""The modules of the page joined into one: in the order of their imports, and in no form that is not read."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from firmware_host.web.files.joining import joined_modules, joined_styles

MODULES = {
    "first.js": 'console.log("first");\n',
    "shared.js": 'console.log("shared");\nexport const count = await Promise.resolve(3);\n'
    "export function twice(n) { return 2 * n; }\n",
    "later.js": 'import { count } from "./shared.js";\nexport class Later { n = count + 1; }\n',
    "main.js": 'import { count as three, twice } from "./shared.js";\n'
    "console.log(twice(three));\n"
    'const { Later } = await import("./later.js");\nconsole.log(new Later().n);\n',
}
NODE = shutil.which("node")


@pytest.mark.skipif(NODE is None, reason="node is missing")
def test_joined_modules_run_once_in_the_order_of_imports() -> None:
    document = 'globalThis.document = { readyState: "complete" };\n'
    text = document + joined_modules(["first"], "main", MODULES.__getitem__)
    command = [NODE or "", "--input-type=module", "--eval", text]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout  # noqa: S603
    assert said.split() == ["first", "shared", "6", "4"]


@pytest.mark.parametrize(
    "line",
    [
        'import "./shared.js";',
        'import * as shared from "./shared.js";',
        'export { count } from "./shared.js";',
        "export let count = 3;",
        "export default 3;",
        "await import(name);",
    ],
)
def test_module_in_another_form_is_refused(line: str) -> None:
    modules = {**MODULES, "main.js": f"{line}\n"}
    with pytest.raises(ValueError, match=r"main\.js can't be joined"):
        joined_modules(["first"], "main", modules.__getitem__)


def test_modules_that_import_each_other_are_refused() -> None:
    files = {
        "one.js": 'import { other } from "./two.js";\nexport const one = 1;\n',
        "two.js": 'import { one } from "./one.js";\nexport const other = 2;\n',
    }
    with pytest.raises(ValueError, match="cycle"):
        joined_modules([], "one", files.__getitem__)


def test_lines_of_a_module_count_from_its_name() -> None:
    lines = joined_modules(["first"], "main", MODULES.__getitem__).split("\n")
    start = next(n for n, line in enumerate(lines) if line.endswith("// main.js"))
    assert lines[start + 2] == MODULES["main.js"].split("\n")[1]


def test_joined_styles_keep_their_order() -> None:
    assert joined_styles(["b.css", "a.css"], {"a.css": "p {}", "b.css": "q {}"}.__getitem__) == (
        "/* b.css */q {}\n/* a.css */p {}\n"
    )
