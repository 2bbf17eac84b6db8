"""Whole games over a real mosquitto, between real programs that are killed."""
