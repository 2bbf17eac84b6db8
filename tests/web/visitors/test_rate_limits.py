from collections import Counter
from ipaddress import ip_address

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware_host.web.pairing.window import CODE_DIGITS
from firmware_host.web.rate_limits import (
    FREE_GUESSES,
    LONGEST_WAIT,
    MAX_SOCKETS,
    Address,
    Bucket,
    Guesses,
    Neighbours,
    Visitors,
)

PHONE, OTHER = ip_address("192.0.2.7"), ip_address("192.0.2.8")
DAY = 86_400.0


@given(st.lists(st.floats(0, 3), min_size=1, max_size=200))
def test_no_more_comes_through_a_bucket_than_was_saved_and_comes_back(pauses: list[float]) -> None:
    bucket, now, used = Bucket(rate=5, most=10), 0.0, []
    for pause in pauses:
        now += pause
        used.append(now + bucket.take(now))
    for start in used:
        assert sum(start <= at <= start + 1 for at in used) <= 10 + 5 + 1


def test_who_asks_slower_than_tokens_come_back_never_waits() -> None:
    bucket = Bucket(rate=200, most=200)
    assert all(bucket.take(n / 120) == 0 for n in range(10_000))


def test_the_first_wrong_codes_cost_nothing_and_then_the_wait_doubles() -> None:
    guesses, now, waits = Guesses(Neighbours()), 0.0, []
    for _ in range(FREE_GUESSES + 9):
        guesses.was_wrong(PHONE, now)
        waits.append(guesses.wait(PHONE, now))
        now += waits[-1]
    assert waits[: FREE_GUESSES + 4] == [0, 0, 1, 2, 4, 8, 16]
    assert max(waits) == LONGEST_WAIT


def test_nobody_is_locked_out_for_good_and_no_one_else_is_by_them() -> None:
    guesses, now = Guesses(Neighbours()), 0.0
    for _ in range(1000):
        now += guesses.wait(PHONE, now)
        guesses.was_wrong(PHONE, now)
    assert guesses.wait(PHONE, now) <= LONGEST_WAIT
    assert guesses.wait(OTHER, now) == 0
    guesses.was_right(PHONE)
    assert guesses.wait(PHONE, now + 1) == 0


@pytest.mark.ci("examples")
def test_all_addresses_together_cannot_guess_a_code_in_years() -> None:
    neighbours = Neighbours()
    neighbours.learn(ip_address("fd12::1"))
    guesses, now, tried = Guesses(neighbours), 0.0, 0
    while now < DAY:
        # Each guess from an address that was never seen before, of the version that may guess first.
        fresh = [ip_address(int(ip_address(begin)) + tried) for begin in ("10.0.0.0", "fd12::")]
        address = min(fresh, key=lambda one: guesses.wait(one, now))
        now += guesses.wait(address, now) + 1e-6
        guesses.was_wrong(address, now)
        tried += 1
    assert tried < 30_000
    assert 10**CODE_DIGITS / tried > 9 * 365


def test_a_network_of_ipv6_elsewhere_is_one_visitor() -> None:
    guesses = Guesses(Neighbours())
    for number in range(8):
        guesses.was_wrong(ip_address(f"2001:db8:1:2::{number:x}"), 0.0)
    assert guesses.wait(ip_address("2001:db8:1:2:ffff::1"), 0.0) > 10
    assert guesses.wait(ip_address("2001:db8:1:3::1"), 0.0) == 0


@pytest.mark.parametrize("prefix", ["fe80::", "fd12:3456:789a:1::", "2001:db8:1:2::"])
def test_phones_in_the_network_of_the_board_are_visitors_of_their_own(prefix: str) -> None:
    neighbours = Neighbours()
    neighbours.learn(ip_address("2001:db8:1:2::1"))
    guesses = Guesses(neighbours)
    for _ in range(8):
        guesses.was_wrong(ip_address(f"{prefix}7"), 0.0)
    assert guesses.wait(ip_address(f"{prefix}7"), 0.0) > 10
    assert guesses.wait(ip_address(f"{prefix}8"), 0.0) == 0


def test_a_phone_with_the_right_code_need_not_wait_for_forty_that_guess() -> None:
    guesses, now = Guesses(Neighbours()), 0.0
    for _ in range(600):
        for number in range(40):
            address = ip_address(f"192.0.2.{100 + number}")
            if not guesses.wait(address, now):
                guesses.was_wrong(address, now)
        assert guesses.wait(PHONE, now) == 0
        now += 1.0


def test_a_phone_of_ipv4_need_not_wait_for_thousands_of_addresses_of_ipv6() -> None:
    neighbours = Neighbours()
    neighbours.learn(ip_address("fd12::1"))
    guesses, guessed = Guesses(neighbours), 0
    for number in range(5000):
        address = ip_address(int(ip_address("fd12::1:0")) + number)
        if not guesses.wait(address, 0.0):
            guesses.was_wrong(address, 0.0)
            guessed += 1
    assert guessed < 100
    assert guesses.wait(PHONE, 0.0) == 0


@pytest.mark.parametrize(
    ("crowd", "phone"),
    [
        ("fd12::1:0", "192.168.1.7"),
        ("192.168.1.0", "fd12::7"),
        ("fe80::1:0", "fd12::7"),
        ("fd12::1:0", "fd12:0:0:1::7"),
    ],
)
def test_one_network_never_holds_all_places(crowd: str, phone: str) -> None:
    visitors, left = Visitors(), []

    def comes(address: str, number: int = 0) -> bool:
        def leave() -> None:
            assert place is not None
            left.append(address)
            place.leave()

        place = visitors.open_socket(ip_address(int(ip_address(address)) + number), 0.0, leave)
        return place is not None

    assert sum(comes(crowd, number % 200) for number in range(300)) == MAX_SOCKETS - 4
    assert all(comes(phone) for _ in range(12))
    for number in range(100):
        comes(crowd, number)
    assert comes(phone)
    assert set(left) == {crowd}
    assert visitors.sockets == MAX_SOCKETS - 4


def test_a_device_that_played_gets_in_where_strangers_hold_all_places() -> None:
    visitors, phone, left = Visitors(), ip_address("fd12::7"), Counter[str]()
    visitors.recognise(phone)

    def comes(address: Address, who: str) -> bool:
        return visitors.open_socket(address, 0.0, lambda: left.update([who])) is not None

    for number in range(300):
        comes(ip_address(int(ip_address("fd12::1:0")) + number), "stranger")
    assert not comes(ip_address("fd12::8"), "another phone")
    assert all(comes(phone, "phone") for _ in range(12))
    assert left == {"stranger": 12}


def test_thousands_of_addresses_have_the_board_light_a_point_twenty_times_an_hour() -> None:
    visitors, seats = Visitors(), 0
    visitors.neighbours.learn(ip_address("fd12::1"))
    for number in range(5000):
        address, now = ip_address(int(ip_address("fd12::1:0")) + number), number * 0.72
        if not visitors.wait_for_seat(address, now):
            visitors.take_seat(address, now)
            seats += 1
    assert 20 <= seats <= 40
    assert visitors.wait_for_seat(PHONE, 3600.0) < 200


def test_connections_that_come_too_fast_are_refused_and_those_of_others_are_not() -> None:
    visitors = Visitors()
    places = [visitors.open_socket(PHONE, 0.0, lambda: None) for _ in range(MAX_SOCKETS)]
    for place in places:
        if place is not None:
            place.leave()
    let_in = [visitors.open_socket(PHONE, 0.0, lambda: None) is not None for _ in range(200)]
    assert sum(let_in) < 100
    assert visitors.open_socket(OTHER, 0.0, lambda: None)


@pytest.mark.ci("examples")
def test_new_addresses_of_a_network_are_refused_when_they_come_too_fast() -> None:
    visitors, crowd, phone = Visitors(), int(ip_address("fd12::1:0")), ip_address("fd12::7")
    visitors.recognise(phone)

    def comes(address: Address, now: float) -> bool:
        place = visitors.open_socket(address, now, lambda: None)
        if place is not None:
            place.leave()
        return place is not None

    # Ten seconds of two thousand connections a second, each from an address that was never seen before.
    let_in = sum(comes(ip_address(crowd + number), number / 2000) for number in range(20_000))
    assert 1000 < let_in < 4000
    assert sum(comes(ip_address(f"fd12::{number}"), 10.0) for number in (8, 9)) < 2
    assert comes(phone, 10.0)
    assert comes(OTHER, 10.0)
    assert comes(ip_address("fd12::8"), 10.1)


def test_fifty_phones_of_a_house_open_the_page_at_the_same_moment() -> None:
    visitors, house = Visitors(), int(ip_address("fd12::1:0"))
    visitors.neighbours.learn(ip_address("fd12::1"))
    for number in range(50):
        places = [visitors.open_socket(ip_address(house + number), 0.0, lambda: None) for _ in range(6)]
        assert all(places)
        for place in places:
            assert place is not None
            place.leave()


def test_refused_requests_make_connections_rare_and_leave_honest_requests_alone() -> None:
    visitors = Visitors()
    waits = [visitors.refused(PHONE, 0.0) for _ in range(100)]
    assert waits[0] == 0
    assert waits[-1] > 10
    assert visitors.open_socket(PHONE, 0.0, lambda: None) is None
    assert visitors.request(PHONE, 0.0) == 0
    assert visitors.open_socket(OTHER, 0.0, lambda: None)


@pytest.mark.ci("examples")
def test_what_is_remembered_is_bounded() -> None:
    guesses = Guesses(Neighbours())
    for number in range(5000):
        guesses.was_wrong(ip_address(number + 1), 0.0)
    assert len(guesses._records) <= 1024
    visitors = Visitors()
    for number in range(5000):
        visitors.request(ip_address(number + 1), 0.0)
        visitors.recognise(ip_address(number + 1))
        visitors.open_socket(ip_address(number << 8 | 1 << 24), 0.0, lambda: None)
    assert len(visitors._strangers) <= 64
    assert len(visitors._known) <= 256
    assert len(visitors._familiar) <= 64
