"""The games on disk: what is written of a game, the file that keeps it, and the thread that waits for it."""
