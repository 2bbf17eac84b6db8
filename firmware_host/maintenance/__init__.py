"""The workshop: set-up, doctor and report, as the terminal and the page run them."""
