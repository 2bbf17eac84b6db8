"""Single hands on boards of their own, which a seed repeats on any build of the program."""
