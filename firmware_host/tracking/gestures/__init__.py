"""Gestures that ask the board for something, without being turns: a knock, and two pieces held up."""
