#!/bin/bash
# Runs in the virtual Pi as root, with the package installed: a disk that is full, and the light at the end.
# shellcheck source-path=SCRIPTDIR source=parts.sh
. /opt/brought/parts.sh

step "it starts" tries starts
step "the disk is full for a while" tries full_disk
step "it is dark when it is stopped" tries dark_when_stopped
step "it is dark when it was killed" tries dark_when_killed
ends
