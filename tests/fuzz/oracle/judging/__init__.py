"""The judges of a mill board's lines: of its events, of its states, and of what it shows at rest."""
