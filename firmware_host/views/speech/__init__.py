"""The speech of a board: the sentences that are due, and the answers to what people ask."""
