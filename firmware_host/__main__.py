"""`python -m firmware_host` is `millwright`."""

from firmware_host.cli import main

main(prog_name="millwright")
