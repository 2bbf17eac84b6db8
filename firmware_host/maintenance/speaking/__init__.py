"""The speech of a board on this machine: the voices, and the order in which sentences are spoken."""
