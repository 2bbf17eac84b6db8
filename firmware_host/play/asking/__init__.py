"""The ask: a menu of light that hands open and answer at the board itself."""
