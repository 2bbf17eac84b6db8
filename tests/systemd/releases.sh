#!/usr/bin/env bash
# Installs the Debian package, and then by `make install`'s script, in Debian 12 and Debian 13 without a network,
# and looks at what there is then. No systemd runs in these folders: that it starts is tried in the virtual Pi.
# usage: releases.sh PYTHON    one that has pip and packaging; needs root on Debian, and mmdebstrap
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
python=$1
folder=$project/build/releases
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source-path=SCRIPTDIR source=../support/debian.sh
. "$project/tests/support/debian.sh"

# The requirements of the Debian package and of `make install`; there is no compiler among them.
debian() {
    local release=$1 root=$folder/$1 packages=systemd-sysv,udev,python3,python3-venv
    ! is_made "$packages" || return 0
    install_debian "$release" "$packages"
    made "$packages"
}

works() {
    inside millwright --version | grep -q '^millwright ' || fail "millwright --version"
    printf '{"put": "d6", "piece": "white"}\n{"wait": 1}\n' | inside millwright sim --headless |
        grep -q '"event": "step", "text": "d6"' || fail "nothing is played"
    # It finds no Pi here, and the page says so; the service's own Python has the drivers' libraries.
    # shellcheck disable=SC2016 # it is the inner shell's
    inside sh -c '
        runuser -u millwright -- millwright run >/tmp/said 2>&1 & board=$!
        for _ in $(seq 60); do sleep 0.5; millwright status >/tmp/status 2>/dev/null && break; done
        kill $board; wait $board; cat /tmp/said /tmp/status' >"$work/said" || { cat "$work/said"; fail "no board"; }
    grep -q '^broken  *sensors: there is no /dev/gpiochip0' "$work/said" || { cat "$work/said"; fail "no drivers"; }
}

hardened() {
    inside systemd-analyze security --offline=true --threshold=10 --no-pager "$1/millwright.service" \
        >"$work/security" 2>&1 || { tail -3 "$work/security"; fail "the service may do too much"; }
    tail -1 "$work/security"
    inside systemd-analyze verify "$1/millwright.service" 2>&1 | grep -v -e RestartSteps -e RestartMaxDelaySec \
        -e "^$" -e /run/ && fail "systemd-analyze finds something"
    [ "$(inside systemctl is-enabled millwright.service millwright.socket | uniq)" = enabled ] || fail "not enabled"
    inside id -nG millwright | tr ' ' '\n' | sort | tr '\n' ' ' | grep -qx 'dialout gpio i2c millwright spi ' ||
        fail "the user's groups are $(inside id -nG millwright)"
}

package() {
    say "$release: the package"
    cp "$work"/millwright_*_amd64.deb "$root/millwright.deb"
    inside dpkg --install /millwright.deb >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg"; }
    works
    hardened /usr/lib/systemd/system
    echo '# mine' >>"$root/etc/millwright/millwright.toml"
    mkdir -p "$root/var/lib/millwright" "$root/var/cache/millwright" # which the service makes when it starts
    echo game >"$root/var/lib/millwright/games"
    inside dpkg --install /millwright.deb >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg, again"; }
    grep -q '# mine' "$root/etc/millwright/millwright.toml" || fail "the configuration was overwritten"
    inside dpkg --remove millwright >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg --remove"; }
    [ -e "$root/var/lib/millwright/games" ] && [ -e "$root/etc/millwright/millwright.toml" ] || fail "games are lost"
    [ ! -e "$root/usr/lib/millwright" ] || fail "something stays: $(find "$root/usr/lib/millwright" | head -3)"
    inside dpkg --purge millwright >"$work/log" 2>&1 || { cat "$work/log"; fail "dpkg --purge"; }
    [ ! -e "$root/var/lib/millwright" ] && [ ! -e "$root/var/cache/millwright" ] &&
        [ ! -e "$root/etc/millwright" ] || fail "purging leaves something"
    ! inside getent passwd millwright || fail "purging leaves the user"
}

script() {
    say "$release: the script"
    rm -rf "$root/source"
    mkdir -p "$root/source"
    cp -r "$project/systemd" "$work/wheels-$release" "$root/source/"
    mv "$root/source/wheels-$release" "$root/source/wheels"
    local install=/source/systemd/install.sh
    inside env DRY_RUN=1 WHEELS=/source/wheels $install install >"$work/log" || fail "the dry run"
    [ ! -e "$root/opt/millwright" ] || fail "the dry run was none"
    inside env WHEELS=/source/wheels $install install >"$work/log" 2>&1 || { cat "$work/log"; fail "install"; }
    works
    hardened /usr/local/lib/systemd/system
    echo '# mine' >>"$root/etc/millwright/millwright.toml"
    local before
    before=$(readlink "$root/opt/millwright/current")
    mkdir "$root/source/half"
    cp "$root"/source/wheels/millwright_board-*.whl "$root/source/half/"
    ! inside env WHEELS=/source/half $install install >"$work/log" 2>&1 || fail "an update without what it needs"
    [ "$(readlink "$root/opt/millwright/current")" = "$before" ] || fail "a failed update counts"
    [ "$(ls "$root/opt/millwright")" = "$(printf '%s\n' "$before" current)" ] || fail "half a version stays"
    inside env WHEELS=/source/wheels $install install >"$work/log" 2>&1 || { cat "$work/log"; fail "update"; }
    [ "$(readlink "$root/opt/millwright/current")" != "$before" ] || fail "the update does not count"
    works
    grep -q '# mine' "$root/etc/millwright/millwright.toml" || fail "the configuration was overwritten"
    inside $install uninstall >"$work/log" 2>&1 || { cat "$work/log"; fail "uninstall"; }
    [ ! -e "$root/opt/millwright" ] && [ -e "$root/etc/millwright/millwright.toml" ] || fail "uninstall"
    inside env PURGE=1 $install uninstall >"$work/log" 2>&1 || { cat "$work/log"; fail "uninstall PURGE=1"; }
    [ ! -e "$root/etc/millwright" ] && ! inside getent passwd millwright || fail "purging leaves something"
    rm -rf "$root/source"
}

gather() {
    "$project/systemd/gather.sh" "$python" "$work/wheels-bookworm" 3.11 x86_64
    "$project/systemd/gather.sh" "$python" "$work/wheels-trixie" 3.13 x86_64
}

say "building the package, and gathering wheels"
"$project/systemd/deb/build.sh" "$python" "$work" amd64 armhf all >"$work/log" || { cat "$work/log"; fail "no package"; }
command -v lintian >/dev/null || fail "this needs lintian: apt-get install lintian"
lintian --fail-on error,warning "$work"/millwright_*.deb >"$work/log" 2>&1 || { cat "$work/log"; fail "lintian"; }
gather
for release in bookworm trixie; do
    debian "$release"
    root=$work/$release
    cp -a --reflink=auto "$folder/$release" "$root"
    package
    script
    rm -rf "$root"
done
say "done"
