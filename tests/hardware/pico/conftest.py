"""The boards of a test of the Pico's front end end with it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.hardware.pico.simulated_pico import TO_BE_ENDED


@pytest.fixture(autouse=True)
def _ends_with_its_test() -> Iterator[None]:
    yield
    TO_BE_ENDED.close()
