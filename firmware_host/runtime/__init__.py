"""The process around the board: start-up, loop, watchdog, log, safe mode."""
