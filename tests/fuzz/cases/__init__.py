"""Cases of hands beside whom something happens, over the delays of what they do: see `grid_cases`."""

from __future__ import annotations

from tests.fuzz.cases.board_turns import BOARD_TURNS
from tests.fuzz.cases.helpers import HELPERS
from tests.fuzz.cases.next_games import NEXT_GAMES
from tests.fuzz.cases.regrets import REGRETS
from tests.fuzz.cases.unfollowed import UNFOLLOWED

INCIDENT_CASES = (*REGRETS, *NEXT_GAMES, *HELPERS, *BOARD_TURNS, *UNFOLLOWED)
