"""`millwright bench`: timings of frames, page and disk."""
