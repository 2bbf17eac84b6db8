"""Views of a board for people: page state, instructions, sensor readings, status."""
