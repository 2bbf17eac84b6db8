"""Tests of the messages of a broker: how they wait, and how they are read and sealed."""
