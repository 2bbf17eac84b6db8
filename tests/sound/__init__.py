"""Tests of the table of sounds."""
