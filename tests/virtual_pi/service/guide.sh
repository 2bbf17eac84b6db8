#!/bin/bash
# Runs in the virtual Pi: the guide's commands as they stand there, from the package to a whole game, typed by a
# user. tests/hardware/test_guide.py compares them with the guide. Root stands in for sudo.
# shellcheck source-path=SCRIPTDIR source=parts.sh
. /opt/brought/parts.sh
exec </dev/null
home=/home/player
cp ./millwright_*_arm64.deb "$home"/

# typed COMMAND    on a terminal, in the user's folder, with what its input has typed; what it prints is in /tmp/seen
typed() {
    local program=$1
    echo "\$ $program"
    case $program in
        'sudo '*) program="cd $home && ${program#sudo }" ;;
        *) program="runuser --login player --session-command '$program'" ;;
    esac
    script --quiet --return --command "$program" /tmp/seen >/dev/null || {
        cat /tmp/seen
        return 1
    }
}
ctrl_c() { printf '\003'; }
# shows TEXT    whether the last command printed it
shows() { grep --quiet --fixed-strings "$1" /tmp/seen || { cat /tmp/seen; return 1; }; }

installs() { typed 'sudo apt install ./millwright_*.deb' && tries starts; }

switches_on() {
    typed 'sudo millwright boot' <<<y && shows 'sudo reboot' &&
        grep --quiet '^core_freq_min=500$' /boot/firmware/config.txt &&
        ls /boot/firmware/config.txt.before-millwright-* &&
        typed 'sudo millwright boot' && shows 'Nothing is missing.'
}

configures() { typed 'millwright config init' && typed 'millwright config check'; }

# The doctor ends with 1 for a warning: this kernel has no vcgencmd, for one.
examines() {
    typed 'sudo systemctl stop millwright' || return
    typed 'millwright doctor' <<<n || shows 'pass'
    ! grep '^fault' /tmp/seen && shows 'core clock' && typed 'millwright doctor --bench' && shows 'us'
}

lights() { typed 'millwright leds test' && shows 'LED 23:' && shows 'all white' && shows 'all dark'; }

watches() {
    echo 1 >/sys/module/muxboard/parameters/closed
    { sleep 20 && ctrl_c; } | typed 'millwright sensors watch'
    echo 0 >/sys/module/muxboard/parameters/closed
    shows 'd5'
}

# The page is where the service has it, and the same questions are asked of it.
plays_by_itself() {
    rm -f played
    { tries by_hand && touch played; ctrl_c; } 2>/tmp/why | typed 'millwright run'
    [ -e played ] || { cat /tmp/why; return 1; }
}

reports() { typed 'millwright report' && ls "$home"/millwright-report-*; }

serves() { systemctl start millwright && tries starts && typed 'millwright status' && shows 'ready'; }

step "the package is installed" installs
step "config.txt gets what the wiring needs" switches_on
step "a configuration is written" configures
step "the doctor finds no fault" examines
step "every LED is lit" lights
step "the sensors are watched" watches
step "the program plays without the service" plays_by_itself
step "a report is written" reports
step "the service starts again" serves
ends
