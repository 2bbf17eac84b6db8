"""The words about the turns of a game."""
