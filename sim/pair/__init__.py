"""Two simulated boards that play one game over a simulated wire, in virtual time."""
