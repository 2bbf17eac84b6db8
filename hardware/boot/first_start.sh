#!/bin/sh
# Installs Millwright when a Pi starts for the first time. `millwright card-files` lays this script on a card as
# `vendor-data`, where cloud-init finds and runs it as root; Raspberry Pi Imager writes `user-data` and
# `network-config` beside it, and neither changes the other.
#
# Invariants: what happened stands in millwright.txt on the card, which any computer can read. A start that failed, or
# in which the plug was pulled, is tried again at the next one. The Pi's green light beats like a heart as long as it runs, and blinks evenly after a
# failure. It needs no network.
set -u

card=${CARD:-/boot/firmware}
lights=${LIGHTS:-/sys/class/leds}
once=${ONCE:-/var/lib/cloud/instance/sem/config_scripts_vendor}
log=$(mktemp --tmpdir="${TMPDIR:-/run}") # memory, since the card may be full
trap 'rm -f "$log"' EXIT

# shine TRIGGER    has the Pi's green light do that, where it has one
shine() {
    for light in ACT led0; do
        if [ -w "$lights/$light/trigger" ]; then echo "$1" >"$lights/$light/trigger"; fi
    done
}

# tell SENTENCE...    writes the sentences, and what was done, for people
tell() {
    { printf '%s\n' "$@" ''; sed '1i What was done:' "$log"; } >"$card/millwright.new" &&
        mv "$card/millwright.new" "$card/millwright.txt"
    sync
}

# gives_up REASON ADVICE
gives_up() {
    tell "Millwright could not be installed: $1" "$2" 'Then start the Pi again: it tries once more.'
    shine timer
    exit 1
}

# does COMMAND...    one step, whose output people may read
does() {
    echo "\$ $*" >>"$log"
    "$@" >>"$log" 2>&1
}

# The newest package beside this file for the Pi's architecture, otherwise one for all.
find_package() {
    for architecture in "$(dpkg --print-architecture)" all; do
        find "$card" -maxdepth 1 -type f -name "millwright_*_$architecture.deb" | sort --version-sort | tail -n 1
    done | head -n 1
}

# cloud-init has noted already that this was done; until it is, that isn't so.
rm -f "$once"
shine heartbeat
tell 'Millwright is being installed. If you read this later, the Pi was switched off too early: start it again.'
package=$(find_package)
if [ -z "$package" ]; then
    gives_up "there is no package for this Pi on the card." \
        "Copy the file that ends with _$(dpkg --print-architecture).deb beside the file vendor-data."
fi
# A pulled plug may have left packages half installed.
does dpkg --configure --pending ||
    gives_up "what was begun could not be ended." "The reason is below."
# Another program may also be installing something at the first start.
does apt-get --quiet --yes --no-install-recommends -o DPkg::Lock::Timeout=600 -o Dpkg::Use-Pty=0 install "$package" ||
    gives_up "its package did not install." "The reason is below. If the file is damaged, copy it again."
does millwright boot --write ||
    gives_up "the Pi's config.txt could not be changed." "The reason is below."
# It prints a code for devices, which doesn't belong on a card.
echo '$ millwright listen' >>"$log"
millwright listen 2>>"$log" >/dev/null ||
    gives_up "its page could not be opened to the house." "The reason is below."
# A board that is in no Wi-Fi opens its own. Its password stays on the card, as whoever has that can read everything.
own_wifi='It opens no Wi-Fi of its own: the reason is below.'
if does millwright wifi --on && does millwright card --wifi --output "$card/millwright-wifi.svg"; then
    own_wifi='If it is in no Wi-Fi, it opens its own after two minutes: print millwright-wifi.svg, and keep it with the board.'
fi
tell 'Millwright is installed. The Pi starts again by itself now, and plays from then on.' \
    "On a phone in the same Wi-Fi, open http://$(hostname --short).local:8765" \
    "There, press Play from this device and I'm sitting at the board." "$own_wifi"
# Once cloud-init has done what else it was asked for.
does systemd-run --no-block --property=After=cloud-final.service systemctl reboot ||
    tell 'Millwright is installed. Switch the Pi off and on again: it could not do so by itself.'
touch "$once"
sync
