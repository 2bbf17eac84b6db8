"""`millwright bench`: how long a frame, a page and a disk write take."""
