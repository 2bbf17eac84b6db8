"""The names of the players: asked for, kept over a start, and written into the record of each game."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from firmware_host.errors import RequestError
from firmware_host.games.game import Player
from firmware_host.play import requests
from firmware_host.play.seats import PlayerNames, SeatHolder, Seats
from firmware_host.play.stored_settings import TAGS_KEY
from firmware_host.store.store import SqliteStore
from sim.assembly import Blueprint
from tests.support.controller_bench import ControllerBench
from tests.support.scripted_board import after
from tests.support.store import NOON_MS, work

ANNA_AND_BEN = {"white": "Anna", "black": "Ben"}


def ask(bench: ControllerBench, **request: Any) -> None:
    requests.perform(bench.controller, request)
    bench.frames(1)


def test_names_change_one_by_one_and_are_published() -> None:
    bench = ControllerBench()
    bench.frames(1)
    requests.perform(bench.controller, {"do": "names", "names": {"white": "Anna"}})
    assert bench.frames(1) == ["names"]
    ask(bench, do="names", names={"black": "Ben"})
    assert bench.controller.session.sides.names == PlayerNames("Anna", "Ben")
    ask(bench, do="names", names={"white": ""})
    assert bench.controller.session.sides.names == PlayerNames("", "Ben")


def test_names_go_with_players_who_exchange_sides() -> None:
    bench = ControllerBench()
    ask(bench, do="seats", black="far")
    ask(bench, do="names", names={"black": "Ben"})
    ask(bench, do="new-game", white="far", black="here")
    assert bench.controller.session.sides.names == PlayerNames("Ben", "")
    ask(bench, do="new-game", white="far", black="here")
    assert bench.controller.session.sides.names == PlayerNames("Ben", "")


@pytest.mark.parametrize(
    "names",
    [{"red": "Anna"}, {"white": 1}, {"white": "A" * 31}, {"white": "A\nB"}, {"white": " A"}, "Anna", {}],
)
def test_what_is_no_name_is_refused_and_changes_nothing(names: object) -> None:
    bench = ControllerBench()
    with pytest.raises(RequestError):
        ask(bench, do="names", names=names)
    assert bench.controller.session.sides.names == PlayerNames()


def test_an_engine_has_its_own_name_in_the_record() -> None:
    names, seats = PlayerNames("Anna", "Ben"), Seats(black=SeatHolder(4))
    assert names.tags(seats) == {"White": "Anna", "Black": "Millwright, level 4"}
    assert PlayerNames().tags(Seats()) == {}


@pytest.mark.parametrize("kept", [None, [], "Anna", {"white": 1}, {"white": "Anna", "red": ""}])
def test_names_of_another_form_are_not_taken_over(kept: object) -> None:
    assert PlayerNames.of(kept) == PlayerNames()


class Kept:
    """A controller whose games are in a file, and the tags of all games there."""

    def __init__(self, path: Path) -> None:
        self.store = SqliteStore(path, wall_ms=lambda: NOON_MS, named=False)
        self.bench = ControllerBench()
        self.bench.controller = Blueprint().controller(self.store.last(), self.store)
        self.bench.frames(1)

    def place(self, *points: str) -> None:
        for point in points:
            self.bench.stands.add(point)
            self.bench.frames(400)

    def clear(self) -> None:
        self.bench.stands.clear()
        self.bench.frames(1000)

    def tags(self) -> list[dict[str, str]]:
        assert work(self.store)
        found = self.store.read(lambda archive: archive.summaries(before=None, most=10))
        return [dict(one.tags) for one in reversed(found)]


def test_a_game_is_kept_under_the_names_it_was_played_with(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "games.db")
    kept.place("d6")
    ask(kept.bench, do="names", names=ANNA_AND_BEN)
    assert kept.tags() == [{"White": "Anna", "Black": "Ben"}]
    ask(kept.bench, do="new-game", names={"white": "Cleo"}, black="engine:2")
    kept.clear()
    kept.place("d7")
    assert kept.tags() == [
        {"White": "Anna", "Black": "Ben"},
        {"White": "Cleo", "Black": "Millwright, level 2"},
    ]
    kept.store.close()
    again = Kept(tmp_path / "games.db")
    assert again.bench.controller.session.sides.names == PlayerNames("Cleo", "Ben")
    assert again.store.settings[TAGS_KEY]["White"] == "Cleo"
    again.store.close()


def test_a_game_that_is_over_keeps_its_names(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "games.db")
    ask(kept.bench, do="names", names=ANNA_AND_BEN)
    kept.place("d6")
    ask(kept.bench, do="resign", player="white")
    ask(kept.bench, do="names", names={"white": "Cleo"})
    assert kept.tags() == [{"White": "Anna", "Black": "Ben"}]
    kept.store.close()


def test_the_players_of_a_game_come_back_when_leaving_it_is_undone() -> None:
    board = after("d6 f4")
    board.session.sides.call(PlayerNames("Anna", "Ben"))
    board.controls.new_game(board.rules, {Player.BLACK: SeatHolder(3)}, PlayerNames("Cleo"))
    assert board.session.sides.names == PlayerNames("Cleo")
    board.ask("undo_end")
    assert board.session.sides.names == PlayerNames("Anna", "Ben")
    assert board.session.seats == Seats()
    board.turns("d7")
    assert board.texts == "d6 f4 d7"


def test_players_stay_if_another_end_is_undone() -> None:
    board = after("d6 f4")
    board.controls.new_game(board.rules, names=PlayerNames("Cleo"))
    board.hands("-d6 -f4 3100")
    board.turns("d6 f4")
    board.ask("resign")
    board.ask("undo_end")
    assert board.session.sides.names == PlayerNames("Cleo")
