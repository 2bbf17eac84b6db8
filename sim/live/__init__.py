"""The simulated board behind a page: `millwright sim`."""
