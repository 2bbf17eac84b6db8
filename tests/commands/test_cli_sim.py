"""`millwright sim`: the board that its options describe."""

from __future__ import annotations

import fcntl
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from firmware_host.cli import main
from firmware_host.games.rulesets import RULE_SETS
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


def test_a_second_board_has_a_file_of_its_own_and_says_so(boards: list[Blueprint], tmp_path: Path) -> None:
    first, second = own(tmp_path), own(tmp_path).with_name("simulated-2.db")
    sim(tmp_path)
    with first.with_name("simulated.db.lock").open("w") as claim:
        fcntl.flock(claim, fcntl.LOCK_EX)
        assert f"plays in {first}; this one has a file of its own, {second}" in sim(tmp_path).output
        sim(tmp_path)
    sim(tmp_path)
    assert [one.store for one in boards] == [first, second, second, first]


@pytest.mark.parametrize("kind", [(), ("--headless",)])
def test_a_named_file_that_another_board_has_is_an_error(
    boards: list[Blueprint], tmp_path: Path, kind: tuple[str, ...]
) -> None:
    path = tmp_path / "mine.db"
    with path.with_name("mine.db.lock").open("w") as claim:
        fcntl.flock(claim, fcntl.LOCK_EX)
        claim.write("4711 kitchen")
        claim.flush()
        done = CliRunner().invoke(main, ["sim", *kind, "--store", str(path)], input="")
    assert (done.exit_code, boards) == (2, [])
    said = " ".join(done.output.split())
    assert "is in use by another Millwright (process 4711 on kitchen)" in said
    assert not path.exists()


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


def test_seats_of_the_page_hold_until_the_command_line_names_others(tmp_path: Path) -> None:
    def seats(*requests: dict[str, str], black: str | None = None) -> dict[str, str]:
        blueprint = Blueprint.of(store=tmp_path / "games.db", with_page=True, black=black)
        with closing(LiveBoard(blueprint)) as board:
            for request in requests:
                board.do(dict(request))
            return board.life.play.controller.session.seats.as_dict()

    level_2 = {"white": "here", "black": "engine:2"}
    assert seats({"do": "seats", "black": "engine:2"}) == level_2
    assert seats() == level_2
    assert seats(black="engine:7") == {"white": "here", "black": "engine:7"}
    assert seats({"do": "seats", "black": "here"}, black="engine:7")["black"] == "here"
    assert seats(black="engine:7")["black"] == "here"
    assert seats()["black"] == "here"


def test_a_seat_of_nobody_is_an_error(tmp_path: Path) -> None:
    done = sim(tmp_path, "--headless", "--black", "engine:9")
    assert done.exit_code == 2
    assert "engine:8" in done.output


def test_sim_help_lists_the_rule_sets(tmp_path: Path) -> None:
    text = " ".join(sim(tmp_path, "--help").output.split())
    assert f"Rule set: {', '.join(RULE_SETS)}." in text


def test_store_in_a_folder_that_is_missing_is_made(boards: list[Blueprint], tmp_path: Path) -> None:
    path = tmp_path / "new" / "deeper" / "games.db"
    assert sim(tmp_path, "--store", str(path)).exit_code == 0
    assert path.parent.is_dir()
    assert boards[0].store == path


@pytest.mark.parametrize(
    ("path", "said"),
    [("file/games.db", "cannot create the folder"), ("folder", "Name a file in it, such as")],
)
def test_store_that_can_be_no_file_is_an_error(
    boards: list[Blueprint], tmp_path: Path, path: str, said: str
) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "folder").mkdir()
    done = sim(tmp_path, "--store", str(tmp_path / path))
    assert (done.exit_code, boards) == (2, [])
    assert said in " ".join(done.output.split())


def test_store_without_permission_is_an_error(
    boards: list[Blueprint], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write everywhere
    done = sim(tmp_path, "--store", str(tmp_path / "games.db"))
    assert (done.exit_code, boards) == (2, [])
    assert "you may not write to" in done.output


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--game", "mitsudomo"], "did you mean mitsudomoe?"),
        (["--game", "NAME"], f"there are {', '.join(RULE_SETS)}"),
        (
            ["--game", "mitsudomoe", "--set", "flying=never"],
            "'flying'; there are first, repetition",
        ),
        (["--game", "lasker", "--set", "flying=maybe"], "it is one of never, own, both"),
    ],
)
def test_rules_that_do_not_exist_are_an_error_with_choices(
    boards: list[Blueprint], tmp_path: Path, options: list[str], said: str
) -> None:
    done = sim(tmp_path, *options)
    assert (done.exit_code, boards) == (2, [])
    assert said in done.output
