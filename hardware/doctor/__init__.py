"""The doctor: examining a board, and naming its faults and their fixes."""
