"""The files made from a board's solids: sheets for a cutter, parts for a printer, and lists."""
