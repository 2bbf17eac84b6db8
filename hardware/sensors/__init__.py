"""Drivers for multiplexers, expanders and ADCs, and what their levels mean for a point."""
