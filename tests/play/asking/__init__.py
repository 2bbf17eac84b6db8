"""Tests of the ask."""
