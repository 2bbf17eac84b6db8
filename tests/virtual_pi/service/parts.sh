# shellcheck shell=bash
# What all parts that try the service do alike. Sourced.
cd /opt/brought || exit 1
failed=0

# step WHAT COMMAND...    tries one thing; where it fails, the board's journal says more
step() {
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

all_well() { [ $failed = 0 ]; }
ends() { exit $failed; }

# tries WHAT    with the modules of what is installed
tries() {
    if [ -e /usr/lib/millwright ]; then
        PYTHONPATH=/usr/lib/millwright python3 -u try_service.py "$@"
    else
        /opt/millwright/current/bin/python -u try_service.py "$@"
    fi
}

# The privileges of the service, as systemd scores them: at most 1.0.
scored() {
    systemd-analyze security --threshold=10 --no-pager millwright.service >/tmp/security
    local status=$?
    grep Overall /tmp/security
    return $status
}
