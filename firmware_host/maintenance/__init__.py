"""The workshop: set-up and doctor, as the terminal and the page run them."""
