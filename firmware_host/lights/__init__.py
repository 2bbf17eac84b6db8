"""From the state of the game to LED values: cues, colours and patterns, within current and flash limits."""
