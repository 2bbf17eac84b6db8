#!/usr/bin/env bash
# Boots the machine in FOLDER with DISK, whose /opt/brought/run.sh it runs; prints what that prints, and ends
# with its status. The disk is not changed.
# usage: boot.sh FOLDER DISK
set -euo pipefail
folder=$1 disk=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Emulated, since not every host lends KVM. Its clock goes on by one nanosecond with each instruction, and leaps
# where there is nothing to do: so a busy host makes it take longer, but changes no time that is measured in it.
timeout "${SECONDS_TO_RUN:-780}" qemu-system-x86_64 -machine q35 -cpu max -m 768 \
    -accel tcg,thread=single -icount shift=0,sleep=off -smp 1 \
    -display none -no-reboot -nic none \
    -kernel "$folder/vmlinuz" -initrd "$folder/initrd" -append "root=/dev/vda rw quiet console=ttyS0" \
    -drive "file=$disk,format=raw,if=virtio,snapshot=on" -device virtio-rng-pci \
    -serial "file:$work/console.txt" -serial "file:$work/said.txt" || true
cat "$work/said.txt"
status=$(tail -1 "$work/said.txt" | tr -d '\r' | sed -n 's/^exit \([0-9]*\)$/\1/p')
if [ -z "$status" ]; then
    echo "the virtual Pi did not come to an end; its console:" >&2
    tail -20 "$work/console.txt" >&2
fi
exit "${status:-1}"
