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

# with_modules SCRIPT WHAT    with the modules of what is installed
with_modules() {
    if [ -e /usr/lib/millwright ]; then
        PYTHONPATH=/usr/lib/millwright python3 -u "$@"
    else
        /opt/millwright/current/bin/python -u "$@"
    fi
}
tries() { with_modules try_service.py "$@"; }
in_house() { with_modules try_house.py "$@"; }
by_phone() { with_modules try_workshop.py "$@"; }

# scored [UNIT TENTHS]    The privileges of the service, as systemd scores them: at most 1.0.
scored() {
    systemd-analyze security --threshold="${2:-10}" --no-pager "${1:-millwright.service}" >/tmp/security
    local status=$?
    grep Overall /tmp/security
    return $status
}
