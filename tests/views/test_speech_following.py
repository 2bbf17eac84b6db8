"""After any mess of hands, whoever does what the board says, and nothing else, leads it back to its game."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.games.layout import MORRIS, SQUARES
from firmware_host.i18n import LANGUAGES
from tests.support.examples import few
from tests.support.matrix import sampled
from tests.support.speech.player import BlindPlayer

KINDS = {
    "standard": ("white", "black"),
    "mitsudomoe": ("white-ring", "black-ring", "white-ball", "black-ball"),
}
POINTS = {"standard": sorted(MORRIS.by_name), "mitsudomoe": sorted(SQUARES.by_name)}
BEGUN = {
    "standard": "d6 f4 d2 b4 g7 a1",
    "mitsudomoe": "",
}


def begun(rules: str, language: str) -> BlindPlayer:
    """Return a player at a board on which a game has begun."""
    player = BlindPlayer(language, rules)
    if rules == "mitsudomoe":
        player.follow_until_it_matches()
    for number, point in enumerate(BEGUN[rules].split()):
        player.put(point, KINDS[rules][number % 2])
        player.wait(1)
    player.ears.texts.clear()
    return player


@st.composite
def messes(draw: st.DrawFn, rules: str) -> list[tuple[str, ...]]:
    """Draw a list of what hands do that should not: move, take or put a piece anywhere, after a while."""
    point, kind = st.sampled_from(POINTS[rules]), st.sampled_from(KINDS[rules])
    moved = st.tuples(st.just("move"), point, point)
    taken = st.tuples(st.just("box"), point)
    added = st.tuples(st.just("put"), point, kind)
    waits = st.tuples(st.just("wait"), st.sampled_from(("0.05", "0.4", "2")))
    return draw(st.lists(moved | taken | added | waits, min_size=1, max_size=8))


def make(player: BlindPlayer, mess: list[tuple[str, ...]]) -> None:
    for what, *members in mess:
        given_members: list[Any] = [float(members[0])] if what == "wait" else members
        getattr(player, what)(*given_members)


@pytest.mark.parametrize("language", sampled(["de", "en", "es", "pt"]))
@pytest.mark.parametrize("rules", ["standard", "mitsudomoe"])
@given(data=st.data())
@few(8, deadline=None)
def test_following_what_is_said_ends_any_mess(rules: str, language: str, data: st.DataObject) -> None:
    assert set(LANGUAGES) == {"de", "en", "es", "pt"}
    player = begun(rules, language)
    mess = data.draw(messes(rules))
    make(player, mess)
    said = player.follow_until_it_matches()
    assert player.matches, said
