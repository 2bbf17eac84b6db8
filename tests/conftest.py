"""How tests run here: Hypothesis with the same examples every time, and as slowly as the machine likes; and
how they are shared out among workers.
"""

from typing import Any

import pytest
from hypothesis import settings

settings.register_profile("board", deadline=None, derandomize=True)
settings.load_profile("board")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> object:
    """Have the tests of a module of the page stay with one worker, since they share boards and pages.

    All others go one by one, in their order. Marks of groups cannot say so: with pytest 9.2, xdist 3.8 knows
    of none.
    """
    from xdist.scheduler import LoadScopeScheduling

    class Sharing(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            return nodeid.partition("::")[0] if nodeid.startswith("tests/web/") else nodeid

    config.option.loadscopereorder = False
    return Sharing(config, log)
