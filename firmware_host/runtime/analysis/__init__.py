"""The analysis of games in the background."""
