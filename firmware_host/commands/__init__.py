"""The commands, each in the module of its name; `cli` imports the one that is used."""
