"""The mill games: bitboards, rules, positions, notation."""
