"""The plug is pulled and the disk fails under random hands, and nothing reported as saved is lost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sim.assembly import Blueprint
from sim.headless import run_headless
from tests.support.examples import costly

pytestmark = pytest.mark.ci("games")


def output(
    path: Path | None, commands: list[Any], *, skip: bool = True, **words: Any
) -> list[dict[str, Any]]:
    """Return the output of a board whose games are in `path`."""
    out = StringIO()
    run_headless(map(json.dumps, commands), out, Blueprint.of(store=path, **words), skip=skip)
    return [json.loads(line) for line in out.getvalue().splitlines()]


few = st.sampled_from(["d5", "d6", "d7", "a7", "g7", "f4"])
hands = st.one_of(
    st.builds(lambda p, k: {"put": p, "piece": k}, few, st.sampled_from(["white", "black"])),
    st.builds(lambda p: {"put": p}, few),
    st.builds(lambda p: {"lift": p}, few),
    st.builds(lambda jumps: {"knock": jumps}, st.dictionaries(few, st.none() | few, min_size=1, max_size=3)),
    st.just({"sweep": True}),
    st.sampled_from(
        [
            {"do": "take-back"},
            {"do": "redo"},
            {"do": "resign"},
            {"do": "new-game"},
            {"do": "new-game", "rules": "six"},
        ]
    ),
)
failures = st.one_of(
    st.just({"fault": {"disk": "full"}}),
    st.builds(lambda s: {"fault": {"disk": "slow", "seconds": s}}, st.sampled_from([0.07, 0.5, 3, 12])),
    st.just({"repair": True}),
    st.just({"power": "off"}),
    st.just({"power": "on"}),
    st.just({"power": "on"}),
)
waits = st.sampled_from([0.003, 0.045, 0.25, 0.31, 0.7, 3.1, 6])
lives = st.lists(
    st.tuples(st.one_of(hands, hands, failures), waits.map(lambda s: {"wait": s})), max_size=25
).map(lambda pairs: [command for pair in pairs for command in pair])


def folders(factory: pytest.TempPathFactory) -> Iterator[Path]:
    while True:
        yield factory.mktemp("board") / "games.db"


@costly(8)
@given(life=lives)
def test_skipped_frames_change_nothing_whatever_the_disk_does(
    tmp_path_factory: pytest.TempPathFactory, life: list[Any]
) -> None:
    at = folders(tmp_path_factory)
    life = [*life, {"repair": True}, {"wait": 1}, {"show": True}]
    skipping, plain = (output(next(at), life, skip=skip, switches=["pieces=3"]) for skip in (True, False))
    for lines in (skipping, plain):
        for line in lines:
            line.pop("error", None)
    assert skipping == plain


def told_games(said: list[dict[str, Any]]) -> Iterator[tuple[dict[str, Any], list[str], bool]]:
    """Yield each line with the steps of the game reported until then, and whether the board reported that
    nothing is saved."""
    steps: list[str] = []
    warned = False
    for line in said:
        yield line, list(steps), warned
        match line:
            case {"event": "game"}:
                steps = []
            case {"event": "step", "text": text}:
                steps.append(text)
            case {"event": "taken-back", "ply": ply}:
                del steps[ply:]
            case {"event": "continued", "ply": ply}:
                del steps[ply:]
                warned = False
            case {"event": "fault", "part": "disk"}:
                warned = True
            case {"event": "fault-cleared", "part": "disk"}:
                warned = False


def check(path: Path, life: list[Any]) -> None:
    """Play a life in which pieces are only placed, and check that each start continues with everything
    reported."""
    said = output(path, [*life, {"repair": True}, {"power": "on"}, {"wait": 6}], switches=["pieces=9"])
    for line, steps, warned in told_games(said):
        assert line.get("event") != "taken-back"
        if line.get("event") == "continued" and not warned:
            assert line["ply"] >= len(steps)


placing = st.permutations(["d6", "f4", "a1", "g1", "b4", "e3", "c5", "d2"]).flatmap(
    lambda points: st.lists(
        st.one_of(failures, waits.map(lambda s: {"wait": s})), min_size=8, max_size=16
    ).map(
        lambda others: [
            command
            for number, other in enumerate(others)
            for command in (
                *([{"put": points[number], "piece": ["white", "black"][number % 2]}] if number < 8 else []),
                {"wait": 0.3},
                other,
            )
        ]
    )
)


@settings(max_examples=60)
@given(life=placing)
def test_steps_that_were_told_are_there_after_every_power_cut(
    tmp_path_factory: pytest.TempPathFactory, life: list[Any]
) -> None:
    check(next(folders(tmp_path_factory)), life)


def test_the_same_input_gives_the_same_bytes_with_a_store(tmp_path: Path) -> None:
    life = [
        {"put": "d6", "piece": "white"},
        {"fault": {"disk": "slow", "seconds": 0.4}},
        {"wait": 1},
        {"power": "off"},
        {"power": "on"},
        {"wait": 1},
    ]
    files = tmp_path / "one.db", tmp_path / "two.db"
    one, two = (output(path, life, rules="the-mill", seed=5) for path in files)
    assert one == two
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_board_that_is_started_again_goes_on_with_its_pieces(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    output(path, [{"put": "d6", "piece": "white"}, {"wait": 1}])
    said = output(path, [{"lift": "d6"}, {"wait": 0.1}, {"put": "d6"}, {"wait": 1}, {"show": True}])
    assert said[0] == {"t": 0.0, "event": "continued", "rules": "standard", "ply": 1}
    assert said[-1]["state"]["status"] == "ready"
    assert said[-1]["state"]["to_move"] == "black"


def test_an_unfinished_game_goes_on_though_other_rules_are_asked_for_and_an_unplayed_one_does_not(
    tmp_path: Path,
) -> None:
    path = tmp_path / "games.db"
    assert output(path, [], rules="six")[0]["rules"] == "six"
    assert (
        output(path, [{"put": "d7", "piece": "white"}, {"wait": 1}], rules="lasker")[0]["rules"] == "lasker"
    )
    assert output(path, [], rules="six")[0] == {"t": 0.0, "event": "continued", "rules": "lasker", "ply": 1}
