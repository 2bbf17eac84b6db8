"""Drivers that implement the ports, on a Pi's pins and on simulated electronics alike."""
