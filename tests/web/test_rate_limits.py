from ipaddress import ip_address

from hypothesis import given
from hypothesis import strategies as st

from firmware_host.web.access import CODE_DIGITS
from firmware_host.web.rate_limits import FREE_GUESSES, LONGEST_WAIT, Bucket, Guesses

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
    guesses, now, waits = Guesses(), 0.0, []
    for _ in range(FREE_GUESSES + 9):
        guesses.was_wrong(PHONE, now)
        waits.append(guesses.wait(PHONE, now))
        now += waits[-1]
    assert waits[: FREE_GUESSES + 4] == [0, 0, 1, 2, 4, 8, 16]
    assert max(waits) == LONGEST_WAIT


def test_nobody_is_locked_out_for_good_and_no_one_else_is_by_them() -> None:
    guesses, now = Guesses(), 0.0
    for _ in range(1000):
        now += guesses.wait(PHONE, now)
        guesses.was_wrong(PHONE, now)
    assert guesses.wait(PHONE, now) <= LONGEST_WAIT
    assert guesses.wait(OTHER, now) == 0
    guesses.was_right(PHONE)
    assert guesses.wait(PHONE, now + 1) == 0


def test_all_addresses_together_cannot_guess_a_code_in_years() -> None:
    guesses, now, tried = Guesses(), 0.0, 0
    while now < DAY:
        # Each guess from an address that was never seen before.
        address = ip_address(int(ip_address("10.0.0.0")) + tried)
        now += guesses.wait(address, now) + 1e-6
        guesses.was_wrong(address, now)
        tried += 1
    assert tried < 15_000
    assert 10**CODE_DIGITS / tried > 10 * 365


def test_whoever_has_one_address_of_ipv6_is_one_with_all_of_its_neighbours() -> None:
    guesses = Guesses()
    for number in range(8):
        guesses.was_wrong(ip_address(f"2001:db8:1:2::{number:x}"), 0.0)
    assert guesses.wait(ip_address("2001:db8:1:2:ffff::1"), 0.0) > 10
    assert guesses.wait(ip_address("2001:db8:1:3::1"), 0.0) == 0


def test_what_is_remembered_is_bounded() -> None:
    guesses = Guesses()
    for number in range(5000):
        guesses.was_wrong(ip_address(number + 1), 0.0)
    assert len(guesses._records) <= 1024
