"""The page of a board, and the server that it comes from; README.md says what they tell each other."""
