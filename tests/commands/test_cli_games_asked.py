"""`millwright games` asks the board that keeps the games, and reads their file where none runs."""

from __future__ import annotations

import json
import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from random import Random
from threading import Thread
from typing import Any
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.cli import main
from firmware_host.errors import NotationError, StoreError
from firmware_host.games.game import Game
from firmware_host.i18n import Message
from firmware_host.maintenance import board_archive as shelves
from firmware_host.maintenance import board_client as asking
from firmware_host.store.database import GamesFile
from firmware_host.store.exchange import stored_games_of_json
from firmware_host.store.store import SqliteStore
from firmware_host.store.summaries import parse_summary
from firmware_host.store.writer import StoreWriter
from firmware_host.views.queries import MAX_GAMES, QueryService
from firmware_host.web.server import WebServer
from tests.support.games.random_games import one_step, played
from tests.support.matrix import CI, sampled
from tests.support.paths import DATA
from tests.support.real_board import Starter
from tests.support.store import Card
from tests.support.web.boards import simulated_board
from tests.support.web.page_client import PageClient, get

FIRST = DATA / "games-version-1.db"
NOT_ALL = "not all on the board's disk yet"
LOOKS = [
    ["list"], ["show", "4"], ["replay", "4"], ["replay", "4", "--hands"],
    ["export"], ["export", "--format", "json"], ["export", "2", "4"], ["show", "9"],
]  # fmt: skip


class RunningBoard:
    """A board that runs: its store, on a disk that can be full, and its page."""

    def __init__(self, path: Path) -> None:
        self.card = Card()
        self.store = SqliteStore(path, wall_ms=lambda: 946_728_000_000, open_file=self.card.open)
        self.store.last()
        self.writer = StoreWriter(self.store)
        self.writer.start()
        self.looking = QueryService(lambda: played(Random(1), 0), self.writer)
        self.server = WebServer(self.looking.submit, port=0, games=self.looking)
        self.server.start()
        self.port = port_of(self.server.address)

    def keep(self, game: Game) -> Game:
        """Have a game kept, where the disk takes it."""
        self.store.keep(game)
        self.writer.read(lambda archive: archive.last()).result(60)
        return game

    def close(self) -> None:
        self.server.close()
        self.looking.close()
        self.writer.close()


def port_of(address: str) -> int:
    port = urlsplit(address).port
    assert port
    return port


@pytest.fixture
def path(tmp_path: Path) -> Path:
    copy = tmp_path / "games.db"
    shutil.copy(FIRST, copy)
    return copy


@pytest.fixture
def board(path: Path) -> Iterator[RunningBoard]:
    board = RunningBoard(path)
    yield board
    board.close()


def games(path: Path, port: int, *arguments: str, given: str | None = None) -> Result:
    """Return the result of the command with a configuration that names this file and this port."""
    config = path.parent / "millwright.toml"
    config.write_text(f'[store]\npath = "{path}"\n[web]\nport = {port}\n')
    runner = CliRunner(env={"TZ": "UTC"})
    return runner.invoke(main, ["games", "--config", str(config), *arguments], input=given)


@pytest.fixture
def barred(monkeypatch: pytest.MonkeyPatch) -> None:
    """This user may not read the file."""

    def refuse(path: Path) -> GamesFile:
        raise StoreError(Message("fault.store.barred", {"path": str(path), "why": "Permission denied"}))

    monkeypatch.setattr(shelves, "open_read_only", refuse)


@pytest.mark.parametrize("look", sampled(LOOKS, 2, others=CI), ids=" ".join)
def test_board_and_file_give_the_same_answer(board: RunningBoard, path: Path, look: list[str]) -> None:
    of_board = games(path, board.port, *look)
    board.close()
    of_file = games(path, board.port, *look)
    assert (of_board.output, of_board.exit_code) == (of_file.output, of_file.exit_code)
    assert of_file.output


@pytest.mark.parametrize("look", sampled(LOOKS[:-1], others=CI), ids=" ".join)
@pytest.mark.usefixtures("barred")
def test_who_may_not_read_the_file_is_answered_by_the_board(
    board: RunningBoard, path: Path, look: list[str]
) -> None:
    assert games(path, board.port, *look).exit_code == 0
    board.close()
    refused = games(path, board.port, *look)
    assert refused.exit_code == 2
    assert "this user may not read it (sudo may)" in refused.output


def test_what_a_full_disk_has_not_taken_is_told_and_marked(board: RunningBoard, path: Path) -> None:
    luck = Random(3)
    before = games(path, board.port, "list").output
    board.card.full = True
    game = board.keep(played(luck, 4, "lasker"))
    lines = games(path, board.port, "list").output.splitlines()
    assert lines[:4] == before.splitlines()
    assert lines[4].startswith("    5  2000-01-01 12:00    4 turns  lasker: not over")
    assert [line.endswith(NOT_ALL) for line in lines] == [False] * 4 + [True]
    shown = games(path, board.port, "show", "5").output
    assert shown.endswith(f"{NOT_ALL}; `millwright status` says what is wrong with it\n")
    exported = games(path, board.port, "export", "4", "5")
    assert exported.stdout.count("[Event ") == 2
    assert NOT_ALL not in exported.stdout
    assert exported.stderr == f"5: {NOT_ALL}\n"
    as_json = json.loads(games(path, board.port, "export", "--format", "json").stdout)["games"]
    assert [one.get("on_disk") for one in as_json] == [None] * 4 + [False]
    assert [step["text"] for step in as_json[4]["steps"]] == [step.text for step in game.steps]
    assert games(path, board.port, "replay", "5").exit_code == 0
    board.card.full = False
    board.keep(one_step(luck, game))
    assert NOT_ALL not in games(path, board.port, "list").output
    assert NOT_ALL not in games(path, board.port, "show", "5").output
    assert games(path, board.port, "export").stderr == ""


def test_what_was_exported_from_a_full_disk_is_imported_like_any_other(
    board: RunningBoard, path: Path, tmp_path: Path
) -> None:
    board.card.full = True
    board.keep(played(Random(3), 4, "lasker"))
    exported = games(path, board.port, "export", "--format", "json").stdout
    other = CliRunner().invoke(
        main, ["games", "--store", str(tmp_path / "other.db"), "import", "-"], exported
    )
    assert other.output == "5 added: 1, 2, 3, 4, 5\n"


def test_command_and_page_list_the_same(board: RunningBoard, path: Path) -> None:
    board.card.full = True
    board.keep(played(Random(3), 4, "lasker"))
    page = PageClient(board.server.address)
    of_page = page.ask({"id": 1, "ask": "games"})["result"]["games"]
    page.close()
    lines = games(path, board.port, "list").output.splitlines()
    assert [int(line.split()[0]) for line in lines] == [one["game"] for one in reversed(of_page)]
    assert [line.endswith(NOT_ALL) for line in lines] == [not one["on_disk"] for one in reversed(of_page)]


def test_what_is_added_beside_a_board_that_runs_is_there_with_the_next_look(
    board: RunningBoard, path: Path
) -> None:
    assert games(path, board.port, "import", "-", given="1. d6 f4 *\n").output == "1 added: 5\n"
    assert len(games(path, board.port, "list").output.splitlines()) == 5
    assert len(json.loads(get(board.server.address, "/games.json")[2])["games"]) == 5


def test_more_games_than_are_told_at_once_are_all_listed_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    minutes = [f'[UTCDate "2026.01.01"]\n[UTCTime "12:{minute:02}:00"]' for minute in range(MAX_GAMES + 1)]
    records = "\n\n".join(f"{tags}\n\n1. d6 f4 *" for tags in minutes)
    assert games(path, 1, "import", "-", given=records).output.startswith(
        f"{MAX_GAMES + 1} added: 1 to {MAX_GAMES + 1}"
    )
    board = RunningBoard(path)
    lines = games(path, board.port, "list").output.splitlines()
    board.close()
    assert [int(line.split()[0]) for line in lines] == list(range(1, MAX_GAMES + 2))


@pytest.mark.ci("programs")
def test_a_simulated_board_on_a_full_disk_tells_what_was_played_since(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with simulated_board("--store", str(path)) as address:
        hands = PageClient(address)
        for request in ({"put": "d6", "piece": "white"}, {"fault": {"disk": "full"}}):
            assert "ok" in hands.ask({"id": 1, **request})
        assert "ok" in hands.ask({"id": 2, "put": "f4", "piece": "black"})
        while hands.until("snapshot")["state"]["turns"] != ["d6", "f4"]:
            pass
        lines = games(path, port_of(address), "list").output.splitlines()
        hands.close()
    assert len(lines) == 1
    assert lines[0].endswith(f"  2 turns  standard: not over; {NOT_ALL}")


@pytest.mark.ci("programs")
def test_a_real_board_tells_where_its_games_are(tmp_path: Path, started: Starter) -> None:
    _, address = started()
    path = tmp_path / ".local/state/millwright/games.db"
    assert json.loads(get(address, "/games.json")[2])["store"] == str(path)
    assert games(path, port_of(address), "list").output == "There are no games yet.\n"


# ---- whom not to ask ------------------------------------------------------------------------------------


def test_a_file_that_is_named_is_read_whoever_runs(board: RunningBoard, path: Path) -> None:
    board.card.full = True
    board.keep(played(Random(3), 4, "lasker"))
    listed = CliRunner().invoke(main, ["games", "--store", str(path), "list"]).output
    assert len(listed.splitlines()) == 4


def test_a_board_that_keeps_another_file_is_not_taken_for_the_one_that_is_meant(
    board: RunningBoard, path: Path, tmp_path: Path
) -> None:
    other = tmp_path / "else" / "games.db"
    other.parent.mkdir()
    missing = games(other, board.port, "list")
    assert missing.exit_code == 2
    assert f"there are no games at {other}; the running board saves its games in {path}" in missing.output
    games(other, board.port, "import", "-", given="1. d6 f4 *\n")
    assert len(games(other, board.port, "list").output.splitlines()) == 1


def test_the_same_file_by_another_name_is_the_same(board: RunningBoard, path: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(path.parent)
    board.card.full = True
    board.keep(played(Random(3), 4, "lasker"))
    assert len(games(tmp_path / "link" / "games.db", board.port, "list").output.splitlines()) == 5


def test_beside_a_board_that_keeps_nothing_the_file_is_read(path: Path, tmp_path: Path) -> None:
    server = WebServer(QueryService(lambda: played(Random(1), 0)).submit, port=0)
    server.start()
    listed = games(path, port_of(server.address), "list")
    missing = games(tmp_path / "none.db", port_of(server.address), "list")
    server.close()
    assert len(listed.output.splitlines()) == 4
    assert missing.exit_code == 2
    assert "there are no games at" in missing.output
    assert missing.output.endswith("; the running board doesn't save games\n")


def test_a_board_that_takes_who_asks_for_somebody_in_the_house_is_not_asked(
    path: Path, tmp_path: Path
) -> None:
    """It does not say which file it keeps, as one that is served at no address of loopback."""
    with answering(lambda _: (200, '{"games": [], "more": false}')) as port:
        assert len(games(path, port, "list").output.splitlines()) == 4
        assert games(tmp_path / "none.db", port, "list").output.endswith(f"no games at {tmp_path}/none.db\n")


@pytest.mark.parametrize("host", ["0.0.0.0", "localhost"])  # noqa: S104 - nothing is served there
def test_a_page_that_is_served_at_all_addresses_is_asked_at_that_of_this_machine(
    board: RunningBoard, host: str
) -> None:
    assert asking.get_object(host, board.port, "/games.json")["games"]


# ---- answers that are none ------------------------------------------------------------------------------


@contextmanager
def answering(tell: Callable[[str], tuple[int, str]]) -> Iterator[int]:
    """Somebody who answers a look at each path with what `tell` says; their port."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status, text = tell(self.path)
            body = text.encode("utf-8", "surrogateescape")
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def must_help(refused: Result, path: Path) -> None:
    """Check for one line that says what is wrong, where, and how to reach the games anyway."""
    assert refused.exit_code == 2
    (line,) = refused.output.splitlines()
    assert line.isprintable()
    assert "at 127.0.0.1 port " in line
    assert line.endswith(f"; `millwright games --store {path}` reads the file itself")


@pytest.mark.parametrize(
    ("status", "text", "said"),
    [
        (404, "<!DOCTYPE html>\n\x1b[2J", "gave an unexpected answer for /games.json (404 <!DOCTYPE html>"),
        (200, "no JSON", "(200 no JSON)"),
        (200, "[1]", "(200 [1])"),
        (200, "{}", "gave an unexpected answer for /games.json"),
        (200, '{"games": [], "store": 5}', "gave an unexpected answer for /games.json"),
        (200, "\udcff", "does not answer as a board does"),
        (500, "This could not be answered.", "(500 This could not be answered.)"),
        (503, "The saved games can't be listed: the disk hasn't answered.\n",
         "says: The saved games can't be listed: the disk hasn't answered;"),
    ],
)  # fmt: skip
def test_an_answer_that_tells_no_games_is_an_error_and_not_taken_for_none(
    path: Path, status: int, text: str, said: str
) -> None:
    with answering(lambda _: (status, text)) as port:
        refused = games(path, port, "list")
    must_help(refused, path)
    assert said in refused.output


NO_GAME = {"format": "millwright games", "version": 1}
ONE = {"game": 3, "began_ms": 0, "rules": "lasker", "players": {"white": "", "black": ""},
       "outcome": None, "turns": 2, "on_disk": True}  # fmt: skip


@pytest.mark.parametrize(
    "listed", [[ONE, ONE], [{**ONE, "rules": "\x1b[2J"}], [{}], [3], 5, [{**ONE, "outcome": 5}]]
)
def test_a_list_that_no_board_tells_is_an_error_and_ends(path: Path, listed: object) -> None:
    with answering(lambda _: (200, json.dumps({"games": listed, "store": str(path)}))) as port:
        must_help(games(path, port, "list"), path)


def test_a_list_that_goes_round_in_a_circle_ends(path: Path) -> None:
    with answering(lambda _: (200, json.dumps({"games": [ONE], "store": str(path)}))) as port:
        must_help(games(path, port, "list"), path)


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "millwright games", "version": 1, "games": []}']
)
def test_a_game_that_no_board_tells_is_an_error(path: Path, text: str) -> None:
    def tell(asked: str) -> tuple[int, str]:
        listed = json.dumps({"games": [], "store": str(path)})
        return 200, listed if asked.startswith("/games.json") else text

    with answering(tell) as port:
        must_help(games(path, port, "show", "3"), path)


def test_a_board_that_does_not_answer_in_time_is_told(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "_TIMEOUT_S", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        refused = games(path, silent.getsockname()[1], "list")
    must_help(refused, path)
    assert "does not answer as a board does (timed out)" in refused.output


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(sorted(ONE)), inner),
)


@pytest.mark.ci("examples")
@given(st.dictionaries(st.sampled_from(sorted(ONE)), ANYTHING).map(lambda some: {**ONE, **some}) | ANYTHING)
def test_whatever_is_said_of_a_game_it_is_one_or_refused(described: Any) -> None:
    try:
        one = parse_summary(described)
    except NotationError:
        return
    assert parse_summary(one.as_dict()) == one
    assert one.rules.isprintable()


KEPT = {"rules": "lasker", "start": "", "first": "white", "began": None, "ended": None, "outcome": None,
        "tags": {}, "steps": [], "taken_back": []}  # fmt: skip
SOME = st.dictionaries(st.sampled_from(sorted(KEPT)), ANYTHING).map(lambda some: {**KEPT, **some})


@pytest.mark.ci("examples")
@given(SOME | ANYTHING)
def test_whatever_is_said_to_be_kept_is_read_or_refused(described: Any) -> None:
    try:
        stored_games_of_json({**NO_GAME, "games": [described]})
    except NotationError:
        return
