"""Habits of people beside whom, or to whom, something happens: regret, helpers, errors, menus, faults."""
