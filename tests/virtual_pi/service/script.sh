#!/bin/bash
# Runs in the virtual Pi as root: `make install`'s script, an update, one that does not start, and the removal.
# shellcheck source-path=SCRIPTDIR source=parts.sh
. /opt/brought/parts.sh
current=/opt/millwright/current

# by_script WHEELS COMMAND
by_script() { WHEELS=/opt/brought/$1 systemd/install.sh "$2"; }

updates() {
    local before
    before=$(readlink $current)
    tries begins && by_script wheels install && [ "$(readlink $current)" != "$before" ] && tries goes_on
}

goes_back() {
    local before
    before=$(readlink $current)
    tries begins || return
    if by_script broken install; then
        echo "a version that does not start counts as installed"
        return 1
    fi
    [ "$(readlink $current)" = "$before" ] && [ ! -e /opt/millwright/99.0 ] && tries goes_on
}

is_gone() {
    ! systemctl --quiet is-active millwright.service millwright.socket && [ ! -e /opt/millwright ] &&
        [ ! -e /usr/local/lib/systemd/system/millwright.service ] && ! command -v millwright
}

removes() { by_script wheels uninstall && is_gone && [ -e /var/lib/millwright ] && [ -e /etc/millwright/millwright.toml ]; }

purges() {
    PURGE=1 by_script wheels uninstall && is_gone && [ ! -e /var/lib/millwright ] && [ ! -e /var/cache/millwright ] &&
        [ ! -e /etc/millwright ] && ! getent passwd millwright
}

step "it is installed by the script" by_script wheels install
step "it starts" tries starts
step "it may do little" scored
step "it plays a game" tries plays
step "it goes on after kill -9" tries killed
step "it goes on after it was stopped short" tries hangs
step "it is updated, and the game goes on" updates
step "an update that does not start leaves the version before running" goes_back
step "it is removed, but not its games" removes
step "its games are removed, too" purges
ends
