"""The speech of a board: what is said when, and the answers to what people ask."""
