"""The making and checking of tables of solved positions, in C, and the folder they are kept in."""
