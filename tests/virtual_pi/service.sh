#!/usr/bin/env bash
# Tries the board as a service in the virtual Pi: the Debian package and `make install`'s script, both without a
# network, and what happens to the service when things go wrong. The machine must stand: test.sh builds it.
# usage: service.sh PYTHON    one that has pip and build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
python=$1
machine=$project/build/virtual_pi
say() { echo "$1 ($SECONDS s)"; }
[ -e "$machine/made-from" ] || { echo "There is no virtual Pi yet: make test-virtual-pi builds it." >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
say "building the package, and gathering wheels"
"$project/systemd/deb/build.sh" "$python" "$work/deb" >"$work/log" || { cat "$work/log"; exit 1; }
"$project/systemd/gather.sh" "$python" "$work/wheels" 3.11 x86_64

say "making the disk"
cp -a --reflink=auto "$machine/root" "$work/root"
rm -rf "$work/root/opt"
brought=$work/root/opt/brought
mkdir -p "$brought"
cp "$here/service/"* "$work"/deb/*.deb "$brought/"
mv "$work/wheels" "$brought/"
cp -r "$project/systemd" "$brought/"
# gpiozero asks for the model, and the service has a /proc of its own.
mkdir -p "$work/root/etc/systemd/system/millwright.service.d"
printf '[Service]\nBindReadOnlyPaths=/etc/cpuinfo:/proc/cpuinfo\n' \
    >"$work/root/etc/systemd/system/millwright.service.d/cpuinfo.conf"
truncate --size=1500M "$work/root.img"
mke2fs -q -t ext4 -d "$work/root" "$work/root.img"
rm -rf "$work/root"

say "booting it (a quarter of an hour, since it is emulated)"
SECONDS_TO_RUN=${SECONDS_TO_RUN:-1500} "$here/boot.sh" "$machine" "$work/root.img"
say "done"
