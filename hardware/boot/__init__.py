"""The firmware's settings that a board needs, by model and wiring, and the file config.txt that has them."""
