"""Turn frames of readings into moves. Pure: no clock, no I/O and no light."""
