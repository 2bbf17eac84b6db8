"""Who acts in a random game: players, children, and whoever mends the board afterwards."""
