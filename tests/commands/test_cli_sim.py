"""`millwright sim`: the board that its options describe."""

from __future__ import annotations

import fcntl
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.ports import SensorKind
from sim.assembly import Blueprint
from sim.live import run as live
from sim.live.board import LiveBoard


@pytest.fixture
def boards(monkeypatch: pytest.MonkeyPatch) -> list[Blueprint]:
    """The boards that were served with a page."""
    served: list[Blueprint] = []

    def run(blueprint: Blueprint, **_others: Any) -> None:
        served.append(blueprint)

    monkeypatch.setattr(live, "run", run)
    return served


def sim(home: Path, *options: str, given: str | None = None) -> Result:
    done = CliRunner(env={"XDG_STATE_HOME": str(home)}).invoke(main, ["sim", *options], input=given)
    assert done.exception is None or done.exit_code == 2, done.output
    return done


def own(home: Path) -> Path:
    return home / "millwright" / "simulated.db"


def test_the_page_has_a_board_that_tells_colours_and_keeps_its_games(
    boards: list[Blueprint], tmp_path: Path
) -> None:
    sim(tmp_path)
    assert (boards[0].alphabet, boards[0].store) == (SensorKind.POLARITY, own(tmp_path))


@pytest.mark.parametrize(
    ("options", "alphabet"),
    [(["--sensors", "presence"], SensorKind.PRESENCE), (["--game", "mitsudomoe"], SensorKind.PIECES)],
)
def test_sensors_that_are_chosen_or_needed_are_not_changed(
    boards: list[Blueprint], tmp_path: Path, options: list[str], alphabet: SensorKind
) -> None:
    sim(tmp_path, *options)
    assert boards[0].alphabet is alphabet


def test_games_are_kept_where_that_is_said_or_not_at_all(boards: list[Blueprint], tmp_path: Path) -> None:
    sim(tmp_path, "--no-store")
    sim(tmp_path, "--store", str(tmp_path / "mine.db"))
    assert [one.store for one in boards] == [None, tmp_path / "mine.db"]
    assert sim(tmp_path, "--no-store", "--store", "mine.db").exit_code == 2


def test_a_second_board_keeps_no_games_and_says_so(boards: list[Blueprint], tmp_path: Path) -> None:
    sim(tmp_path)
    with own(tmp_path).with_name("simulated.db.lock").open("w") as claim:
        fcntl.flock(claim, fcntl.LOCK_EX)
        assert "this one saves none" in sim(tmp_path).output
    sim(tmp_path)
    assert [one.store for one in boards] == [own(tmp_path), None, own(tmp_path)]


def test_a_board_without_a_page_keeps_nothing_and_tells_no_colours(tmp_path: Path) -> None:
    said = sim(tmp_path, "--headless", given='{"put": "d6", "piece": "black"}\n{"wait": 1}\n').output
    assert '"event": "step"' in said
    assert not list(tmp_path.iterdir())


def test_rules_that_are_asked_for_begin_a_game_and_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "games.db"

    def started(rules: str | None = None, switches: tuple[str, ...] = ()) -> str:
        board = LiveBoard(Blueprint.of(rules=rules, switches=switches, store=path, with_page=True))
        with closing(board):
            return board.game.rules.describe()

    board = LiveBoard(Blueprint.of(rules="lasker", store=path, with_page=True))
    with closing(board):
        board.do({"put": "d6", "piece": "white"})
        for _ in range(200):
            board.tick(0)
    assert started() == started("lasker") == "lasker"
    assert started(switches=("flying=never",)) == "standard flying=never"
