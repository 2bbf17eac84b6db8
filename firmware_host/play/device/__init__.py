"""The parts of the box around a game, such as its button."""
