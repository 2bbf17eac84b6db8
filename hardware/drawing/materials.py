"""The colours of materials in drawings of the wood."""

WOOD, FRAME, OPAL, GLOW = "#e3cda4", "#d2b582", "#eef4f6", "#e69f00"
NORTH, SOUTH = "#d55e00", "#56b4e9"
COPPER = "#b87333"
RINGS = ("#0072b2", "#007a5a", "#a8327e")
"""A colour for each chip of the recommended board, and the wires of its ring of points."""
GLASS, BOARD = "#d7eef7", "#cfe3c4"
