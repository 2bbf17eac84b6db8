"""The board's wood: its measures, and the plates, inlays and pieces as files for a cutter."""
