#!/usr/bin/env bash
# Installs the board as a service on Raspberry Pi OS or Debian, updates it, or removes it.
# usage: install.sh install | uninstall [--dry-run]
#
#   --dry-run, DRY_RUN=1   say what would be done, and do nothing
#   WHEELS=FOLDER          take Millwright and all it needs from wheels in FOLDER, and nothing from the network;
#                          `make wheels` of the same version has gathered them
#   PYTHON=python3.11      the Python to run it with; without it, python3
#   PURGE=1                with uninstall: remove games, configuration and user, too
#   DESTDIR=FOLDER         install under FOLDER; no user is made there, and nothing is started
#
# Each version has a folder of its own under /opt/millwright, and `current` points to one of them: it is moved
# to a new one when that is whole, and back if the board does not start with it. What it needs are the files that
# requirements.lock lists, with their hashes, wherever they come from.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
project=$(dirname "$here")
# shellcheck source-path=SCRIPTDIR source=steps.sh
. "$here/steps.sh"
# shellcheck source-path=SCRIPTDIR source=locked.sh
. "$here/locked.sh"

root=${DESTDIR:-}
opt=$root/opt/millwright
lib=$root/usr/local/lib
config=$root/etc/millwright/millwright.toml
dry_run=${DRY_RUN:-}
seconds_to_start=60

say() { echo "$*"; }
fail() {
    echo "$*" >&2
    exit 1
}

# Does what the arguments say, or in a dry run only says it.
run() {
    if [ -n "$dry_run" ]; then say "would: $*"; else "$@"; fi
}

on_this_machine() { [ -z "$root" ]; }

check_machine() {
    if [ -z "$dry_run" ] && on_this_machine && [ "$(id -u)" != 0 ]; then
        fail "Only root can install a service: sudo make $1"
    fi
}

find_python() {
    python=${PYTHON:-python3}
    command -v "$python" >/dev/null || fail "There is no $python here: apt install python3 python3-venv"
    "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
        fail "Millwright needs Python 3.11 or later, and $python is $("$python" --version 2>&1)"
    "$python" -c 'import venv, ensurepip' 2>/dev/null ||
        fail "$python has no venv or no ensurepip: apt install python3-venv"
}

# Sets `version`, which is to be installed, and `wheels`, the folder in which its wheel is or will be built.
find_source() {
    if [ -z "${WHEELS:-}" ]; then
        wheels=$work/wheels
        version=$(sed -n 's/^__version__ = "\(.*\)"$/\1/p' "$project/firmware_host/__init__.py")
    else
        local found=("$WHEELS"/millwright_board-*.whl)
        [ -f "${found[0]}" ] || fail "There is no millwright_board-*.whl in $WHEELS: make wheels makes one"
        wheels=$WHEELS
        version=$(basename "${found[-1]}" | cut -d- -f2)
    fi
    [ -n "$version" ] || fail "The version is missing in $project/firmware_host/__init__.py."
}

# A folder that no version has yet: an update to the same number must not touch what runs.
find_folder() {
    local again=1
    folder=$opt/$version
    while [ -e "$folder" ]; do
        again=$((again + 1))
        folder=$opt/$version-$again
    done
}

make_venv() {
    local from=()
    [ -z "${WHEELS:-}" ] || from=(--no-index --find-links "$WHEELS")
    say "Installing Millwright $version into $folder (some minutes on a Pi)"
    run mkdir -p "$opt"
    run "$python" -m venv "$folder"
    run locked_pip "$folder/bin/python" install "${from[@]}" -r "$locks/requirements.lock"
    [ -n "${WHEELS:-}" ] || run build_wheel "$folder/bin/python" "$wheels"
    run "$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-index --no-deps \
        --find-links "$wheels" "millwright-board==$version"
    # Find a missing library here, and not when the board starts.
    run "$folder/bin/python" -P -c 'import firmware_host.runtime.real_board, hardware.spi_pixels, gpiozero, serial' ||
        fail "A library that the board needs cannot be imported; its name is above."
}

# install_version NAME    has that version count, with the unit that it came with
install_version() {
    local files=$opt/$1/share/millwright/systemd
    run install -D -m 644 -t "$lib/systemd/system" "$files/millwright.service" "$files/millwright.socket"
    run install -D -m 644 -t "$lib/udev/rules.d" "$files/60-millwright.rules"
    run install -D -m 644 "$files/sysusers.conf" "$lib/sysusers.d/millwright.conf"
    run install -D -m 644 "$files/modules-load.conf" "$lib/modules-load.d/millwright.conf"
    if [ -e "$config" ]; then
        say "Keeping $config"
    else
        run install -D -m 644 "$files/millwright.toml" "$config"
    fi
    run mkdir -p "$root/usr/local/bin"
    run ln -sfn /opt/millwright/current/bin/millwright "$root/usr/local/bin/millwright"
    run ln -sfn "$1" "$opt/next"
    run mv -T "$opt/next" "$opt/current"
}

shown() { systemctl show --property="$1" --value millwright.service; }

# Succeeds once the board has started: it is ready, or says why it is not.
has_started() {
    local waited=0 state says
    runs_systemd || return 0
    while [ $waited -lt $seconds_to_start ]; do
        sleep 1
        waited=$((waited + 1))
        state=$(shown ActiveState)/$(shown SubState)
        says=$(shown StatusText)
        case $state in
            active/running) return 0 ;;
            activating/start) [ $waited -lt 20 ] || [ -z "$says" ] || { say "It waits: $says"; return 0; } ;;
            activating/auto-restart | failed/*) break ;;
        esac
    done
    say "The board does not start: journalctl -u millwright" >&2
    return 1
}

start_new() {
    local before=$1
    run add_user "$lib/sysusers.d/millwright.conf"
    run load_rules
    run allow_devices "$opt/current/bin/millwright"
    run load_units
    run enable_board
    run start_board
    if [ -n "$dry_run" ] || has_started; then return; fi
    [ -n "$before" ] || fail "There is no older version to go back to; this one stays."
    install_version "$before"
    load_units
    start_board
    rm -rf "$folder"
    fail "Going back to $before, which runs again."
}

remove_older() {
    local before=$1 old
    for old in "$opt"/*/; do
        old=$(basename "$old")
        case $old in "$(basename "$folder")" | "$before" | current | '*') ;; *) run rm -rf "${opt:?}/$old" ;; esac
    done
}

install_board() {
    local before
    check_machine install
    find_python
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    find_source
    find_folder
    before=$(readlink "$opt/current" || true)
    # Half a version is none; what runs is not touched until the new one is whole.
    trap 'rm -rf "$work"; [ -n "$dry_run" ] || rm -rf "$folder"' EXIT
    make_venv
    trap 'rm -rf "$work"' EXIT
    install_version "$(basename "$folder")"
    if on_this_machine; then start_new "$before"; fi
    remove_older "$before"
    if on_this_machine; then switch_on; fi
    if [ -n "$dry_run" ]; then return; fi
    say "Millwright $version is installed; \`millwright status\` says how the board is."
}

# Shows what config.txt lacks of what the board's wiring needs, and offers to write it. A dry run asks the version
# that is installed, if there is one, which writes nothing then.
switch_on() {
    local millwright=$opt/current/bin/millwright
    if [ -z "$dry_run" ]; then
        "$millwright" boot || true # nobody has to agree
    elif [ -x "$millwright" ]; then
        "$millwright" boot --dry-run || true
    else
        say "would: $millwright boot, which shows what config.txt lacks (SPI, its clock, I2C) and asks whether to write it"
    fi
}

uninstall_board() {
    check_machine uninstall
    if on_this_machine; then
        run stop_board
        run disable_board
        run forget_devices
    fi
    run rm -rf "$opt" "$root/usr/local/bin/millwright" "$lib/udev/rules.d/60-millwright.rules" \
        "$lib/sysusers.d/millwright.conf" "$lib/modules-load.d/millwright.conf" \
        "$lib/systemd/system/millwright.service" \
        "$lib/systemd/system/millwright.socket"
    if on_this_machine; then
        run load_units
        run load_rules
    fi
    if [ -n "${PURGE:-}" ]; then
        if on_this_machine; then run forget_all; else run rm -rf "$(dirname "$config")"; fi
    fi
    if [ -n "$dry_run" ]; then return; fi
    if [ -n "${PURGE:-}" ]; then
        say "Millwright is gone, with its games and its configuration."
    else
        say "Millwright is gone. Games, configuration and tables stay in /var/lib, /etc and /var/cache/millwright;"
        say "sudo make uninstall PURGE=1 removes them, too."
    fi
}

if [ "${2:-}" = --dry-run ]; then dry_run=1; fi
case ${1:-} in
    install) install_board ;;
    uninstall) uninstall_board ;;
    *) fail "usage: $0 install | uninstall [--dry-run]" ;;
esac
