"""The levels of the engine, measured: the habits that they share with people."""
