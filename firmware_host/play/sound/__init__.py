"""The sounds of a game: when one begins, and on which part of the board it is played."""
