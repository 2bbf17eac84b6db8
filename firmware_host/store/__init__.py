"""Games on disk: the saved form of a game, the database, and the thread that writes it."""
