"""A game on one board: session, timeline, requests, durability, and the controller that joins them."""
