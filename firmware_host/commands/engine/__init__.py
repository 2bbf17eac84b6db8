"""The commands of the opponent and of what it knows: values of turns, tables, and its protocol."""
