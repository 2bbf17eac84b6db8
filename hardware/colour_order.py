"""The order in which LEDs take their colours, concluded from what a strip looks like.

A look sends one colour to all LEDs as if they took a certain order. LEDs of as many colours as that order
has then all show the same one. Others show several, because the bytes shift from one LED to the next; only
where a few of those share a point may they blend into white.

Invariants: an order counts as known only once every other one contradicts an answer, which takes two looks
for three colours and three for four. Answers that contradict each other leave no order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from firmware_host.frozen import frozen
from firmware_host.ports import Colour
from firmware_host.settings import COLOUR_ORDERS

RED, GREEN, BLUE, WHITE = "red", "green", "blue", "white"
OTHER = "other"
"""The answer for several colours, or any that an LED has no part for."""
NOTHING = "none"

NAMES = {"R": RED, "G": GREEN, "B": BLUE, "W": WHITE}
_USUAL = ("GRB", "GRBW")


@frozen
class ColourLook:
    """A look at LEDs that get `colour` (R, G or B) as if they took `order`."""

    order: str
    colour: str

    @property
    def name(self) -> str:
        """The name of the colour that LEDs show if `order` is theirs."""
        return NAMES[self.colour]

    def light(self, level: int) -> Colour:
        """Return the colour to send, at a level of 0 to 255."""
        red, green, blue = (level * (self.colour == part) for part in "RGB")
        return red, green, blue

    def shown_by(self, order: str) -> str:
        """Return what LEDs of this order show."""
        return NAMES[order[self.order.index(self.colour)]] if self._suits(order) else OTHER

    def fits(self, order: str, seen: str) -> bool:
        """Return whether LEDs of this order can have looked so."""
        return seen == self.shown_by(order) or (seen == WHITE and not self._suits(order))

    def _suits(self, order: str) -> bool:
        return len(order) == len(self.order)


Sighting = tuple[ColourLook, str]
"""A look, and its answer: a colour's name, OTHER or NOTHING."""


def looks_by(order: str, *, any_size: bool) -> tuple[ColourLook, ...]:
    """Return the looks that tell all orders apart, those that send colours in `order` first.

    Without `any_size`, only LEDs of as many colours as `order` has can be lit.
    """
    sent = [order, *(usual for usual in _USUAL if any_size and len(usual) != len(order))]
    return tuple(ColourLook(one, colour) for one in sent for colour in "RGB"[: len(one) - 1])


def possible_orders(seen: Iterable[Sighting]) -> tuple[str, ...]:
    """Return the orders that no answer contradicts."""
    answers = tuple(seen)
    return tuple(order for order in COLOUR_ORDERS if all(look.fits(order, what) for look, what in answers))


def next_look(seen: Sequence[Sighting], looks: Sequence[ColourLook]) -> ColourLook | None:
    """Return the first look that tells orders apart which are still possible; None if none does."""
    left, done = possible_orders(seen), {look for look, _ in seen}
    new = (look for look in looks if look not in done)
    return next((look for look in new if len({look.shown_by(order) for order in left}) > 1), None)
