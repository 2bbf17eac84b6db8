"""The people of a random game: players, children, and helpers who correct the board afterwards."""
