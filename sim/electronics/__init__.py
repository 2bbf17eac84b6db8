"""Simulated electronics: sensors, chips, strip and supply, and their faults."""
