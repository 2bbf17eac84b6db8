"""How Hypothesis runs here: the same examples every time, and as slowly as the machine likes."""

from hypothesis import settings

settings.register_profile("board", deadline=None, derandomize=True)
settings.load_profile("board")
