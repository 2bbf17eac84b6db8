"""Listeners who know a language, and players who use nothing but what a board says."""
