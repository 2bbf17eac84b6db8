"""The commands of a club, which follow the boards of a broker."""
