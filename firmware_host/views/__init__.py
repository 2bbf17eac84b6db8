"""What people see of a board: page state, instructions, sensor readings, status."""
