"""The wiring of a board: contacts, netlist, circuit, parts list and report."""
