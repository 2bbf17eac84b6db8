"""The beginning of games: who of two people begins, and the first game of all."""
