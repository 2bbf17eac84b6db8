#!/bin/bash
# Runs in the virtual Pi as root, before the plug is pulled and after.
cd /opt/brought || exit 1
tries() { PYTHONPATH=/usr/lib/millwright python3 -u try_service.py "$@"; }
fail() {
    journalctl --no-pager --lines=30 --unit=millwright --output=short-monotonic
    exit 1
}
if [ -e halfway ]; then
    tries goes_on_after_power_cut || fail
    exit
fi
touch halfway
sync halfway
tries middle_of_a_turn || fail
echo "pull the plug"
sleep infinity
