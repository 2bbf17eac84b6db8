"""Drivers: what stands between the ports and the pins, on a Pi and on the simulated electronics alike."""
