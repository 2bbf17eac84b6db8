"""The commands that prepare a Pi: its firmware settings and its memory card."""
