"""Tests of the parts around a game."""
