#!/usr/bin/env bash
# Pulls the plug of the virtual Pi in the middle of a turn: qemu is killed, and booted again from the same disk.
# The machine must stand: test.sh builds it.
# usage: power_cut.sh PYTHON    one that has pip and build
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../.." && pwd)
python=$1
machine=$project/build/virtual_pi
say() { echo "$1 ($SECONDS s)"; }
[ -e "$machine/made-from" ] || { echo "There is no virtual Pi yet: make test-virtual-pi builds it." >&2; exit 1; }

work=$(mktemp -d)
trap 'rm -rf "$work"; [ -z "${qemu:-}" ] || kill -9 "$qemu" 2>/dev/null || true' EXIT
say "building the package, and installing it in the machine"
"$project/systemd/deb/build.sh" "$python" "$work/deb" >"$work/log" || { cat "$work/log"; exit 1; }
root=$work/root
cp -a --reflink=auto "$machine/root" "$root"
rm -rf "$root/opt"
mkdir -p "$root/opt/brought" "$root/etc/systemd/system/millwright.service.d"
cp "$here/service/try_service.py" "$here/power_cut/run.sh" "$work"/deb/*.deb "$root/opt/brought/"
printf '[Service]\nBindReadOnlyPaths=/etc/cpuinfo:/proc/cpuinfo\n' \
    >"$root/etc/systemd/system/millwright.service.d/cpuinfo.conf"
env --ignore-environment PATH=/usr/sbin:/usr/bin chroot "$root" sh -c 'dpkg --install /opt/brought/*.deb' >"$work/log" ||
    { cat "$work/log"; exit 1; }
truncate --size=1500M "$work/root.img"
mke2fs -q -t ext4 -d "$root" "$work/root.img"
rm -rf "$root"

# boot NAME    with what boot.sh has, but on a disk that is kept; what the machine says comes into NAME.txt
boot() {
    qemu-system-x86_64 -machine q35 -cpu max -m 768 -accel tcg,thread=single -icount shift=0,sleep=off -smp 1 \
        -display none -no-reboot -nic none \
        -kernel "$machine/vmlinuz" -initrd "$machine/initrd" -append "root=/dev/vda rw quiet console=ttyS0" \
        -drive "file=$work/root.img,format=raw,if=virtio" -device virtio-rng-pci \
        -serial "file:$work/console.txt" -serial "file:$work/$1.txt" &
    qemu=$!
}

# heard FILE PATTERN    waits until the guest has said it
heard() {
    local waited=0
    until grep -q "$2" "$work/$1.txt" 2>/dev/null; do
        ! grep -q '^exit [1-9]' "$work/$1.txt" 2>/dev/null || break
        sleep 0.2
        waited=$((waited + 1))
        if [ $waited -gt 3000 ] || ! kill -0 "$qemu" 2>/dev/null; then
            cat "$work/$1.txt"
            tail -5 "$work/console.txt"
            echo "The virtual Pi never said: $2" >&2
            exit 1
        fi
    done
}

say "playing up to the middle of a turn"
boot before
heard before '^pull the plug'
kill -9 "$qemu"
wait "$qemu" || true
if grep '^exit ' "$work/before.txt"; then
    cat "$work/before.txt"
    exit 1
fi
say "the plug is pulled; putting it in again"
boot after
heard after '^exit '
kill -9 "$qemu" 2>/dev/null || true
cat "$work/before.txt" "$work/after.txt"
grep -q '^exit 0' "$work/after.txt" || exit 1
say "done"
