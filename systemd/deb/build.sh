#!/usr/bin/env bash
# Builds the Debian package, architecture all. Needs dpkg-deb, and a Python with pip and build.
# usage: build.sh PYTHON FOLDER    leaves FOLDER/millwright_VERSION_all.deb
#
#   WHEELS=FOLDER    take what Millwright needs from wheels in FOLDER, and nothing from the network
#
# Millwright and what it needs, pure Python all of it, lies unpacked in a folder of its own, so that nothing is
# built or fetched where it is installed. What is compiled comes from the system's packages. lgpio is in those of
# Raspberry Pi OS, but not of Debian: for Debian 12's Python there are wheels, which are unpacked beside it.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
python=$1 out=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
home=$root/usr/lib/millwright
umask 022

pip() { "$python" -m pip "$@" --quiet --disable-pip-version-check --no-input 2>"$work/log" || { cat "$work/log" >&2; exit 1; }; }
fetch=()
[ -z "${WHEELS:-}" ] || fetch=(--no-index --find-links "$WHEELS")

# for_machine MACHINE    what has pip look for wheels for Debian 12 on it, whatever this machine is
for_machine() {
    fit=(--only-binary=:all: --python-version 3.11 --implementation cp --abi cp311 --abi abi3 --abi none --platform any)
    local baseline
    for baseline in manylinux2014 manylinux_2_17 manylinux_2_28 manylinux_2_34; do fit+=(--platform "${baseline}_$1"); done
}

unpack_wheels() {
    "$python" -m build --wheel --outdir "$work/wheel" "$project" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
    wheel=("$work"/wheel/millwright_board-*.whl)
    version=$(basename "${wheel[0]}" | cut -d- -f2)
    for_machine x86_64
    pip install --no-compile --target "$home" "${fetch[@]}" "${fit[@]}" "${wheel[0]}"
    # Blinka's, for sensors that no board of ours has; where it is wanted it is the system's.
    rm -rf "${home:?}"/sysv_ipc* "${home:?}/bin" "${home:?}/share"
    if compiled=$(find "$home" -name '*.so*' | grep .); then
        echo "This is compiled, and cannot be in a package for all architectures: $compiled" >&2
        exit 1
    fi
}

unpack_lgpio() {
    local machine
    for machine in x86_64 aarch64; do
        for_machine "$machine"
        pip install --no-compile --no-deps --target "$home/compiled/cp311-$machine" "${fetch[@]}" "${fit[@]}" 'lgpio>=0.2.2.0'
    done
}

lay_out() {
    local from=$project/systemd
    install -D -m 755 "$here/millwright" "$root/usr/bin/millwright"
    install -D -m 644 -t "$root/usr/lib/systemd/system" "$from/millwright.service" "$from/millwright.socket"
    install -D -m 644 -t "$root/usr/lib/udev/rules.d" "$from/60-millwright.rules"
    install -D -m 644 "$from/sysusers.conf" "$root/usr/lib/sysusers.d/millwright.conf"
    install -D -m 644 "$from/modules-load.conf" "$root/usr/lib/modules-load.d/millwright.conf"
    install -D -m 644 -t "$root/etc/millwright" "$from/millwright.toml"
    install -D -m 644 "$project/LICENSE" "$root/usr/share/doc/millwright/copyright"
    install -D -m 644 -t "$root/usr/share/doc/millwright" "$project/README.md"
}

# The package's own scripts, each with the steps in front that it shares with install.sh.
describe() {
    local script size
    mkdir -p "$root/DEBIAN"
    for script in postinst prerm postrm; do
        { printf '#!/bin/sh\nset -e\n'; cat "$project/systemd/steps.sh" "$here/$script"; } >"$root/DEBIAN/$script"
        chmod 755 "$root/DEBIAN/$script"
    done
    echo /etc/millwright/millwright.toml >"$root/DEBIAN/conffiles"
    size=$(du --summarize --block-size=1K --exclude=DEBIAN "$root" | cut -f1)
    sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$size/" \
        -e "s/@MAINTAINER@/${DEBFULLNAME:-Millwright} <${DEBEMAIL:-millwright@localhost}>/" \
        "$here/control" >"$root/DEBIAN/control"
    (cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) >"$work/md5sums"
    mv "$work/md5sums" "$root/DEBIAN/md5sums"
}

unpack_wheels
unpack_lgpio
lay_out
describe
mkdir -p "$out"
find "$root" -exec touch --no-dereference --date="@${SOURCE_DATE_EPOCH:-$(git -C "$project" log -1 --format=%ct 2>/dev/null || date +%s)}" {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$out/millwright_${version}_all.deb"
