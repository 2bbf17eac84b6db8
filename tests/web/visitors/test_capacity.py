"""Places that are shared between addresses: no crowd, and no greedy address, keeps another one out."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.web.capacity import Capacity, Place

MOST, OF_ONE, RESERVED = 12, 5, 2
AWAITED = 16


class CrowdedRoom:
    """A capacity, and those that hold or held its places."""

    def __init__(self) -> None:
        self.capacity = Capacity(MOST, OF_ONE, RESERVED)
        self.inside: list[tuple[str, Place]] = []
        self.sent_away: list[str] = []

    def come(
        self, key: str, *, is_here: bool = False, network: str = "", is_familiar: bool = False
    ) -> Place | None:
        evict = lambda: self.sent_away.append(key)  # noqa: E731
        place = self.capacity.take(key, evict, is_here=is_here, is_familiar=is_familiar, network=network)
        if place is not None:
            self.inside.append((key, place))
        return place

    def leave(self, number: int) -> None:
        self.inside.pop(number)[1].leave()


def test_one_address_takes_not_all_places_and_some_are_left_for_this_machine() -> None:
    room = CrowdedRoom()
    assert [room.come("a") is not None for _ in range(OF_ONE + 1)] == [True] * OF_ONE + [False]
    for number in range(MOST):
        room.come(f"other {number}")
    assert room.capacity.held - len(room.sent_away) == MOST - RESERVED
    assert room.come("here", is_here=True)
    assert room.come("here", is_here=True)
    assert "here" not in room.sent_away


def test_who_holds_the_most_gives_its_oldest_place_up_for_a_newcomer() -> None:
    room = CrowdedRoom()
    for key in ["a"] * 5 + ["b"] * 3 + ["c"] * 2:
        assert room.come(key)
    assert room.come("newcomer")
    assert room.sent_away == ["a"]
    assert room.come("newcomer")
    assert room.sent_away == ["a", "a"]


def test_nobody_gives_a_place_up_for_one_who_would_hold_as_many() -> None:
    room = CrowdedRoom()
    for number in range(MOST - RESERVED):
        assert room.come(f"phone {number}")
    assert room.come("one more") is None
    assert not room.sent_away


def test_greedy_addresses_never_have_a_newcomer_refused() -> None:
    capacity, evicted = Capacity(40, 32, RESERVED), []

    def comes(key: str) -> bool:
        return capacity.take(key, lambda: evicted.append(key), is_here=False, network="") is not None

    for _ in range(32):
        assert comes("greedy")
    for _ in range(6):
        assert comes("eager")
    # None of those that are evicted leaves in the meantime.
    assert sum(comes("eager") for _ in range(30)) == AWAITED // 2
    assert comes("newcomer")
    assert comes("newcomer")
    assert set(evicted) == {"greedy"}


def test_a_network_of_many_addresses_gives_half_of_all_places_up() -> None:
    room = CrowdedRoom()
    for number in range(MOST - RESERVED):
        assert room.come(f"fd00::{number}", network="fd00::")
    assert room.come("fd00::ff", network="fd00::") is None
    let_in = [room.come(f"10.0.0.{number}", network="10.0.0.") is not None for number in range(MOST)]
    assert sum(let_in) == (MOST - RESERVED) / 2
    assert room.sent_away == [f"fd00::{number}" for number in range((MOST - RESERVED) // 2)]
    assert room.come("fd00::ff", network="fd00::") is None
    assert room.come("here", is_here=True)


def test_networks_that_fill_all_places_together_give_some_up_for_another() -> None:
    room = CrowdedRoom()
    for number in range(MOST - RESERVED):
        prefix = ("fe80::", "fd00::")[number % 2]
        assert room.come(f"{prefix}{number}", network=prefix)
    assert all(room.come(f"10.0.0.{number}", network="10.0.0.") for number in range(3))
    assert not room.come("fe80::ff", network="fe80::")
    assert not any(key.startswith("10.") for key in room.sent_away)


def test_familiar_address_takes_its_places_from_strangers_of_its_network() -> None:
    room = CrowdedRoom()
    for number in range(MOST - RESERVED):
        assert room.come(f"fd00::{number}", network="fd00::")
    for _ in range(OF_ONE):
        assert room.come("phone", network="fd00::", is_familiar=True)
    assert room.come("fd00::ff", network="fd00::") is None
    assert room.come("10.0.0.1", network="10.0.0.")
    assert "phone" not in room.sent_away


def test_familiar_addresses_share_among_themselves() -> None:
    room = CrowdedRoom()
    for key in ["a"] * 5 + ["b"] * 5:
        assert room.come(key, is_familiar=True)
    assert room.come("c", is_familiar=True)
    assert room.sent_away == ["a"]
    assert room.come("stranger") is None


def test_a_network_whose_places_are_kept_gives_none_up() -> None:
    room = CrowdedRoom()
    for number in range(MOST - RESERVED):
        place = room.come(f"fd00::{number}", network="fd00::")
        assert place
        place.keep()
    assert room.come("10.0.0.1", network="10.0.0.") is None
    assert not room.sent_away


def test_a_place_that_is_kept_is_not_given_up() -> None:
    room = CrowdedRoom()
    for key in ["a"] * 5 + ["b"] * 5:
        place = room.come(key)
        assert place
        place.keep()
    assert room.come("newcomer") is None
    assert not room.sent_away


def test_a_place_counts_once_however_often_it_is_left() -> None:
    room = CrowdedRoom()
    place = room.come("a")
    assert place
    place.leave()
    place.leave()
    place.keep()
    place.give_up()
    assert room.capacity.held == 0
    assert not room.sent_away


@given(
    st.lists(
        st.tuples(st.sampled_from(["come", "leave", "keep"]), st.integers(0, 30), st.booleans()), max_size=200
    )
)
def test_whatever_comes_and_goes_the_holders_are_bounded_and_counted(
    moves: list[tuple[str, int, bool]],
) -> None:
    room = CrowdedRoom()
    for move, number, is_here in moves:
        if move == "come":
            key, network = f"visitor {number % 17}", f"{number % 17 % 2}"
            room.come("here" if is_here else key, is_here=is_here, network=network)
        elif room.inside and move == "leave":
            room.leave(number % len(room.inside))
        elif room.inside:
            room.inside[number % len(room.inside)][1].keep()
        held = Counter(key for key, _ in room.inside)
        assert room.capacity.held == sum(held.values()) <= MOST + AWAITED
        assert all(count <= OF_ONE for key, count in held.items() if key != "here")
        assert {key: holder.held for key, holder in room.capacity.holders.items()} == dict(held)
    while room.inside:
        room.leave(0)
    assert (room.capacity.held, room.capacity.awaited, room.capacity.holders) == (0, 0, {})
