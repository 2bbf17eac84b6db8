"""The messages of a broker, from the moment they arrive: they wait in turn, and are read and checked in one place."""
