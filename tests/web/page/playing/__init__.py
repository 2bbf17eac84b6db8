"""Tests of playing on the page: what mouse, fingers and keyboard do to its pieces."""
