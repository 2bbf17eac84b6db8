"""The simulated table: pieces, hands, and the position of everything."""
