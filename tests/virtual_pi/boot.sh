#!/usr/bin/env bash
# Boots the machine in FOLDER with DISK, and runs its /opt/brought/run.sh; prints its output, and ends with its
# status. If the output says `pull the plug`, the machine loses its power, and is booted again.
# usage: boot.sh FOLDER DISK    DISK is changed; SECONDS_TO_RUN limits the time of everything
#
# That limit counts the host's time, and a busy host can take an hour for what an idle one does in ten minutes:
# it is only there to end a machine that hangs. Deadlines are measured by the machine's own clock.
set -euo pipefail
folder=$1 disk=$2
deadline=$((SECONDS + ${SECONDS_TO_RUN:-14400}))
work=$(mktemp -d)
trap 'pull_the_plug; rm -rf "$work"' EXIT

pull_the_plug() { [ ! -s "$work/pid" ] || kill -9 "$(cat "$work/pid")" 2>/dev/null || true; }

# Emulated, since not every host lends KVM. Its clock goes on by one nanosecond with each instruction, and leaps
# where there is nothing to do: so a busy host makes it take longer, but changes no time that is measured in it.
# For that, its disk is memory, which never has to be waited for, and which outlives qemu, being a file here.
machine() {
    timeout --signal=KILL $((deadline - SECONDS)) qemu-system-x86_64 -machine q35,nvdimm=on -cpu max \
        -m 768M,slots=1,maxmem=4G -accel tcg,thread=single -icount shift=0,sleep=off -smp 1 \
        -display none -no-reboot -nic none -pidfile "$work/pid" \
        -kernel "$folder/vmlinuz" -initrd "$folder/initrd" -append "root=/dev/pmem0 rw quiet console=ttyS0" \
        -object "memory-backend-file,id=disk,share=on,mem-path=$disk,size=$(stat --format=%s "$disk")" \
        -device nvdimm,memdev=disk -device virtio-rng-pci \
        -serial "file:$work/console.txt" -chardev stdio,id=said,signal=off -serial chardev:said </dev/null
}

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
            'exit '*) status=${line#exit } ;;
        esac
    done < <(machine)
done
if [ -z "$status" ]; then
    echo "the virtual Pi did not come to an end; its console:" >&2
    tail -20 "$work/console.txt" >&2
fi
exit "${status:-1}"
