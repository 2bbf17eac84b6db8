"""Queries of pages: past positions, stored games and rules."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.engine.review import LikelyTurn, Review, ReviewedTurn, finished_turns
from firmware_host.engine.review_notes import review_objects
from firmware_host.errors import MillwrightError, RequestError, StoreError
from firmware_host.games.game import Game, Outcome, Player, Reason
from firmware_host.games.record_reader import parse_records
from firmware_host.games.records import GameRecord, short_record
from firmware_host.games.rulesets import RULE_SETS, rule_set
from firmware_host.games.values import UNKNOWN
from firmware_host.i18n import Message
from firmware_host.store.archive import Archive
from firmware_host.store.exchange import analysis_text
from firmware_host.store.store import SqliteStore
from firmware_host.store.writer import StoreWriter
from firmware_host.views.analysis import NOT_BEGUN, Keep, Progress
from firmware_host.views.queries import MAX_GAMES, QueryService
from firmware_host.web.server import WebServer
from tests.support.games.random_games import played
from tests.support.matrix import CI, sampled
from tests.support.scripted_board import after
from tests.support.web.page_client import PageClient, get

FOUR = ("standard", "pieces=4", "flying=never")
MILL = "d6 f4 d7 a1 a7 g1 g4 c4 g4-g7xa1 c4-c5"


def game(turns: str, *rules: str) -> Game:
    return after(turns, *rules).session.game


def answer(looking: QueryService, **asked: Any) -> Any:
    return looking.submit(asked).result(60)


@pytest.fixture
def looking() -> Iterator[QueryService]:
    looking = QueryService(lambda: game(MILL, *FOUR))
    yield looking
    looking.close()


def test_past_position_has_pieces_and_last_turn(looking: QueryService) -> None:
    assert answer(looking, ask="position", after=9) == {
        "after": 9,
        "of": 10,
        "turn": "g4-g7xa1",
        "by": "white",
        "to_move": "black",
        "standing": {
            "c4": "black", "d6": "white", "d7": "white", "a7": "white",
            "f4": "black", "g1": "black", "g7": "white",
        },
        "beneath": {},
        "landed": ["g7"],
        "captured": {"white": 0, "black": 1},
        "in_hand": {"white": 0, "black": 0},
    }  # fmt: skip
    start = answer(looking, ask="position", after=0)
    assert (start["turn"], start["by"], start["standing"], start["landed"]) == (None, None, {}, [])
    assert start["in_hand"] == {"white": 4, "black": 4}


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"ask": "position", "after": 11}, "fewer than 11 turns"),
        ({"ask": "position"}, '"position" needs "after"'),
        ({"ask": "position", "after": "1"}, "whole number"),
        ({"ask": "position", "after": True}, "whole number"),
        ({"ask": "position", "after": -1}, "whole number"),
        ({"ask": "position", "after": 10**30}, "whole number"),
        ({"ask": "position", "after": 1, "file": "x"}, "takes no 'file'"),
        ({"ask": "secrets"}, "known are analysis, game, games, line, position, qr, record"),
        ({"ask": ["rules"]}, "known are"),
        ({"ask": "games"}, "doesn't save games"),
        ({"ask": "game", "game": 1}, "doesn't save games"),
        ({"ask": "game"}, '"game" needs the number of a saved game, or a "record"'),
        ({"ask": "game", "game": 1, "record": "1. d6 *"}, '"game" needs the number'),
        ({"ask": "statistics"}, "doesn't save games"),
        ({"ask": "record", "names": {"white": "Anna\n"}}, "the names of players"),
    ],
)
def test_what_cannot_be_looked_at_is_told(looking: QueryService, asked: dict[str, Any], reason: str) -> None:
    with pytest.raises(RequestError, match=reason):
        looking.submit(asked).result(60)


def test_a_game_is_shared_as_a_record_and_looked_at_by_another_board(looking: QueryService) -> None:
    text = answer(looking, ask="record", names={"white": "Anna", "black": ""})["record"]
    assert '[Rules "standard pieces=4 flying=never"]' in text.splitlines()
    other = QueryService(lambda: game(""))
    shared = answer(other, ask="game", record=text)
    assert shared["players"] == {"white": "Anna", "black": ""}
    assert shared["outcome"] is None
    assert " ".join(shared["turns"]) == MILL
    for number in (0, 5, 10):
        there = answer(other, ask="position", after=number, record=text)
        assert there == answer(looking, ask="position", after=number)
    other.close()


@pytest.mark.parametrize("text", ["", "1. d6 f4", "1. d6 d6 *", '[Variant "chess"] *', "1. d6 {f4 1-0", "\0"])
def test_a_damaged_record_is_refused_in_words(looking: QueryService, text: str) -> None:
    with pytest.raises(RequestError) as caught:
        answer(looking, ask="game", record=text)
    assert caught.value.message == Message("refused.damaged")


@given(st.integers(0, 10_000), st.sampled_from(sorted(RULE_SETS)))
def test_a_short_record_is_read_as_the_same_game(seed: int, name: str) -> None:
    some = played(Random(seed), 12, name)
    (found,) = parse_records(short_record(GameRecord(some, {"White": 'Anna "A"', "Site": "?"})))
    assert found.game.steps == some.steps
    assert found.game.outcome == some.outcome
    assert found.tags == {"White": 'Anna "A"'}


def test_where_nothing_is_kept_that_is_said_in_no_language(looking: QueryService) -> None:
    error = looking.submit({"ask": "games"}).exception(10)
    assert isinstance(error, MillwrightError)
    assert error.message == Message("refused.nothing-kept")


def test_what_is_told_of_the_rules_makes_each_rule_set_anew(looking: QueryService) -> None:
    told = answer(looking, ask="rules")
    assert told["rule_sets"].keys() == RULE_SETS.keys()
    for name, switches in told["rule_sets"].items():
        assert all(value in told["switches"][switch] for switch, value in switches.items())
        for base in (one for one in RULE_SETS if type(RULE_SETS[one]) is type(RULE_SETS[name])):
            settings = [f"{switch}={value}" for switch, value in switches.items()]
            assert rule_set(base, settings).options == RULE_SETS[name]


@pytest.mark.parametrize("name", ["standard", "standard flying=never", "mitsudomoe"])
def test_strength_without_tables_is_no_promise(
    looking: QueryService, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MILLWRIGHT_TABLES", str(tmp_path))
    assert answer(looking, ask="strength", rules=name) == {"cannot_lose": []}
    assert answer(looking, ask="strength") == {"cannot_lose": []}


def test_strength_by_unknown_rules_is_an_error(looking: QueryService) -> None:
    assert isinstance(looking.submit({"ask": "strength", "rules": "chess"}).exception(10), MillwrightError)


# ---- games that are kept --------------------------------------------------------------------------------


@pytest.fixture
def kept(tmp_path: Path) -> Iterator[StoreWriter]:
    """A file with a finished game, one that was given up, and one of which nothing was played."""
    store = SqliteStore(tmp_path / "games.db", wall_ms=lambda: 946_728_000_000, named=False)
    writer = StoreWriter(store)
    writer.start()
    store.keep(game("d6 f4 d7 a1 d5xa1", "standard", "pieces=3"))
    given_up = after("d6 f4", "lasker")
    given_up.ask("resign")
    store.keep(given_up.session.game)
    store.keep(game("", "standard"))
    yield writer
    writer.close()


@pytest.fixture
def reading(kept: StoreWriter) -> Iterator[QueryService]:
    looking = QueryService(lambda: game(""), kept)
    yield looking
    looking.close()


def test_games_are_listed_newest_first_without_empty_ones(reading: QueryService) -> None:
    told = answer(reading, ask="games")
    assert not told["more"]
    assert [one["rules"] for one in told["games"]] == ["lasker", "standard pieces=3"]
    newest, first = told["games"]
    assert newest["outcome"] == {"winner": "black", "reason": "resigned"}
    assert first["outcome"] == {"winner": "white", "reason": "few-pieces"}
    assert (newest["turns"], first["turns"]) == (2, 5)
    assert newest["began_ms"] == 946_728_000_000
    assert newest["players"] == {"white": "", "black": ""}
    assert newest["on_disk"]
    assert [one["game"] for one in answer(reading, ask="games", before=newest["game"])["games"]] == [
        first["game"]
    ]


def test_finished_games_are_counted_by_rule_set(kept: StoreWriter, reading: QueryService) -> None:
    told = answer(reading, ask="statistics")["rule_sets"]
    lasker = {"rules": "lasker", "white": 0, "black": 1, "draws": 0, "mean_turns": 2, "longest": 2}
    standard = {"rules": "standard", "white": 1, "black": 0, "draws": 0, "mean_turns": 5, "longest": 5}
    assert told == [lasker, standard]


def test_a_long_list_is_told_a_piece_at_a_time(kept: StoreWriter, reading: QueryService) -> None:
    for _ in range(MAX_GAMES):
        kept.store.keep(game("d6"))
        kept.read(lambda file: file.last()).result(60)  # of games that wait, only the newest is written
    told = answer(reading, ask="games")
    assert told["more"]
    assert len(told["games"]) == MAX_GAMES
    rest = answer(reading, ask="games", before=told["games"][-1]["game"])
    assert not rest["more"]
    assert len(rest["games"]) == 2


def test_a_kept_game_is_looked_through_like_that_on_the_board(reading: QueryService) -> None:
    number = answer(reading, ask="games")["games"][-1]["game"]
    told = answer(reading, ask="game", game=number)
    assert told["rules"] == "standard pieces=3"
    assert told["turns"] == ["d6", "f4", "d7", "a1", "d5xa1"]
    assert told["layout"]["points"]["a1"] == [0, 0]
    assert answer(reading, ask="position", game=number, after=5)["standing"] == {
        "d6": "white", "d7": "white", "d5": "white", "f4": "black",
    }  # fmt: skip


def test_error_of_missing_game_hides_the_folder(reading: QueryService, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="there is no saved game 99") as caught:
        answer(reading, ask="position", game=99, after=0)
    assert str(tmp_path) not in str(caught.value)


def test_what_cannot_be_read_harms_nothing_that_is_written(kept: StoreWriter, reading: QueryService) -> None:
    def fail(_file: Archive) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        kept.read(fail).result(60)
    kept.store.keep(game("a1"))
    assert answer(reading, ask="games")["games"][0]["turns"] == 1
    assert kept.store.troubles == {}


# ---- looking back with knowledge --------------------------------------------------------------------------


class Desk:
    """An analyst that finishes when a test says so."""

    def __init__(self) -> None:
        self.begun: list[tuple[Game, Keep]] = []
        self.state = NOT_BEGUN

    def begin(self, game: Game, keep: Keep) -> None:
        self.begun.append((game, keep))
        self.state = Progress(0, is_running=True)

    def end(self, _game: Game) -> None:
        self.state = NOT_BEGUN

    def progress(self, game: Game) -> Progress:
        return self.state if self.begun and self.begun[-1][0].steps == game.steps else NOT_BEGUN

    def finish(self) -> Review:
        """Finish the game that was begun last."""
        game, keep = self.begun[-1]
        review = tuple(
            ReviewedTurn(ply, game.positions[ply].to_move, turn, UNKNOWN, UNKNOWN, 1, None)
            for ply, turn in finished_turns(game)
        )
        self.state = Progress(len(review), is_running=False, review=review)
        keep(review)
        return review


@pytest.fixture
def desk() -> Desk:
    return Desk()


@pytest.fixture
def knowing(kept: StoreWriter, desk: Desk) -> Iterator[QueryService]:
    """A service whose board has the game that is stored as the last."""
    current = game("d6 f4 d7")
    kept.store.keep(current)
    looking = QueryService(lambda: current, kept, desk)
    yield looking
    looking.close()


def test_analysis_of_a_stored_game_is_begun_followed_and_kept(
    kept: StoreWriter, knowing: QueryService, desk: Desk
) -> None:
    number = answer(knowing, ask="games")["games"][-1]["game"]
    nothing = {"of": 5, "done": 0, "running": False, "failed": False}
    nothing |= {"turns": None, "known_from": None, "lost": None}
    assert answer(knowing, ask="analysis", game=number) == nothing
    assert answer(knowing, analyse=True, game=number) == {**nothing, "running": True}
    desk.state = Progress(2, is_running=True)
    assert answer(knowing, ask="analysis", game=number)["done"] == 2
    review = desk.finish()
    found = answer(knowing, ask="analysis", game=number)
    assert found["turns"] == [one | {"remarks": []} for one in review_objects(review)]
    assert (found["done"], found["running"]) == (5, False)
    again = QueryService(lambda: game(""), kept)
    assert answer(again, ask="analysis", game=number) == found
    again.close()


def test_analysis_has_remarks_and_the_turn_that_lost(desk: Desk) -> None:
    lost = game("d6 f4 d5 a1").declare(Outcome(Reason.RESIGNED, Player.BLACK))
    looking = QueryService(lambda: lost, None, desk)
    answer(looking, analyse=True)
    review = desk.finish()
    weak = replace(review[2], likely=LikelyTurn("f2", 90))
    desk.state = Progress(4, is_running=False, review=(*review[:2], weak, review[3]))
    found = answer(looking, ask="analysis")
    looking.close()
    assert [[said["key"] for said in one["remarks"]] for one in found["turns"]] == [
        [], [], ["study.remark.likely"], [],
    ]  # fmt: skip
    slots = {"turn": "2. d5", "better": "f2"}
    assert found["lost"] == {"turn": 2, "said": {"key": "study.remark.likely-lost", "slots": slots}}


def test_analysis_of_the_game_on_the_board_is_kept_with_it(
    kept: StoreWriter, knowing: QueryService, desk: Desk
) -> None:
    assert answer(knowing, analyse=True)["running"]
    review = desk.finish()
    found = kept.read(lambda archive: archive.last()).result(60)
    assert found is not None
    assert found.analysis == analysis_text(review)


def test_analysis_is_given_up(knowing: QueryService) -> None:
    assert answer(knowing, analyse=True)["running"]
    assert not answer(knowing, analyse=False)["running"]


def test_analysis_that_failed_says_so(knowing: QueryService, desk: Desk) -> None:
    answer(knowing, analyse=True)
    desk.state = Progress(1, is_running=False, has_failed=True)
    assert answer(knowing, ask="analysis")["failed"]


def test_analysis_of_a_game_without_turns_is_empty(desk: Desk) -> None:
    looking = QueryService(lambda: game(""), None, desk)
    assert answer(looking, analyse=True)["of"] == 0
    looking.close()
    assert desk.begun == []


def test_analysis_without_a_store_is_not_kept(desk: Desk) -> None:
    looking = QueryService(lambda: game("d6"), None, desk)
    answer(looking, analyse=True)
    review = desk.finish()
    found = answer(looking, ask="analysis")["turns"]
    assert found == [one | {"remarks": []} for one in review_objects(review)]
    looking.close()


@pytest.mark.parametrize(
    ("asked", "reason"),
    [
        ({"analyse": 1}, '"analyse" must be true or false'),
        ({"analyse": True, "game": "1"}, "whole number"),
        ({"analyse": True, "file": "x"}, "takes no 'file'"),
        ({"analyse": True}, "can't analyse games"),
    ],
)
def test_analysis_that_cannot_be_is_refused(
    looking: QueryService, asked: dict[str, Any], reason: str
) -> None:
    with pytest.raises(RequestError, match=reason):
        looking.submit(asked).result(60)


# ---- games to take away ---------------------------------------------------------------------------------


@pytest.fixture
def address(reading: QueryService) -> Iterator[str]:
    server = WebServer(reading.submit, port=0, games=reading)
    server.start()
    yield server.address
    server.close()


def test_a_game_is_taken_away_as_a_record_and_as_json(address: str) -> None:
    page = PageClient(address)
    number = page.ask({"id": 1, "ask": "games"})["result"]["games"][-1]["game"]
    page.close()
    status, headers, text = get(address, f"/games/{number}.txt")
    assert status == 200
    assert headers["content-disposition"] == f'attachment; filename="millwright-game-{number}.txt"'
    assert headers["content-type"] == "text/plain; charset=utf-8"
    assert "d5xa1" in text
    status, headers, text = get(address, f"/games/{number}.json")
    assert (status, headers["content-type"]) == (200, "application/json")
    (one,) = json.loads(text)["games"]
    assert one["rules"] == "standard pieces=3"


def test_listed_games_match_the_query_and_hide_the_file(
    address: str, kept: StoreWriter, reading: QueryService
) -> None:
    listed = answer(reading, ask="games")
    assert json.loads(get(address, "/games.json")[2]) == {**listed, "store": str(kept.store.path)}
    older = answer(reading, ask="games", before=2)
    assert json.loads(get(address, "/games.json?before=2")[2])["games"] == older["games"]
    for elsewhere in ({"X_Forwarded_For": "192.0.2.7"}, {"Via": "1.1 proxy"}):
        assert json.loads(get(address, "/games.json", **elsewhere)[2]) == listed


def test_a_board_that_keeps_nothing_says_so_in_its_list(looking: QueryService) -> None:
    for games in (None, looking):
        server = WebServer(looking.submit, port=0, games=games)
        server.start()
        told = get(server.address, "/games.json")[2]
        server.close()
        assert json.loads(told) == {"games": [], "more": False, "store": None}


@pytest.mark.parametrize(
    "path",
    sampled(
        [
            "/games.json?before=x",
            "/games.json?before=-1",
            "/games.json?before=%2e%2e%2fgames.db",
            "/games/99.txt",
            "/games/1.db",
            "/games/-1.txt",
            "/games/1e3.txt",
            "/games/%D9%A1.txt",
            "/games/9999999999999999999999.json",
            "/games/../../etc/passwd.txt",
            "/games/%2e%2e%2fgames.db.txt",
        ],
        2,
        others=CI,
    ),
)
def test_no_other_file_is_taken_away(address: str, path: str) -> None:
    assert get(address, path)[0] == 404


def test_only_who_may_look_at_the_page_takes_games_away(address: str) -> None:
    for path in ("/games.json", "/games/1.txt"):
        assert get(address, path, Host="evil.example")[0] == 400
        assert get(address, path, Origin="http://evil.example")[0] == 403


def test_a_disk_that_hangs_is_told_to_who_asks() -> None:
    class Hanging:
        path = Path("games.db")

        def read(self, _work: Any) -> Future[Any]:
            done: Future[Any] = Future()
            done.set_exception(TimeoutError())
            return done

        def keep_analysis(self, _one: Any, _analysis: str) -> Future[bool]:
            return self.read(None)

    looking = QueryService(lambda: game(""), Hanging())
    with pytest.raises(StoreError, match="the disk hasn't answered"):
        answer(looking, ask="games")
    looking.close()
