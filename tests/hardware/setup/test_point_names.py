"""The names of points in a set-up."""

from __future__ import annotations

import pytest

from firmware_host.games.layout import MORRIS, SQUARES, Layout
from firmware_host.i18n import to_english
from hardware.setup.point_names import describe_point


@pytest.mark.parametrize(
    ("name", "layout", "text"),
    [
        ("a7", MORRIS, "a7, the upper left corner of the outer square"),
        ("d6", MORRIS, "d6, the middle of the upper side of the middle square"),
        ("a5", SQUARES, "a5 (column 1 from the left, row 5 from the bottom)"),
        ("c3", SQUARES, "c3 (column 3 from the left, row 3 from the bottom)"),
    ],
)
def test_a_point_is_called_by_its_name_and_where_it_is(name: str, layout: Layout, text: str) -> None:
    assert to_english(describe_point(name, layout)) == text


@pytest.mark.parametrize("layout", [MORRIS, SQUARES])
def test_no_two_points_are_called_alike(layout: Layout) -> None:
    assert len({to_english(describe_point(point.name, layout)) for point in layout.points}) == len(
        layout.points
    )
