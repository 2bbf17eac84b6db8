"""The messages of a broker as they arrive: they wait in turn, and are read and checked in one place."""
