"""From frames of readings to moves. Pure: no clock, no I/O and no light."""
