"""The number of Hypothesis examples for slow tests, as a share of the usual number.

So `make test-long`, which tries very many, also tries more of these.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings

USUAL = settings.get_profile("board").max_examples
"""The number of examples that `make test` tries by default."""


def costly(times: int, **others: Any) -> settings:
    """Return settings for a test whose examples each take `times` as long as usual."""
    return settings(max_examples=settings().max_examples // times, **others)


def few(number: int, **others: Any) -> settings:
    """Return settings for a test of which `make test` tries `number` examples."""
    return settings(max_examples=number * settings().max_examples // USUAL, **others)
