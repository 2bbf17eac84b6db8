"""Circuit boards to order: their netlists, layouts and manufacturing files."""
