"""Another program at a seat: its conversation, and the end of all processes that it has started."""
