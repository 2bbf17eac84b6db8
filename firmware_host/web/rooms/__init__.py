"""Rooms with other boards on pages: the board passes on what its link shows, and knows nothing of it."""
