"""Programs for the boards of a club, which follow a broker and play no part in a game: archive and wall."""
