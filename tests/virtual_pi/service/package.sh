#!/bin/bash
# Runs in the virtual Pi as root: the Debian package, from its installation over a whole game to its removal.
# shellcheck source-path=SCRIPTDIR source=parts.sh
. /opt/brought/parts.sh

is_gone() {
    ! systemctl --quiet is-active millwright.service millwright.socket && [ ! -e /usr/lib/millwright ] &&
        [ ! -e /var/lib/millwright ] && [ ! -e /var/cache/millwright ] && [ ! -e /etc/millwright ] && ! getent passwd millwright
}

removes() { dpkg --purge millwright && is_gone; }

step "the package is installed" dpkg --install ./millwright_*_all.deb
step "it starts" tries starts
step "it may do little" scored
step "it plays a game" tries plays
step "it is removed" removes
ends
