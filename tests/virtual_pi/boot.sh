#!/usr/bin/env bash
# Boots the machine as MODEL, one of `models`, with DISK, and runs its /opt/brought/run.sh; prints its output, and ends
# with its status. If the output says `pull the plug`, the machine loses its power, and is booted again; after
# `starts again` it does so by itself, once.
# usage: boot.sh KERNEL MODEL DISK    KERNEL is what kernel.sh made; DISK is changed
#
# Nothing here ends a machine that takes long: a busy host can take an hour for what an idle one does in ten minutes.
# The machine gives up by its own clock (guest/etc/systemd/system/play.service).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
kernel=$1 model=$2 disk=$3
work=$(mktemp -d)
trap 'pull_the_plug; rm -rf "$work"' EXIT

pull_the_plug() { [ ! -s "$work/pid" ] || { kill -9 "$(cat "$work/pid")" || true; } 2>/dev/null; }

read -r _ revision chip cpu memory board soc name < <(grep "^$model " "$here/models") ||
    { echo "$here/models has no $model" >&2; exit 1; }
size=$(stat --format=%s "$disk")

# Emulated, since not every host lends KVM. Its clock goes on by one nanosecond with each instruction, and leaps
# where there is nothing to do: so a busy host makes it take longer, but changes no time that is measured in it.
# For that, its disk is memory, which never has to be waited for, and which outlives qemu, being a file here.
machine() {
    qemu-system-aarch64 -machine "virt,gic-version=2$1" -cpu "$cpu" -accel tcg,thread=single -smp 1 -nic none \
        -m "$((memory + (size >> 20)))M" -numa node,memdev=memory -numa node,memdev=disk \
        -object "memory-backend-ram,id=memory,size=${memory}M" \
        -object "memory-backend-file,id=disk,share=on,mem-path=$disk,size=$size" "${@:2}"
}

# Writes the device tree: qemu's description of the machine, with a Pi's name. The range above the machine's memory is
# its disk. It has no GPIO chip but that of the kernel module, to which the board is soldered.
describe() {
    local tree=$work/tree pmem
    machine ",dumpdtb=$tree" -display none 2>"$work/log" || { cat "$work/log" >&2; exit 1; }
    pmem=$((0x40000000 + (memory << 20)))
    fdtput -r "$tree" /gpio-keys /pl061@9030000
    fdtput -t s "$tree" / model "$name"
    fdtput -t s "$tree" / compatible "$board" "$soc"
    fdtput -t x "$tree" -p /system linux,revision "$revision"
    fdtput -t s "$tree" -p "$(printf '/pmem@%x' $pmem)" compatible pmem-region
    fdtput -t x "$tree" "$(printf '/pmem@%x' $pmem)" reg 0 "$(printf %x $pmem)" 0 "$(printf %x "$size")"
}

run() {
    machine "" -icount shift=0,sleep=off -display none -no-reboot -pidfile "$work/pid" \
        -kernel "$kernel/vmlinuz" -initrd "$kernel/initrd" -dtb "$work/tree" \
        -append "mem=${memory}M root=/dev/pmem0 rw quiet panic=-1 console=ttyAMA0 muxboard.label=$chip" \
        -serial "file:$work/console.txt" \
        -device virtio-serial-device -chardev stdio,id=said,signal=off -device virtconsole,chardev=said </dev/null
}

describe
status='' plugged_in=''
until [ -n "$plugged_in" ]; do
    plugged_in=yes
    while IFS= read -r line; do
        line=${line%$'\r'}
        echo "$line"
        case $line in
            'pull the plug')
                plugged_in=''
                pull_the_plug
                ;;
            'starts again') plugged_in='' ;;
            'exit '*) status=${line#exit } ;;
        esac
    done < <(run)
done
if [ -z "$status" ]; then
    echo "the virtual Pi did not come to an end; its console:" >&2
    tail -20 "$work/console.txt" >&2
fi
exit "${status:-1}"
