"""The comparison of two builds of the program by the same random hands."""
