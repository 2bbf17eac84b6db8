"""These files are copied to the virtual Pi and run only there."""

collect_ignore = ["drivers", "service"]
