"""The files of the page as they are served: small, whole, from here alone, and no others."""

from __future__ import annotations

import gzip
import http.client
import json
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.datastructures import Headers

import firmware_host.web
from firmware_host.web.server import WebServer
from firmware_host.web.static_files import PageFiles
from tests.support.web.fake_board import Asked

STATIC = Path(firmware_host.web.__file__).parent / "static"
PATHS = sorted(f"/{path.relative_to(STATIC)}" for path in STATIC.rglob("*") if path.is_file())
TEXTS = [path for path in PATHS if not path.endswith(".png")]
MAX_BYTES = 150_000
FILES = PageFiles()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    server = WebServer(Asked().submit, port=0)
    server.start()
    yield urlsplit(server.address).port or 80
    server.close()


def fetch(port: int, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(
        "GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()}
    )
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body


@pytest.mark.parametrize("path", PATHS)
def test_each_file_is_served_whole_and_compressed(port: int, path: str) -> None:
    status, headers, meant = fetch(port, path)
    assert status == 200
    if not path.endswith((".html", ".js", ".css")):
        assert meant == (STATIC / path[1:]).read_bytes()
    status, headers, body = fetch(port, path, Accept_Encoding="gzip, br")
    if path in TEXTS:
        assert (status, headers["content-encoding"], gzip.decompress(body)) == (200, "gzip", meant)
        assert len(body) == int(headers["content-length"]) < len(meant)
    else:
        assert (status, "content-encoding" in headers, body) == (200, False, meant)
    status, _, body = fetch(port, path, If_None_Match=headers["etag"])
    assert (status, body) == (304, b"")


@pytest.mark.parametrize("path", [path for path in PATHS if path.endswith(".js")])
def test_script_is_served_with_all_its_lines_but_comments_and_indentation(path: str) -> None:
    written = (STATIC / path[1:]).read_text("utf-8").split("\n")
    served = bytes(FILES._answer("GET", path, Headers({})).body).decode().split("\n")
    for line, left in zip(written, served, strict=True):
        comment = line.lstrip().startswith(("//", "/*", "*"))
        assert left == line.lstrip(" ") or (comment and not left)
        assert comment or line.count("`") % 2 == 0, "a text over two lines would lose its indentation"
    assert not any(line.lstrip().startswith("//") for line in served)


@pytest.mark.parametrize("path", [path for path in PATHS if path.endswith((".html", ".css"))])
def test_page_and_sheet_are_served_with_all_their_words(path: str) -> None:
    written = (STATIC / path[1:]).read_text("utf-8")
    served = bytes(FILES._answer("GET", path, Headers({})).body).decode()
    assert "/*" not in served
    assert "<!--" not in served
    assert served.count("\n") == written.count("\n")
    assert [word for word in served.split() if word not in written.split()] == []


def test_a_first_visit_takes_few_bytes() -> None:
    """All that there is, in one language: more than a visit asks for."""
    asked = [
        "/begin.js",
        "/index.js",
        "/later.js",
        "/index.css",
        *(path for path in PATHS if not path.endswith((".json", ".js", ".css"))),
    ]
    asked += [path for path in PATHS if path.endswith(".css")]
    longest = max((path for path in PATHS if path.startswith("/words/")), key=lambda path: len(sent(path)))
    assert sum(len(sent(path)) for path in [*asked, longest]) < MAX_BYTES


def sent(path: str) -> bytes:
    return bytes(FILES._answer("GET", path, Headers({"accept-encoding": "gzip"})).body)


@pytest.mark.ci("examples")
@given(
    st.text()
    | st.lists(st.sampled_from(["..", ".", "/", "\\", "%2e", "page.js", "words", "\0"])).map("".join)
)
def test_no_other_path_is_a_file(path: str) -> None:
    answer = FILES._answer("GET", f"/{path}", Headers({}))
    assert answer.status_code == (200 if f"/{path}" in {"/", *PATHS} else 404)


@pytest.mark.parametrize("path", TEXTS)
def test_nothing_is_asked_for_from_elsewhere(path: str) -> None:
    text = (STATIC / path[1:]).read_text("utf-8")
    named = re.findall(
        r"(?:https?:|wss?:)?//[\w.-]+\.\w+[^\s\"'`)]*", re.sub(r"^\s*//.*$", "", text, flags=re.M)
    )
    assert [name for name in named if not name.startswith("http://www.w3.org/")] == []


def test_no_text_is_taken_for_html_by_the_page() -> None:
    taken = re.compile(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function")
    found = {path: taken.findall((STATIC / path[1:]).read_text("utf-8")) for path in TEXTS}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize("name", ["setup.html", "wall.html"])
def test_all_modules_that_a_page_begins_with_are_asked_for_at_once(name: str) -> None:
    """Not one after the other, as each is read: a phone in the house would wait for each."""
    text = (STATIC / name).read_text("utf-8")
    scripts = set(re.findall(r'<script type="module" src="([\w-]+\.js)"', text))
    ahead = re.findall(r'<link rel="modulepreload" href="([\w-]+\.js)">', text)
    needed, found = set(scripts), list(scripts)
    while found:
        new = imported(found.pop()) - needed
        needed |= new
        found += new
    assert ahead == sorted(needed - scripts), f"the modulepreload links of {name} are others"


def imported(module: str) -> set[str]:
    """Return the modules that a module needs before it runs; what it imports later is an expression."""
    text = (STATIC / module).read_text("utf-8")
    return set(re.findall(r'^(?:import|export) [^;]*?from "\./([\w-]+\.js)";', text, flags=re.M))


@pytest.mark.parametrize(
    ("joined", "kind"),
    [("/index.js", "js"), ("/later.js", "js"), ("/seldom.js", "js"), ("/index.css", "css")],
)
def test_joined_file_is_served_once_and_compressed(port: int, joined: str, kind: str) -> None:
    status, headers, meant = fetch(port, joined)
    _, of_a_part, _ = fetch(port, f"/page.{kind}")
    assert (status, headers["content-type"]) == (200, of_a_part["content-type"])
    _, headers, body = fetch(port, joined, Accept_Encoding="gzip")
    assert gzip.decompress(body) == meant
    assert fetch(port, joined, If_None_Match=headers["etag"])[0] == 304


def test_page_has_all_its_modules_in_three_files() -> None:
    text = (STATIC / "index.html").read_text("utf-8")
    assert re.findall(r'<script type="module" src="([\w-]+\.js)"', text) == ["index.js"]
    files = [
        bytes(FILES._answer("GET", path, Headers({})).body).decode()
        for path in ("/index.js", "/later.js", "/seldom.js")
    ]
    others = {
        "setup.js",
        "findings.js",
        "configuring.js",
        "logs.js",
        "chain.js",
        "wall.js",
        "wifi.js",
        "begin.js",
    }
    names = re.findall(r"^const \$\w+ = .* // (\w+\.js)$", "".join(files), flags=re.M)
    assert sorted(names) == sorted({path.name for path in STATIC.glob("*.js")} - others)


def test_all_modules_of_the_page_are_there() -> None:
    joined = {"/index.js", "/index.css"}
    for path in TEXTS:
        text = (STATIC / path[1:]).read_text("utf-8")
        for name in re.findall(r'(?:from|import) "\./([\w.-]+)"|(?:src|href)="([\w./-]+)"', text):
            if path.endswith((".js", ".html")):
                assert f"/{''.join(name)}" in {*PATHS, *joined, "/./", "/"}, f"{path} asks for {name}"
    assert json.loads((STATIC / "words" / "en.json").read_text("utf-8"))


def test_the_page_has_the_icon_of_its_tab_in_its_head() -> None:
    """A picture of its own would be one more request before the board is drawn."""
    _, *lines, _ = (STATIC / "icon.svg").read_text("utf-8").strip().split("\n")
    drawn = "".join(line.strip() for line in lines)
    assert f'<symbol id="icon" viewBox="0 0 32 32">{drawn}</symbol>' in (STATIC / "index.html").read_text(
        "utf-8"
    )


def test_the_page_can_be_installed(port: int) -> None:
    """Browsers that allow it want a name, an address within its scope, and an icon."""
    status, headers, body = fetch(port, "/millwright.webmanifest")
    assert (status, headers["content-type"]) == (200, "application/manifest+json")
    manifest = json.loads(body)
    assert manifest["name"] == "Millwright"
    assert (manifest["start_url"], manifest["scope"], manifest["display"]) == ("./", "./", "standalone")
    for icon in manifest["icons"]:
        status, headers, _ = fetch(port, f"/{icon['src']}")
        assert (status, headers["content-type"]) == (200, icon["type"])
