"""The light that knows: who is shown it and when, and the values that are wanted for it."""
