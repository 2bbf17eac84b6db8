"""The simulated board: a table with magnets, and electronics beneath it that the real drivers run on."""
