"""Programs that measure the engine: its levels against each other and others, and its answers."""
