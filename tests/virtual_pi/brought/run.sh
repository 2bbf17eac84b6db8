#!/bin/bash
# Runs in the virtual Pi as root: tries one part after the other, as a user without any privileges.
failed=0
part() {
    printf '\n== %s\n' "$1"
    SECONDS=0
    runuser --login player --command "cd /opt/brought && PATH=/opt/millwright/bin:\$PATH $2" || {
        failed=1
        echo "FAILED: $1"
    }
    echo "-- $SECONDS s"
}
part "a whole game" "PYTHONPATH=tests exec python -u play_game.py"
exit $failed
