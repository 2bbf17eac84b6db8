"""The clocks of a game: whose time runs, how much is left, and when it is up."""
