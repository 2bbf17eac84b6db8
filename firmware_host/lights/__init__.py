"""Turn the state of the game into LED values: cues, colours and patterns, within current and flash limits."""
