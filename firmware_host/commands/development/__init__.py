"""The commands for whoever works on the program: its speed, and the rules' counts of positions."""
