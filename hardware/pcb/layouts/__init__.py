"""The shape of each circuit board, and the place of every part on it."""
