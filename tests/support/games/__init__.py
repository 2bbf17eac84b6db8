"""Positions and games for tests."""
