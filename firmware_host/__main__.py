"""`python -m firmware_host` is `millwright`."""

from firmware_host.cli import main

if __name__ == "__main__":  # processes that the program starts read this file as well
    main(prog_name="millwright")
