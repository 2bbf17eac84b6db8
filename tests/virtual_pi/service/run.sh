#!/bin/bash
# Runs in the virtual Pi as root: installs the service in two ways, and tries each.
cd /opt/brought || exit 1
failed=0
part() {
    local what=$1
    shift
    printf '\n== %s\n' "$what"
    SECONDS=0
    "$@" || {
        failed=1
        echo "FAILED: $what"
        journalctl --no-pager --lines=25 --unit=millwright --output=short-monotonic
    }
    echo "-- $SECONDS s"
}
packaged() { PYTHONPATH=/usr/lib/millwright:/opt/brought python3 -u try_service.py "$@"; }
installed() { PYTHONPATH=/opt/brought /opt/millwright/current/bin/python -u try_service.py "$@"; }
by_script() { WHEELS=/opt/brought/wheels systemd/install.sh "$@"; }

part "the package is installed" dpkg --install ./millwright_*_all.deb
part "it starts" packaged starts
part "it may do little" systemd-analyze security --threshold=10 --no-pager millwright.service >/tmp/security
grep Overall /tmp/security
part "it plays a game" packaged plays
part "it goes on after kill -9" packaged killed
part "it goes on after it was stopped short" packaged hangs
part "a chip dies and comes back" packaged chip
part "the strip is unplugged and comes back" packaged strip
part "the disk is full for a while" packaged full_disk
part "the journal has it" packaged journal
part "it is dark when it is stopped, and when it was killed for good" packaged dark
part "the package is removed" dpkg --purge millwright
part "it is installed by the script" by_script install
part "it starts" installed starts
part "it goes on after kill -9" installed killed
part "it is updated" by_script install
part "it starts" installed starts
part "it is removed" env PURGE=1 systemd/install.sh uninstall
exit $failed
