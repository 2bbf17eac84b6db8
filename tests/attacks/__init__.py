"""Attacks on `millwright run` over a network, and what the board makes of them: `python -m tests.attacks`."""
