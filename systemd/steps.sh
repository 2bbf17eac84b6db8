# shellcheck shell=sh
# What install.sh and the Debian package's scripts do alike; each is a function, and may be done twice.
# The file is sourced, and put in front of the package's scripts. Where systemd does not run, as in a folder
# that becomes a disk, nothing is started.

runs_systemd() { [ -d /run/systemd/system ]; }

# add_user SYSUSERS_FILE
add_user() { systemd-sysusers "$1"; }

# Has the rules of udev count for what is plugged in already, and the drivers be there.
load_rules() {
    runs_systemd || return 0
    systemctl restart systemd-modules-load.service || true
    udevadm control --reload
    udevadm trigger --action=change --subsystem-match=gpio --subsystem-match=spidev --subsystem-match=i2c-dev
    udevadm settle --timeout=10 || true
}

# allow_devices MILLWRIGHT   has the service use only the devices of the board's wiring, if that is configured
allow_devices() {
    "$1" config unit --write --config /etc/millwright/millwright.toml ||
        echo "The service may use the devices of every kind of wiring." >&2
}

load_units() { ! runs_systemd || systemctl daemon-reload; }

# Starts or restarts the board; doesn't wait, since a board whose sensors are unplugged doesn't become ready.
start_board() { ! runs_systemd || systemctl restart --no-block millwright.service; }

# Succeeds if there is a unit to stop; one that was removed already is not an error.
is_there() { [ "$(systemctl show --property=LoadState --value "$1")" != not-found ]; }

stop_board() {
    runs_systemd && is_there millwright.service || return 0
    systemctl stop millwright.service millwright.socket || true
}

enable_board() { systemctl --quiet enable millwright.socket millwright.service; }

disable_board() {
    systemctl --quiet is-enabled millwright.socket millwright.service 2>/dev/null || return 0
    systemctl --quiet disable millwright.socket millwright.service || true
}

# Has what the page takes installed from now on; only the package offers that.
watch_updates() { ! runs_systemd || systemctl start millwright-update.path || true; }

stop_updates() { ! runs_systemd || systemctl stop millwright-update.path || true; }

# Without the service, its drop-in would be about nothing.
forget_devices() {
    rm -f /etc/systemd/system/millwright.service.d/zz-devices.conf
    rmdir --ignore-fail-on-non-empty /etc/systemd/system/millwright.service.d 2>/dev/null || true
}

# Removes what uninstalling leaves unless PURGE is set: games, configuration, tables, and the user who owns them.
forget_all() {
    rm -f /etc/systemd/system/millwright.socket.d/zz-listen.conf /etc/systemd/journald.conf.d/50-millwright.conf
    rmdir --ignore-fail-on-non-empty /etc/systemd/system/millwright.socket.d 2>/dev/null || true
    rm -rf /var/lib/millwright /etc/millwright /var/cache/millwright /var/lib/millwright-update
    if getent passwd millwright >/dev/null; then userdel millwright; fi
}
