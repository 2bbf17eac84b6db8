"""The modules of the page joined into two: in the order of their imports, and in no form that is not read."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from firmware_host.web.static_files import JoinedModules, joined_modules, joined_styles

MODULES = {
    "shared.js": 'console.log("shared");\nexport const count = await Promise.resolve(3);\n'
    "export function twice(n) { return 2 * n; }\n",
    "apart.js": 'console.log("apart");\nexport const one = 1;\n',
    "later.js": 'import { count } from "./shared.js";\nimport { one } from "./apart.js";\n'
    "export class Later { n = count + one; }\n",
    "main.js": 'import { count as three, twice } from "./shared.js";\n'
    "console.log(twice(three));\n"
    'setTimeout(async () => {\n  const { Later } = await import("./later.js");\n'
    '  const { one } = await import("./apart.js");\n  console.log(new Later().n + one);\n});\n',
}
NODE = shutil.which("node")


def joined(modules: Mapping[str, str]) -> JoinedModules:
    return joined_modules("main", modules.__getitem__, first="first.js", second="second.js")


def run(folder: Path, files: JoinedModules) -> list[str]:
    (folder / "package.json").write_text('{ "type": "module" }')
    (folder / "first.js").write_text(files.first)
    (folder / "second.js").write_text(files.second)
    (folder / "third.js").write_text(files.third)
    document = 'globalThis.document = { readyState: "complete" };'
    (folder / "document.js").write_text(f'{document}\nawait import("./first.js");\n')
    command = [NODE or "", str(folder / "document.js")]
    said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout  # noqa: S603
    return said.split()


@pytest.mark.skipif(NODE is None, reason="node is missing")
def test_joined_modules_run_once_in_the_order_of_imports(tmp_path: Path) -> None:
    assert run(tmp_path, joined(MODULES)) == ["shared", "6", "apart", "5"]


def test_what_only_an_expression_imports_is_in_the_second_file() -> None:
    names = [re.findall(r"// (\w+)\.js$", text, flags=re.M) for text in joined(MODULES)]
    assert [sorted(found) for found in names] == [["main", "shared"], ["apart", "later"], []]


RARE = {
    **MODULES,
    "later.js": MODULES["later.js"]
    + 'export const seldom = async () => (await import("./seldom.js")).seldom;\n',
    "seldom.js": 'import { twice } from "./shared.js";\nimport { own } from "./own.js";\n'
    "export const seldom = twice(own);\n",
    "own.js": "export const own = 4;\n",
    "main.js": MODULES["main.js"]
    .replace("const { Later }", "const { Later, seldom }")
    .replace("new Later().n + one", "new Later().n + one, await seldom()"),
}


def test_rare_modules_have_a_third_file_with_what_they_need(tmp_path: Path) -> None:
    files = joined_modules(
        "main", RARE.__getitem__, first="first.js", second="second.js", third="third.js", rare=["seldom"]
    )
    names = [sorted(re.findall(r"// (\w+)\.js$", text, flags=re.M)) for text in files]
    assert names == [["main", "shared"], ["apart", "later"], ["own", "seldom"]]
    if NODE is not None:
        assert run(tmp_path, files) == ["shared", "6", "apart", "5", "8"]


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
        joined(modules)


def test_modules_that_import_each_other_are_refused() -> None:
    files = {
        "main.js": 'import { other } from "./two.js";\nexport const one = 1;\n',
        "two.js": 'import { one } from "./main.js";\nexport const other = 2;\n',
    }
    with pytest.raises(ValueError, match="cycle"):
        joined(files)


def test_lines_of_a_module_count_from_its_name() -> None:
    lines = joined(MODULES).first.split("\n")
    start = next(n for n, line in enumerate(lines) if line.endswith("// main.js"))
    assert lines[start + 2] == MODULES["main.js"].split("\n")[1]


def test_joined_styles_keep_their_order() -> None:
    assert joined_styles(["b.css", "a.css"], {"a.css": "p {}", "b.css": "q {}"}.__getitem__) == (
        "/* b.css */q {}\n/* a.css */p {}\n"
    )
