"""Diagnosis of a board: system checks, idle checks, a walk with one piece, and the strip."""
