"""The teacher: words about the turns of a game, from what can be seen on the board."""
