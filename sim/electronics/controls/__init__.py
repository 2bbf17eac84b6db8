"""The parts beside the points of a simulated board."""
