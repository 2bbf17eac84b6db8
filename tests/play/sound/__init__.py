"""Tests of the sounds of a game."""
