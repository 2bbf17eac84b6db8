"""The browser of all tests of pages.

Rule kept here: where a browser is required, that there is none is a failure, else it is told why tests are
passed over. It ends with its module: as long as it runs, nothing else in the process may use asyncio.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from browsing import CHROMIUM, chromium
from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A Chromium without a window."""
    if CHROMIUM is None:
        if os.environ.get("MILLWRIGHT_BROWSER_REQUIRED"):
            pytest.fail("the page cannot be tested: no Chromium was found")
        pytest.skip("no Chromium was found to open the page in")
    with chromium() as browser:
        yield browser
