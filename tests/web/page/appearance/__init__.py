"""Tests of how the page looks and sounds, and of what a device may choose of it."""
