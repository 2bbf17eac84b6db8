"""A clock that is set while a game goes on, years ahead or back, as a Pi's is: no game minds."""

from __future__ import annotations

from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_host.store.database import GamesFile
from firmware_host.store.saved_game import game_of
from firmware_host.store.store import SqliteStore
from tests.support.games.random_games import one_step, played

YEAR_MS = 365 * 86_400_000
CLOCKS = st.lists(st.integers(0, 130 * YEAR_MS), min_size=6, max_size=6)


@settings(max_examples=25)
@given(times=CLOCKS, seed=st.integers(0, 99))
def test_a_game_whose_clock_jumps_is_kept_and_goes_on(
    tmp_path_factory: object, times: list[int], seed: int
) -> None:
    path: Path = tmp_path_factory.mktemp("games") / "games.db"  # type: ignore[attr-defined]
    luck, now = Random(seed), iter(times)
    game = played(luck, 3)
    for _ in range(2):  # the program is restarted in between
        store = SqliteStore(path, wall_ms=lambda: next(now))
        game = store.last() or game
        for _ in range(3):
            game = one_step(luck, game)
            store.keep(game)
            assert store.finish(store.begin())
        assert store.troubles == {}
        store.close()
    with_last = GamesFile(path)
    kept = with_last.last()
    assert kept is not None
    with_last.close()
    assert game_of(kept.saved).steps == game.steps
    assert {step.at_ms for step in kept.saved.steps} <= set(times)
