"""How tests run here: Hypothesis with the same examples every time, and as slowly as the machine likes; and
what one worker has to itself first, so that the others are busy meanwhile.
"""

import pytest
from hypothesis import settings

settings.register_profile("board", deadline=None, derandomize=True)
settings.load_profile("board")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Begin with the groups, which are handed out whole: the browser's takes longer than any other test."""
    items.sort(key=lambda item: item.get_closest_marker("xdist_group") is None)
