#!/bin/bash
# Runs in the virtual Pi as root, with the package installed: before the plug is pulled, and after.
# shellcheck source-path=SCRIPTDIR source=parts.sh
. /opt/brought/parts.sh

if [ ! -e pulled ]; then
    step "it plays up to the middle of a turn" tries middle_of_a_turn
    all_well || ends
    touch pulled
    sync pulled
    echo "pull the plug"
    sleep infinity
fi
step "it goes on there when the power is back" tries goes_on_after_power_cut
ends
