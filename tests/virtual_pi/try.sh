#!/usr/bin/env bash
# Tries one part in a machine of its own: makes a disk with what the part needs, and boots it.
# usage: try.sh PYTHON MACHINE PART    PACKAGE is the Debian package
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$1 machine=$2 part=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    cp -a --reflink=auto "$machine/root" "$work/root"
    if [ "$part" = drivers ]; then
        "$here/drivers/bring.sh" "$python" "$work/root"
    else
        "$here/service/bring.sh" "$python" "$work/root" "$part"
    fi
    truncate --size=1G "$work/disk"
    mke2fs -q -t ext4 -d "$work/root" "$work/disk"
    rm -rf "$work/root"
    if "$here/boot.sh" "$machine" "$work/disk"; then
        echo "passed ($SECONDS s)"
    else
        echo "FAILED ($SECONDS s)"
        exit 1
    fi
} 2>&1 | while IFS= read -r line; do printf '%s %4d s: %s\n' "$part" $SECONDS "$line"; done
