"""The simulated board with a page: `millwright sim`."""
