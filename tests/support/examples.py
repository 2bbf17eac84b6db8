"""How many examples Hypothesis tries of what takes long, in a share of those it tries of all else.

So the run that tries very many (`make test-long`) tries more of these, too.
"""

from __future__ import annotations

from typing import Any

from hypothesis import settings


def costly(times: int, **others: Any) -> settings:
    """Settings of a test whose examples each cost so many `times` as much as is usual."""
    return settings(max_examples=settings().max_examples // times, **others)
