"""The laws of a random game: plain rules, the true table, and the referee."""
