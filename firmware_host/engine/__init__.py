"""The opponent and what it knows: the value of positions and turns, from tables or by search."""
