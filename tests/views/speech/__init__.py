"""Tests of what a board says."""
