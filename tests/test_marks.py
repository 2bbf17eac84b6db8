"""The marks of tests: one that leaves a test to CI says why."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests import conftest
from tests.support.reasons import REASONS


@pytest.mark.parametrize("given", [(), ("because",), tuple(REASONS)], ids=["none", "unknown", "all"])
def test_mark_ci_without_one_reason_is_refused(given: tuple[str, ...]) -> None:
    item = SimpleNamespace(
        name="test_costly", iter_markers=lambda name: [getattr(pytest.mark, name)(*given).mark]
    )
    collecting = conftest.pytest_pycollect_makeitem()
    next(collecting)
    with pytest.raises(pytest.Collector.CollectError, match="test_costly"):
        collecting.send([item])
