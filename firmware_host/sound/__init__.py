"""The sounds of a board: their meanings, and the one table of their tones and rhythms."""
