"""Mitsudomoe: stacks of balls and rings on sixteen squares."""
