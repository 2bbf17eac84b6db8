"""The wait for an engine that has a part of a core: its control group, and its answers in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.games.game import Game, Player
from firmware_host.games.rulesets import rule_set
from firmware_host.runtime.engines.supervised import SupervisedEngine
from tests.engine.measuring.waits import Waits, slow_group, worker


def test_slow_group_of_a_unified_tree_has_the_share(tmp_path: Path) -> None:
    (tmp_path / "cgroup.controllers").write_text("cpu")
    members = slow_group(0.1, tmp_path)
    assert members.parent.joinpath("cpu.max").read_text() == "1000 10000"
    assert (tmp_path / "cgroup.subtree_control").read_text() == "+cpu"


def test_slow_group_of_an_old_tree_has_the_share(tmp_path: Path) -> None:
    (tmp_path / "cpu").mkdir()
    members = slow_group(0.25, tmp_path)
    assert members.parent.joinpath("cpu.cfs_quota_us").read_text() == "2500"
    assert members.parent.joinpath("cpu.cfs_period_us").read_text() == "10000"


def test_slow_group_that_cannot_be_made_says_where(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match=r"millwright-waits: .* as root"):
        slow_group(0.1, tmp_path)


@pytest.mark.ci("programs")
def test_engine_joins_the_group_and_answers(tmp_path: Path) -> None:
    rules = rule_set("standard")
    game = Game.begin(rules, rules.start(Player.WHITE))
    members = tmp_path / "members"
    engine = SupervisedEngine(1, worker(members))
    try:
        waits = Waits(engine)
        assert 0 < waits.for_turn(game, 1) < 60
        assert 0 < waits.for_hint(game) < 60
        assert members.read_text().strip().isdigit()
    finally:
        engine.close()
