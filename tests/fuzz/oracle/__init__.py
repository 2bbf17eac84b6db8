"""What must hold in a random game: plain rules, the true table, and the referee."""
