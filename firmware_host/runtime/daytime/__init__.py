"""The time of day by this machine's clock, as far as that is right."""
