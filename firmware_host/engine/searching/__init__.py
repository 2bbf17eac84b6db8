"""The search: rules on bits, evaluation, alpha-beta in Python and C, and the scores of all turns."""
