#!/bin/bash
# Runs in the virtual Pi as root: what the libraries, our drivers and the doctor take this model for.
# lgpio makes a pipe where it is imported, so that this is done in the user's own folder.
look() {
    runuser --login player --command "PATH=/opt/millwright/bin:\$PATH PYTHONPATH=/opt/brought:/opt/brought/pythonpath \
        exec python -u -m tests.virtual_pi.drivers.look_at_model $1"
}
printf '\n== %s, %s\n' "$(tr -d '\0' </proc/device-tree/model)" "$(uname -srm)"
look spi-on && modprobe --remove striptap && look spi-off
