"""Tests of gestures."""
