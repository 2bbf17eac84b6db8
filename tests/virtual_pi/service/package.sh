#!/bin/bash
# Runs in the virtual Pi as root: the Debian package, from its installation over a whole game to its removal.
# shellcheck source-path=SCRIPTDIR source=parts.sh
. /opt/brought/parts.sh

is_gone() {
    ! systemctl --quiet is-active millwright.service millwright.socket && [ ! -e /usr/lib/millwright ] &&
        [ ! -e /var/lib/millwright ] && [ ! -e /var/cache/millwright ] && [ ! -e /etc/millwright ] && ! getent passwd millwright
}

has_library() {
    PYTHONPATH=/usr/lib/millwright python3 -P -c '
from firmware_host.engine.searching.search_native import search_library
raise SystemExit(search_library() is None)'
}

removes() { dpkg --purge millwright && is_gone; }

step "the package is installed" dpkg --install ./millwright_*_arm64.deb
step "the engine's library is for this machine" has_library
step "it starts" tries starts
step "it may do little" scored
step "it plays a game" tries plays
step "it plays against people" tries against_the_board
step "it is removed" removes
ends
