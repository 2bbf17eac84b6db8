"""Which pin goes where: contacts, netlist, circuit, parts list and report."""
