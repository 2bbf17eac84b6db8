"""The games a board can play: immutable values, standard library only, nothing of the board."""
