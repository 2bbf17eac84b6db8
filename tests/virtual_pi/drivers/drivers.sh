#!/bin/bash
# Runs in the virtual Pi as root: tries one part after the other, as a user without any privileges.
failed=0
part() {
    printf '\n== %s\n' "$1"
    SECONDS=0
    runuser --login player --command "cd /opt/brought && export MILLWRIGHT_VIRTUAL_PI=1 \
        PATH=/opt/millwright/bin:\$PATH PYTHONPATH=/opt/brought/pythonpath && $2" || {
        failed=1
        echo "FAILED: $1"
    }
    echo "-- $SECONDS s"
}
try="exec python -m pytest -q -p no:cacheprovider --color=no -W default" # what libraries warn of there is theirs
part "the drivers' contract" "$try tests/contract -k 'virtual and Pi'"
part "slow, dead and stuck chips, and millwright doctor" "$try tests/virtual_pi/drivers/trials"
part "millwright setup" "exec python -u -m tests.virtual_pi.drivers.set_up"
part "a whole game" "exec python -u -m tests.virtual_pi.drivers.play_game"
part "a whole game on a diode matrix" "exec python -u -m tests.virtual_pi.drivers.play_game matrix"
part "a whole game with button, buzzer and side bars" "exec python -u -m tests.virtual_pi.drivers.play_game controls"
part "how long frames take" "exec python -u -m tests.virtual_pi.drivers.measure"
part "what opening costs" "exec python -u -m tests.virtual_pi.drivers.measure_opening"
part "millwright doctor --bench" "cd && exec millwright doctor --bench"
part "millwright bench --quick" "exec millwright bench --quick"
exit $failed
