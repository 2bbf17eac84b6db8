"""How many examples Hypothesis tries of what takes long, in a share of those it tries of all else.

So the run that tries very many (`make test-long`) tries more of these, too.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings

USUAL = settings.get_profile("board").max_examples
"""So many `make test` tries of what says nothing of it."""


def costly(times: int, **others: Any) -> settings:
    """Settings of a test whose examples each cost so many `times` as much as is usual."""
    return settings(max_examples=settings().max_examples // times, **others)


def few(number: int, **others: Any) -> settings:
    """Settings of a test of which `make test` tries so many examples."""
    return settings(max_examples=number * settings().max_examples // USUAL, **others)
