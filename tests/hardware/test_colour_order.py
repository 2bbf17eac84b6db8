"""The looks that find the order of an LED's colours, as information: which answers leave which orders."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from firmware_host.settings import COLOUR_ORDERS
from hardware.colour_order import (
    BLUE,
    GREEN,
    NOTHING,
    OTHER,
    RED,
    WHITE,
    ColourLook,
    Sighting,
    looks_by,
    next_look,
    possible_orders,
)

ANSWERS = (RED, GREEN, BLUE, WHITE, OTHER, NOTHING)


def conversations(
    looks: tuple[ColourLook, ...], seen: tuple[Sighting, ...] = ()
) -> Iterator[tuple[Sighting, ...]]:
    """Yield everything that people can answer to the looks."""
    look = next_look(seen, looks)
    if look is None:
        yield seen
        return
    for answer in ANSWERS:
        yield from conversations(looks, (*seen, (look, answer)))


def test_colour_orders_are_all_that_leds_can_have() -> None:
    assert COLOUR_ORDERS[0] == "GRB"
    assert {order for order in COLOUR_ORDERS if len(order) == 3} == {"RGB", "RBG", "GRB", "GBR", "BRG", "BGR"}
    with_white = {order for order in COLOUR_ORDERS if len(order) == 4}
    assert len(with_white) == 24
    assert all(sorted(order) == sorted("RGBW") for order in with_white)


@pytest.mark.parametrize("blend", [OTHER, WHITE])
@pytest.mark.parametrize("sent", COLOUR_ORDERS)
def test_looks_find_every_order_from_every_other(sent: str, blend: str) -> None:
    looks = looks_by(sent, any_size=True)
    for order in COLOUR_ORDERS:
        seen: list[Sighting] = []
        while (look := next_look(seen, looks)) is not None:
            shown = look.shown_by(order)
            seen.append((look, blend if shown == OTHER else shown))
        assert possible_orders(seen) == (order,)
        assert len(seen) == 2 or "W" in sent + order


@pytest.mark.parametrize("sent", ["GRB", "BGR", "GRBW", "WRGB"])
def test_looks_confirm_an_order_by_right_answers_alone(sent: str) -> None:
    for seen in conversations(looks_by(sent, any_size=True)):
        left = possible_orders(seen)
        assert len(left) <= 1
        if left == (sent,):
            assert [answer for look, answer in seen] == [RED, GREEN, BLUE][: len(sent) - 1]


@pytest.mark.parametrize(("sent", "answer"), [("GRB", OTHER), ("GRBW", WHITE)])
def test_looks_by_a_microcontroller_leave_the_other_size(sent: str, answer: str) -> None:
    looks, seen = looks_by(sent, any_size=False), []
    while (look := next_look(seen, looks)) is not None:
        seen.append((look, answer))
    assert {len(order) for order in possible_orders(seen)} == {7 - len(sent)}
