"""The simulated board: a table with magnets, and the electronics under it, for the real drivers to run on."""
