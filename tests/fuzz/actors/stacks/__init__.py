"""People at a board of stacks."""
