"""A game with another board, as far as this board knows of it: how the last turn fares, and no network."""
