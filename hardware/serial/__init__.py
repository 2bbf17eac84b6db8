"""A board with a microcontroller of its own on a serial line."""
