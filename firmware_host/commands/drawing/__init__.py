"""The commands that draw a board: its wiring, its plates, and the card beside it."""
