#!/bin/bash
# Runs in the virtual Pi as root, with the package installed: what happens to the service when things go wrong.
# shellcheck source-path=SCRIPTDIR source=parts.sh
. /opt/brought/parts.sh

step "it starts" tries starts
step "it goes on after kill -9" tries killed
step "it goes on after it was stopped short" tries hangs
step "a chip dies and comes back" tries chip
step "the strip is unplugged and comes back" tries strip
step "the journal has it" tries journal
ends
