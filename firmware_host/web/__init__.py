"""The page of a board and the server for it; README.md describes the messages between them."""
