"""A drawing for each step of building a board, in the order of work."""
