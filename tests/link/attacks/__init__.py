"""Attacks on links at a real broker: by members, opponents, and programs with the same identity."""
