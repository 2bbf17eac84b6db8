"""What is brought to the virtual Pi is run there alone."""

collect_ignore = ["drivers", "service"]
