"""Far play: two boards that play one game, as values without a socket, a clock or chance.

Each board keeps a record of the whole game and publishes it; it judges the other's record by its own rules.
"""
